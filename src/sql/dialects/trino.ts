/** Trino. */

import { ANSI, type Dialect } from './dialect.ts'

export const TRINO: Dialect = {
  ...ANSI,
  name: 'trino',
  dollarStrings: false,
  hashNames: false,
  atVariables: false,
  ampersandVariables: false,
  client: 'none',
  stringAliases: false,
  colonPaths: false,
  lateralAliases: 'none',
  minusOperator: false,
  unnamed: 'trino',
  digitNames: true,
}
