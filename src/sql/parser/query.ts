/**
 * Queries: set operations over SELECT, VALUES, TABLE, FROM-first and parentheses, and what stands behind them.
 *
 *   [WITH …] term ((UNION | EXCEPT) term)* [ORDER BY …] [LIMIT …] [|> …]     term: an INTERSECT chain of SELECTs
 *
 * Set operations are read in a loop, so three thousand of them nest nothing but the IR's left side.
 */

import type { Cte, Query, Select, SetOperation, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { tableQuery } from './plain-query.ts'
import { parseImportedRows } from './utility.ts'
import type { Cursor } from './cursor.ts'
import { isMapReduce } from './hive-script.ts'
import { isPivotWord } from './lookahead.ts'
import { parseTableName } from './name.ts'
import { parsePipe } from './pipe.ts'
import { parseSimplePivot } from './simple-pivot.ts'
import { isDerivedTable } from './derived-table.ts'
import { parseRelations } from './relation.ts'
import { NO_CTES, parseWith } from './with.ts'
import { takeSetOperator } from './set-operator.ts'
import { parseValues } from './values.ts'
import { parseSelect } from './select.ts'
import type { Draft } from './select-draft.ts'
import { parseInto } from './select-into.ts'
import { parseClauses } from './select-clauses.ts'
import { parseTail } from './query-tail.ts'

/** A whole query. */
export function parseQuery(c: Cursor): Query {
  c.enter(4)
  const ctes = c.at(K.WITH) ? parseWith(c) : NO_CTES
  const query = parseQueryBody(c, ctes)
  c.leave(4)
  return query
}

/** What follows WITH: also used where a statement has read the CTEs already. */
export function parseQueryBody(c: Cursor, ctes: readonly Cte[]): Query {
  let query = parseSetOperations(c)
  const uses: Use[] = []
  parseTail(c, uses)
  if (c.at(K.INTO) && (query.kind === 'select' || query.kind === 'set')) {
    query = withInto(c, query)
    parseTail(c, uses)
  }
  if (uses.length > 0) query = { ...query, uses: [...usesOf(query), ...uses], end: c.end() } as Query
  if (c.at(T.PIPE)) query = parsePipe(c, query)
  if (ctes.length > 0) query = { ...query, with: [...ctes, ...query.with] }
  return query
}

/** SELECT … LIMIT 1 INTO v; SELECT … FOR UPDATE INTO v. */
function withInto(c: Cursor, query: Select | SetOperation): Query {
  if (query.kind === 'select' && query.into) return query
  if (query.variables && query.variables.length > 0) return query
  const draft: Draft = { from: [], windows: [], into: undefined, intoTemporary: false, variables: [] }
  parseInto(c, draft)
  if (query.kind === 'set') return { ...query, variables: draft.variables, end: c.end() }
  const { into, intoTemporary, variables } = draft
  return { ...query, into, intoTemporary, variables, end: c.end() }
}

function usesOf(query: Query): readonly Use[] {
  return 'uses' in query ? query.uses : []
}

function parseSetOperations(c: Cursor): Query {
  let left = parseIntersections(c)
  for (;;) {
    const operator = c.at(K.INTERSECT) ? undefined : takeSetOperator(c)
    if (!operator) return left
    const right = parseIntersections(c)
    left = { kind: 'set', ...operator, left, right, with: NO_CTES, uses: [], start: left.start, end: c.end() }
  }
}

function parseIntersections(c: Cursor): Query {
  let left = parseTerm(c)
  while (c.at(K.INTERSECT)) {
    const operator = takeSetOperator(c)!
    const right = parseTerm(c)
    left = { kind: 'set', ...operator, left, right, with: NO_CTES, uses: [], start: left.start, end: c.end() }
  }
  return left
}

/** Dialects in which no query begins with FROM. */
export const SELECT_FIRST: ReadonlySet<string> = new Set(
  'postgres,greenplum,redshift,trino,presto,athena,sqlite,mysql,mariadb,tsql,oracle,db2,exasol,vertica,teradata'.split(
    ',',
  ),
)

function parseTerm(c: Cursor): Query {
  const start = c.start()
  switch (c.type) {
    case K.SELECT:
      return parseSelect(c)
    case T.WORD:
      if (isPivotWord(c, c.pos)) return parseSimplePivot(c, start)
      if (isMapReduce(c)) return parseSelect(c)
      // Teradata: SEL.
      if (c.dialect.name === 'teradata' && c.isWord(c.pos, 'sel')) return parseSelect(c)
      return c.inBody && c.isWord(c.pos, 'perform') ? parseSelect(c) : emptyQuery(c, start)
    case T.LPAREN:
      return parseParenthesisedTerm(c, start)
    case K.MAP:
      return isMapReduce(c) ? parseSelect(c) : emptyQuery(c, start)
    case K.WITH:
      return parseQuery(c)
    case K.VALUES:
    case K.VALUE:
      return parseValues(c, start)
    case K.TABLE:
      c.pos++
      return relationsQuery(c, start)
    case K.FROM:
      if (SELECT_FIRST.has(c.dialect.name) && c.types[c.pos - 1] !== K.SELECT) c.missing('SELECT')
      return parseFromFirst(c, start)
    case K.PIVOT:
    case K.UNPIVOT:
      return parseSimplePivot(c, start)
    case K.IMPORT: {
      const query = c.dialect.name === 'exasol' ? parseImportedRows(c) : undefined
      return query ?? emptyQuery(c, start)
    }
    case K.EXPLAIN:
    case K.SHOW:
    case K.DESCRIBE:
    case K.INSERT:
    case K.UPDATE:
    case K.DELETE:
    case K.MERGE:
    case K.SUMMARIZE:
    case K.CALL: {
      const statement = c.rules.statement(c)
      return { kind: 'statement', statement, with: NO_CTES, start, end: c.end() }
    }
    default:
      return emptyQuery(c, start)
  }
}

/** Where a query should stand and none does: a template's hole, a parameter, or something unknown. */
function emptyQuery(c: Cursor, start: number): Query {
  if (c.at(T.HOLE) || c.at(T.PARAM)) {
    const name = parseTableName(c)
    if (name) return tableQuery(name, start, c.end())
  }
  c.missing('a query')
  return { kind: 'values', rows: [], uses: [], with: NO_CTES, start, end: start }
}

function parseParenthesisedTerm(c: Cursor, start: number): Query {
  c.enter(1)
  let query: Query
  if (c.peek(1) === T.LPAREN && !isDerivedTable(c)) {
    // ((SELECT …) a JOIN b): relations without a SELECT around them.
    const uses: Use[] = []
    const from = parseRelations(c, uses)
    query = { kind: 'table', from, uses, with: NO_CTES, start, end: c.end() }
  } else {
    c.pos++
    query = c.rules.query(c)
    c.closeParen()
  }
  c.leave(1)
  return query
}

/** TABLE name; also the name only. */
function relationsQuery(c: Cursor, start: number): Query {
  const uses: Use[] = []
  const from = parseRelations(c, uses)
  return { kind: 'table', from, uses, with: NO_CTES, start, end: c.end() }
}

/** FROM t [SELECT …]: DuckDB, Hive, BigQuery's pipes. */
function parseFromFirst(c: Cursor, start: number): Query {
  c.pos++
  const uses: Use[] = []
  const from = parseRelations(c, uses)
  if (c.at(K.SELECT) || isMapReduce(c)) return parseSelect(c, from, uses, start)
  parseClauses(c, uses, undefined)
  return { kind: 'table', from, uses, with: NO_CTES, start, end: c.end() }
}
