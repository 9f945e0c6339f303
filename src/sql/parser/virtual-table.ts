/** SQLite: CREATE VIRTUAL TABLE t USING fts5(a, b UNINDEXED, tokenize = 'x'): columns and settings side by side. */

import type { ColumnDefinition } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { parseExpression } from './expression.ts'

interface VirtualTable {
  readonly columns: ColumnDefinition[] | undefined
  /** The file that the module reads. */
  readonly locations: readonly string[]
}

/** With the cursor at the module's name, a parenthesis behind it. */
export function parseVirtualTable(c: Cursor): VirtualTable {
  const module = c.textAt(c.pos).toLowerCase()
  const columns: ColumnDefinition[] = []
  const locations: string[] = []
  c.pos += 2
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    if (c.isName(c.pos) && c.peek(1) === T.EQUALS) {
      const isFile = c.isWord(c.pos, 'filename')
      c.pos += 2
      if (isFile && c.at(T.STRING)) locations.push(stringValue(c.textAt(c.pos)))
      parseExpression(c)
    } else {
      // R-Tree: `+label` is a column that is no coordinate.
      c.take(T.PLUS)
      if (c.isName(c.pos) || c.at(T.STRING)) columns.push({ name: c.nameAt(c.pos) })
    }
    while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
      if (c.at(T.LPAREN) || c.at(T.LBRACKET)) c.stepOverParens()
      else c.pos++
    }
    if (!c.take(T.COMMA) && c.pos === before) c.pos++
  }
  c.closeParen()
  if (module === 'fts5') columns.push({ name: 'rank', hidden: true })
  return { columns: columns.length > 0 ? columns : undefined, locations }
}
