/** MariaDB. */

import type { Dialect } from './dialect.ts'
import { MYSQL } from './mysql.ts'

export const MARIADB: Dialect = {
  ...MYSQL,
  name: 'mariadb',
}
