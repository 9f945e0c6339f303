/** Presto. */

import type { Dialect } from './dialect.ts'
import { TRINO } from './trino.ts'

export const PRESTO: Dialect = {
  ...TRINO,
  name: 'presto',
}
