/** Hive. */

import type { Dialect } from './dialect.ts'
import { SPARK } from './spark.ts'

export const HIVE: Dialect = {
  ...SPARK,
  name: 'hive',
  unnamed: 'hive',
  lateralAliases: 'none',
  schemaless: true,
  colonPaths: false,
}
