/** Lists of names in parentheses: columns of an alias, of an INSERT, of USING. */

import { T } from '../lexer/tokens.ts'
import type { Cursor } from './cursor.ts'

/** `(a, b)` from the parenthesis at `open`; the cursor ends behind it. `bare`: nothing but names, and one at least. */
export function nameList(c: Cursor, open: number, bare = false): string[] {
  c.pos = open + 1
  const names: string[] = []
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    if (c.isName(c.pos) || c.at(T.STRING) || c.at(T.PARAM)) {
      let last = c.pos
      while (c.types[last + 1] === T.DOT && c.isName(last + 2)) last += 2
      names.push(c.nameAt(last))
      c.pos = last + 1
      if (bare && !endsName(c.type)) c.missing(',')
      // Types, COMMENT 'text', collations and sort orders of a column list.
      while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
    } else if (c.at(T.COMMA)) c.missing('a name')
    else c.skip()
    if (c.take(T.COMMA) && c.at(T.RPAREN) && !c.dialect.trailingCommas) c.missing('a name')
  }
  if (bare && names.length === 0) c.missing('a name')
  if (!c.take(T.RPAREN)) c.note('UNBALANCED_PARENTHESES', c.starts[open]!)
  return names
}

/** What may stand behind a bare name: the next one, the end, an element of the column, what a template leaves open. */
function endsName(type: number): boolean {
  return (
    type === T.COMMA ||
    type === T.RPAREN ||
    type === T.LBRACKET ||
    type === T.HOLE ||
    type === T.PARAM ||
    type === T.EOF
  )
}
