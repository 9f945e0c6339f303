/** Athena: Trino for queries, Hive for DDL. */

import type { Dialect } from './dialect.ts'
import { TRINO } from './trino.ts'

export const ATHENA: Dialect = {
  ...TRINO,
  name: 'athena',
}
