/** What runs did: one line a run, and below it each reason why something was not used. */
import { formatPlace } from '../../model/errors.ts'
import type { BalanceCounts, Reject } from '../../runner/define-job.ts'
import type { Terminal } from '../terminal.ts'
import { shortened, textTable } from './text-table.ts'

export interface RunView {
  /** What was done, for example `import-csv tags.csv`. */
  readonly label: string
  /** State of the run, for example `succeeded`. */
  readonly state: string
  readonly balance: BalanceCounts
  readonly durationMs: number
  readonly rejects: readonly Reject[]
}

/** Records on the left, proposals on the right; each side adds up (README, "Balances"). */
export function renderRuns(runs: readonly RunView[], terminal: Pick<Terminal, 'width' | 'style'>): readonly string[] {
  const right = 'right' as const
  const columns = [
    { title: 'run', shorten: 'end' as const },
    { title: 'state' },
    { title: 'read', align: right },
    { title: 'used', align: right },
    { title: 'duplicate', align: right },
    { title: 'no effect', align: right },
    { title: 'rejected', align: right },
    { title: 'written', align: right },
    { title: 'unchanged', align: right },
    { title: 'refused', align: right },
    { title: 'time', align: right },
  ]
  const rows = runs.map(({ label, state, balance: { records, proposals }, durationMs }) => {
    const counts = [records.read, records.used, records.duplicate, records.noEffect, records.rejected]
    const ends = [proposals.written, proposals.unchanged, proposals.refused + proposals.dead]
    return [label, state, ...[...counts, ...ends].map(grouped), seconds(durationMs)]
  })
  const [head = '', ...lines] = textTable(columns, rows, terminal.width)
  return [terminal.style('bold', head), ...lines]
}

/** One line a rejected record: where, which reason, in words. */
export function renderRejects(
  rejects: readonly Reject[],
  terminal: Pick<Terminal, 'width' | 'style'>,
): readonly string[] {
  const rows = rejects.map((reject) => [formatPlace(reject.place), reject.code, reject.message.replaceAll(/\s+/g, ' ')])
  const columns = [{ title: '', shorten: 'start' as const }, { title: '' }, { title: '' }]
  return textTable(columns, rows, Number.POSITIVE_INFINITY)
    .slice(1)
    .map((line) => terminal.style('yellow', shortened(line, terminal.width)))
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
