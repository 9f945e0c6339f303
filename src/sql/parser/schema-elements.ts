/** CREATE SCHEMA s [AUTHORIZATION u] CREATE TABLE … CREATE VIEW … GRANT …: the standard's elements, with nothing between them. */

import type { Statement } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { stepToEnd } from './command-end.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { ifNotExists } from './ddl-steps.ts'

/** From the word SCHEMA. The elements' names without a schema belong to the new one (ISO 9075-11, schema definition). */
export function parseSchemaDefinition(c: Cursor): Core {
  c.pos++
  ifNotExists(c)
  const schema = c.isName(c.pos) && !c.isWord(c.pos, 'authorization') ? c.nameAt(c.pos++) : undefined
  if (c.isWord(c.pos, 'authorization')) c.pos += 2
  if (!c.at(K.CREATE)) {
    stepToEnd(c)
    return command('create')
  }
  const body: Statement[] = []
  while (c.at(K.CREATE) || c.at(K.GRANT)) body.push(parseElement(c))
  return { kind: 'block', body, ...(schema === undefined ? {} : { schema }) }
}

/** One element: it ends where the next begins, as if a semicolon stood there. */
function parseElement(c: Cursor): Statement {
  const next = nextElement(c)
  const type = c.types[next]!
  c.types[next] = T.SEMICOLON
  try {
    return c.rules.statement(c)
  } finally {
    c.types[next] = type
  }
}

function nextElement(c: Cursor): number {
  let depth = 0
  for (let at = c.pos + 1; ; at++) {
    const type = c.types[at]!
    if (type === T.LPAREN) depth++
    else if (type === T.RPAREN) depth--
    if (type === T.EOF || type === T.SEMICOLON || type === T.BATCH) return at
    if (depth <= 0 && (type === K.CREATE || type === K.GRANT)) return at
  }
}
