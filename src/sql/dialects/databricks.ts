/** Databricks: Spark with JSON paths and lateral aliases. */

import type { Dialect } from './dialect.ts'
import { SPARK } from './spark.ts'

export const DATABRICKS: Dialect = {
  ...SPARK,
  name: 'databricks',
  trailingCommas: true,
  dollarStrings: true,
  lateralAliases: 'after',
}
