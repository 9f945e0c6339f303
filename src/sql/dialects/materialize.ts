/** Materialize. */

import type { Dialect } from './dialect.ts'
import { POSTGRES } from './postgres.ts'

export const MATERIALIZE: Dialect = {
  ...POSTGRES,
  name: 'materialize',
}
