/** What a person sees at the end of a run: what the job says, the two sums, what was rejected, and what to do next. */
import type { JobDefinition } from '../../runner/define-job.ts'
import type { RunnerParts } from '../../runner/parts.ts'
import type { RunEnding } from '../../runner/wait.ts'
import { findDeadLetters } from '../../store/ledger/journal.ts'
import type { DeadLetterRow, LedgerBalance, PlanRow, RunRow } from '../../store/ledger/types.ts'
import { formatPlace } from '../../model/errors.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

/** Rejected records that are shown one by one. */
const SHOWN_REJECTS = 10

/** Exit codes of a run (README, "Exit codes"). */
export function exitCodeOfEnding(job: JobDefinition, { run, plan, applied }: RunEnding): number {
  const last = applied ?? run
  if (last.state === 'failed') return last.error?.badInput === true ? EXIT.badInput : EXIT.failed
  if (last.state === 'cancelled' || last.state === 'skipped') return EXIT.failed
  const stopped = plan?.state === 'rejected' || (plan?.state === 'awaiting' && job.check !== undefined)
  if (stopped) return EXIT.gated
  return last.state === 'partial' || run.state === 'partial' ? EXIT.partial : EXIT.done
}

export async function printEnding(terminal: Terminal, parts: RunnerParts, ending: RunEnding): Promise<void> {
  const { run, plan, applied } = ending
  const last = applied ?? run
  if (terminal.json) {
    terminal.printJson({
      run: runJson(run),
      plan: plan ?? null,
      applied: applied === undefined ? null : runJson(applied),
    })
    return
  }
  const lines = applied === undefined ? (plan?.lines ?? run.lines) : [...(plan?.lines ?? []), ...applied.lines]
  for (const line of lines) terminal.print(line)
  if (last.error !== null) {
    terminal.complain(`${terminal.style('red', last.error.code)} ${last.error.message}`)
    if (last.error.remedy !== undefined) terminal.complain(`  what to do: ${last.error.remedy}`)
  }
  await printLosses(terminal, parts, run, ['rejected', 'refused', 'dead'])
  // Of the records, the run that made the plan has told.
  if (applied !== undefined) await printLosses(terminal, parts, applied, ['refused', 'dead'])
  terminal.print()
  terminal.print(`${headline(terminal, last)}  ${terminal.style('dim', `${last.job} ${last.id}`)}`)
  for (const line of balanceLines(last.balance)) terminal.print(`  ${line}`)
  if (plan !== undefined) printNextStep(terminal, plan)
}

function printNextStep(terminal: Terminal, plan: PlanRow): void {
  for (const reason of plan.reasons) terminal.print(`  gate: ${reason}`)
  if (plan.state !== 'awaiting' && plan.state !== 'planned') return
  const until = new Date(plan.expiresMs).toISOString().slice(0, 16).replace('T', ' ')
  terminal.print()
  const what = plan.state === 'planned' ? 'Nothing was written. To carry this plan out' : 'Waiting for a decision'
  terminal.print(`${what}, until ${until} UTC:`)
  terminal.print(`  headwater approve ${plan.id}`)
  terminal.print(`  headwater reject ${plan.id}`)
}

function headline(terminal: Terminal, run: RunRow): string {
  switch (run.state) {
    case 'succeeded':
      return terminal.style('green', 'done')
    case 'partial':
      return terminal.style('yellow', 'done in part')
    default:
      return terminal.style('red', run.state) + (run.reason === null ? '' : ` (${run.reason})`)
  }
}

/** The two sums as sentences; a sum of nothing is left out. A run that broke off says what it had not come to. */
export function balanceLines({ records, proposals }: LedgerBalance): readonly string[] {
  const lines: string[] = []
  if (records.read > 0) {
    const parts = [
      `used ${records.used}`,
      `duplicate ${records.duplicate}`,
      `no effect ${records.noEffect}`,
      `rejected ${records.rejected}`,
      ...unsettled(records.read - records.used - records.duplicate - records.noEffect - records.rejected),
    ]
    lines.push(`records    read ${records.read} = ${parts.join(' + ')}`)
  }
  if (proposals.made > 0) {
    const parts = [
      `written ${proposals.written}`,
      `unchanged ${proposals.unchanged}`,
      `refused ${proposals.refused}`,
      `dead ${proposals.dead}`,
      ...unsettled(proposals.made - proposals.written - proposals.unchanged - proposals.refused - proposals.dead),
    ]
    lines.push(`proposals  made ${proposals.made} = ${parts.join(' + ')}`)
  }
  return lines
}

function unsettled(rest: number): readonly string[] {
  return rest === 0 ? [] : [`unsettled ${rest}`]
}

async function printLosses(
  terminal: Terminal,
  parts: RunnerParts,
  run: RunRow,
  outcomes: readonly DeadLetterRow['outcome'][],
): Promise<void> {
  const { records, proposals } = run.balance
  const counts = { rejected: records.rejected, refused: proposals.refused, dead: proposals.dead }
  const total = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)
  if (total === 0) return
  terminal.print()
  terminal.print(terminal.style('yellow', `${total} rejected, refused or given up`))
  const page = { after: 0, limit: SHOWN_REJECTS }
  const letters = await findDeadLetters(parts.database, { runId: run.id, outcomes, open: false }, page)
  for (const { code, reason, place, entityUrn } of letters) {
    terminal.print(`  ${place === null ? (entityUrn ?? '') : formatPlace(place)}  ${code}  ${reason}`)
  }
  if (total > SHOWN_REJECTS) terminal.print(`  … all of them: headwater runs show ${run.id}`)
}

function runJson(run: RunRow): object {
  const { id, job, mode, state, balance, report, error, startedMs, finishedMs, rejectedByCode } = run
  return { id, job, mode, state, balance, report, error, startedMs, finishedMs, rejectedByCode }
}
