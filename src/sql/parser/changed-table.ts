/** Which table a change writes. */

import type { Query, Relation, TableName } from '../ir/query.ts'

/** Where no table can be read. */
export const UNKNOWN_TARGET: TableName = { parts: ['?'], start: 0, end: 0, sort: 'hole', quoted: 0 }

/** The table that a relation stands for; of several, the first. */
export function nameOf(relation: Relation | undefined): TableName | undefined {
  if (relation?.kind === 'table') return relation.name
  if (relation?.kind === 'query') return firstTable(relation.query)
  if (relation?.kind === 'group') return nameOf(relation.relations[0])
  return undefined
}

/** The first table of a query that is written through. */
export function firstTable(query: Query): TableName | undefined {
  if (query.kind !== 'select') return undefined
  const relation: Relation | undefined = query.from[0]
  return relation?.kind === 'table' ? relation.name : undefined
}
