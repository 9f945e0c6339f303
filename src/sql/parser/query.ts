/**
 * Queries: WITH, SELECT, set operations, VALUES, TABLE, FROM-first, and what stands behind them.
 *
 *   [WITH …] term ((UNION | EXCEPT) term)* [ORDER BY …] [LIMIT …] [|> …]     term: an INTERSECT chain of SELECTs
 *
 * Set operations are read in a loop, so three thousand of them nest nothing but the IR's left side.
 */

import type { Item } from '../ir/expression.ts'
import type { Cte, NamedWindow, Query, Relation, Select, SetOperation, TableName, Use } from '../ir/query.ts'
import type { Expression } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { tableQuery } from './lone-table.ts'
import { variableList } from './variables.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression, scanExpression } from './expression.ts'
import { nameList, parseItems, starModifiers } from './item.ts'
import { startsQuery } from './lookahead.ts'
import { parseModelClause } from './model-clause.ts'
import { parseTableName } from './name.ts'
import { outputPlace, scanOrderList, scanWindowBody } from './order.ts'
import { parsePipe } from './pipe.ts'
import { parseSimplePivot } from './simple-pivot.ts'
import { isDerivedTable, parseRelations } from './relation.ts'
import { stepOverClause } from './clause.ts'
import { stepOverNormalize } from './teradata.ts'
import { parseExpand } from './teradata-relation.ts'
import { isKeyword } from './words.ts'

const NO_CTES: readonly Cte[] = []
const NO_RELATIONS: readonly Relation[] = []
const NO_NAMES: readonly string[] = []
const NO_WINDOWS: readonly NamedWindow[] = []

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
  if (uses.length > 0) query = { ...query, uses: [...usesOf(query), ...uses], end: c.end() } as Query
  if (ctes.length > 0) query = { ...query, with: [...ctes, ...query.with] }
  if (c.at(T.PIPE)) query = parsePipe(c, query)
  return query
}

function usesOf(query: Query): readonly Use[] {
  return 'uses' in query ? query.uses : []
}

/** WITH [RECURSIVE] name [(columns)] AS [NOT MATERIALIZED] (query), …. */
export function parseWith(c: Cursor): Cte[] {
  c.pos++
  const ctes: Cte[] = []
  // Materialize: WITH MUTUALLY RECURSIVE (RETURN AT RECURSION LIMIT 10).
  const mutually = c.isWord(c.pos, 'mutually') && c.peek(1) === K.RECURSIVE
  if (mutually) c.pos++
  const recursive =
    c.at(K.RECURSIVE) && c.peek(1) !== K.AS && (mutually || c.peek(1) !== T.LPAREN)
      ? c.take(K.RECURSIVE)
      : !needsRecursive(c)
  if (mutually && c.at(T.LPAREN)) c.stepOverParens()
  do {
    if (c.at(K.SELECT) || c.at(K.INSERT) || c.atEnd()) break
    const cte = parseCte(c, recursive)
    if (!cte) break
    ctes.push(cte)
    // Redshift and others tolerate no comma; a second WITH is a slip that databases accept.
    if (c.at(T.COMMA) && c.peek(1) === K.WITH) c.pos++
  } while (c.take(T.COMMA) || (c.at(K.WITH) && c.isName(c.pos + 1) && c.peek(2) === K.AS && c.take(K.WITH)))
  return ctes
}

/** Dialects in which a CTE reads itself without the word RECURSIVE. */
function needsRecursive(c: Cursor): boolean {
  const name = c.dialect.name
  return !(
    name === 'tsql' ||
    name === 'oracle' ||
    name === 'db2' ||
    name === 'teradata' ||
    name === 'snowflake' ||
    name === 'sqlite'
  )
}

