/** StarRocks: MySQL with catalogs. */

import type { Dialect } from './dialect.ts'
import { MYSQL } from './mysql.ts'

export const STARROCKS: Dialect = {
  ...MYSQL,
  name: 'starrocks',
  minusOperator: true,
  schemaless: false,
}
