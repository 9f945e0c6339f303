/** A table where it stands alone: as the first relation, or as a whole query. */
import type { Join, TableName, TableQuery, TableRelation } from '../ir/query.ts'

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