function parseCte(c: Cursor, recursive: boolean): Cte | undefined {
  const start = c.start()
  // Oracle: WITH FUNCTION f … END; and T-SQL: WITH XMLNAMESPACES (…), CHANGE_TRACKING_CONTEXT (…).
  if (c.at(K.XMLNAMESPACES) && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
    return { name: '', columns: undefined, recursive: false, start, extraColumns: [] }
  }
  if ((c.at(K.FUNCTION) || c.at(K.PROCEDURE)) && c.isName(c.pos + 1)) return stepOverInlineRoutine(c, start)
  // ClickHouse: WITH expression AS name.
  if (
    !(c.isName(c.pos) || c.at(T.PARAM) || c.at(T.HOLE)) ||
    !(c.peek(1) === K.AS || c.peek(1) === T.LPAREN || c.peek(1) === K.USING || c.at(T.HOLE)) ||
    isClickhouseExpression(c)
  )
    return parseExpressionCte(c, start)
  const name = c.nameAt(c.pos)
  c.pos++
  let columns: string[] | undefined
  // Spark: WITH t (SELECT …) without AS.
  if (c.at(T.LPAREN) && !startsQuery(c, c.pos + 1)) columns = nameList(c, c.pos)
  if (c.isWord(c.pos, 'using') || (c.at(K.USING) && c.peek(1) === K.KEY)) {
    // DuckDB: USING KEY (a, b).
    c.pos += 2
    if (c.at(T.LPAREN)) c.stepOverParens()
  }
  // Databricks: r (n) MAX RECURSION LEVEL 100 AS (…).
  if (c.isWord(c.pos, 'max') && c.isWord(c.pos + 1, 'recursion')) while (!c.atEnd() && !c.at(K.AS)) c.pos++
  c.take(K.AS)
  if (c.at(K.NOT)) c.pos++
  c.take(K.MATERIALIZED)
  if (!c.take(T.LPAREN)) {
    const query = c.rules.query(c)
    return { name, columns, query, recursive, start, extraColumns: [] }
  }
  c.enter(1)
  const query = c.rules.query(c)
  c.leave(1)
  c.closeParen()
  return { name, columns, query, recursive, start, extraColumns: parseSearchAndCycle(c) }
}

function isClickhouseExpression(c: Cursor): boolean {
  if (c.dialect.name !== 'clickhouse') return false
  // `f(x) AS name` and `column AS name`, against `name AS (SELECT …)`.
  if (c.peek(1) === K.AS) return c.peek(2) !== T.LPAREN && c.peek(2) !== K.MATERIALIZED
  const closing = c.closing(c.pos + 1)
  return !(c.types[closing + 1] === K.AS && c.types[closing + 2] === T.LPAREN)
}

function parseExpressionCte(c: Cursor, start: number): Cte | undefined {
  const before = c.pos
  const expression = parseExpression(c)
  if (c.pos === before || !c.at(K.AS) || !c.isName(c.pos + 1)) return undefined
  const name = c.nameAt(c.pos + 1)
  c.pos += 2
  return { name, columns: undefined, expression, recursive: false, start, extraColumns: [] }
}

function stepOverInlineRoutine(c: Cursor, start: number): Cte {
  while (!(c.at(K.END) && (c.peek(1) === T.SEMICOLON || c.peek(2) === T.SEMICOLON)) && c.type !== T.EOF) c.pos++
  while (!c.at(T.SEMICOLON) && c.type !== T.EOF) c.pos++
  c.take(T.SEMICOLON)
  if (c.at(K.SELECT) || c.at(K.FUNCTION) || c.at(K.PROCEDURE)) {
    // Nothing or another routine follows; a comma would not stand here.
    if (!c.at(K.SELECT)) return stepOverInlineRoutine(c, start)
  } else if (c.isName(c.pos))
    return parseCte(c, true) ?? { name: '', columns: undefined, recursive: false, start, extraColumns: [] }
  return { name: '', columns: undefined, recursive: false, start, extraColumns: [] }
}

/** SEARCH DEPTH FIRST BY a SET o; CYCLE a SET c TO 1 DEFAULT 0 USING p: the columns they add. */
function parseSearchAndCycle(c: Cursor): string[] {
  const added: string[] = []
  while ((c.at(K.SEARCH) && c.isName(c.pos + 1)) || (c.at(K.CYCLE) && c.isName(c.pos + 1))) {
    const cycles = c.at(K.CYCLE)
    c.pos++
    while (!c.at(K.SET) && !c.atEnd() && !c.at(K.SELECT)) c.pos++
    if (!c.take(K.SET)) break
    added.push(c.nameAt(c.pos++))
    if (!cycles) continue
    if (c.take(K.TO)) parseExpression(c)
    if (c.take(K.DEFAULT)) parseExpression(c)
    if (c.take(K.USING)) added.push(c.nameAt(c.pos++))
  }
  return added
}

