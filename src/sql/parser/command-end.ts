/** Where a statement ends that no rule reads to its end: at its semicolon, or in T-SQL where the next one begins. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { startsStatement } from './words.ts'

/** Words that go on no DDL, wherever they stand. */
const ALWAYS_NEXT: ReadonlySet<number> = new Set([
  K.INSERT,
  K.SELECT,
  K.UPDATE,
  K.DELETE,
  K.CREATE,
  K.DROP,
  K.ALTER,
  K.EXEC,
  K.DECLARE,
  K.IF,
  K.END,
  K.BEGIN,
  K.PRINT,
  K.TRUNCATE,
  K.MERGE,
  K.RETURN,
  K.USE,
  K.GRANT,
  K.EXECUTE,
])

/** T-SQL without semicolons: whether the next statement begins here. */
export function isStatementAhead(c: Cursor): boolean {
  return !isReferentialAction(c) && (ALWAYS_NEXT.has(c.type) || isLineOfStatement(c))
}

/** ON UPDATE CASCADE, ON DELETE SET NULL of a foreign key. */
function isReferentialAction(c: Cursor): boolean {
  if (!(c.at(K.UPDATE) || c.at(K.DELETE)) || c.types[c.pos - 1] !== K.ON) return false
  return c.peek(1) === K.SET || c.isWord(c.pos + 1, 'cascade') || c.isWord(c.pos + 1, 'no')
}

/** Whether a line begins here with a word that begins statements. */
export function isLineOfStatement(c: Cursor): boolean {
  return startsStatement(c.type) && c.type !== K.WITH && isLineStart(c)
}

/** Words behind which a statement is part of the one before. */
const CARRIES: ReadonlySet<number> = new Set([
  K.AS,
  K.DO,
  K.THEN,
  K.INSTEAD,
  K.BEGIN,
  K.ON,
  K.TO,
  K.IS,
  K.GRANT,
  K.REVOKE,
  T.COMMA,
  T.LPAREN,
  T.COLON,
])

/** Where semicolons part statements: the next one begins here all the same. */
export function isRunOn(c: Cursor): boolean {
  const next = c.peek(1)
  switch (c.type) {
    case K.CREATE:
      if (next !== K.TABLE && next !== K.VIEW && next !== K.OR && next !== K.TEMPORARY && next !== K.MATERIALIZED)
        return false
      break
    case K.INSERT:
    case K.MERGE:
      if (next !== K.INTO) return false
      break
    case K.DELETE:
      if (next !== K.FROM) return false
      break
    case K.DROP:
    case K.ALTER:
    case K.TRUNCATE:
      if (next !== K.TABLE && next !== K.VIEW) return false
      break
    case K.UPDATE:
      if (!c.isName(c.pos + 1) || c.peek(2) !== K.SET) return false
      break
    default:
      return false
  }
  return !CARRIES.has(c.types[c.pos - 1]!) && !c.isWord(c.pos - 1, 'also')
}

/** Steps over the rest of the statement, knowingly. */
export function stepToEnd(c: Cursor): void {
  while (!c.atEnd() && !(c.dialect.looseStatements ? isStatementAhead(c) : isRunOn(c))) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
}

/** Whether the next token is the first of its line. */
function isLineStart(c: Cursor): boolean {
  for (let i = c.start() - 1; i >= 0; i--) {
    const code = c.text.charCodeAt(i)
    if (code === 10) return true
    if (code !== 32 && code !== 9 && code !== 13) return false
  }
  return true
}
