/** Queries and relations in the IR: what a front end hands to the resolver. */

import type { TextPiece } from './text.ts'
import type { Statement } from './statement.ts'
import type { Expression, Item, Star } from './expression.ts'

/** A table's name: its parts without quotes, as written. A path or stage is one part. */
export interface TableName {
  readonly parts: readonly string[]
  readonly start: number
  readonly end: number
  /** `path` is a file, stage or location; `hole` is a name that the text does not tell (`IDENTIFIER(:x)`, a template). */
  readonly sort: 'table' | 'path' | 'hole'
  /** Bit i is set where part i was quoted. */
  readonly quoted: number
  /** IDENTIFIER($db || '.t'): what the name is made of. */
  readonly pieces?: readonly TextPiece[] | undefined
}

export interface Cte {
  readonly name: string
  readonly columns: readonly string[] | undefined
  /** A query, or a data-changing statement with RETURNING, or a lone expression (ClickHouse `WITH 1 AS x`). */
  readonly query?: Query | undefined
  readonly statement?: Statement | undefined
  readonly expression?: Expression | undefined
  /** The CTE may read itself. */
  readonly recursive: boolean
  readonly start: number
  /** Columns that SEARCH and CYCLE add, each made of others of the CTE. */
  readonly extraColumns: readonly AddedColumn[]
}

export interface AddedColumn {
  readonly name: string
  readonly of: readonly string[]
}

export type Query = Select | SetOperation | Values | TableQuery | Pipe | StatementQuery

/** Parts that each kind of query may carry around it. */
interface QueryBase {
  readonly with: readonly Cte[]
  readonly start: number
  readonly end: number
}

export interface Select extends QueryBase {
  readonly kind: 'select'
  readonly items: readonly Item[]
  readonly from: readonly Relation[]
  readonly uses: readonly Use[]
  readonly windows: readonly NamedWindow[]
  /** SELECT … INTO table. */
  readonly into?: TableName | undefined
  readonly intoTemporary: boolean
  /** Variables that SELECT … INTO fills, inside a routine, or T-SQL's `SELECT @x = …`; '' takes nothing. */
  readonly variables: readonly string[]
  /** MySQL: `SELECT @x := …` fills them and gives the rows as well. */
  readonly givesRows?: boolean | undefined
  /** BigQuery AS STRUCT / AS VALUE: one unnamed output. */
  readonly valueTable?: 'struct' | 'value' | undefined
}

export interface SetOperation extends QueryBase {
  readonly kind: 'set'
  readonly operator: 'union' | 'intersect' | 'except'
  /** Columns meet by name (BY NAME, CORRESPONDING) instead of by position. */
  readonly byName: boolean
  /** Which columns a meeting by name keeps: of either side, of both, of the left side. */
  readonly keeps?: 'either' | 'both' | 'left' | undefined
  /** BY (a, b): these columns alone, in this order. */
  readonly only?: readonly string[] | undefined
  readonly left: Query
  readonly right: Query
  /** PL/pgSQL: `… UNION … INTO v` fills variables with the row. */
  readonly variables?: readonly string[] | undefined
  readonly uses: readonly Use[]
}

export interface Values extends QueryBase {
  readonly kind: 'values'
  readonly rows: readonly (readonly Expression[])[]
  readonly uses: readonly Use[]
}

/** `TABLE t`, and everything else that reads one relation whole (FROM-first without SELECT). */
export interface TableQuery extends QueryBase {
  readonly kind: 'table'
  readonly from: readonly Relation[]
  readonly uses: readonly Use[]
}

/** A query and the steps of pipe syntax that follow it; each step reads the one before. */
export interface Pipe extends QueryBase {
  readonly kind: 'pipe'
  readonly source: Query
  readonly steps: readonly PipeStep[]
}

export type PipeStep =
  | { readonly kind: 'select'; readonly items: readonly Item[]; readonly windows: readonly NamedWindow[] }
  | { readonly kind: 'extend'; readonly items: readonly Item[]; readonly windows: readonly NamedWindow[] }
  | { readonly kind: 'set'; readonly items: readonly Item[] }
  | {
      readonly kind: 'aggregate'
      readonly items: readonly Item[]
      readonly groups: readonly Item[]
      /** GROUP AND ORDER BY. */
      readonly sorts: boolean
    }
  | { readonly kind: 'drop'; readonly names: readonly string[] }
  | { readonly kind: 'rename'; readonly names: readonly (readonly [string, string])[] }
  | { readonly kind: 'as'; readonly alias: string }
  | { readonly kind: 'where'; readonly uses: readonly Use[] }
  | { readonly kind: 'join'; readonly relations: readonly Relation[]; readonly uses: readonly Use[] }
  | {
      readonly kind: 'set-operation'
      readonly operator: SetOperation['operator']
      readonly byName: boolean
      readonly keeps: SetOperation['keeps']
      readonly queries: readonly Query[]
    }
  | { readonly kind: 'pivot'; readonly pivot: Pivot }
  | { readonly kind: 'call'; readonly call: FunctionRelation }

