/** Statements in the IR. A script is a flat list of statements; blocks and routines hold statements of their own. */

import type { MergeBranch } from '../types.ts'
import type { DiagnosticCode } from '../diagnostics.ts'
import type { Expression, Item } from './expression.ts'
import type { FunctionRelation, Query, Relation, TableName, Use } from './query.ts'
import type { TextPiece } from './text.ts'

/** Something the front end stepped over or could not tell, by code (see diagnostics.ts) and offset. */
export interface ParseNote {
  readonly code: DiagnosticCode
  readonly start: number
  readonly text?: string | undefined
}

interface StatementBase {
  /** Offsets in the script's text. */
  readonly start: number
  readonly end: number
  /** Tokens stepped over. */
  readonly skipped: number
  readonly notes: readonly ParseNote[]
  /** Fingerprint of its tokens. */
  readonly fingerprint: string
}

export interface Assignment {
  /** Parts of the target column, perhaps qualified. Several for `(a, b) = (SELECT …)`. */
  readonly targets: readonly (readonly string[])[]
  /** T-SQL and MySQL: the variable that takes the value, too. */
  readonly variable?: string | undefined
  readonly expression: Expression
  /** `a += x` and its kin: what the column held stays part of it. */
  readonly compound?: boolean | undefined
  readonly start: number
  readonly end: number
}

export interface ColumnDefinition {
  readonly name: string
  readonly type?: string | undefined
  readonly nullable?: boolean | undefined
  readonly primaryKey?: boolean | undefined
  readonly comment?: string | undefined
  /** GENERATED ALWAYS AS (…), a computed column. */
  readonly generated?: Expression | undefined
  /** No part of `*`, nor of what INSERT without a list fills: HIDDEN, INVISIBLE, MATERIALIZED, a derived period. */
  readonly hidden?: true
}

export interface MergeAction {
  readonly branch: MergeBranch
  readonly condition: Expression | undefined
  readonly action:
    | { readonly kind: 'update'; readonly assignments: readonly Assignment[] }
    /** UPDATE *, UPDATE ALL BY NAME, INSERT *: every column of the source by name. */
    | { readonly kind: 'update-all' }
    | { readonly kind: 'insert-all'; readonly except: readonly string[] }
    | { readonly kind: 'insert'; readonly columns: readonly string[] | undefined; readonly values: readonly Item[] }
    | { readonly kind: 'delete' }
    | { readonly kind: 'nothing' }
}

export interface QueryStatement extends StatementBase {
  readonly kind: 'query'
  readonly query: Query
}

export interface InsertStatement extends StatementBase {
  readonly kind: 'insert'
  readonly target: TableName
  readonly alias?: string | undefined
  readonly columns: readonly string[] | undefined
  readonly query: Query | undefined
  /** MySQL: VALUES (…) AS new (a, b), as ON DUPLICATE KEY UPDATE names the rows. */
  readonly rows?: { readonly alias: string; readonly columns: readonly string[] | undefined } | undefined
  /** INSERT … SET a = 1 (MySQL). */
  readonly assignments: readonly Assignment[]
  /** ON CONFLICT DO UPDATE SET, ON DUPLICATE KEY UPDATE. */
  readonly onConflict: readonly Assignment[]
  readonly byName: boolean
  /** Columns fixed by PARTITION (ds = '…'): not fed by the query. */
  readonly partition: readonly string[]
  /** Columns of PARTITION (ds) without a value: fed by the query's last columns. */
  readonly dynamicPartition: readonly string[]
  /** Db2: INCLUDE (a INT), columns of the rows that are given back and none of the target; fed by the query's last. */
  readonly include?: readonly string[] | undefined
  readonly returning: readonly Item[]
  /** OUTPUT … INTO / RETURNING INTO table. */
  readonly returningVariables?: readonly string[] | undefined
  readonly returningInto?: { readonly target: TableName; readonly columns: readonly string[] | undefined } | undefined
}

/** Hive: FROM q INSERT … INSERT …. */
export interface MultiInsertStatement extends StatementBase {
  readonly kind: 'multiInsert'
  readonly inserts: readonly InsertStatement[]
}

/** Oracle and Snowflake: INSERT ALL | FIRST. */
export interface InsertAllStatement extends StatementBase {
  readonly kind: 'insertAll'
  readonly source: Query
  readonly branches: readonly {
    readonly target: TableName
    readonly columns: readonly string[] | undefined
    readonly values: readonly Item[] | undefined
    readonly condition: Expression | undefined
  }[]
}

