/** Columns and partitions that an INSERT names behind its table. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { nameList } from './name-list.ts'

/** Columns of the target, also `a.b`, `a[1]`. */
export function insertColumns(c: Cursor): readonly string[] | undefined {
  if (c.peek(1) === T.HOLE) {
    c.stepOverParens()
    return undefined
  }
  const names = nameList(c, c.pos)
  return names.length > 0 ? names : undefined
}

/** ClickHouse: `(* EXCEPT (a, b))`, all columns but these. */
export function exceptedColumns(c: Cursor): string[] {
  const closing = c.closing(c.pos)
  c.pos += 2
  const names = c.take(K.EXCEPT) && c.at(T.LPAREN) ? nameList(c, c.pos) : []
  c.pos = closing + 1
  return names
}

/** Dialects in which PARTITION (p) names a partition and no column. */
const NAMED_PARTITIONS: ReadonlySet<string> = new Set(['starrocks', 'doris', 'mysql', 'mariadb', 'oracle'])

/** PARTITION (a = 1, b): names of fixed and of dynamic ones. */
export function parsePartition(c: Cursor, fixed: string[], dynamic: string[]): void {
  c.pos++
  if (NAMED_PARTITIONS.has(c.dialect.name) && c.at(T.LPAREN)) return c.stepOverParens()
  if (!c.take(T.LPAREN)) return
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    if (c.isName(c.pos) || c.at(T.STRING)) {
      const name = c.nameAt(c.pos++)
      if (c.take(T.EQUALS)) {
        parseExpression(c)
        fixed.push(name)
      } else dynamic.push(name)
    }
    if (!c.take(T.COMMA) && c.pos === before) c.pos++
  }
  c.closeParen()
}
