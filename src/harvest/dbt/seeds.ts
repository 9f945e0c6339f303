/** Seeds: CSV files whose header names the columns of a table. */
import { parse } from 'csv-parse/sync'

/** Columns of a seed, from the first line of its text. */
export function seedColumns(text: string): readonly string[] {
  try {
    const [header]: readonly (readonly string[])[] = parse(text, {
      to: 1,
      bom: true,
      relax_quotes: true,
      relax_column_count: true,
      trim: true,
    })
    return (header ?? []).filter((name) => name !== '')
  } catch {
    return []
  }
}
