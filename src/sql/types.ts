/**
 * What the lineage engine gives back: the contract between the engine and everything that prints, compares, stores
 * or sends lineage. Plain values only, so that they cross a worker-thread border as they are.
 */

import type { ProjectFacts } from './template/project-facts.ts'

export type { ProjectFacts, TemplateText } from './template/project-facts.ts'

/** Dialects that the engine knows. `ansi` is "no particular one" and reads the union of what does not contradict itself. */
export const DIALECTS = [
  'ansi',
  'athena',
  'bigquery',
  'clickhouse',
  'databricks',
  'db2',
  'doris',
  'duckdb',
  'exasol',
  'greenplum',
  'hive',
  'impala',
  'mariadb',
  'materialize',
  'mysql',
  'oracle',
  'postgres',
  'presto',
  'redshift',
  'snowflake',
  'spark',
  'sqlite',
  'starrocks',
  'teradata',
  'trino',
  'tsql',
  'vertica',
] as const
/** One of `DIALECTS`. */
export type DialectName = (typeof DIALECTS)[number]

/** How several statements are summed, and what counts as an input. Rules: docs/lineage.md, "Profiles". */
export type Profile = 'datahub' | 'openlineage' | 'sqllineage'

/** A place in a source text. `start` and `end` are offsets in UTF-16 units; `line` and `column` count from 1. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
}

/** How a value reaches its target. */
export type EdgeKind = 'IDENTITY' | 'TRANSFORMED' | 'AGGREGATED'

/** Uses of a column that shape the rows or the choice of a value without being the value. */
export type IndirectKind = 'FILTER' | 'JOIN' | 'GROUP_BY' | 'SORT' | 'WINDOW' | 'CONDITIONAL'

/** A column of a table. `table` is the dotted plain name without quotes; null where no single table owns the column. */
export interface ColumnRef {
  readonly table: string | null
  readonly column: string
}

/** A column whose value goes into an output, and how. */
export interface Upstream extends ColumnRef {
  readonly kind: EdgeKind
}

/** A column that decides which rows there are, or what values, without going into any: of a filter, a join, a grouping. */
export interface IndirectUse extends ColumnRef {
  readonly kind: IndirectKind
}

/** Which branch of a MERGE wrote the column. */
export type MergeBranch = 'matched' | 'not-matched' | 'not-matched-by-source'

/** One output column and where its value comes from. */
export interface ColumnLineage {
  /** `table` is null for an output of a bare query. */
  readonly downstream: ColumnRef
  readonly upstreams: readonly Upstream[]
  /** Text of the expression, as written, without outer space; absent for a plain copy. */
  readonly transformation?: string
  /** Where the output item stands. */
  readonly span?: Span
  readonly branch?: MergeBranch
  readonly confidence: number
  /** Why the confidence is below 1, one line a reason; empty when nothing lowers it. */
  readonly reasons: readonly string[]
}

/** What a statement does; `command` carries no lineage, `other` is not understood. */
export type StatementKind =
  | 'query'
  | 'insert'
  | 'insertAll'
  | 'multiInsert'
  | 'ctas'
  | 'view'
  | 'materializedView'
  | 'table'
  | 'update'
  | 'delete'
  | 'merge'
  | 'copy'
  | 'rename'
  | 'swap'
  | 'exchange'
  | 'append'
  | 'drop'
  | 'truncate'
  | 'alter'
  | 'use'
  | 'routine'
  | 'call'
  | 'declare'
  | 'set'
  | 'explain'
  | 'command'
  | 'other'

/** `error`: lineage is missing. `warning`: it may be incomplete or ambiguous. `info`: worth knowing. */
export type Severity = 'error' | 'warning' | 'info'

/** Something that could not be resolved: code, place and text. Nothing is dropped without one. */
export interface Diagnostic {
  readonly severity: Severity
  readonly code: string
  readonly message: string
  /** Index of the statement, from 0. */
  readonly statement?: number
  readonly line?: number
  readonly column?: number
  readonly file?: string
}

