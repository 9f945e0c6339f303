/** BigQuery (GoogleSQL). */

import { ANSI, type Dialect } from './dialect.ts'

export const BIGQUERY: Dialect = {
  ...ANSI,
  trailingCommas: true,
  name: 'bigquery',
  doubleQuotedStrings: true,
  backslashEscapes: true,
  hashComments: true,
  dollarStrings: false,
  hashNames: false,
  ampersandVariables: false,
  digitNames: true,
  dashedNames: true,
  dotsInQuotes: true,
  client: 'none',
  stringAliases: false,
  colonPaths: false,
  lateralAliases: 'none',
  unnamed: 'bigquery',
  minusOperator: false,
  nestedCollections: true,
  shardedTables: true,
}
