/** Db2. */

import { ANSI, type Dialect } from './dialect.ts'

export const DB2: Dialect = {
  ...ANSI,
  name: 'db2',
  backtickNames: false,
  nestedComments: true,
  dollarStrings: false,
  hashNames: false,
  atVariables: false,
  ampersandVariables: false,
  client: 'db2',
  stringAliases: false,
  colonPaths: false,
  lateralAliases: 'none',
}
