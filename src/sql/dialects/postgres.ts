/** PostgreSQL, with psql scripts around it. */

import { ANSI, type Dialect } from './dialect.ts'

export const POSTGRES: Dialect = {
  ...ANSI,
  name: 'postgres',
  backtickNames: false,
  nestedComments: true,
  hashNames: false,
  atVariables: false,
  ampersandVariables: false,
  client: 'psql',
  stringAliases: false,
  colonPaths: false,
  lateralAliases: 'none',
  emptySelect: true,
  unnamed: 'postgres',
  longOperators: true,
  minusOperator: false,
}
