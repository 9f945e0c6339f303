/**
 * Expressions in the query IR. An expression is not a tree: lineage needs to know what a span of text refers to, so it
 * holds the column references, the subqueries and the stars inside the span, each with the role it plays there.
 */

import type { Cte, Query } from './query.ts'
import type { TextPiece } from './text.ts'
/** Bits of `Reference.role`: how a reference takes part in the value of its expression. */
export const ROLE = {
  /** Inside an aggregate function. */
  AGGREGATED: 1,
  /** In a condition that chooses a value (CASE WHEN, IF). */
  CONDITIONAL: 2,
  /** In OVER (PARTITION BY, ORDER BY), WITHIN GROUP or KEEP. */
  WINDOW: 4,
  /** A variable by its mark (`@x`, `:x`, `$x`) or what may be one inside a routine; no column if none has that name. */
  VARIABLE: 8,
  /** A column if there is one of that name, and nothing to be missed else: DuckDB's `column.f()` may be `schema.f()`. */
  OPTIONAL: 16,
} as const

/** A name in an expression: a column, perhaps qualified, perhaps with a path into a struct. */
export interface Reference {
  /** The parts as written, without quotes: `['o', 'amount']`. */
  readonly parts: readonly string[]
  /** The first part was quoted, so it is no keyword-like constant. */
  readonly quoted: boolean
  /** Offsets of the whole name in the statement's text. */
  readonly start: number
  readonly end: number
  /** Sum of ROLE bits. */
  readonly role: number
  /** Keys of a document behind it (`doc:a.b`, `doc->>'a'`): part of the column, but where the text builds the document. */
  readonly path?: readonly string[] | undefined
}

/** A subquery inside an expression. */
export interface SubqueryUse {
  readonly query: Query
  readonly role: number
  /** EXISTS (…) and the right side of EXCEPT give no value: their tables count, their columns do not. */
  readonly valueless: boolean
}

/** A star inside an expression: `struct(t.*)`, `count(t.*)`, `COLUMNS('a.*')`. */
export interface StarUse {
  readonly star: Star
  readonly role: number
}

/** What the text between two offsets refers to. */
export interface Expression {
  readonly start: number
  readonly end: number
  readonly references: readonly Reference[]
  readonly queries: readonly SubqueryUse[]
  readonly stars: readonly StarUse[]
  /** Named windows it uses (`OVER w`), lower case. */
  readonly windows: readonly string[]
  /** `column`: nothing but one reference. `literal`: one constant. `other`: all else. */
  readonly form: 'column' | 'literal' | 'other'
  /** ClickHouse: `(a + b AS c)` names a part of an expression for others to use. */
  readonly inline?: readonly { readonly name: string; readonly references: readonly Reference[] }[] | undefined
  /** Fields of the struct that the whole expression makes, alone or as an aggregate's array: STRUCT(a AS x). */
  readonly fields?: readonly StructField[] | undefined
  /** Columns that the whole value is one of, or is an element of: COALESCE(a, b), ARRAY_AGG(t), `rows[0]`. */
  readonly elements?: readonly Reference[] | undefined
  /** Trino: values that its windows measure (OVER (… MEASURES x AS name …)), as named expressions. */
  readonly measures?: readonly Cte[] | undefined
  /** The name that an output gets without an alias: last name part, function, cast column; absent where there is none. */
  readonly name?: string | undefined
}

/** A part of a struct and what it refers to. */
export interface StructField {
  /** '' where it is known by its place alone: ROW(a, b). */
  readonly name: string
  readonly references: readonly Reference[]
  readonly queries: readonly SubqueryUse[]
  readonly form: Expression['form']
  /** Its own fields, where it is a struct as well. */
  readonly fields?: readonly StructField[] | undefined
  /** It stands for all columns of a star, STRUCT(t.*), and has no name of its own. */
  readonly star?: Star | undefined
}

/** `*` or `t.*` with all that dialects hang on it. */
export interface Star {
  /** Parts of the qualifier; absent for a bare star. */
  readonly qualifier?: readonly string[] | undefined
  /** Names left out (EXCEPT, EXCLUDE), lower case. */
  readonly except: readonly string[]
  /** REPLACE (expression AS name). */
  readonly replace: readonly Item[]
  /** RENAME (old AS new); old in lower case. */
  readonly rename: ReadonlyMap<string, string> | undefined
  /** ClickHouse: functions that APPLY puts around each column, as written; '' for a lambda. */
  readonly applied?: readonly string[] | undefined
  /** COLUMNS(…): the expression around it is one output for each column. */
  readonly each?: boolean | undefined
  /** Only columns that match (ILIKE, LIKE, COLUMNS('regex')). */
  readonly matching?: StarPattern | undefined
  /** BigQuery `(expression).*`: the fields of a struct, known by what the expression refers to. */
  readonly of?: Expression | undefined
}

export interface StarPattern {
  readonly kind: 'like' | 'ilike' | 'regex' | 'glob' | 'names'
  readonly pattern: string
  readonly negated: boolean
}

/** One output of a SELECT list. */
export interface Item {
  readonly expression: Expression
  readonly alias?: string | undefined
  /** `@x = expression`, `@x := expression`: the variable that takes the value. */
  readonly variable?: string | undefined
  /** The text that the variable takes, for dynamic SQL. */
  readonly text?: readonly TextPiece[] | undefined
  /** Several names for one expression (Hive `explode(m) AS (k, v)`). */
  readonly aliases?: readonly string[] | undefined
  /** The item is a star, not a value. */
  readonly star?: Star | undefined
  readonly start: number
  readonly end: number
}
