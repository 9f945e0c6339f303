/** `AS x (a, b)`: columns under other names. */
import { NO_SOURCES, type OutColumn } from './model.ts'
import { outColumn } from './sources.ts'

/** Columns under new names; those beyond the list keep theirs. */
export function renamed(columns: readonly OutColumn[], names: readonly string[]): readonly OutColumn[] {
  const result: OutColumn[] = []
  let index = 0
  for (const column of columns) {
    if (index >= names.length) {
      result.push(column)
      continue
    }
    if (column.open) {
      // Unknown columns under known names: what each comes from cannot be told.
      const rest = names.slice(index)
      result.push(...rest.map((name) => outColumn(name, NO_SOURCES, 'UNKNOWN_COLUMNS')))
      index = names.length
      continue
    }
    // (f(a)).* gives as many columns as the names that nothing else takes.
    const last = isFieldStar(column) ? names.length - (columns.length - columns.indexOf(column) - 1) : 0
    const next = Math.max(last, index + 1)
    const one = isFieldStar(column) ? { ...column, spread: undefined } : column
    for (const name of names.slice(index, next)) result.push({ ...one, name, key: name.toLowerCase() })
    index = next
  }
  while (index < names.length && columns.length === 0) result.push(outColumn(names[index++]!, NO_SOURCES))
  return result
}

/** All fields of a value whose type the text does not tell. */
export function isFieldStar(column: OutColumn): boolean {
  return column.spread === true
}

/** Stands for columns of which nobody knows how many there are. */
export function isUncounted(column: OutColumn): boolean {
  return column.open !== undefined || column.spread === true
}

/** Those that are worth telling: fields that nobody can count, and that come from nowhere, are not. */
export function told(columns: readonly OutColumn[]): readonly OutColumn[] {
  return columns.some(isFieldStar)
    ? columns.filter((column) => !isFieldStar(column) || column.sources.length > 0)
    : columns
}
