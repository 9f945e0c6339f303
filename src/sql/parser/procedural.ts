/**
 * Procedural statements of all dialects: blocks, branches, loops, declarations, calls, dynamic SQL. Each ends where its
 * own words end, so the T-SQL that has no semicolons and the PL/SQL that has nothing else are read by the same rules.
 */

import type { Expression } from '../ir/expression.ts'
import type { Query } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { parseFetch } from './assignment.ts'
import { dynamic, parseCall } from './call.ts'
import { Collector } from './collector.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { startsStatement } from './words.ts'

/** Statements up to a word that ends the list; the word stays. */
export function parseStatements(c: Cursor, ends: (c: Cursor) => boolean): Statement[] {
  const statements: Statement[] = []
  while (c.type !== T.EOF && !c.at(T.BATCH) && !ends(c)) {
    if (c.take(T.SEMICOLON)) continue
    const before = c.pos
    statements.push(c.rules.statement(c))
    if (c.pos === before) c.skip()
  }
  return statements
}

/** BEGIN … END with its exception handlers; BEGIN TRY … END TRY. The cursor is at BEGIN. */
export function parseBlock(c: Cursor): Core {
  c.pos++
  const { inBody, inBlock } = c
  c.inBody = true
  c.inBlock = true
  if (c.isWord(c.pos, 'atomic')) c.pos++
  else if (c.at(K.NOT) && c.isWord(c.pos + 1, 'atomic')) c.pos += 2
  else if (c.at(K.TRY) || c.at(K.CATCH)) c.pos++
  c.enter(4)
  const body = parseStatements(c, endsBlock)
  while (c.at(K.EXCEPTION)) body.push(...parseHandlers(c))
  c.leave(4)
  if (c.take(K.END)) {
    if (c.at(K.TRY) || c.at(K.CATCH) || c.at(K.TRANSACTION)) c.pos++
    // A moment of a compound trigger: END BEFORE EACH ROW.
    else if (c.at(K.BEFORE) || c.at(K.AFTER) || c.at(K.INSTEAD)) c.stepToEnd()
    else if (isLabel(c)) c.pos++
  } else c.note('UNFINISHED_BLOCK', c.start())
  c.inBody = inBody
  c.inBlock = inBlock
  return { kind: 'block', body }
}

function endsBlock(c: Cursor): boolean {
  return (c.at(K.END) && c.peek(1) !== T.DOT) || (c.at(K.EXCEPTION) && c.peek(1) === K.WHEN)
}

/** The block's name behind END. */
function isLabel(c: Cursor): boolean {
  return c.isName(c.pos) && (c.peek(1) === T.SEMICOLON || c.peek(1) === T.EOF || c.peek(1) === T.BATCH)
}

/** EXCEPTION WHEN x OR y THEN statements …. */
function parseHandlers(c: Cursor): Statement[] {
  c.pos++
  const statements: Statement[] = []
  while (c.at(K.WHEN)) {
    while (!c.at(K.THEN) && c.type !== T.EOF && !c.at(T.SEMICOLON)) c.pos++
    c.take(K.THEN)
    statements.push(...parseStatements(c, (at) => at.at(K.WHEN) || endsBlock(at)))
  }
  return statements
}

/** A condition's own statement: what it reads counts. */
function reading(c: Cursor, expression: Expression, body: Statement[]): void {
  if (expression.queries.length === 0) return
  body.unshift({
    kind: 'command',
    word: 'condition',
    expressions: [expression],
    start: expression.start,
    end: expression.end,
    skipped: 0,
    notes: [],
    fingerprint: '',
  })
}

const endsBranch = (c: Cursor): boolean =>
  c.at(K.END) || c.at(K.ELSE) || c.at(K.ELSEIF) || c.at(K.ELSIF) || c.at(K.ENDIF)

/** IF condition THEN … ELSIF … ELSE … END IF, or T-SQL's IF condition statement [ELSE statement]. */
export function parseIf(c: Cursor): Core {
  c.pos++
  const body: Statement[] = []
  const condition = parseExpression(c)
  if (!c.take(K.THEN)) {
    pushStatement(c, body)
    if (c.at(T.SEMICOLON) && c.peek(1) === K.ELSE) c.pos++
    if (c.take(K.ELSE)) pushStatement(c, body)
    reading(c, condition, body)
    return { kind: 'block', body, conditional: true }
  }
  c.enter(4)
  for (;;) {
    body.push(...parseStatements(c, endsBranch))
    if (c.at(K.ELSEIF) || c.at(K.ELSIF)) {
      c.pos++
      reading(c, parseExpression(c), body)
      c.take(K.THEN)
    } else if (!c.take(K.ELSE)) break
  }
  c.leave(4)
  stepOverEnd(c)
  reading(c, condition, body)
  return { kind: 'block', body, conditional: true }
}

function pushStatement(c: Cursor, body: Statement[]): void {
  if (c.type === T.EOF || c.at(T.BATCH)) return
  if (c.take(T.SEMICOLON)) return
  c.enter(4)
  const before = c.pos
  body.push(c.rules.statement(c))
  if (c.pos === before) c.skip()
  c.leave(4)
}

