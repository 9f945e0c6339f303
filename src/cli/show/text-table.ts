/** Tables for a terminal: columns as wide as what stands in them, numbers to the right. Pure text, no colours inside. */

export interface TableColumn {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Where the table is wider than the terminal, this column gives way, the widest first, its beginning or end left out. */
  readonly shorten?: 'start' | 'end'
}

/** Least width that a shortened column keeps. */
const LEAST = 8
const BETWEEN = '  '

/**
 * The title line and one line a row. Without a column that may be shortened the table may be wider than `width`.
 * @param width in characters
 */
export function textTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  const widths = columnWidths(columns, rows, width)
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, at) => padded(shortened(cells[at] ?? '', widths[at]!, column.shorten), widths[at]!, column.align))
      .join(BETWEEN)
      .trimEnd()
  return [line(columns.map((column) => column.title)), ...rows.map(line)]
}

/** A text of at most `width` characters, an ellipsis where something is left out. */
export function shortened(text: string, width: number, side: 'start' | 'end' = 'end'): string {
  const chars = Array.from(text)
  if (chars.length <= width) return text
  const kept = Math.max(0, width - 1)
  return side === 'end' ? `${chars.slice(0, kept).join('')}…` : `…${chars.slice(chars.length - kept).join('')}`
}

/** Characters that a text takes on a line. */
export function widthOf(text: string): number {
  return Array.from(text).length
}

function columnWidths(columns: readonly TableColumn[], rows: readonly (readonly string[])[], width: number): number[] {
  const widths = columns.map((column, at) =>
    Math.max(...[column.title, ...rows.map((row) => row[at] ?? '')].map(widthOf)),
  )
  const least = columns.map(({ title }) => Math.max(LEAST, widthOf(title)))
  let excess = widths.reduce((sum, one) => sum + one, 0) + BETWEEN.length * (columns.length - 1) - width
  const mayGive = (at: number): boolean => columns[at]?.shorten !== undefined && widths[at]! > least[at]!
  for (; excess > 0; excess--) {
    const givers = [...columns.keys()].filter(mayGive)
    if (givers.length === 0) break
    widths[givers.reduce((widest, at) => (widths[at]! > widths[widest]! ? at : widest))]!--
  }
  return widths
}

function padded(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'left' ? text + space : space + text
}
