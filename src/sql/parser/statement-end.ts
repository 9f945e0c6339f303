/** Where a statement ends, and what it leaves behind. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { startsStatement, SURE_STARTS } from './words.ts'

/** Nothing of this statement is left: its end, the next statement, or the words that close a block around it. */
export function endsHere(c: Cursor): boolean {
  const type = c.type
  if (c.atEnd() || type === T.RPAREN || type === T.LINE) return true
  // Declarations take their own semicolons.
  if (c.inBody && c.types[c.pos - 1] === T.SEMICOLON) return true
  if (c.dialect.looseStatements && (startsStatement(type) || isBulkInsert(c) || isCall(c))) return true
  return (
    c.inBody &&
    (type === K.END ||
      type === K.ELSE ||
      type === K.ELSEIF ||
      type === K.ELSIF ||
      type === K.WHEN ||
      type === K.EXCEPTION ||
      type === K.UNTIL ||
      type === K.LOOP ||
      type === K.DO ||
      type === K.THEN)
  )
}

function isBulkInsert(c: Cursor): boolean {
  return c.at(K.BULK) && c.peek(1) === K.INSERT
}

/** T-SQL at the start of a line: a name that is no clause begins the next statement (`sp_help x`, a label). */
function isCall(c: Cursor): boolean {
  return c.at(T.WORD) && c.peek(1) === T.COLON
}

/** WITH x AS (…) behind a statement that needs no such clause. */
function isNextWith(c: Cursor): boolean {
  return c.at(K.WITH) && c.isName(c.pos + 1) && c.peek(2) === K.AS && c.peek(3) === T.LPAREN
}

/** What a rule left of its statement counts as stepped over. */
export function stepOverRest(c: Cursor): void {
  let depth = 0
  while (!c.atEnd()) {
    const type = c.type
    if (depth === 0 && (type === T.RPAREN || (c.dialect.looseStatements && startsStatement(type) && type !== K.WITH)))
      return
    if (depth === 0 && (SURE_STARTS.includes(type) || isNextWith(c))) return c.missing(';')
    if (type === T.LPAREN) depth++
    else if (type === T.RPAREN) depth--
    c.skip()
  }
}
