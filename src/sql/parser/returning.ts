/** RETURNING and OUTPUT: the rows that a change gives back. */

import type { Item } from '../ir/expression.ts'
import type { TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseItems } from './item.ts'
import { nameList } from './name-list.ts'
import { startsQuery } from './lookahead.ts'
import { parseTableName } from './name.ts'
import { variableList } from './variables.ts'
import { startsStatement } from './words.ts'
import { UNKNOWN_TARGET } from './changed-table.ts'

/** The rows that a change gives back, and where they go. */
export interface Returning {
  readonly returning: readonly Item[]
  /** RETURNING … INTO a, b inside a routine. */
  readonly returningVariables?: readonly string[]
  readonly returningInto?: { readonly target: TableName; readonly columns: readonly string[] | undefined }
}

/** Nothing is given back. */
export const NO_RETURNING: Returning = { returning: [] }

/** RETURNING items [INTO …], T-SQL's OUTPUT items [INTO t (columns)]. */
export function parseReturning(c: Cursor): Returning {
  if (c.at(K.OUTPUT)) {
    c.pos++
    const returning = parseItems(c)
    if (!c.take(K.INTO)) return { returning }
    const target = parseTableName(c) ?? UNKNOWN_TARGET
    const columns = c.at(T.LPAREN) && !startsQuery(c, c.pos + 1) ? nameList(c, c.pos) : undefined
    const second = c.at(K.OUTPUT) ? parseReturning(c).returning : []
    return { returning: [...returning, ...second], returningInto: { target, columns } }
  }
  if (c.at(K.RETURNING) || (c.at(K.RETURN) && c.dialect.name === 'oracle')) {
    c.pos++
    if (c.atEnd()) c.missing('a column')
    const returning = parseItems(c)
    if (c.at(K.BULK)) c.pos += 2
    if (c.take(K.INTO)) {
      const returningVariables = c.inBody ? variableList(c) : []
      while (!c.atEnd() && !c.at(T.RPAREN) && !(c.isName(c.pos) && startsStatement(c.type))) c.pos++
      if (returningVariables.length > 0) return { returning, returningVariables }
    }
    return { returning }
  }
  return NO_RETURNING
}

/** The later of two, if it gives anything back. */
export function laterOf(first: Returning, second: Returning): Returning {
  return second.returning.length > 0 ? second : first
}