/** CREATE TABLE, CREATE VIEW and kin, with or without a query. */
export interface CreateStatement extends StatementBase {
  readonly kind: 'ctas' | 'view' | 'materializedView' | 'table'
  readonly target: TableName
  readonly temporary: boolean
  readonly columns: readonly ColumnDefinition[] | undefined
  readonly query: Query | undefined
  /** LIKE, CLONE, INHERITS, PARTITION OF: tables whose columns it takes. */
  readonly like: readonly TableName[]
  /** CLONE and SHALLOW CLONE copy the rows as well. */
  readonly clones: boolean
  /** LOCATION, URL, stage: where its data lies. */
  readonly locations: readonly string[]
  /** ClickHouse materialised view: TO table. */
  readonly to?: TableName | undefined
  readonly comment?: string | undefined
  readonly ifNotExists: boolean
  /** Spark's CACHE TABLE. */
  readonly cached?: true
}

export interface UpdateStatement extends StatementBase {
  readonly kind: 'update'
  /** With T-SQL's `UPDATE alias … FROM`, the alias as written. */
  readonly target: TableName
  /** All relations; the target stands among them when it was written there. */
  readonly relations: readonly Relation[]
  readonly assignments: readonly Assignment[]
  readonly include?: readonly string[] | undefined
  readonly uses: readonly Use[]
  readonly returning: readonly Item[]
  readonly returningVariables?: readonly string[] | undefined
  readonly returningInto?: { readonly target: TableName; readonly columns: readonly string[] | undefined } | undefined
  readonly with: Query['with']
}

export interface DeleteStatement extends StatementBase {
  readonly kind: 'delete'
  readonly targets: readonly TableName[]
  readonly relations: readonly Relation[]
  /** USING names a target, which stands among the relations once. */
  readonly usesTarget?: boolean
  readonly uses: readonly Use[]
  readonly returning: readonly Item[]
  readonly returningVariables?: readonly string[] | undefined
  readonly returningInto?: { readonly target: TableName; readonly columns: readonly string[] | undefined } | undefined
  readonly with: Query['with']
}

export interface MergeStatement extends StatementBase {
  readonly kind: 'merge'
  readonly target: TableName
  readonly alias?: string | undefined
  readonly source: readonly Relation[]
  readonly on: Expression | undefined
  readonly actions: readonly MergeAction[]
  readonly include?: readonly string[] | undefined
  readonly returning: readonly Item[]
  readonly returningVariables?: readonly string[] | undefined
  readonly returningInto?: { readonly target: TableName; readonly columns: readonly string[] | undefined } | undefined
  readonly with: Query['with']
}

/** COPY, UNLOAD, EXPORT, LOAD DATA, CREATE STAGE … URL: data moves between tables, queries and paths. */
export interface CopyStatement extends StatementBase {
  readonly kind: 'copy'
  readonly inputs: readonly TableName[]
  readonly outputs: readonly TableName[]
  readonly query: Query | undefined
  readonly columns: readonly string[] | undefined
}

export interface RenameStatement extends StatementBase {
  readonly kind: 'rename' | 'swap' | 'exchange' | 'append'
  /** From, to. For `append`: source, target. For `exchange`: the table with the partition, the other. */
  readonly pairs: readonly (readonly [TableName, TableName])[]
}

export interface NamedStatement extends StatementBase {
  readonly kind: 'drop' | 'truncate' | 'alter'
  /** `table`, `view`, … only tables and views have lineage. */
  readonly object: string
  readonly names: readonly TableName[]
  /** ALTER TABLE … ADD COLUMN. */
  readonly added: readonly ColumnDefinition[]
  readonly dropped: readonly string[]
  readonly renamed: readonly (readonly [string, string])[]
}

export interface UseStatement extends StatementBase {
  readonly kind: 'use'
  readonly database?: string | undefined
  readonly schema?: string | undefined
}

