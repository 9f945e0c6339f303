/** Statements behind WITH or FROM: a query, or a change that reads what was named. */

import type { Query, Relation, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseDelete } from './delete.ts'
import { parseInsert } from './insert.ts'
import { parseMultiInsert } from './multi-insert.ts'
import { parseUpdate } from './update.ts'
import { parseExpression } from './expression.ts'
import { parseMerge } from './merge.ts'
import { parseQueryBody, SELECT_FIRST } from './query.ts'
import { parseWith } from './with.ts'
import { parseRelations } from './relation.ts'
import { parseRoutine } from './routine.ts'

/** WITH, and the statement behind it. */
export function parseAfterWith(c: Cursor): Core {
  const start = c.start()
  // Snowflake: WITH p AS PROCEDURE (…) … CALL p().
  if (c.peek(2) === K.AS && c.peek(3) === K.PROCEDURE) {
    const named = c.simpleName(c.pos + 1)
    c.pos += 3
    return parseRoutine(c, 'procedure', named)
  }
  const ctes = parseWith(c)
  switch (c.type) {
    case K.INSERT:
    case K.REPLACE: {
      return parseInsert(c, ctes)
    }
    case K.UPDATE:
      return parseUpdate(c, ctes)
    case K.DELETE:
      return parseDelete(c, ctes)
    case K.MERGE:
      return parseMerge(c, ctes)
    case K.FROM:
      return parseFromFirst(c, ctes)
    default: {
      const query: Query = { ...parseQueryBody(c, ctes), start }
      return { kind: 'query', query }
    }
  }
}

/** FROM t SELECT …, FROM t INSERT … (Hive), FROM t |> … (BigQuery). */
export function parseFromFirst(c: Cursor, ctes: Parameters<typeof parseInsert>[1]): Core {
  if (!hasInsertAhead(c)) return { kind: 'query', query: parseQueryBody(c, ctes) }
  if (SELECT_FIRST.has(c.dialect.name)) c.missing('INSERT')
  c.pos++
  const uses: Use[] = []
  const from: Relation[] = parseRelations(c, uses)
  while (c.at(K.WHERE)) {
    c.pos++
    uses.push({ kind: 'FILTER', expression: parseExpression(c) })
  }
  return parseMultiInsert(c, ctes, from, uses)
}

function hasInsertAhead(c: Cursor): boolean {
  let depth = 0
  for (let i = c.pos; i < c.count; i++) {
    const type = c.types[i]!
    if (type === T.LPAREN) depth++
    else if (type === T.RPAREN) depth--
    else if (type === T.SEMICOLON || type === T.PIPE) return false
    else if (type === K.INSERT && depth === 0) return true
    else if (type === K.SELECT && depth === 0) return false
  }
  return false
}
