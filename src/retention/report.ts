/** What a plan and its outcome look like to people: lines for a terminal, and a Markdown page to file. Pure. */
import type { StepResult } from './memory.ts'
import type { Blocked, Cause, Forecast, Step } from './plan.ts'

const BECAUSE: Readonly<Record<Cause, string>> = {
  age: 'too old',
  budget: 'beyond the budget of the index',
  'total-budget': 'beyond the budget of all',
  hand: 'by hand',
}

/** One line of a plan. */
export function describeStep(step: Step): string {
  const { indexName, matching, total, cutoffMs, keepDays, sizeMb, sizeMbAfter, cause } = step
  const why = cause === 'age' ? `${keepDays} days` : `${keepDays} days, ${BECAUSE[cause]}`
  const rows = `${matching} of ${total} rows (${percent(matching, total)})`
  return `${indexName}: ${rows} older than ${instant(cutoffMs)} (${why}), ${mb(sizeMb)} now, ${mb(sizeMbAfter)} after a rebuild`
}

/** One line of an outcome. */
export function describeResult({ indexName, deleted, rowsAfter, sizeMbBefore, sizeMbAfter }: StepResult): string {
  const bytes = `${mb(sizeMbBefore)} before, ${sizeMbAfter === null ? '?' : mb(sizeMbAfter)} after`
  return `${indexName}: ${deleted} rows deleted, ${rowsAfter} kept; ${bytes}`
}

/** What a person should know of an outcome besides: the archive, and what was odd. */
export function remarksOf({ indexName, archive, notes }: StepResult): readonly string[] {
  const kept = archive === null ? [] : [`archived in ${archive}`]
  return [...kept, ...notes].map((note) => `${indexName}: ${note}`)
}

/** Growth and budget of an index, or undefined where there is nothing to say. */
export function describeForecast({ indexName, sizeMb, growth, budgetMb, daysLeft }: Forecast): string | undefined {
  if (growth === undefined) return undefined
  const from = growth.basis === 'history' ? 'by its history' : 'by the rows of the last 7 days'
  const grows = `${indexName}: ${mb(sizeMb)}, grows ${growth.mbPerDay.toFixed(2)} MB a day ${from}`
  if (budgetMb === undefined) return grows
  return `${grows}; ${budgetText(budgetMb, daysLeft)}`
}

/** `its budget of 2.0 GB is reached in 12 days`. */
export function budgetText(budgetMb: number, daysLeft: number | undefined): string {
  const budget = `its budget of ${budgetMb < 1000 ? mb(budgetMb) : `${(budgetMb / 1000).toFixed(1)} GB`}`
  if (daysLeft === undefined) return `${budget} is never reached`
  if (daysLeft <= 0) return `${budget} is reached`
  return `${budget} is reached in ${Math.floor(daysLeft).toLocaleString('en')} days`
}

/** How far each step came. */
export interface StepOutcome {
  readonly step: Step
  /** Absent where it failed or was not begun. */
  readonly result?: StepResult
  readonly failure?: string
}

export interface ReportFacts {
  readonly run: string
  readonly plan: string
  readonly catalog: string
  readonly decidedBy: string
  readonly endedMs: number
  readonly reasons: readonly string[]
  readonly outcomes: readonly StepOutcome[]
  readonly blocked: readonly Blocked[]
}

/** A page that says what was decided, by whom, what went and what is left. */
export function markdownReport(facts: ReportFacts): string {
  const { outcomes, blocked, reasons } = facts
  const failed = outcomes.some(({ failure }) => failure !== undefined)
  const remarks = outcomes.flatMap(({ result }) => (result === undefined ? [] : remarksOf(result)))
  return [
    `# Retention of ${instant(facts.endedMs)}: ${failed ? 'failed' : 'done'}`,
    '',
    `- catalog: ${facts.catalog}`,
    `- run \`${facts.run}\`, plan \`${facts.plan}\`, approved by ${facts.decidedBy}`,
    ...(reasons.length === 0 ? [] : ['- gate:', ...reasons.map((reason) => `  - ${reason}`)]),
    '',
    '| index | rows older than | rows before | deleted | kept | MB before | MB after | samples | outcome |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
    ...outcomes.map(outcomeRow),
    ...section(
      'Left alone',
      blocked.map(({ indexName, reason }) => `${indexName}: ${reason}`),
    ),
    ...section('To know', remarks),
    '',
  ].join('\n')
}

function outcomeRow({ step, result, failure }: StepOutcome): string {
  const cells =
    result === undefined
      ? [step.total, '', '', step.sizeMb.toFixed(1), '', '', failure ?? 'not begun']
      : [
          result.rowsBefore,
          result.deleted,
          result.rowsAfter,
          result.sizeMbBefore.toFixed(1),
          result.sizeMbAfter?.toFixed(1) ?? '?',
          `${result.samplesChecked} there`,
          'verified',
        ]
  const all = [step.indexName, instant(step.cutoffMs), ...cells]
  return `| ${all.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map((line) => `- ${line}`)]
}

export function instant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '0.0 %' : `${((100 * part) / whole).toFixed(1)} %`
}

function mb(megabytes: number): string {
  return `${megabytes.toFixed(1)} MB`
}
