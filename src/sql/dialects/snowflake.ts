/** Snowflake, with SnowSQL scripts around it. */

import { ANSI, type Dialect } from './dialect.ts'

export const SNOWFLAKE: Dialect = {
  ...ANSI,
  bareTables: true,
  trailingCommas: true,
  name: 'snowflake',
  backtickNames: false,
  backslashEscapes: true,
  slashComments: true,
  hashNames: false,
  atVariables: false,
  stages: true,
  client: 'snowsql',
  stringAliases: false,
  unnamed: 'upper',
  defaultSchema: 'PUBLIC',
  pivotNames: 'quoted',
}
