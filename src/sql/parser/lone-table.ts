/** A table where it stands alone: as the first relation, or as a whole query. */
import type { Join, Query, TableName, TableQuery, TableRelation } from '../ir/query.ts'

/** What stands before a first relation. */
export const FIRST: Join = { kind: 'first', natural: false, using: undefined }

/** In the place of its name, unless told otherwise. */
export function tableRelation(name: TableName, start = name.start, end = name.end): TableRelation {
  return { kind: 'table', name, join: FIRST, pivots: [], start, end }
}

/** All rows of a table. */
export function tableQuery(name: TableName, start: number, end: number): TableQuery {
  return { kind: 'table', from: [tableRelation(name, start, end)], uses: [], with: [], start, end }
}

/** Columns of a table, by their names. */
export function columnsQuery(table: TableName, names: readonly string[]): Query {
  const { start, end } = table
  const items = names.map((name) => {
    const references = [{ parts: [name], quoted: false, start, end, role: 0 }]
    const expression = { start, end, references, queries: [], stars: [], windows: [], form: 'column', name } as const
    return { expression, start, end }
  })
  return {
    kind: 'select',
    items,
    from: [tableRelation(table)],
    uses: [],
    windows: [],
    intoTemporary: false,
    variables: [],
    with: [],
    start,
    end,
  }
}
