/**
 * What the resolver works on. A relation is its columns, each with the set of table columns it comes from; a table whose
 * columns are not known is one open column that stands for all of them.
 */

import type { Dialect } from '../dialects/dialect.ts'
import type { DiagnosticCode } from '../diagnostics.ts'
import type { Expression, Item, Star } from '../ir/expression.ts'
import type { Cte, NamedWindow, Query, Relation, TableName, Use } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import type { IndirectKind, Profile } from '../types.ts'

/** How a value was changed on its way; the greater wins when both happened. */
export const KIND = { identity: 0, transformed: 1, aggregated: 2 } as const
export type Kind = 0 | 1 | 2

/** A table, file or stage that a statement names. One object per name and session. */
export interface Table {
  /** Parts after defaults, in the spelling of the schema or of the first mention. */
  readonly parts: readonly string[]
  readonly name: string
  readonly path: boolean
  /** Columns in the table's order, each coming from itself; undefined while they are not known. */
  columns: readonly OutColumn[] | undefined
  /** Columns beside these that it gives only by name, lower case. */
  hidden?: ReadonlySet<string>
  /** Columns met so far, by name as written. */
  readonly met: Map<string, TableColumn>
}

/** A column of a table; `table` is null when no single table owns it. */
export interface TableColumn {
  readonly table: Table | null
  readonly name: string
}

export interface Source {
  readonly column: TableColumn
  readonly kind: Kind
}

export type Sources = readonly Source[]

/** One column of a relation, or (`open`) all columns of tables whose columns are not known. */
export interface OutColumn {
  readonly name: string
  /** Lower case. */
  readonly key: string
  readonly sources: Sources
  readonly open: readonly OpenTable[] | undefined
  /** Its fields, where it is a struct (or an array of structs) that the text builds. */
  readonly fields?: readonly OutColumn[] | undefined
  /** Its fields are those of a table's type, or listed in its schema; what the column is then, as far as that tells. */
  readonly byType?: 'struct' | 'list' | 'map' | 'listed' | undefined
  /** Its fields, whatever they are called, are columns of the relation: `t.address.*` of an unknown type. */
  readonly spread?: boolean | undefined
  /** The SELECT item it stands for, in the outermost query. */
  readonly item?: Item | undefined
  /** Lowers the confidence: why the sources are not sure. */
  readonly doubt?: DiagnosticCode | undefined
}

export interface OpenTable {
  readonly table: Table
  /** Names that the star leaves out, lower case. */
  readonly except: ReadonlySet<string> | undefined
  readonly kind: Kind
}

/** A relation as a scope sees it. */
export interface ScopeRelation {
  /** Alias in lower case; '' when it has none. */
  readonly alias: string
  /** Lower-case parts of the table's name as written and as completed, for references that qualify by it. */
  readonly path: readonly string[]
  readonly columns: readonly OutColumn[]
  /** Sources of any column that `columns` does not hold (rows of a function). */
  readonly any: Sources | undefined
  /** Its columns are no part of `*` (semi joins). */
  readonly hidden: boolean
  /** ClickHouse's ARRAY JOIN: its columns stand for those of the same name. */
  readonly overlay?: boolean
  /** Found by its qualifier only. */
  readonly silent?: boolean
  /** A semi or anti join's other side: unqualified names mean the others first. */
  readonly beside?: boolean
  index: Map<string, OutColumn | readonly OutColumn[]> | undefined
}

export interface Scope {
  relations: ScopeRelation[]
  readonly parent: Scope | undefined
  readonly env: CteEnv | undefined
  /** Columns merged by USING and NATURAL: name to the relations that share it. */
  merged: Map<string, ScopeRelation[]> | undefined
  /** Named windows of its SELECT. */
  windows?: readonly NamedWindow[] | undefined
  /** Outputs so far, by name in lower case, where they may be used by others. */
  aliases: Map<string, OutColumn> | undefined
  /** ClickHouse: outputs to come, resolved when one before uses their name. */
  laterAlias?: ((key: string) => OutColumn | undefined) | undefined
}

