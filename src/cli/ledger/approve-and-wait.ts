import { approvePlan } from '../../runner/decide.ts'
import type { RunnerParts } from '../../runner/parts.ts'
import { waitForRun } from '../../runner/wait.ts'
import type { CommandContext } from '../command.ts'
import { exitCodeOfEnding, printEnding } from '../run/ending.ts'
import { userName } from '../user-name.ts'

/** Approves a plan in the name of whoever sits there, waits until it is carried out, prints its end. @returns the exit code */
export async function approveAndWait(
  parts: RunnerParts,
  id: string,
  { terminal }: Pick<CommandContext, 'terminal'>,
): Promise<number> {
  const { plan } = await approvePlan(parts, id, userName())
  const ending = await waitForRun(parts, plan.runId, { signal: new AbortController().signal })
  await printEnding(terminal, parts, ending)
  return exitCodeOfEnding(parts.jobs.get(plan.job), ending)
}
