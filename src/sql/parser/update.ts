/** UPDATE. */

import type { Cte, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { NO_RETURNING, laterOf, parseReturning } from './returning.ts'
import { UNKNOWN_TARGET, nameOf } from './changed-table.ts'
import { parseAssignments } from './set-list.ts'
import { parseInclude, parseWhere, stepOverInsertWords, stepOverLogErrors } from './change-clauses.ts'

/** UPDATE, `with` already read. */
export function parseUpdate(c: Cursor, ctes: readonly Cte[]): Core {
  c.pos++
  stepOverInsertWords(c)
  const uses: Use[] = []
  let relations = c.rules.relations(c, uses)
  const target = nameOf(relations[0]) ?? UNKNOWN_TARGET
  if (c.at(K.PARTITION) && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
  }
  // Teradata: UPDATE t FROM x SET ….
  if (c.at(K.FROM)) {
    c.pos++
    relations = [...relations, ...c.rules.relations(c, uses)]
  }
  const include = parseInclude(c)
  c.expect(K.SET, 'SET')
  const assignments = c.types[c.pos - 1] === K.SET ? parseAssignments(c) : []
  let returned = c.at(K.OUTPUT) ? parseReturning(c) : NO_RETURNING
  if (c.take(K.FROM)) relations = [...relations, ...c.rules.relations(c, uses)]
  parseWhere(c, uses)
  returned = laterOf(returned, parseReturning(c))
  stepOverLogErrors(c)
  return { kind: 'update', target, relations, assignments, include, uses, with: ctes, ...returned }
}
