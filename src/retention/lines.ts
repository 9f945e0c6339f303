import { SourceUnreadableError } from '../client/source-http.ts'
import type { JsonValue } from '../model/json.ts'

/** Longest line that is read; a row is far smaller. */
const LONGEST_LINE = 16 * 1024 * 1024

/** Values of NDJSON, one a line; empty lines are stepped over. @throws SourceUnreadableError naming the line */
export async function* readLines(bytes: AsyncIterable<Uint8Array>, name = 'the stream'): AsyncGenerator<JsonValue> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let line = 0
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    if (rest.length > LONGEST_LINE) throw new SourceUnreadableError(name, `line ${line + 1} is longer than 16 MiB`)
    for (const part of parts) {
      line++
      if (part.trim() !== '') yield parsed(part, name, line)
    }
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield parsed(rest, name, line + 1)
}

function parsed(text: string, name: string, line: number): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (cause) {
    throw new SourceUnreadableError(name, `line ${line} is not JSON`, { cause })
  }
}
