/** What CREATE defines to run or to be kept up to date by itself: alerts, search services, join indexes. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Core, command, reading } from './core.ts'
import type { Cursor } from './cursor.ts'
import { UNKNOWN, ifNotExists } from './ddl-steps.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { parseTableName } from './name.ts'
import { creation } from './creation.ts'

/** Snowflake: CREATE ALERT a WAREHOUSE = w SCHEDULE = '…' IF (EXISTS (query)) THEN statement. From the word ALERT. */
export function parseAlert(c: Cursor): Core {
  c.pos++
  ifNotExists(c)
  while (!c.atEnd() && !c.at(K.IF)) c.pos++
  if (!c.take(K.IF)) return command('create')
  const start = c.start()
  const expressions = [parseExpression(c)]
  const condition = reading('create', expressions, start, c.end())
  return c.take(K.THEN) ? { kind: 'block', body: [condition, c.rules.statement(c)] } : condition
}

/**
 * Rows of a query, kept by the database: Snowflake's CORTEX SEARCH SERVICE s … AS query, Teradata's JOIN INDEX j AS
 * query. From the name.
 */
export function parseKeptQuery(c: Cursor): Core {
  ifNotExists(c)
  const target = parseTableName(c) ?? UNKNOWN
  while (!c.atEnd() && !(c.at(K.AS) && (startsQuery(c, c.pos + 1) || c.peek(1) === T.LPAREN))) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  if (!c.take(K.AS)) return command('create')
  const query = c.rules.query(c)
  while (!c.atEnd()) c.pos++
  return creation('view', target, { query })
}
