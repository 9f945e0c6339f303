/**
 * What one dialect does differently. Everything that is not listed here all dialects share: a construct that only one
 * of them has is read in all of them as long as it contradicts nothing.
 */

import type { DialectName } from '../types.ts'

export interface Dialect {
  readonly name: DialectName
  /** `"x"` is a string, not a name. */
  readonly doubleQuotedStrings: boolean
  /** `` `x` `` is a name. */
  readonly backtickNames: boolean
  /** `[x]` is a name. */
  readonly bracketNames: boolean
  /** `\'` inside a string. */
  readonly backslashEscapes: boolean
  /** `# comment`. */
  readonly hashComments: boolean
  /** `// comment`. */
  readonly slashComments: boolean
  /** `--` begins a comment only before white space. */
  readonly spacedDashComments: boolean
  /** Block comments nest. */
  readonly nestedComments: boolean
  /** `$$ text $$`. */
  readonly dollarStrings: boolean
  /** `#name` and `##name` are (temporary) tables. */
  readonly hashNames: boolean
  /** `@x` is a variable. */
  readonly atVariables: boolean
  /** `@stage/path` is a stage. */
  readonly stages: boolean
  /** `&x` is a substitution variable. */
  readonly ampersandVariables: boolean
  /** Names may begin with a digit. */
  readonly digitNames: boolean
  /** `project-name.dataset` without quotes. */
  readonly dashedNames: boolean
  /** A quoted name holds dots between its parts: `` `project.dataset.table` ``. */
  readonly dotsInQuotes: boolean
  /** Client whose line commands may stand between statements. */
  readonly client: 'none' | 'sqlplus' | 'psql' | 'sqlcmd' | 'mysql' | 'snowsql' | 'bteq' | 'db2' | 'sqlite' | 'any'
  /** Statements follow each other without semicolons. */
  readonly looseStatements: boolean
  /** `select 1 'name'`: a string after a value is its alias, not a typed literal. */
  readonly stringAliases: boolean
  /** `alias = expression` in a SELECT list. */
  readonly equalsAliases: boolean
  /** `column:path.to[0].field` reads JSON. */
  readonly colonPaths: boolean
  /** Whether an output sees an earlier output's name: not at all, after the columns of FROM, or before them. */
  readonly lateralAliases: 'none' | 'after' | 'before'
  /** `CREATE TABLE t` without columns. */
  readonly bareTables: boolean
  /** `SELECT FROM t` gives rows without columns. */
  readonly emptySelect: boolean
  /** `SELECT a, FROM t`: a list may end in a comma. */
  readonly trailingCommas: boolean
  /** How an unnamed output is called. */
  readonly unnamed: 'text' | 'postgres' | 'trino' | 'hive' | 'bigquery' | 'duckdb' | 'spark' | 'upper'
  /** `*` has the columns of USING and NATURAL before all others, or where the left side has them. */
  readonly mergedColumns: 'first' | 'in place'
  /** Signs in a row are one operator, whatever they are (`|/`, `<->`, `@-@`): PostgreSQL lets one define more. */
  readonly longOperators: boolean
  /** `LEFT JOIN t` may have no ON; `MINUS` is a set operator, not a name. */
  readonly minusOperator: boolean
  /** A name that FROM lists after a table may be a field of that table (`FROM t, t.items`). */
  readonly nestedCollections: boolean
  /** `_20240101` at the end of a table's name is a shard. */
  readonly shardedTables: boolean
  /** How many name parts a table has, at most: db.schema.table is 3. */
  readonly tableParts: number
  /** The schema of each database that names without one mean: `db..t`, or `t` behind `USE db`. */
  readonly defaultSchema: string | undefined
  /** Where a two-part name's first part belongs: `schema.table`, or `database.table` in dialects without schemas. */
  readonly schemaless: boolean
  /** The alias of a PIVOT's output column: how value and aggregate are joined. */
  readonly pivotNames: 'value' | 'value_aggregate' | 'quoted'
}

/** What most dialects do; `ansi` itself, and the base that the other tables differ from. */
export const ANSI: Dialect = {
  name: 'ansi',
  doubleQuotedStrings: false,
  backtickNames: true,
  bracketNames: false,
  backslashEscapes: false,
  hashComments: false,
  slashComments: false,
  spacedDashComments: false,
  nestedComments: false,
  dollarStrings: true,
  hashNames: true,
  atVariables: true,
  stages: false,
  ampersandVariables: true,
  digitNames: false,
  dashedNames: false,
  dotsInQuotes: false,
  client: 'any',
  looseStatements: false,
  stringAliases: true,
  equalsAliases: false,
  colonPaths: true,
  lateralAliases: 'after',
  bareTables: false,
  emptySelect: false,
  trailingCommas: false,
  unnamed: 'text',
  mergedColumns: 'first',
  longOperators: false,
  minusOperator: true,
  nestedCollections: false,
  shardedTables: false,
  tableParts: 3,
  defaultSchema: undefined,
  schemaless: false,
  pivotNames: 'value_aggregate',
}