/** END [IF | LOOP | WHILE | FOR | CASE | REPEAT] [label]. */
function stepOverEnd(c: Cursor): void {
  if (c.take(K.ENDIF)) return
  if (!c.take(K.END)) {
    c.note('UNFINISHED_BLOCK', c.start())
    return
  }
  if (c.at(K.IF) || c.at(K.LOOP) || c.at(K.WHILE) || c.at(K.FOR) || c.at(K.CASE) || c.at(K.REPEAT)) c.pos++
  if (isLabel(c)) c.pos++
}

/** WHILE condition LOOP|DO … END, or T-SQL's WHILE condition statement. */
export function parseWhile(c: Cursor): Core {
  c.pos++
  const condition = parseExpression(c)
  const body: Statement[] = []
  if (c.take(K.LOOP) || c.take(K.DO)) {
    c.enter(4)
    body.push(...parseStatements(c, (at) => at.at(K.END)))
    c.leave(4)
    stepOverEnd(c)
  } else pushStatement(c, body)
  reading(c, condition, body)
  return { kind: 'block', body, conditional: true }
}

/** LOOP … END LOOP and REPEAT … UNTIL condition END REPEAT. */
export function parseLoop(c: Cursor): Core {
  c.pos++
  c.enter(4)
  const body = parseStatements(c, (at) => at.at(K.END) || at.at(K.UNTIL))
  c.leave(4)
  if (c.take(K.UNTIL)) {
    reading(c, parseExpression(c), body)
    c.take(T.SEMICOLON)
  }
  stepOverEnd(c)
  return { kind: 'block', body }
}

/** FOR x IN (query) | query | 1..10 LOOP|DO … END; FOREACH; FORALL i IN … statement. */
export function parseFor(c: Cursor): Core {
  const all = c.at(K.FORALL)
  c.pos++
  const body: Statement[] = []
  const names: string[] = []
  while (c.isName(c.pos) && !c.at(K.IN) && !c.at(K.AS)) {
    names.push(c.nameAt(c.pos))
    c.pos++
    c.take(T.COMMA)
  }
  if (!c.take(K.IN)) c.take(K.AS)
  c.take(K.REVERSE)
  // Db2 and Teradata: FOR r AS c CURSOR WITH HOLD FOR query.
  if (c.isName(c.pos) && c.peek(1) === K.CURSOR) {
    while (!c.atEnd() && !c.at(K.FOR) && !c.at(K.DO)) c.pos++
    c.take(K.FOR)
  }
  const start = c.start()
  let query: Query | undefined
  if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) {
    c.pos++
    query = c.rules.query(c)
    c.closeParen()
  } else if (startsQuery(c, c.pos)) query = queryOfLoop(c)
  const cursor = !query && isCursorName(c) ? c.nameAt(c.pos) : undefined
  const dynamicQuery = c.at(K.EXECUTE) && c.dialect.unnamed === 'postgres'
  if (dynamicQuery) {
    c.pos++
    body.push(wrap(c, { ...dynamic(c), variables: names }))
  } else if (names.length > 0)
    body.push({
      kind: 'declare',
      names,
      query,
      expressions: [],
      cursor,
      start,
      end: c.end(),
      skipped: 0,
      notes: [],
      fingerprint: '',
    })
  const first = c.pos
  const statementAhead = (): boolean => all && c.pos > first && startsStatement(c.type) && !c.at(K.SAVE)
  while (!c.at(K.LOOP) && !c.at(K.DO) && !c.atEnd() && !statementAhead()) c.pos++
  if (c.take(K.LOOP) || c.take(K.DO)) {
    c.enter(4)
    body.push(...parseStatements(c, (at) => at.at(K.END)))
    c.leave(4)
    stepOverEnd(c)
  } else if (all) pushStatement(c, body)
  return { kind: 'block', body, conditional: true }
}

/** A query that LOOP or DO ends, whatever stands before: neither is an alias. */
function queryOfLoop(c: Cursor): Query {
  const { inLoopHead } = c
  c.inLoopHead = true
  const query = c.rules.query(c)
  c.inLoopHead = inLoopHead
  return query
}

/** FOR r IN c(10) LOOP, not FOR i IN a .. b. */
function isCursorName(c: Cursor): boolean {
  if (!c.isName(c.pos) || c.at(K.EXECUTE)) return false
  const after = c.peek(1) === T.LPAREN ? c.closing(c.pos + 1) + 1 : c.pos + 1
  return c.types[after] === K.LOOP || c.types[after] === K.DO
}

