/** Greenplum: PostgreSQL with distribution clauses. */

import type { Dialect } from './dialect.ts'
import { POSTGRES } from './postgres.ts'

export const GREENPLUM: Dialect = {
  ...POSTGRES,
  name: 'greenplum',
}
