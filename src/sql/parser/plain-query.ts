/** Relations and queries of the plainest kind: a table that stands alone, SELECT and FROM with nothing else. */
import type { Item } from '../ir/expression.ts'
import type { Join, Query, Relation, Select, TableName, TableQuery, TableRelation } from '../ir/query.ts'

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
  const items = names.map((name) => columnItem(name, start, end))
  return plainSelect(items, [tableRelation(table)], start, end)
}

/** A column that is given as it is. */
export function columnItem(name: string, start: number, end: number): Item {
  const references = [{ parts: [name], quoted: false, start, end, role: 0 }]
  const expression = { start, end, references, queries: [], stars: [], windows: [], form: 'column', name } as const
  return { expression, start, end }
}

/** SELECT items FROM relations, and nothing else. */
export function plainSelect(items: readonly Item[], from: readonly Relation[], start: number, end: number): Select {
  return {
    kind: 'select',
    items,
    from,
    uses: [],
    windows: [],
    intoTemporary: false,
    variables: [],
    with: [],
    start,
    end,
  }
}

/** A query in FROM. */
export function queryRelation(query: Query, start: number, end: number): Relation {
  return { kind: 'query', query, lateral: false, join: FIRST, pivots: [], start, end }
}
