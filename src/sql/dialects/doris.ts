/** Apache Doris: MySQL with catalogs. */

import type { Dialect } from './dialect.ts'
import { MYSQL } from './mysql.ts'

export const DORIS: Dialect = {
  ...MYSQL,
  name: 'doris',
  lateralAliases: 'none',
  minusOperator: true,
  schemaless: false,
}
