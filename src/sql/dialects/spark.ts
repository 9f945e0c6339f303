/** Spark SQL. */

import { ANSI, type Dialect } from './dialect.ts'

export const SPARK: Dialect = {
  ...ANSI,
  name: 'spark',
  doubleQuotedStrings: true,
  backslashEscapes: true,
  dollarStrings: false,
  hashNames: false,
  atVariables: false,
  ampersandVariables: false,
  digitNames: true,
  client: 'none',
  stringAliases: true,
  bareTables: true,
  unnamed: 'spark',
  colonPaths: true,
}
