import { formatPlace } from '../../model/errors.ts'
import { maskUrls } from '../../observe/logger.ts'
import type { AttemptRow, DeadLetterRow, PlanRow, RunRow } from '../../store/ledger/types.ts'
import { balanceLines } from '../run/ending.ts'
import type { Terminal } from '../terminal.ts'
import { grouped, runSpan, span, utcTime } from './format.ts'

export interface RunDetails {
  readonly run: RunRow
  /** The plan that it made or carried out. */
  readonly plan: PlanRow | null
  readonly attempts: readonly AttemptRow[]
  readonly deadLetters: readonly DeadLetterRow[]
}

/** All of a run for a person: facts, sums, attempts, its own lines, and what was not used with the reason. */
export function runDetails(
  { run, plan, attempts, deadLetters }: RunDetails,
  terminal: Pick<Terminal, 'style'>,
  nowMs: number,
): readonly string[] {
  return [
    `${terminal.style('bold', run.id)}  ${run.state}`,
    ...facts(run, plan, nowMs).map(([name, value]) => `  ${name.padEnd(11)}${value}`),
    ...balanceLines(run.balance).map((line) => `  ${line}`),
    ...unsettledLines(run).map((line) => `  ${line}`),
    ...errorLines(run, terminal),
    ...section(terminal, 'attempts', attempts.length > 1 ? attempts.map(attemptLine) : []),
    ...section(terminal, 'result', run.lines),
    ...section(terminal, 'rejected, refused or given up', [
      ...Object.entries(run.rejectedByCode).map(([code, count]) => `${grouped(count)} ${code}`),
      ...deadLetters.map(letterLine),
    ]),
  ]
}

function facts(run: RunRow, plan: PlanRow | null, nowMs: number): readonly (readonly [string, string])[] {
  const by = run.requestedBy === null ? '' : ` by ${run.requestedBy}`
  const known: readonly (readonly [string, string | undefined])[] = [
    ['job', `${run.job}, ${run.mode}${run.applies ? ' and apply' : ''}`],
    ['asked for', `${utcTime(run.createdMs)} UTC, ${run.trigger}${by}`],
    ['slot', run.slotMs === null ? undefined : `${run.scheduleId} ${utcTime(run.slotMs)} UTC`],
    ['started', run.startedMs === null ? undefined : `${utcTime(run.startedMs)} UTC, took ${runSpan(run, nowMs)}`],
    ['why', run.reason ?? undefined],
    ['writes to', run.target ?? undefined],
    ['needs', run.resources.length === 0 ? undefined : run.resources.join(', ')],
    ['retry of', run.retryOf ?? undefined],
    ['plan', plan === null ? undefined : `${plan.id}, ${plan.state}`],
    ['input', maskUrls(JSON.stringify(run.input))],
  ]
  return known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function unsettledLines({ unsettled }: RunRow): readonly string[] {
  if (unsettled.records === 0 && unsettled.proposals === 0) return []
  return [`unsettled  ${unsettled.records} records, ${unsettled.proposals} proposals were begun and not ended`]
}

function errorLines({ error }: RunRow, terminal: Pick<Terminal, 'style'>): readonly string[] {
  if (error === null) return []
  const remedy = error.remedy === undefined ? [] : [`  what to do: ${error.remedy}`]
  return ['', `${terminal.style('red', error.code)} ${error.message}`, ...remedy]
}

function attemptLine({ number, worker, outcome, error, startedMs, finishedMs }: AttemptRow): string {
  const took = finishedMs === null ? 'still going' : span(finishedMs - startedMs)
  const reason = error === null ? '' : `  ${error.code} ${error.message}`
  return `${number}  ${utcTime(startedMs)}  ${took}  ${worker}  ${outcome}${reason}`
}

function letterLine({ code, reason, place, entityUrn, aspect }: DeadLetterRow): string {
  const what = place === null ? `${entityUrn} ${aspect}` : formatPlace(place)
  return `${what}  ${code}  ${reason.replaceAll(/\s+/g, ' ')}`
}

function section(terminal: Pick<Terminal, 'style'>, title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', terminal.style('bold', title), ...lines.map((line) => `  ${line}`)]
}
