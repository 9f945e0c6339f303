/** Variables that a statement fills. */

import { T } from '../lexer/tokens.ts'
import { type Cursor, variableName } from './cursor.ts'

/** `a, :b, @c, r.d, rows(i)`. */
export function variableList(c: Cursor): string[] {
  const names: string[] = []
  do {
    const name = variableAt(c)
    if (name === undefined) break
    names.push(name)
  } while (c.take(T.COMMA))
  return names
}

/** A variable with the fields behind it; elements of collections are the collection. */
export function variableAt(c: Cursor): string | undefined {
  if (c.at(T.COLON) && c.isName(c.pos + 1)) c.pos++
  if (!(c.isName(c.pos) || c.at(T.PARAM))) return undefined
  let name = variableName(c.nameAt(c.pos++))
  for (;;) {
    if (c.at(T.LPAREN) || c.at(T.LBRACKET)) c.stepOverParens()
    else if (c.at(T.DOT) && c.isName(c.pos + 1)) {
      name += `.${c.nameAt(c.pos + 1)}`
      c.pos += 2
    } else return name
  }
}
