/** Sizes of timeseries indices before and after a truncation. */
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
  const left = new Map(after.map((index) => [index.indexName, index.sizeMb]))
  const shown = before.filter((index) => index.sizeMb > 0).toSorted((a, b) => b.sizeMb - a.sizeMb)
  const largest = Math.max(...shown.map((index) => index.sizeMb))
  const rows = shown.map((index) => {
    const size = left.get(index.indexName) ?? 0
    const change = `${Math.round(((size - index.sizeMb) / index.sizeMb) * 100)} %`
    return [
      `${index.entityType}.${index.aspectName}`,
      megabytes(index.sizeMb),
      megabytes(size),
      change,
      bar(index.sizeMb, size, largest),
    ]
  })
  const right = 'right' as const
  const columns = [
    { title: 'index', shorten: 'end' as const },
    { title: 'before', align: right },
    { title: 'after', align: right },
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

function megabytes(size: number): string {
  return `${size.toFixed(1)} MB`
}
