/** Exasol. Lateral aliases need the word LOCAL there, which is a qualifier. */

import { ANSI, type Dialect } from './dialect.ts'

export const EXASOL: Dialect = {
  ...ANSI,
  name: 'exasol',
  backtickNames: false,
  dollarStrings: false,
  hashNames: false,
  atVariables: false,
  ampersandVariables: true,
  client: 'sqlplus',
  stringAliases: false,
  colonPaths: false,
  lateralAliases: 'none',
}
