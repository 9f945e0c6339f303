/** Hive's LATERAL VIEW. */

import type { FunctionRelation, Join, RowsetColumn } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { nameList } from './name-list.ts'
import { neverTableAlias } from './words.ts'
import { parseFunctionRelation } from './rowset.ts'

/** Hive: LATERAL VIEW [OUTER] f(args) alias [AS c1, c2], the words before f already read. */
export function parseLateralView(c: Cursor, join: Join): FunctionRelation | undefined {
  const start = c.start()
  const call = parseFunctionRelation(c, join, start)
  if (!call) return undefined
  let alias: string | undefined
  if (c.isName(c.pos) && !c.at(K.AS) && !neverTableAlias(c.type)) {
    alias = c.nameAt(c.pos)
    c.pos++
  }
  const names: string[] = []
  if (c.take(K.AS)) {
    if (c.at(T.LPAREN)) names.push(...nameList(c, c.pos))
    else {
      do names.push(c.nameAt(c.pos++))
      while (c.at(T.COMMA) && c.isName(c.pos + 1) && c.take(T.COMMA))
    }
  }
  const own = alias === undefined ? {} : { alias }
  if (call.name.startsWith('inline')) {
    const columnAliases = names.length > 0 ? names : undefined
    return { ...call, columns: undefined, elements: true, columnAliases, ...own, end: c.end() }
  }
  const columns = lateralColumns(call.name, names, call.args.length)
  return { ...call, columns, elements: false, ...own, end: c.end() }
}

function lateralColumns(name: string, names: readonly string[], args: number): readonly RowsetColumn[] {
  const counted = name.startsWith('posexplode')
  const tuple = name === 'json_tuple' || name === 'parse_url_tuple'
  const defaults = tuple
    ? Array.from({ length: Math.max(args - 1, 0) }, (_, i) => `c${i}`)
    : counted
      ? ['pos', 'col']
      : // A map has `key` and `value`, which are found by their names.
        ['col']
  return (names.length > 0 ? names : defaults).map((column, index) => ({
    name: column,
    from: counted && index === 0 ? 'none' : 'args',
  }))
}
