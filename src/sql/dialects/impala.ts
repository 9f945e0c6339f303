/** Impala. */

import type { Dialect } from './dialect.ts'
import { SPARK } from './spark.ts'

export const IMPALA: Dialect = {
  ...SPARK,
  name: 'impala',
  unnamed: 'text',
  lateralAliases: 'none',
  schemaless: true,
  nestedCollections: true,
  colonPaths: false,
}
