/** SQL Server (Transact-SQL), with sqlcmd scripts around it. */

import { ANSI, type Dialect } from './dialect.ts'

export const TSQL: Dialect = {
  ...ANSI,
  name: 'tsql',
  backtickNames: false,
  bracketNames: true,
  nestedComments: true,
  dollarStrings: false,
  ampersandVariables: false,
  client: 'sqlcmd',
  looseStatements: true,
  equalsAliases: true,
  colonPaths: false,
  lateralAliases: 'none',
  minusOperator: false,
  defaultSchema: 'dbo',
  pivotNames: 'value',
}