interface Operator {
  readonly operator: SetOperation['operator']
  readonly byName: boolean
  readonly keeps?: SetOperation['keeps']
  readonly only?: SetOperation['only']
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

/** UNION [ALL | DISTINCT] [BY NAME], [FULL] OUTER UNION CORRESPONDING, MINUS …. */
export function takeSetOperator(c: Cursor): Operator | undefined {
  const start = c.pos
  let keeps: SetOperation['keeps']
  while ((c.at(K.FULL) || c.at(K.LEFT) || c.at(K.OUTER) || c.at(K.INNER)) && c.peek(1) !== K.JOIN) {
    // BigQuery: FULL OUTER UNION ALL BY NAME.
    const next = c.peek(1)
    if (next !== K.OUTER && next !== K.UNION && next !== K.INTERSECT && next !== K.EXCEPT) break
    keeps ??= c.at(K.INNER) ? 'both' : c.at(K.LEFT) ? 'left' : 'either'
    c.pos++
  }
  let operator: SetOperation['operator']
  switch (c.type) {
    case K.UNION:
      operator = 'union'
      break
    case K.INTERSECT:
      operator = 'intersect'
      break
    case K.EXCEPT:
      operator = 'except'
      break
    case K.MINUS:
      if (!(
        c.peek(1) === K.SELECT ||
        c.peek(1) === T.LPAREN ||
        c.peek(1) === K.ALL ||
        c.peek(1) === K.DISTINCT ||
        c.peek(1) === K.WITH
      )) {
        c.pos = start
        return undefined
      }
      operator = 'except'
      break
    default:
      c.pos = start
      return undefined
  }
  c.pos++
  if (c.at(K.ALL) || c.at(K.DISTINCT) || c.at(K.UNIQUE)) c.pos++
  let byName = false
  let only: string[] | undefined
  if (c.at(K.BY) && c.peek(1) === K.NAME) {
    c.pos += 2
    byName = true
    if (c.at(K.ON) && c.peek(1) === T.LPAREN) only = nameList(c, c.pos + 1)
  } else if (c.isWord(c.pos, 'strict') && c.peek(1) === K.CORRESPONDING) {
    c.pos += 2
    byName = true
  } else if (c.take(K.CORRESPONDING)) {
    byName = true
    keeps ??= 'both'
  }
  if (byName && c.at(K.BY) && c.peek(1) === T.LPAREN) only = nameList(c, c.pos + 1)
  return byName ? { operator, byName, keeps, only } : { operator, byName }
}

function parseTerm(c: Cursor): Query {
  const start = c.start()
  switch (c.type) {
    case K.SELECT:
      return parseSelect(c)
    case T.WORD:
      // Teradata: SEL.
      if (c.dialect.name === 'teradata' && c.isWord(c.pos, 'sel')) return parseSelect(c)
      return c.inBody && c.isWord(c.pos, 'perform') ? parseSelect(c) : emptyQuery(c, start)
    case T.LPAREN:
      return parseParenthesisedTerm(c, start)
    case K.WITH:
      return parseQuery(c)
    case K.VALUES:
    case K.VALUE:
      return parseValues(c, start)
    case K.TABLE:
      c.pos++
      return relationsQuery(c, start)
    case K.FROM:
      return parseFromFirst(c, start)
    case K.PIVOT:
    case K.UNPIVOT:
      return parseSimplePivot(c, start)
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

/** VALUES (…), (…) or VALUES 1, 2. */
function parseValues(c: Cursor, start: number): Query {
  c.pos++
  const rows: Expression[][] = []
  do {
    c.take(K.ROW)
    if (c.at(T.LPAREN)) {
      c.pos++
      rows.push(parseRow(c, rows.length))
    } else if (!c.atEnd() && !c.at(T.RPAREN)) {
      const before = c.pos
      rows.push([parseExpression(c)])
      if (c.pos === before) break
    }
  } while (c.take(T.COMMA) || (c.at(T.LPAREN) && c.dialect.name === 'clickhouse'))
  return { kind: 'values', rows, uses: [], with: NO_CTES, start, end: c.end() }
}

function parseRow(c: Cursor, index: number): Expression[] {
  const row: Expression[] = []
  // Rows of constants are read but not kept beyond the first thousand: they refer to nothing.
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    const expression = parseExpression(c)
    if (index < 1000 || expression.form !== 'literal') row.push(expression)
    if (c.at(K.AS)) c.pos += 2
    if (!c.take(T.COMMA) && !c.at(T.RPAREN)) {
      if (c.pos === before || !c.at(T.RPAREN)) c.skip()
    }
  }
  c.closeParen()
  return row
}

/** FROM t [SELECT …]: DuckDB, Hive, BigQuery's pipes. */
function parseFromFirst(c: Cursor, start: number): Query {
  c.pos++
  const uses: Use[] = []
  const from = parseRelations(c, uses)
  if (c.at(K.SELECT)) return parseSelect(c, from, uses, start)
  parseClauses(c, uses, undefined)
  return { kind: 'table', from, uses, with: NO_CTES, start, end: c.end() }
}

interface Draft {
  from: readonly Relation[]
  windows: NamedWindow[]
  into: TableName | undefined
  intoTemporary: boolean
  variables: readonly string[]
  /** CONNECT BY: LEVEL counts, whatever columns there are. */
  hierarchical?: boolean
}

const HIERARCHY_WORDS: ReadonlySet<string> = new Set(['level', 'connect_by_isleaf', 'connect_by_iscycle'])

function dropPseudoColumns(expression: Expression): void {
  if (!(expression instanceof Collector)) return
  const kept = expression.references.filter(
    ({ parts, quoted }) => quoted || parts.length > 1 || !HIERARCHY_WORDS.has(parts[0]!.toLowerCase()),
  )
  if (kept.length === expression.references.length) return
  expression.references = kept
  expression.form = 'other'
}

function parseSelect(
  c: Cursor,
  givenFrom: readonly Relation[] = NO_RELATIONS,
  givenUses: Use[] = [],
  begin = c.start(),
): Query {
  c.pos++
  const valueTable = parseSelectWords(c)
  // PL/pgSQL: SELECT INTO a, b x, y FROM t.
  const leading = c.at(K.INTO) && c.inBody && !c.dialect.looseStatements ? parseLeadingInto(c) : undefined
  let items: Item[] = parseItems(c)
  if (c.at(K.EXCLUDE)) items = excludeAtEnd(c, items)
  const uses = givenUses
  const draft: Draft = { from: givenFrom, windows: [], into: undefined, intoTemporary: false, variables: NO_NAMES }
  if (leading) draft.variables = leading
  parseClauses(c, uses, draft)
  if (draft.hierarchical) for (const item of items) dropPseudoColumns(item.expression)
  const assigned = draft.variables.length === 0 && items.some((item) => item.variable !== undefined)
  if (assigned) draft.variables = items.map((item) => item.variable ?? '')
  const select: Select = {
    kind: 'select',
    with: NO_CTES,
    items,
    from: draft.from,
    uses,
    windows: draft.windows.length > 0 ? draft.windows : NO_WINDOWS,
    into: draft.into,
    intoTemporary: draft.intoTemporary,
    valueTable,
    variables: draft.variables,
    givesRows: assigned && !c.dialect.looseStatements,
    start: begin,
    end: c.end(),
  }
  return select
}

/** Redshift: SELECT * EXCLUDE a, b FROM …; the list belongs to every star before it. */
function excludeAtEnd(c: Cursor, items: Item[]): Item[] {
  const { except } = starModifiers(c, undefined, undefined)
  return items.map((item) =>
    item.star ? { ...item, star: { ...item.star, except: [...item.star.except, ...except] } } : item,
  )
}

/** DISTINCT [ON (…)], TOP n, AS STRUCT and all else between SELECT and its list. */
function parseSelectWords(c: Cursor): 'struct' | 'value' | undefined {
  let valueTable: 'struct' | 'value' | undefined
  for (;;) {
    const next = c.peek(1)
    switch (c.type) {
      case K.WITH:
        // BigQuery: SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (…).
        if (!c.isName(c.pos + 1)) return valueTable
        c.pos += 2
        if (c.take(K.OPTIONS) && c.at(T.LPAREN)) c.stepOverParens()
        break
      case K.ALL:
      case K.DISTINCTROW:
      case K.UNIQUE:
        if (next === T.COMMA || next === T.DOT || next === K.FROM || next === T.LPAREN) return valueTable
        c.pos++
        break
      case K.DISTINCT:
        c.pos++
        if (c.at(K.ON) && c.peek(1) === T.LPAREN) {
          c.pos++
          c.rules.expression(c, new Collector())
        }
        break
      case K.TOP:
        if (!(next === T.NUMBER || next === T.LPAREN || next === T.PARAM || next === T.COLON || next === T.QUESTION))
          return valueTable
        c.pos++
        if (c.at(T.LPAREN)) c.stepOverParens()
        else {
          if (c.at(T.COLON)) c.pos++
          c.pos++
        }
        c.take(K.PERCENT)
        c.take2(K.WITH, K.TIES)
        break
      case K.AS:
        if (next !== K.STRUCT && next !== K.VALUE) return valueTable
        valueTable = next === K.STRUCT ? 'struct' : 'value'
        c.pos += 2
        break
      case K.FIRST:
      case K.SKIP:
      case K.LIMIT:
        if (next !== T.NUMBER) return valueTable
        c.pos += 2
        break
      case K.STRAIGHT_JOIN:
      case K.STREAM:
        if (next === T.COMMA || next === T.DOT || next === K.FROM) return valueTable
        c.pos++
        break
      case T.LBRACKET:
        // Impala: SELECT [STRAIGHT_JOIN] a.
        if (c.peek(1) !== K.STRAIGHT_JOIN) return valueTable
        c.stepOverParens()
        break
      case T.WORD:
        if (c.dialect.name === 'teradata' && stepOverNormalize(c)) break
        if (!isSelectWord(c) || next === T.COMMA || next === T.DOT || next === K.FROM) return valueTable
        c.pos++
        break
      default:
        return valueTable
    }
  }
}

function isSelectWord(c: Cursor): boolean {
  const code = c.text.charCodeAt(c.start()) | 32
  if (code !== 115 && code !== 104) return false
  return (
    c.isWord(c.pos, 'sql_calc_found_rows') ||
    c.isWord(c.pos, 'sql_no_cache') ||
    c.isWord(c.pos, 'sql_cache') ||
    c.isWord(c.pos, 'sql_small_result') ||
    c.isWord(c.pos, 'sql_big_result') ||
    c.isWord(c.pos, 'sql_buffer_result') ||
    c.isWord(c.pos, 'high_priority')
  )
}

/** Clauses of a SELECT in whatever order they stand. */
function parseClauses(c: Cursor, uses: Use[], draft: Draft | undefined): void {
  for (;;) {
    const next = c.peek(1)
    switch (c.type) {
      case K.FROM:
        if (!draft || draft.from.length > 0) return
        c.pos++
        draft.from = parseRelations(c, uses)
        break
      case K.INTO:
        if (!draft) return
        parseInto(c, draft)
        break
      case K.BULK:
        if (next !== K.COLLECT) return
        c.pos += 2
        break
      case K.WHERE:
      case K.PREWHERE:
      case K.HAVING:
      case K.QUALIFY:
        c.pos++
        if (c.at(K.CURRENT) && c.peek(1) === K.OF) {
          c.pos += 3
          break
        }
        uses.push({ kind: 'FILTER', expression: parseExpression(c) })
        break
      case K.START:
        if (next !== K.WITH) return
        c.pos += 2
        uses.push({ kind: 'FILTER', expression: parseExpression(c) })
        break
      case K.CONNECT:
        if (next !== K.BY) return
        c.pos += 2
        c.take(K.NOCYCLE)
        if (draft) draft.hierarchical = true
        uses.push({ kind: 'JOIN', expression: parseExpression(c) })
        break
      case K.GROUP:
        if (next !== K.BY) return
        c.pos += 2
        parseGroupBy(c, uses)
        break
      case K.WINDOW:
        if (!draft || !c.isName(c.pos + 1) || c.peek(2) !== K.AS) return
        c.pos++
        parseWindows(c, draft.windows)
        break
      case T.WORD:
        if (draft && next === K.ON && c.isWord(c.pos, 'expand')) {
          draft.from = [...draft.from, parseExpand(c)]
          break
        }
        if (!draft || !c.isWord(c.pos, 'timeseries') || !c.isName(c.pos + 1)) return
        draft.from = [...draft.from, parseTimeSeries(c)]
        break
      case K.MODEL:
        if (!isModelClause(c)) return
        if (!draft) return
        draft.from = parseModelClause(c, draft.from, uses)
        break
      default:
        return
    }
  }
}

/** The last reference of what a collector gathered. */
function lastOf(x: Collector): Expression {
  const references = x.references.slice(-1)
  return { start: x.start, end: x.end, references, queries: [], stars: [], windows: [], form: 'other' }
}

/** Vertica: TIMESERIES ts AS '1 minute' OVER (PARTITION BY a ORDER BY at): a column made from the order. */
function parseTimeSeries(c: Cursor): Relation {
  const start = c.start()
  const name = c.nameAt(c.pos + 1)
  c.pos += 2
  c.take(K.AS)
  c.take(T.STRING)
  const x = new Collector()
  x.start = start
  if (c.take(K.OVER) && c.take(T.LPAREN)) scanWindowBody(c, x, 0)
  x.end = c.end()
  return {
    kind: 'function',
    name: 'timeseries',
    parts: ['timeseries'],
    args: [lastOf(x)],
    relations: [],
    columns: [{ name, from: 'args' }],
    elements: false,
    ordinality: undefined,
    join: { kind: 'cross', natural: false, using: undefined },
    pivots: [],
    start,
    end: c.end(),
  }
}

function isModelClause(c: Cursor): boolean {
  return (
    c.dialect.name === 'oracle' &&
    (c.peek(1) === K.PARTITION ||
      c.isWord(c.pos + 1, 'dimension') ||
      c.isWord(c.pos + 1, 'main') ||
      c.peek(1) === K.IGNORE ||
      c.peek(1) === K.KEEP ||
      c.peek(1) === K.RETURN ||
      c.isWord(c.pos + 1, 'reference'))
  )
}

function parseLeadingInto(c: Cursor): readonly string[] {
  c.pos++
  c.take(K.STRICT)
  if (c.isWord(c.pos, 'strict')) c.pos++
  return variableList(c)
}

/** INTO [TEMP] [TABLE] t; INTO :a, :b; INTO OUTFILE 'x'. */
function parseInto(c: Cursor, draft: Draft): void {
  c.pos++
  if (c.isWord(c.pos, 'outfile') || c.isWord(c.pos, 'dumpfile')) {
    c.pos++
    draft.into = parseTableName(c)
    while (!c.atEnd() && !c.at(K.FROM)) c.pos++
    return
  }
  if (c.isWord(c.pos, 'strict') || c.at(K.STRICT)) c.pos++
  let temporary = false
  while (c.at(K.TEMP) || c.at(K.TEMPORARY) || c.at(K.UNLOGGED) || c.at(K.TABLE) || c.at(K.LOCAL) || c.at(K.GLOBAL)) {
    if (c.at(K.TEMP) || c.at(K.TEMPORARY)) temporary = true
    c.pos++
  }
  const variable = c.inBody || c.at(T.PARAM) || c.at(T.COLON) || c.at(T.QUESTION)
  const names: string[] = []
  let name: TableName | undefined
  do {
    if (c.at(T.COLON) && c.isName(c.pos + 1)) c.pos++
    const one = parseTableName(c)
    name ??= one
    names.push(one?.parts.join('.') ?? '')
    if (c.at(T.LPAREN)) c.stepOverParens()
  } while (c.take(T.COMMA))
  const several = names.length > 1
  // Inside a procedure INTO fills variables; T-SQL alone makes tables there.
  const fillsVariables = several || (variable && c.dialect.name !== 'tsql' && !temporary)
  if (fillsVariables) draft.variables = names
  else if (name && name.sort !== 'hole') {
    draft.into = name
    draft.intoTemporary = temporary
  }
}

function parseGroupBy(c: Cursor, uses: Use[]): void {
  if (c.at(K.ALL) || c.at(K.DISTINCT)) {
    const all = c.take(K.ALL)
    if (!all) c.pos++
    if (!startsGroup(c)) {
      if (all) uses.push({ kind: 'GROUP_BY', expression: new Collector(), outputs: 'all' })
      return
    }
  }
  const x = new Collector()
  x.start = c.start()
  const outputs: number[] = []
  do {
    const at = c.pos
    scanExpression(c, x)
    const place = outputPlace(c, at)
    if (place > 0) outputs.push(place)
    if (c.at(K.AS)) c.pos += 2
    if (c.at(K.ASC) || c.at(K.DESC)) c.pos++
  } while (c.take(T.COMMA))
  while (c.at(K.WITH) && (c.peek(1) === K.ROLLUP || c.peek(1) === K.CUBE || c.peek(1) === K.TOTALS)) c.pos += 2
  // Hive: GROUP BY a, b GROUPING SETS (…).
  if (c.take2(K.GROUPING, K.SETS)) scanExpression(c, x)
  x.end = c.end()
  uses.push({ kind: 'GROUP_BY', expression: x, ...(outputs.length > 0 ? { outputs } : {}) })
}

/** Whether an expression follows GROUP BY ALL or DISTINCT, so that the word only qualifies it. */
function startsGroup(c: Cursor): boolean {
  const type = c.type
  if (c.atEnd() || type === T.RPAREN || type === T.PIPE || type === T.SEMICOLON) return false
  return c.isName(c.pos) ? !isKeyword(type) || c.at(K.ROLLUP) || c.at(K.CUBE) || c.at(K.GROUPING) : type === T.LPAREN
}

function parseWindows(c: Cursor, windows: NamedWindow[]): void {
  do {
    const name = c.nameAt(c.pos).toLowerCase()
    c.pos++
    c.take(K.AS)
    const x = new Collector()
    x.start = c.start()
    if (c.take(T.LPAREN)) scanWindowBody(c, x, 4)
    else if (c.isName(c.pos)) x.addWindow(c.nameAt(c.pos++).toLowerCase())
    x.end = c.end()
    windows.push({ name, expression: x })
  } while (c.take(T.COMMA) && c.isName(c.pos))
}

/** ORDER BY, LIMIT, FETCH, FOR UPDATE and everything else that follows a whole query. */
function parseTail(c: Cursor, uses: Use[]): void {
  for (;;) {
    const next = c.peek(1)
    const type = c.type
    if (
      ((type === K.ORDER || type === K.SORT || type === K.CLUSTER || type === K.DISTRIBUTE) && next === K.BY) ||
      (type === K.ORDER && next === K.SIBLINGS) ||
      (type === K.PARTITION && next === K.BY)
    ) {
      c.pos += next === K.SIBLINGS ? 3 : 2
      if (c.at(K.ALL)) {
        c.pos++
        if (c.at(K.ASC) || c.at(K.DESC)) c.pos++
        if (c.at(K.NULLS)) c.pos += 2
        uses.push({ kind: 'SORT', expression: new Collector(), outputs: 'all' })
        continue
      }
      const x = new Collector()
      x.start = c.start()
      const outputs = scanOrderList(c, x)
      x.end = c.end()
      uses.push({ kind: 'SORT', expression: x, ...(outputs ? { outputs } : {}) })
    } else if (type === K.LIMIT || (type === K.OFFSET && !c.at(T.COMMA))) {
      c.pos++
      if (c.at(K.ALL)) c.pos++
      else scanExpression(c, new Collector())
      if (c.take(T.COMMA)) scanExpression(c, new Collector())
      if (c.at(K.PERCENT) || c.at(K.ROWS) || c.at(K.ROW)) c.pos++
      c.take2(K.WITH, K.TIES)
      if (c.at(K.BY)) {
        c.pos++
        const x = new Collector()
        x.start = c.start()
        scanOrderList(c, x)
        uses.push({ kind: 'FILTER', expression: x })
      }
    } else if (!stepOverClause(c)) return
  }
}
