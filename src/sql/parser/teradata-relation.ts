/** Relations that only Teradata writes: EXPAND ON, TD_UNPIVOT. */

import type { Join, Relation, RowsetColumn } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { clauseRowset, CROSS } from './clause-rowset.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { FIRST } from './plain-query.ts'
import { parseTableName } from './name.ts'

/** EXPAND ON period AS p BY INTERVAL '1' DAY: a column made from the period. */
export function parseExpand(c: Cursor): Relation {
  const start = c.start()
  c.pos += 2
  const period = parseExpression(c)
  const name = c.take(K.AS) && c.isName(c.pos) ? c.nameAt(c.pos++) : ''
  while (!c.atEnd() && !c.at(T.RPAREN) && !c.at(K.UNION) && !c.at(K.WHERE) && !c.at(K.ORDER)) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  const columns: readonly RowsetColumn[] = name === '' ? [] : [{ name, from: 'args' }]
  return clauseRowset('expand', { from: period, columns }, CROSS, start, c.end())
}

/** TD_UNPIVOT(ON t USING VALUE_COLUMNS('v') UNPIVOT_COLUMN('k') COLUMN_LIST('a', 'b')): an UNPIVOT. */
export function parseUnpivotCall(c: Cursor, join: Join): Relation | undefined {
  if (!c.isWord(c.pos, 'td_unpivot') || c.peek(1) !== T.LPAREN) return undefined
  const start = c.start()
  const closing = c.closing(c.pos + 1)
  c.pos += 2
  c.take(K.ON)
  let source: Relation | undefined
  const place = { join: FIRST, pivots: [], start, end: start } as const
  if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) {
    c.pos++
    source = { kind: 'query', query: c.rules.query(c), lateral: false, ...place }
  } else {
    const name = parseTableName(c)
    if (name) source = { kind: 'table', name, ...place }
  }
  const lists = new Map<string, string[]>()
  for (; c.pos < closing; c.pos++)
    if (c.isName(c.pos) && c.peek(1) === T.LPAREN) lists.set(c.textAt(c.pos).toLowerCase(), stringsInside(c, c.pos + 1))
  c.pos = closing + 1
  if (!source) return undefined
  const columns = (lists.get('column_list') ?? []).map((group) => group.split(',').map((name) => name.trim()))
  const values = lists.get('value_columns') ?? []
  const names = lists.get('unpivot_column') ?? []
  return { ...source, join, pivots: [{ kind: 'unpivot', values, names, columns }], start, end: c.end() }
}

function stringsInside(c: Cursor, open: number): string[] {
  const strings: string[] = []
  const closing = c.closing(open)
  for (let i = open + 1; i < closing; i++) if (c.types[i] === T.STRING) strings.push(stringValue(c.textAt(i)))
  return strings
}
