/** Snowflake. */

import { ANSI, type Dialect } from './dialect.ts'

export const SNOWFLAKE: Dialect = {
  ...ANSI,
  name: 'snowflake',
  backtickNames: false,
  backslashEscapes: true,
  slashComments: true,
  hashNames: false,
  atVariables: false,
  stages: true,
  client: 'none',
  stringAliases: false,
  unnamed: 'upper',
  pivotNames: 'quoted',
}
