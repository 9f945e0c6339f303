/** Columns and partitions that an INSERT names behind its table. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { nameList } from './name-list.ts'

/** Dialects with INSERT INTO t () VALUES (). */
const EMPTY_LISTS: ReadonlySet<string> = new Set(['mysql', 'mariadb', 'ansi'])

/** Columns of the target, also `a.b`, `a[1]`. */
export function insertColumns(c: Cursor): readonly string[] | undefined {
  if (c.peek(1) === T.HOLE) {
    c.stepOverParens()
    return undefined
  }
  const open = c.pos
  const names = nameList(c, open, !EMPTY_LISTS.has(c.dialect.name) || c.peek(1) !== T.RPAREN)
  // PostgreSQL: a field of a composite column; elsewhere the table may stand in front.
  const listed = c.dialect.unnamed === 'postgres' ? withFields(c, open, names) : names
  return listed.length > 0 ? listed : undefined
}

function withFields(c: Cursor, open: number, names: readonly string[]): readonly string[] {
  let at = open + 1
  return names.map((name) => {
    let full = c.nameAt(at)
    while (c.types[at + 1] === T.DOT && c.isName(at + 2)) {
      at += 2
      full += `.${c.nameAt(at)}`
    }
    while (at < c.pos && c.types[at] !== T.COMMA) at++
    at++
    return full.endsWith(name) ? full : name
  })
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
      if (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.at(T.HOLE)) c.missing(',')
    }
    if (!c.take(T.COMMA) && c.pos === before) c.pos++
  }
  c.closeParen()
}
