/** ClickHouse. */

import { ANSI, type Dialect } from './dialect.ts'

export const CLICKHOUSE: Dialect = {
  ...ANSI,
  trailingCommas: true,
  name: 'clickhouse',
  backslashEscapes: true,
  nestedComments: true,
  dollarStrings: true,
  hashNames: false,
  atVariables: false,
  ampersandVariables: false,
  digitNames: true,
  client: 'none',
  stringAliases: false,
  colonPaths: false,
  lateralAliases: 'before',
  minusOperator: false,
  schemaless: true,
}
