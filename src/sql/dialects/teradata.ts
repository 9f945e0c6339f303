/** Teradata, with BTEQ and load-utility scripts around it. */

import { ANSI, type Dialect } from './dialect.ts'

export const TERADATA: Dialect = {
  ...ANSI,
  name: 'teradata',
  backtickNames: false,
  dollarStrings: false,
  hashNames: false,
  atVariables: false,
  ampersandVariables: false,
  client: 'bteq',
  stringAliases: false,
  colonPaths: false,
}
