/** Oracle, with SQL*Plus scripts around it. */

import { ANSI, type Dialect } from './dialect.ts'

export const ORACLE: Dialect = {
  ...ANSI,
  name: 'oracle',
  backtickNames: false,
  dollarStrings: false,
  hashNames: false,
  atVariables: false,
  client: 'sqlplus',
  stringAliases: false,
  colonPaths: false,
  lateralAliases: 'none',
  unnamed: 'upper',
  pivotNames: 'quoted',
}
