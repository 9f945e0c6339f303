/** CREATE of a relation in one place: what a rule does not say of it is as in a plain `CREATE … name`. */

import type { TableName } from '../ir/query.ts'
import type { CreateStatement } from '../ir/statement.ts'
import type { Added } from './core.ts'

/** What may be said of a new relation beyond its kind and its name. */
type Said = Partial<Omit<CreateStatement, Added | 'kind' | 'target'>>

export function creation(kind: CreateStatement['kind'], target: TableName, said: Said): Omit<CreateStatement, Added> {
  return {
    kind,
    target,
    temporary: false,
    columns: undefined,
    query: undefined,
    like: [],
    clones: false,
    locations: [],
    to: undefined,
    comment: undefined,
    ifNotExists: false,
    ...said,
  }
}
