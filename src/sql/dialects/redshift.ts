/** Redshift. */

import type { Dialect } from './dialect.ts'
import { POSTGRES } from './postgres.ts'

export const REDSHIFT: Dialect = {
  ...POSTGRES,
  name: 'redshift',
  emptySelect: false,
  hashNames: true,
  backslashEscapes: true,
  lateralAliases: 'after',
  nestedCollections: true,
  minusOperator: true,
}