/** Lineage of one statement of a script. */
export interface StatementLineage {
  readonly kind: StatementKind
  readonly index: number
  readonly span: Span
  readonly file?: string
  /** Fingerprint of the statement's tokens with literals generalised; equal for statements that differ in literals only. */
  readonly fingerprint: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly columns: readonly ColumnLineage[]
  /** Columns that filter, join, group, sort or choose, apart from value lineage. */
  readonly indirect: readonly IndirectUse[]
  /** Tokens that were stepped over. */
  readonly skipped: number
  readonly confidence: number
  readonly diagnostics: readonly Diagnostic[]
  /** Columns that the statement teaches about tables (DDL, CTAS, views), in order. */
  readonly schemas: readonly LearntSchema[]
  /** Name of the routine that the statement defines or calls. */
  readonly routine?: string
  /** Statements of a routine's body or of a called routine, one by one; the fields above sum them. */
  readonly body?: readonly StatementLineage[]
}

/** A table's columns as a statement defines them. */
export interface LearntSchema {
  readonly table: string
  readonly columns: readonly LearntColumn[]
  readonly comment?: string
  readonly temporary: boolean
}

/** A column of a table that the text creates or changes. */
export interface LearntColumn {
  readonly name: string
  /** Type as written; absent where only the name is known (CTAS, views). */
  readonly type?: string
  readonly nullable?: boolean
  readonly primaryKey?: boolean
  readonly comment?: string
  /** The table has it, `*` does not: HIDDEN, INVISIBLE, MATERIALIZED. */
  readonly hidden?: true
}

/** Lineage of a script: its statements, and their sum by the profile's rules. */
export interface ScriptLineage {
  readonly tables: {
    readonly inputs: readonly string[]
    readonly outputs: readonly string[]
    readonly intermediates: readonly string[]
  }
  readonly columns: readonly ColumnLineage[]
  readonly statements: readonly StatementLineage[]
  readonly confidence: number
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Answers which columns a table has, in the table's order. Asked with the name's parts (database, schema, table: as
 * many as were written after defaults). Synchronous: the caller fetches beforehand. `undefined` means unknown.
 */
export interface SchemaResolver {
  columnsOf(table: readonly string[]): readonly string[] | undefined
}

/** How a text is read, and what is known besides it; each may be absent. */
export interface LineageOptions {
  /** Default `ansi`. An unknown name is read as `ansi`, with a diagnostic. */
  readonly dialect?: DialectName | (string & {})
  readonly profile?: Profile
  readonly schema?: SchemaResolver
  readonly defaultDatabase?: string
  /** Null: none, not even what the dialect takes for it (T-SQL's `dbo`, Snowflake's `PUBLIC`). */
  readonly defaultSchema?: string | null
  /** Name of the source file, kept on spans and diagnostics. */
  readonly file?: string
  /** Queries by view name, read as if each were a CTE of every statement. */
  readonly views?: Readonly<Record<string, string>>
  /** Whether an output may use an earlier output's name; absent: the dialect's own rule (profile `sqllineage`: never under `ansi`). */
  readonly lateralColumnAliases?: boolean
  /** Values of template variables (`{{ var('x') }}`, `${x}`, `&x`), by name. */
  readonly variables?: Readonly<Record<string, string>>
  /** Name that `{{ this }}` stands for in a template, and the output of a template whose text is one query. */
  readonly templateTarget?: string
  /** Regular expressions, tried from the start of a full name, whatever the case: such tables are temporary, however made. */
  readonly temporaryTables?: readonly string[]
  /** Whether temporary tables are left out also where nothing reads them; absent: those are outputs. */
  readonly hidesTemporary?: boolean
  /** What a project of templates knows beyond one text: names, macros, variables. */
  readonly project?: ProjectFacts
}
