/** Vertica. */

import type { Dialect } from './dialect.ts'
import { POSTGRES } from './postgres.ts'

export const VERTICA: Dialect = {
  ...POSTGRES,
  name: 'vertica',
  emptySelect: false,
  minusOperator: true,
}
