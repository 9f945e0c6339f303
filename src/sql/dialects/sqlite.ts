/** SQLite. */

import { ANSI, type Dialect } from './dialect.ts'

export const SQLITE: Dialect = {
  ...ANSI,
  name: 'sqlite',
  bracketNames: true,
  dollarStrings: false,
  hashNames: false,
  ampersandVariables: false,
  client: 'sqlite',
  colonPaths: false,
  lateralAliases: 'none',
  minusOperator: false,
  mergedColumns: 'in place',
}
