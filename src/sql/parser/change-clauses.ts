/** What INSERT, UPDATE and DELETE share: the words behind the verb, and the clauses at the end. */

import type { Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseColumnDefinitions } from './columns.ts'
import { parseExpression } from './expression.ts'
import { startsStatement } from './words.ts'

/** SQLite: what becomes of a row that breaks a rule. */
const CONFLICTS: ReadonlySet<string> = new Set(['replace', 'ignore', 'abort', 'fail', 'rollback'])

/** IGNORE, OR REPLACE, TOP (n) and the like. */
export function stepOverInsertWords(c: Cursor): void {
  for (;;) {
    if (c.at(K.IGNORE) || c.at(K.DELAYED) || c.isWord(c.pos, 'low_priority') || c.isWord(c.pos, 'high_priority'))
      c.pos++
    else if (c.at(K.OR)) {
      c.pos++
      if (CONFLICTS.has(c.textAt(c.pos).toLowerCase())) c.pos++
      else c.missing('REPLACE, IGNORE, ABORT, FAIL or ROLLBACK')
    } else if (c.at(K.TOP)) {
      c.pos++
      if (c.at(T.LPAREN)) c.stepOverParens()
      else c.pos++
      c.take(K.PERCENT)
    } else if (c.at(K.WITH) && c.peek(1) === K.SCHEMA) c.pos += 3
    else return
  }
}

/** Whether Db2's INCLUDE (a INT, b CHAR(3)) stands at the cursor. */
export function atInclude(c: Cursor): boolean {
  return c.dialect.name === 'db2' && c.isWord(c.pos, 'include') && c.peek(1) === T.LPAREN
}

/** The names in it; undefined where it does not stand. */
export function parseInclude(c: Cursor): readonly string[] | undefined {
  if (!atInclude(c)) return undefined
  c.pos++
  return parseColumnDefinitions(c).columns.map(({ name }) => name)
}

/** WHERE, ORDER BY, LIMIT of UPDATE and DELETE. */
export function parseWhere(c: Cursor, uses: Use[]): void {
  for (;;) {
    if (c.at(K.WHERE)) {
      c.pos++
      if (c.at(K.CURRENT) && c.peek(1) === K.OF) {
        c.pos += 2
        c.pos += c.at(T.PARAM) || c.isName(c.pos) ? 1 : 0
      } else uses.push({ kind: 'FILTER', expression: parseExpression(c) })
    } else if (c.at(K.ORDER) && c.peek(1) === K.BY) {
      c.pos += 2
      do {
        uses.push({ kind: 'SORT', expression: parseExpression(c) })
        if (c.at(K.ASC) || c.at(K.DESC)) c.pos++
      } while (c.take(T.COMMA))
    } else if (c.at(K.LIMIT) && c.peek(1) !== T.COMMA) {
      c.pos++
      parseExpression(c)
      if (c.take(T.COMMA)) parseExpression(c)
    } else if (c.at(K.OPTION) && c.peek(1) === T.LPAREN) {
      c.pos++
      c.stepOverParens()
    } else return
  }
}

/** Oracle: LOG ERRORS INTO t ('tag') REJECT LIMIT UNLIMITED. */
export function stepOverLogErrors(c: Cursor): void {
  if (!c.at(K.LOG) || !c.isWord(c.pos + 1, 'errors')) return
  while (!c.atEnd() && !(c.isName(c.pos) && startsStatement(c.type))) c.pos++
}
