/** MySQL. */

import { ANSI, type Dialect } from './dialect.ts'

export const MYSQL: Dialect = {
  ...ANSI,
  name: 'mysql',
  doubleQuotedStrings: true,
  backslashEscapes: true,
  hashComments: true,
  spacedDashComments: true,
  dollarStrings: false,
  hashNames: false,
  ampersandVariables: false,
  digitNames: true,
  client: 'mysql',
  colonPaths: false,
  lateralAliases: 'none',
  minusOperator: false,
  schemaless: true,
}
