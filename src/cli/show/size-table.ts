/** Sizes of timeseries indexes before and after a truncation. */
import type { IndexSize } from '../../client/operations.ts'
import type { Terminal } from '../terminal.ts'
import { textTable } from './text-table.ts'

const BAR = 24

/** One line an index that is larger than nothing, the largest first, with a bar of what is left of it. */
export function renderSizes(
  before: readonly IndexSize[],
  after: readonly IndexSize[],
  terminal: Pick<Terminal, 'width' | 'style'>,
): readonly string[] {
  const left = new Map(after.map((index) => [index.indexName, index]))
  const shown = before.filter((index) => index.sizeMb > 0).toSorted((a, b) => b.sizeMb - a.sizeMb)
  const largest = Math.max(...shown.map((index) => index.sizeMb))
  const rows = shown.map((index) => {
    const now = left.get(index.indexName)
    const size = now?.sizeMb ?? 0
    return [
      `${index.entityType}.${index.aspectName}`,
      grouped(index.rows),
      grouped(now?.rows),
      megabytes(index.sizeMb),
      megabytes(size),
      `${Math.round(((size - index.sizeMb) / index.sizeMb) * 100)} %`,
      bar(index.sizeMb, size, largest),
    ]
  })
  const right = 'right' as const
  const columns = [
    { title: 'index', shorten: 'end' as const },
    { title: 'rows', align: right },
    { title: 'now', align: right },
    { title: 'size', align: right },
    { title: 'now', align: right },
    { title: 'change', align: right },
    { title: '' },
  ]
  const [head = '', ...lines] = textTable(columns, rows, terminal.width)
  return [terminal.style('bold', head), ...lines]
}

/** Full blocks for what is left, light ones for what went. */
function bar(before: number, after: number, largest: number): string {
  const length = Math.max(1, Math.round((before / largest) * BAR))
  const full = Math.min(length, Math.round((after / largest) * BAR))
  return '█'.repeat(full) + '░'.repeat(length - full)
}

/** Only our own catalog tells rows. */
function grouped(rows: number | undefined): string {
  return rows === undefined ? '' : rows.toLocaleString('en')
}

function megabytes(size: number): string {
  return `${size.toFixed(1)} MB`
}
