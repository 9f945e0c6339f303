/** WITH: common table expressions and all that dialects put beside them. */

import type { AddedColumn, Cte } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { stepOverInlineFunction } from './inline-function.ts'
import { nameList } from './name-list.ts'
import { startsQuery } from './lookahead.ts'

/** A query without WITH. */
export const NO_CTES: readonly Cte[] = []

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
    if (c.at(K.SELECT) || c.at(K.INSERT) || c.atEnd()) {
      if (!(ctes.length > 0 && c.dialect.trailingCommas)) c.missing('a common table expression')
      break
    }
    const cte = parseCte(c, recursive)
    if (!cte) {
      c.missing('a common table expression')
      break
    }
    ctes.push(cte)
    // Redshift and others tolerate no comma; a second WITH is a slip that databases accept.
    if (c.at(T.COMMA) && c.peek(1) === K.WITH) c.pos++
  } while (c.take(T.COMMA) || (c.at(K.WITH) && c.isName(c.pos + 1) && c.peek(2) === K.AS && c.take(K.WITH)))
  // Trino: CTEs follow inline functions with a WITH of their own.
  if (c.at(K.WITH) && ctes.at(-1)?.name === '' && c.dialect.unnamed === 'trino') ctes.push(...parseWith(c))
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
  if (c.at(K.FUNCTION) && c.isName(c.pos + 1) && c.dialect.unnamed === 'trino') {
    stepOverInlineFunction(c)
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
  if (c.at(T.LPAREN) && !startsQuery(c, c.pos + 1)) columns = nameList(c, c.pos, c.dialect.name !== 'materialize')
  if (c.isWord(c.pos, 'using') || (c.at(K.USING) && c.peek(1) === K.KEY)) {
    // DuckDB: USING KEY (a, b).
    c.pos += 2
    if (c.at(T.LPAREN)) c.stepOverParens()
  }
  // Databricks: r (n) MAX RECURSION LEVEL 100 AS (…).
  if (c.isWord(c.pos, 'max') && c.isWord(c.pos + 1, 'recursion')) while (!c.atEnd() && !c.at(K.AS)) c.pos++
  if (!c.take(K.AS) && c.dialect.unnamed !== 'spark') c.missing('AS')
  if (c.at(K.NOT)) c.pos++
  c.take(K.MATERIALIZED)
  if (!c.take(T.LPAREN)) {
    if (!c.at(T.HOLE)) c.missing('(')
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
function parseSearchAndCycle(c: Cursor): AddedColumn[] {
  const added: AddedColumn[] = []
  while ((c.at(K.SEARCH) && c.isName(c.pos + 1)) || (c.at(K.CYCLE) && c.isName(c.pos + 1))) {
    const cycles = c.at(K.CYCLE)
    c.pos++
    const of: string[] = []
    for (; !c.at(K.SET) && !c.atEnd() && !c.at(K.SELECT); c.pos++) if (isCompared(c, cycles)) of.push(c.nameAt(c.pos))
    if (!c.take(K.SET)) break
    added.push({ name: c.nameAt(c.pos++), of })
    if (!cycles) continue
    if (c.take(K.TO)) parseExpression(c)
    if (c.take(K.DEFAULT)) parseExpression(c)
    if (c.take(K.USING)) added.push({ name: c.nameAt(c.pos++), of })
  }
  return added
}

/** A column in the list of `BY a, b DESC` or `CYCLE a, b`. */
function isCompared(c: Cursor, cycles: boolean): boolean {
  const before = c.types[c.pos - 1]
  return c.isName(c.pos) && (before === T.COMMA || before === (cycles ? K.CYCLE : K.BY))
}
