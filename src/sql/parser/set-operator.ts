/** UNION and its kin: the operator between two queries. */

import type { SetOperation } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { nameList } from './name-list.ts'

interface Operator {
  readonly operator: SetOperation['operator']
  readonly byName: boolean
  readonly keeps?: SetOperation['keeps']
  readonly only?: SetOperation['only']
}

/** UNION [ALL | DISTINCT] [BY NAME], [FULL] OUTER UNION CORRESPONDING, MINUS …. */
export function takeSetOperator(c: Cursor): Operator | undefined {
  const start = c.pos
  let keeps: SetOperation['keeps']
  while ((c.at(K.FULL) || c.at(K.LEFT) || c.at(K.OUTER) || c.at(K.INNER)) && c.peek(1) !== K.JOIN) {
    // BigQuery: FULL OUTER UNION ALL BY NAME.
    const next = c.peek(1)
    if (next !== K.OUTER && next !== K.UNION && next !== K.INTERSECT && next !== K.EXCEPT) break
    keeps ??= c.at(K.INNER) ? 'both' : c.at(K.LEFT) ? 'left' : 'either'
    c.pos++
  }
  let operator: SetOperation['operator']
  switch (c.type) {
    case K.UNION:
      operator = 'union'
      break
    case K.INTERSECT:
      operator = 'intersect'
      break
    case K.EXCEPT:
      operator = 'except'
      break
    case K.MINUS:
      if (!(
        c.peek(1) === K.SELECT ||
        c.peek(1) === T.LPAREN ||
        c.peek(1) === K.ALL ||
        c.peek(1) === K.DISTINCT ||
        c.peek(1) === K.WITH
      )) {
        c.pos = start
        return undefined
      }
      operator = 'except'
      break
    default:
      c.pos = start
      return undefined
  }
  c.pos++
  if (c.at(K.ALL) || c.at(K.DISTINCT) || c.at(K.UNIQUE)) c.pos++
  let byName = false
  let only: string[] | undefined
  if (c.at(K.BY) && c.peek(1) === K.NAME) {
    c.pos += 2
    byName = true
    if (c.at(K.ON) && c.peek(1) === T.LPAREN) only = nameList(c, c.pos + 1)
  } else if (c.isWord(c.pos, 'strict') && c.peek(1) === K.CORRESPONDING) {
    c.pos += 2
    byName = true
  } else if (c.take(K.CORRESPONDING)) {
    byName = true
    keeps ??= 'both'
  }
  if (byName && c.at(K.BY) && c.peek(1) === T.LPAREN) only = nameList(c, c.pos + 1)
  return byName ? { operator, byName, keeps, only } : { operator, byName }
}