export interface RoutineStatement extends StatementBase {
  readonly kind: 'routine'
  readonly name: TableName
  readonly sort: 'procedure' | 'function' | 'trigger' | 'package' | 'task' | 'macro'
  readonly parameters: readonly string[]
  /** REFERENCING NEW AS n: further names of a trigger's rows. */
  readonly rows?: readonly string[] | undefined
  readonly body: readonly Statement[]
  /** The table that a trigger hangs on. */
  readonly table?: TableName | undefined
  /** PostgreSQL: the function that the trigger runs. */
  readonly executes?: TableName | undefined
  /** Oracle: SQL_MACRO, a function whose text stands for itself; parameters may be tables of it. */
  readonly expands?: true
  /** RETURNS TABLE (a int, b int): names of the rows' columns. */
  readonly returns?: readonly string[] | undefined
  /** PostgreSQL: those columns are variables of the body, whose values make a row. */
  readonly givesOuts?: boolean | undefined
  /** PostgreSQL: RETURNS trigger: it reads the rows NEW and OLD, of whatever table. */
  readonly returnsTrigger?: boolean | undefined
  /** LANGUAGE, lower case; empty where nothing says it. */
  readonly language?: string | undefined
  /** PL/SQL: RETURN t, the type of its rows. */
  readonly returnsType?: string | undefined
  /** T-SQL: RETURNS @r TABLE (…). */
  readonly returnsVariable?: string | undefined
}

/** BEGIN … END and the branches of IF, LOOP and their kin outside of a routine. */
export interface BlockStatement extends StatementBase {
  readonly kind: 'block'
  readonly body: readonly Statement[]
  /** A branch or a loop's body: it may not run, so what it assigns adds to what a variable held. */
  readonly conditional?: boolean | undefined
  /** The schema of names without one, in this body only. */
  readonly schema?: string | undefined
}

export interface CallStatement extends StatementBase {
  readonly kind: 'call'
  readonly name: TableName | undefined
  readonly args: readonly Expression[]
  /** One an argument: the parameter that it names. */
  readonly argNames?: readonly (string | undefined)[] | undefined
  /** Dynamic SQL: the pieces of its text. */
  readonly dynamic?: { readonly pieces: readonly TextPiece[]; readonly start: number } | undefined
  /** PREPARE s FROM …: the name that EXECUTE s will say. */
  readonly prepares?: string | undefined
  /** EXECUTE IMMEDIATE … INTO a, b: variables that take the row. */
  readonly variables?: readonly string[] | undefined
  /** Db2: LOAD FROM c OF CURSOR takes the rows of a cursor. */
  readonly rowsOf?: string | undefined
  /** INSERT INTO t EXEC p. */
  readonly into?: TableName | undefined
  readonly columns?: readonly string[] | undefined
}

/** PL/SQL: RECORD and OBJECT name their fields; TABLE OF has those of its elements. */
export interface DeclaredType {
  readonly name: string
  readonly fields?: readonly string[]
  /** One a field: its type as written. */
  readonly types?: readonly (string | undefined)[]
  readonly of?: string
  /** T-SQL: a variable of the type is a table variable. */
  readonly isTable?: boolean
}

export interface DeclareStatement extends StatementBase {
  readonly kind: 'declare' | 'set'
  readonly names: readonly string[]
  /** A type with fields, or of many of another type. */
  readonly type?: DeclaredType | undefined
  /** One a name: the type that it is declared with. */
  readonly typeNames?: readonly (string | undefined)[] | undefined
  /** Parameters of a cursor. */
  readonly parameters?: readonly string[] | undefined
  /** Table variables and their columns. */
  readonly table?: { readonly name: string; readonly columns: readonly ColumnDefinition[] } | undefined
  readonly query: Query | undefined
  /** One a name, in their order. */
  readonly expressions: readonly Expression[]
  /** FETCH c INTO a, b; FOR r IN c: the cursor or result set whose row is taken. */
  readonly cursor?: string | undefined
  /** One a name, in their order: the pieces of the text it takes, for dynamic SQL that executes it. */
  readonly texts?: readonly (readonly TextPiece[] | undefined)[] | undefined
}

export interface ExplainStatement extends StatementBase {
  readonly kind: 'explain'
  readonly statement: Statement | undefined
}

/** Carries no lineage and is known to (GRANT, SET, client commands), or was not recognised at all (`other`). */
export interface CommandStatement extends StatementBase {
  readonly kind: 'command' | 'other'
  readonly word: string
  /** Relations that a known command still reads (a table function called, an expression with subqueries). */
  readonly expressions: readonly Expression[]
  readonly relation?: FunctionRelation | undefined
}

export type Statement =
  | QueryStatement
  | InsertStatement
  | MultiInsertStatement
  | InsertAllStatement
  | CreateStatement
  | UpdateStatement
  | DeleteStatement
  | MergeStatement
  | CopyStatement
  | RenameStatement
  | NamedStatement
  | UseStatement
  | RoutineStatement
  | BlockStatement
  | CallStatement
  | DeclareStatement
  | ExplainStatement
  | CommandStatement

/** A parsed text. */
export interface Script {
  readonly text: string
  readonly statements: readonly Statement[]
}
