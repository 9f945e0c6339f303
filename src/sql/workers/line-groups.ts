import { StringDecoder } from 'node:string_decoder'

/** Lines a group at most; as many statements a batch pay for the way to a worker without making others wait. */
export const MAX_GROUP = 256

/** The lines of a stream in groups, as they arrive: a group never waits for more input. Blank lines are left out. */
export async function* lineGroups(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8')
  let open = ''
  for await (const chunk of input) {
    const lines = (open + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n')
    open = lines.pop() ?? ''
    yield* inGroups(lines)
  }
  yield* inGroups([open + decoder.end()])
}

function* inGroups(lines: readonly string[]): Generator<readonly string[]> {
  const filled = lines.filter((line) => line.trim() !== '')
  for (let i = 0; i < filled.length; i += MAX_GROUP) yield filled.slice(i, i + MAX_GROUP)
}
