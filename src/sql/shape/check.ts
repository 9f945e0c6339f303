/** Whether a statement has a shape that its dialect knows: words that no rule reads for lineage may be misspelt, too. */

import { T } from '../lexer/tokens.ts'
import type { Cursor } from '../parser/cursor.ts'
import type { DialectName } from '../types.ts'
import { compileShapes, type Shapes } from './grammar.ts'
import { startFitting, type TextRange } from './parts.ts'
import { BIGQUERY_SHAPES } from './bigquery.ts'
import { CLICKHOUSE_SHAPES } from './clickhouse.ts'
import { DUCKDB_SHAPES } from './duckdb.ts'
import { POSTGRES_SHAPES } from './postgres.ts'
import { SPARK_SHAPES } from './spark.ts'
import { SQLITE_SHAPES } from './sqlite.ts'
import { TRINO_SHAPES } from './trino.ts'

const GRAMMARS: Partial<Record<DialectName, string>> = {
  bigquery: BIGQUERY_SHAPES,
  clickhouse: CLICKHOUSE_SHAPES,
  duckdb: DUCKDB_SHAPES,
  postgres: POSTGRES_SHAPES,
  spark: SPARK_SHAPES,
  sqlite: SQLITE_SHAPES,
  trino: TRINO_SHAPES,
}

const compiled = new Map<string, Shapes>()

/** Tells the first word that fits no shape of the statement of tokens [from, to). */
export function checkShape(c: Cursor, from: number, to: number, query: TextRange | undefined): void {
  const grammar = GRAMMARS[c.dialect.name]
  if (grammar === undefined || !(c.isName(from) || c.types[from] === T.COLON)) return
  const word = c.textAt(from).toLowerCase()
  const shapes = shapesOf(c.dialect.name, grammar).get(word)
  if (!shapes && READ.has(word)) return
  if (hasHole(c, from, to)) return
  if (!shapes) return tellUnknown(c, from)
  const fitting = startFitting(c, to, query)
  if (shapes.some((shape) => shape(fitting, from, (at) => at === to || endsEarly(fitting, at)))) return
  const place = fitting.furthest
  if (place >= to) return tellMissing(c, to)
  c.note('SKIPPED_TOKENS', c.starts[place]!, c.textAt(place))
  c.skipped++
}

/** Statements that the rules read word by word, without a shape. */
const READ = new Set(
  'select,with,from,insert,replace,update,delete,merge,values,table,pivot,unpivot,pivot_wider,pivot_longer,copy'.split(
    ',',
  ),
)

/** Dialects whose scripts have further statements of their own. */
const OPEN: ReadonlySet<string> = new Set(['spark', 'bigquery'])

/** Words that begin a statement in none of these. */
const NEVER_FIRST = new Set('null,end,exists,using,database,not,and,or,on,in,then,else'.split(','))

function tellUnknown(c: Cursor, from: number): void {
  const word = c.textAt(from)
  const isRead = OPEN.has(c.dialect.name) ? !NEVER_FIRST.has(word.toLowerCase()) : READ.has(word.toLowerCase())
  if (!isRead) c.note('UNKNOWN_STATEMENT', c.starts[from]!, word)
}

function endsEarly(fitting: { furthest: number }, at: number): boolean {
  if (at > fitting.furthest) fitting.furthest = at
  return false
}

function tellMissing(c: Cursor, to: number): void {
  c.note('MISSING_PART', c.ends[to - 1]!, 'more at the end')
}

function shapesOf(dialect: string, grammar: string): Shapes {
  let shapes = compiled.get(dialect)
  if (!shapes) compiled.set(dialect, (shapes = compileShapes(grammar)))
  return shapes
}

const AT = 64

/** Template expressions, macros of a project and client commands may hold any words. */
function hasHole(c: Cursor, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const type = c.types[i]!
    if (type === T.HOLE || type === T.LINE) return true
    if (c.text.charCodeAt(c.starts[i]!) === AT && (type === T.PARAM || c.dialect.name === 'postgres')) return true
  }
  return false
}
