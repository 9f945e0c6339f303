/** Cases in, results out: one a line, same order, memory that does not grow with the number of lines. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { caseOptions, readCase } from '../../sql/eval/case.ts'
import { encodeFailure, encodeResult, type LineageResult } from '../../sql/encode/json.ts'
import { parseLineage, type Profile } from '../../sql/index.ts'

export interface CaseStreamOptions {
  readonly profile: Profile
  /** Worker threads; one a core when absent. */
  readonly threads: number | undefined
  /** Longest time for one case, milliseconds. */
  readonly timeLimitMs: number
}

export async function runCaseStream(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  options: CaseStreamOptions,
): Promise<void> {
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const text = `${JSON.stringify(resultOf(line, options.profile))}\n`
    if (!output.write(text)) await once(output, 'drain')
  }
}

/** The answer to one line; whatever is wrong with it. */
function resultOf(line: string, profile: Profile): LineageResult {
  const reading = readCase(line)
  if (!reading.ok) return encodeFailure(reading.bad.id, reading.bad.error)
  const { id, sql } = reading.value
  return encodeResult(id, parseLineage(sql, caseOptions(reading.value, profile)))
}
