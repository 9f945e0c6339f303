import type { NamedWindow, Relation, TableName } from '../ir/query.ts'

/** A SELECT while its clauses are read. */
export interface Draft {
  from: readonly Relation[]
  windows: NamedWindow[]
  into: TableName | undefined
  intoTemporary: boolean
  variables: readonly string[]
  /** CONNECT BY: LEVEL counts, whatever columns there are. */
  hierarchical?: boolean
}
