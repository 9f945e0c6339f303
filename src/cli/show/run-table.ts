/** What runs did: one line a run, and below it each reason why something was not used. */
import { formatPlace } from '../../model/errors.ts'
import type { BalanceCounts, Reject } from '../../runner/define-job.ts'
import type { Terminal } from '../terminal.ts'
import { textTable, widthOf } from './text-table.ts'

export interface RunView {
  /** What was done, for example `import-csv tags.csv`. */
  readonly label: string
  /** State of the run, for example `succeeded`. */
  readonly state: string
  readonly balance: BalanceCounts
  readonly durationMs: number
  readonly rejects: readonly Reject[]
}

/** Records on the left, proposals on the right; each side adds up (README, "Balances"). A count that is always 0 is left out. */
export function renderRuns(runs: readonly RunView[], terminal: Pick<Terminal, 'width' | 'style'>): readonly string[] {
  const counts = COUNTS.filter(({ always, of }) => always || runs.some((run) => of(run.balance) > 0))
  const columns = [
    { title: 'run', shorten: 'end' as const },
    { title: 'state' },
    ...counts.map(({ title }) => ({ title, align: 'right' as const })),
    { title: 'time', align: 'right' as const },
  ]
  const rows = runs.map(({ label, state, balance, durationMs }) => [
    label,
    state,
    ...counts.map(({ of }) => of(balance).toLocaleString('en')),
    `${(durationMs / 1000).toFixed(1)} s`,
  ])
  const [head = '', ...lines] = textTable(columns, rows, terminal.width)
  return [terminal.style('bold', head), ...lines]
}

interface Count {
  readonly title: string
  readonly always: boolean
  readonly of: (balance: BalanceCounts) => number
}

const COUNTS: readonly Count[] = [
  { title: 'read', always: true, of: ({ records }) => records.read },
  { title: 'used', always: true, of: ({ records }) => records.used },
  { title: 'duplicate', always: false, of: ({ records }) => records.duplicate },
  { title: 'no effect', always: false, of: ({ records }) => records.noEffect },
  { title: 'rejected', always: true, of: ({ records }) => records.rejected },
  { title: 'written', always: true, of: ({ proposals }) => proposals.written },
  { title: 'unchanged', always: true, of: ({ proposals }) => proposals.unchanged },
  { title: 'refused', always: false, of: ({ proposals }) => proposals.refused + proposals.dead },
]

/** Each rejected record: where, which reason, and below in words. */
export function renderRejects(
  rejects: readonly Reject[],
  terminal: Pick<Terminal, 'width' | 'style'>,
): readonly string[] {
  return rejects.flatMap((reject) => [
    `${formatPlace(reject.place)}  ${terminal.style('yellow', reject.code)}`,
    ...wrappedWords(reject.message, terminal.width - INDENT.length).map((line) => INDENT + line),
  ])
}

const INDENT = '    '

/** Lines of whole words; a word that is longer than a line stands on its own. */
function wrappedWords(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
