/** JSON_TABLE, XMLTABLE, OPENJSON: functions that are told the columns of their rows. */

import type { FunctionRelation, RowsetColumn } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { scanExpression } from './expression.ts'
import { nameList } from './name-list.ts'

type Base = Omit<FunctionRelation, 'args' | 'relations' | 'columns' | 'elements' | 'end'>

/** JSON_TABLE(doc, path COLUMNS (…)) and XMLTABLE(path PASSING doc COLUMNS …). */
export function readColumnsCall(c: Cursor, base: Base): FunctionRelation {
  c.pos++
  const x = new Collector()
  x.start = c.start()
  const columns: RowsetColumn[] = []
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    if (c.at(K.COLUMNS)) {
      c.pos++
      if (c.at(T.LPAREN)) {
        c.pos++
        readColumnDefinitions(c, columns)
        c.closeParen()
      } else readColumnDefinitions(c, columns)
      continue
    }
    if (c.peek(1) === K.ON && (c.at(K.NULL) || c.isWord(c.pos, 'error') || c.at(K.EMPTY))) c.pos += 3
    else if (c.at(K.XMLNAMESPACES)) {
      c.pos++
      if (c.at(T.LPAREN)) c.stepOverParens()
    } else if (c.at(K.PASSING)) {
      c.pos++
      if (c.at(K.BY)) c.pos += 2
    } else if (!c.take(T.COMMA)) scanExpression(c, x)
    if (c.take(K.AS)) c.pos++
    if (c.pos === before) c.pos++
  }
  x.end = c.end()
  c.closeParen()
  return { ...base, args: [x], relations: [], columns, elements: false, end: c.end() }
}

/** `a int PATH '$.a', n FOR ORDINALITY, NESTED PATH '$.b[*]' COLUMNS (…)`. */
function readColumnDefinitions(c: Cursor, columns: RowsetColumn[]): void {
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    if (c.isWord(c.pos, 'nested')) {
      while (!c.at(K.COLUMNS) && !c.at(T.RPAREN) && !c.atEnd()) c.pos++
      if (c.take(K.COLUMNS)) {
        const inside = c.take(T.LPAREN)
        readColumnDefinitions(c, columns)
        if (inside) c.closeParen()
      }
    } else if (c.isName(c.pos)) {
      const name = c.nameAt(c.pos)
      const counts = c.peek(1) === K.FOR && c.peek(2) === K.ORDINALITY
      columns.push({ name, from: counts ? 'none' : 'args' })
      while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
    }
    if (c.take(T.COMMA)) continue
    if (c.pos === before) c.pos++
  }
}

/** `(a int '$.a', b nvarchar(max) '$.b' AS JSON)` of OPENJSON … WITH. */
export function definedColumns(c: Cursor): RowsetColumn[] {
  return nameList(c, c.pos).map((name) => ({ name, from: 'args' }))
}
