/** Variables that are assigned without a word before them: `name := expression`. */

import { T } from '../lexer/tokens.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { textPieces } from './text.ts'
import { variableList } from './variables.ts'

/** Index of `:=` or `=` when a variable is assigned at the cursor; 0 otherwise. */
export function assignmentAhead(c: Cursor): number {
  let i = c.pos
  if (!c.isName(i)) return 0
  i++
  for (;;) {
    if (c.types[i] === T.DOT && c.isName(i + 1)) i += 2
    else if (c.types[i] === T.LPAREN || c.types[i] === T.LBRACKET) i = c.closing(i) + 1
    else break
  }
  if (c.types[i] === T.ASSIGN) return i
  return c.inBody && c.types[i] === T.EQUALS ? i : 0
}

/** `name := expression`, `name = expression`, also with parts and places in the name. */
export function parseAssignment(c: Cursor): Core {
  const names = variableList(c)
  while (!c.atEnd() && !c.at(T.ASSIGN) && !c.at(T.EQUALS)) {
    if (c.at(T.LPAREN) || c.at(T.LBRACKET)) c.stepOverParens()
    else c.pos++
  }
  if (c.atEnd()) return command('parameter')
  c.pos++
  const at = c.pos
  const expression = parseExpression(c)
  return { kind: 'set', names, query: undefined, expressions: [expression], texts: [textPieces(c, at, c.pos)] }
}