/** A data-changing statement or EXPLAIN in the place of a query. */
export interface StatementQuery extends QueryBase {
  readonly kind: 'statement'
  readonly statement: Statement
}

/** Columns that shape the rows without being the value. */
export interface Use {
  readonly kind: 'FILTER' | 'JOIN' | 'GROUP_BY' | 'SORT' | 'WINDOW'
  readonly expression: Expression
  /** Outputs by their place, from 1 (`GROUP BY 1, 2`), or all that are no aggregates (`GROUP BY ALL`). */
  readonly outputs?: readonly number[] | 'all' | undefined
}

export interface NamedWindow {
  /** Lower case. */
  readonly name: string
  readonly expression: Expression
}

export type JoinKind =
  'first' | 'comma' | 'inner' | 'left' | 'right' | 'full' | 'cross' | 'semi' | 'anti' | 'apply' | 'lateral-view'

export interface Join {
  readonly kind: JoinKind
  readonly natural: boolean
  readonly using: readonly string[] | undefined
  /** PostgreSQL: `USING (a) AS j` names the columns that the join made one. */
  readonly alias?: string | undefined
}

interface RelationBase {
  readonly join: Join
  readonly alias?: string | undefined
  readonly columnAliases?: readonly string[] | undefined
  readonly pivots: readonly Pivot[]
  readonly start: number
  readonly end: number
}

export interface TableRelation extends RelationBase {
  readonly kind: 'table'
  readonly name: TableName
  /** Redshift: `FROM t.items AS i AT n` counts the elements in a column of that name. */
  readonly position?: string | undefined
}

export interface QueryRelation extends RelationBase {
  readonly kind: 'query'
  readonly query: Query
  readonly lateral: boolean
}

/** A table function, UNNEST, FLATTEN, LATERAL VIEW, JSON_TABLE, MATCH_RECOGNIZE … */
export interface FunctionRelation extends RelationBase {
  readonly kind: 'function'
  /** Name in lower case, last part. */
  readonly name: string
  readonly parts: readonly string[]
  readonly args: readonly Expression[]
  /** Relations given as arguments: `TABLE(t)`, `f(TABLE t)`, a cursor. */
  readonly relations: readonly Relation[]
  /** Columns that it is known to give; undefined where its schema is open. */
  readonly columns: readonly RowsetColumn[] | undefined
  /** Its rows are the elements of its arguments: the alias names an element, not a table only. */
  readonly elements: boolean
  /** Name of the counting column (WITH ORDINALITY, WITH OFFSET AS x). */
  readonly ordinality: string | undefined
}

export interface RowsetColumn {
  readonly name: string
  /** `args`: derives from the arguments. `none`: made by the function (ordinality, seq). */
  readonly from: 'args' | 'none'
  /** Index of the only argument that it derives from, where it is known. */
  readonly arg?: number | undefined
  /** What it derives from, where the function says so itself (MATCH_RECOGNIZE measures). */
  readonly expression?: Expression | undefined
}

/** Parenthesised joins. */
export interface GroupRelation extends RelationBase {
  readonly kind: 'group'
  readonly relations: readonly Relation[]
  readonly uses: readonly Use[]
}

/** MATCH_RECOGNIZE, MODEL and others that read a relation and give columns of their own beside or instead of its. */
export interface DerivedRelation extends RelationBase {
  readonly kind: 'derived'
  readonly source: Relation
  readonly measures: readonly Item[]
  /** The relation's own columns stay (ALL ROWS PER MATCH); else only `partition` does. */
  readonly keepsAll: boolean
  readonly partition: readonly Expression[]
  readonly uses: readonly Use[]
  /** Names that qualify rows of the source inside (pattern variables), lower case. */
  readonly variables: readonly string[]
}

export type Relation = TableRelation | QueryRelation | FunctionRelation | GroupRelation | DerivedRelation

export type Pivot =
  | {
      readonly kind: 'pivot'
      readonly aggregates: readonly Item[]
      readonly keys: readonly Expression[]
      /** Values that become columns; undefined when they are not known (ANY, subquery). */
      readonly values: readonly PivotValue[] | undefined
      /** Names of groups that stay (duckdb GROUP BY); undefined: all that is not used. */
      readonly groups: readonly string[] | undefined
      /** Names of columns that sum the others up. */
      readonly totals?: readonly string[] | undefined
      readonly alias?: string | undefined
      readonly columnAliases?: readonly string[] | undefined
    }
  | {
      readonly kind: 'unpivot'
      /** One entry a value column: its name. */
      readonly values: readonly string[]
      readonly names: readonly string[]
      /** Groups of source columns: one entry each a row of the result, as wide as `values`. */
      readonly columns: readonly (readonly string[])[]
      /** Columns to unpivot as a star (duckdb `UNPIVOT t ON COLUMNS(* EXCLUDE x)`). */
      readonly star?: Star | undefined
      readonly alias?: string | undefined
      readonly columnAliases?: readonly string[] | undefined
    }

export interface PivotValue {
  /** Text of the value, without quotes. */
  readonly text: string
  /** What the value is, where names of columns depend on it. */
  readonly sort?: 'string' | 'number' | 'date' | undefined
  readonly alias?: string | undefined
}