/** CASE … WHEN … THEN statements … END CASE. */
export function parseCaseStatement(c: Cursor): Core {
  c.pos++
  const body: Statement[] = []
  if (!c.at(K.WHEN)) reading(c, parseExpression(c), body)
  c.enter(4)
  while (c.at(K.WHEN) || c.at(K.ELSE)) {
    if (c.take(K.WHEN)) {
      const x = new Collector()
      x.start = c.start()
      do c.rules.expression(c, x)
      while (c.take(T.COMMA))
      c.take(K.THEN)
    } else c.pos++
    body.push(...parseStatements(c, (at) => at.at(K.WHEN) || at.at(K.ELSE) || at.at(K.END)))
  }
  c.leave(4)
  stepOverEnd(c)
  return { kind: 'block', body, conditional: true }
}

export function wrap(c: Cursor, core: Core): Statement {
  return { ...core, start: c.start(), end: c.end(), skipped: 0, notes: [], fingerprint: '' }
}

/** MySQL: DECLARE EXIT HANDLER FOR SQLEXCEPTION statement. */
export function parseHandler(c: Cursor): Core {
  c.pos += 2
  c.take(K.FOR)
  const body: Statement[] = []
  while (!c.atEnd() && !startsStatement(c.type)) c.pos++
  if (!c.atEnd()) pushStatement(c, body)
  return { kind: 'block', body }
}

/** PL/SQL: PIPE ROW (record) and PIPE ROW (constructor(a, b)) give a row of the function. */
function parsePipedRow(c: Cursor): Core {
  const start = c.start()
  c.pos += 2
  const row: Expression[] = []
  let open = c.pos
  while (c.isName(open) && c.types[open + 1] === T.DOT) open += 2
  const constructor = c.isName(open) && c.types[open + 1] === T.LPAREN
  if (constructor) c.pos = open + 2
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    row.push(parseExpression(c))
    if (!c.take(T.COMMA) && c.pos === before) break
  }
  if (constructor) c.closeParen()
  c.closeParen()
  return { kind: 'query', query: { kind: 'values', rows: [row], uses: [], with: [], start, end: c.end() } }
}

/** Whether the statement ends behind a parenthesis, or a set operator goes on with its query. */
function endsWith(c: Cursor, closing: number): boolean {
  const after = c.types[closing + 1]!
  return (
    after === T.SEMICOLON ||
    after === T.EOF ||
    after === T.BATCH ||
    after === T.RPAREN ||
    after === K.UNION ||
    after === K.INTERSECT ||
    after === K.EXCEPT ||
    after === K.MINUS ||
    startsStatement(after)
  )
}

/** OPEN, CLOSE, RETURN, PRINT, RAISE …: what they read counts, the rest is stepped over. */
export function parseSmallCommand(c: Cursor): Core {
  const word = c.textAt(c.pos).toLowerCase()
  const type = c.type
  c.pos++
  if (type === K.RETURN) {
    if (c.at(K.NEXT) || c.at(K.QUERY)) c.pos++
    if (c.at(K.EXECUTE)) return parseCall(c)
    if (c.at(K.TABLE) && c.peek(1) === T.LPAREN && startsQuery(c, c.pos + 2)) {
      c.pos += 2
      const query = c.rules.query(c)
      c.closeParen()
      return { kind: 'query', query }
    }
    if (startsQuery(c, c.pos) || (c.at(T.LPAREN) && startsQuery(c, c.pos + 1) && endsWith(c, c.closing(c.pos))))
      return { kind: 'query', query: c.rules.query(c) }
  }
  if (type === K.PIPE && c.at(K.ROW) && c.peek(1) === T.LPAREN) return parsePipedRow(c)
  if (type === K.OPEN && c.at(K.SCHEMA) && c.isName(c.pos + 1) && c.dialect.name === 'exasol') {
    c.pos += 2
    return { kind: 'use', schema: c.nameAt(c.pos - 1) }
  }
  if (type === K.OPEN && c.isName(c.pos) && c.peek(1) === K.FOR) {
    c.pos += 2
    const names = [c.nameAt(c.pos - 2)]
    if (startsQuery(c, c.pos)) return { kind: 'declare', names, query: c.rules.query(c), expressions: [] }
    if (c.at(K.EXECUTE)) c.pos++
    return { ...dynamic(c), variables: names }
  }
  if (type === K.FETCH) return parseFetch(c)
  const expressions: Expression[] = []
  if (type === K.RETURN && c.at(K.TABLE)) {
    // Snowflake: RETURN TABLE (a result set).
    c.pos++
    if (c.at(T.LPAREN)) c.stepOverParens()
    return { kind: 'command', word, expressions }
  }
  if (type === K.RETURN || type === K.PRINT) {
    // MySQL: RETURN IF(a, b, c).
    const isCall = c.at(K.IF) && c.peek(1) === T.LPAREN && !c.dialect.looseStatements
    if (!c.atEnd() && (isCall || !startsStatement(c.type))) expressions.push(parseExpression(c))
    return { kind: 'command', word, expressions }
  }
  if (type === K.RAISERROR && c.at(T.LPAREN)) c.stepOverParens()
  if (type === K.RAISERROR) c.take(K.WITH)
  while (
    !c.atEnd() &&
    !(c.dialect.looseStatements && startsStatement(c.type) && !(type === K.FETCH && c.at(K.FETCH)))
  ) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  return { kind: 'command', word, expressions }
}