/** A CTE or view in reach. Its columns are resolved when it is first read. */
export interface CteEnv {
  readonly key: string
  readonly cte: Cte
  readonly parent: CteEnv | undefined
  /** Where its own query looks names up. */
  readonly outer: CteEnv | undefined
  readonly scope: Scope | undefined
  columns: readonly OutColumn[] | undefined
  resolving: boolean
}

/** What one statement gathers while it is resolved. */
export interface Gathered {
  readonly inputs: Set<Table>
  readonly outputs: Set<Table>
  /** Tables that UPDATE changes, also within a CTE. */
  readonly updated: Set<Table>
  readonly indirect: Map<TableColumn, number>
  readonly doubts: Doubt[]
}

export interface Doubt {
  readonly code: DiagnosticCode
  readonly text: string
  readonly start: number
}

/** Where tables come from: names to tables, with what the session knows of them. */
export interface Tables {
  /** The table of a name; also a name that the session renamed or made. */
  find(name: TableName): Table
  /** The name itself, or that of the table which a variable in its place names. */
  known(name: TableName): TableName
  /** Columns of a temporary table or view folded into their sources; undefined for a table that stands for itself. */
  folded(table: Table): readonly OutColumn[] | undefined
  /** Tables behind a temporary one: reading it is reading them. */
  behind(table: Table): Iterable<Table>
  columnOf(table: Table | null, name: string): TableColumn
}

/** Rules that call each other across files. */
export interface ResolverRules {
  readonly query: (
    r: Resolving,
    query: Query,
    env: CteEnv | undefined,
    parent: Scope | undefined,
  ) => readonly OutColumn[]
  readonly relation: (r: Resolving, relation: Relation, scope: Scope) => void
  readonly expression: (r: Resolving, expression: Expression, scope: Scope) => Sources
  readonly uses: (r: Resolving, uses: readonly Use[], scope: Scope) => void
  readonly fields: (r: Resolving, expression: Expression, scope: Scope) => readonly OutColumn[] | undefined
  readonly star: (r: Resolving, star: Star, scope: Scope) => readonly OutColumn[]
  readonly statement: (r: Resolving, statement: Statement, env: CteEnv | undefined) => readonly OutColumn[]
}

/** What a variable holds: a value, or (FOR r IN query) a row. */
export interface Variable {
  readonly value: OutColumn
  readonly row: readonly OutColumn[] | undefined
}

/** What a routine gives as rows, and the tables behind them. */
export interface RoutineRows {
  readonly columns: readonly OutColumn[]
  /** Its body is in another language: only the names of its columns are known. */
  readonly isForeign?: boolean
  /** A macro's parameters, as the tables that its text would name; what a call gives takes their place. */
  readonly parameters?: readonly Table[]
  readonly inputs: Iterable<Table>
}

/** What a scalar function returns, and the tables behind it. */
export interface FunctionValue {
  readonly sources: Sources
  readonly inputs: Iterable<Table>
}

/** The context of one statement's resolution. */
export interface Resolving {
  readonly dialect: Dialect
  readonly profile: Profile
  readonly tables: Tables
  readonly gathered: Gathered
  readonly rules: ResolverRules
  readonly text: string
  readonly lateral: 'none' | 'after' | 'before'
  /** Variables and parameters of the routine around the statement, by name in lower case. */
  readonly variables: ReadonlyMap<string, Variable>
  /** Rows of a table function that the session knows, by the last part of its name in lower case. */
  readonly routineRows: (name: string) => RoutineRows | undefined
  /** Value of a function that the session knows, named likewise; absent where it knows none. */
  readonly functionValue?: ((name: string) => FunctionValue | undefined) | undefined
}

export const INDIRECT_KINDS: readonly IndirectKind[] = ['FILTER', 'JOIN', 'GROUP_BY', 'SORT', 'WINDOW', 'CONDITIONAL']
export const NO_SOURCES: Sources = []
export const NO_COLUMNS: readonly OutColumn[] = []

export interface ReadRelation {
  readonly columns: readonly OutColumn[]
  readonly alias: string
  readonly path: readonly string[]
  readonly any: Sources | undefined
  readonly isCte: boolean
}
