/** Cases in, results out: one a line, same order, memory that does not grow with the number of lines. */
import { once } from 'node:events'
import { readCase } from '../../sql/eval/case.ts'
import { encodeFailure } from '../../sql/encode/json.ts'
import type { Profile } from '../../sql/index.ts'
import { BatchRunner, DEFAULT_LIMITS, type Outcome } from '../../sql/workers/batch-runner.ts'
import { inOrder } from '../../sql/workers/in-order.ts'
import { lineGroups } from '../../sql/workers/line-groups.ts'

export interface CaseStreamOptions {
  readonly profile: Profile
  /** Worker threads; one a core when absent. */
  readonly threads: number | undefined
  /** Longest time for one case, milliseconds. */
  readonly timeLimitMs: number
}

export async function runCaseStream(
  input: AsyncIterable<string | Uint8Array>,
  output: NodeJS.WritableStream,
  options: CaseStreamOptions,
): Promise<void> {
  const runner = new BatchRunner('caseLines', (lines: readonly string[]) => lines, {
    ...DEFAULT_LIMITS,
    threads: options.threads,
    timeLimitMs: options.timeLimitMs,
    shared: { profile: options.profile },
  })
  const answer = async (lines: readonly string[]): Promise<string> => {
    const outcomes = await runner.run(lines)
    return outcomes.map((outcome, i) => `${resultLine(outcome, lines[i] ?? '', options)}\n`).join('')
  }
  try {
    for await (const text of inOrder(lineGroups(input), answer, runner.threads * 2)) {
      if (!output.write(text)) await once(output, 'drain')
    }
  } finally {
    await runner.close()
  }
}

function resultLine(outcome: Outcome, line: string, { timeLimitMs }: CaseStreamOptions): string {
  if (outcome.ok) return outcome.answer
  const reading = readCase(line)
  const id = reading.ok ? reading.value.id : reading.bad.id
  const limit = outcome.broke === 'time' ? `the time limit of ${timeLimitMs} ms` : 'the memory limit'
  return JSON.stringify(encodeFailure(id, `${limit} ended the analysis`))
}
