/** DuckDB. */

import { ANSI, type Dialect } from './dialect.ts'

export const DUCKDB: Dialect = {
  ...ANSI,
  trailingCommas: true,
  name: 'duckdb',
  backtickNames: false,
  nestedComments: true,
  hashNames: false,
  atVariables: false,
  ampersandVariables: false,
  client: 'sqlite',
  stringAliases: true,
  colonPaths: false,
  unnamed: 'duckdb',
  minusOperator: false,
  mergedColumns: 'in place',
}
