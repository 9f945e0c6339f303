/** Databricks' change flows: an INSERT by name of what a stream says. */

import type { Query, Relation } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { nameList } from './name-list.ts'
import { parseTableName } from './name.ts'
import { unknownStatement } from './step-over-statement.ts'

/** Databricks: APPLY CHANGES INTO t FROM s KEYS (…) … [COLUMNS list | COLUMNS * EXCEPT (…)]; AUTO CDC INTO likewise. */
export function parseChangeFlow(c: Cursor): Core {
  c.pos += 2
  c.take(K.INTO)
  const target = parseTableName(c)
  if (!target || !c.take(K.FROM)) return unknownStatement(c)
  const start = c.start()
  const relation = changedRelation(c)
  let names: readonly string[] | undefined
  let except: readonly string[] = []
  while (!c.atEnd()) {
    if (c.take(K.COLUMNS)) {
      if (c.at(T.LPAREN)) names = nameList(c, c.pos)
      else if (c.take(T.STAR) && c.take(K.EXCEPT)) except = nameList(c, c.pos).map((name) => name.toLowerCase())
    } else if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  const end = c.end()
  const none = { start, end, queries: [], stars: [], windows: [] }
  const items = names
    ? names.map((name) => ({
        expression: {
          ...none,
          references: [{ parts: [name], quoted: false, start, end, role: 0 }],
          form: 'column' as const,
          name,
        },
        start,
        end,
      }))
    : [
        {
          expression: { ...none, references: [], form: 'other' as const },
          star: { except, replace: [], rename: undefined },
          start,
          end,
        },
      ]
  const query: Query = {
    kind: 'select',
    items,
    from: relation ? [relation] : [],
    uses: [],
    windows: [],
    into: undefined,
    intoTemporary: false,
    variables: [],
    with: [],
    start,
    end,
  }
  return {
    kind: 'insert',
    target,
    columns: undefined,
    query,
    assignments: [],
    onConflict: [],
    byName: true,
    partition: [],
    dynamicPartition: [],
    returning: [],
  }
}

/** `s`, `STREAM s`, `STREAM(s)`. */
function changedRelation(c: Cursor): Relation | undefined {
  c.take(K.STREAM)
  const inside = c.take(T.LPAREN)
  const start = c.start()
  const name = parseTableName(c)
  if (inside) c.closeParen()
  const join = { kind: 'first', natural: false, using: undefined } as const
  return name && { kind: 'table', name, join, pivots: [], start, end: c.end() }
}
