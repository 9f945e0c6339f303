/** Teradata. */

import { ANSI, type Dialect } from './dialect.ts'

export const TERADATA: Dialect = {
  ...ANSI,
  name: 'teradata',
  backtickNames: false,
  dollarStrings: false,
  hashNames: false,
  atVariables: false,
  ampersandVariables: false,
  client: 'none',
  stringAliases: false,
  colonPaths: false,
}
