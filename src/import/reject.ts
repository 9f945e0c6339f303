/** A row that was not used: with its reason, its place and itself, so that it can be mended and imported again. */
import type { BrokenLine } from './csv-records.ts'
import type { RowProblem, RowReject } from './errors.ts'
import type { ColumnName, Header } from './header.ts'

/** Where a row stands and how it reads. */
export interface RowAt {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** @param header by which the problem's column is found; undefined where the file has none */
export function rejectOf(row: RowAt, { code, message, column }: RowProblem, header: Header | undefined): RowReject {
  const found = column === undefined ? undefined : columnOf(column, header)
  return {
    code,
    message: column === undefined ? message : `${found?.name ?? column}: ${message}`,
    place: { file: row.file, line: row.line, ...(found === undefined ? {} : { column: found.index + 1 }) },
    ...(found === undefined ? {} : { columnName: found.name }),
    record: row.text,
  }
}

/** Rejects told of in one call: a piece of a file can hold a hundred thousand, more than a call takes arguments. */
const A_CALL = 1000

/** Tells of all of them, in their order. */
export async function rejectAll(
  to: { reject(...rejects: readonly RowReject[]): Promise<void> },
  rejects: readonly RowReject[],
): Promise<void> {
  for (let from = 0; from < rejects.length; from += A_CALL) await to.reject(...rejects.slice(from, from + A_CALL))
}

/** A line whose quotes do not close; nothing behind it is lost. */
export function rejectOfBrokenLine(file: string, { line, column, reason, text }: BrokenLine): RowReject {
  return { code: 'BROKEN_QUOTE', message: reason, place: { file, line, column }, record: text }
}

/** By its name in the file, what it means, or the property that it holds. */
function columnOf(
  column: string,
  header: Header | undefined,
): { readonly index: number; readonly name: string } | undefined {
  if (header === undefined) return undefined
  const index = header.names.indexOf(column)
  if (index >= 0) return { index, name: column }
  return header.columns[column as ColumnName]?.[0] ?? header.properties.find(({ property }) => property === column)
}
