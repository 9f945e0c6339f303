/**
 * PostgreSQL's rules: commands that run in the place of, or beside, a change of a table or view, with its rows as NEW
 * and OLD. Read as a trigger; the one rule ON SELECT is what makes a view.
 */

import type { TableName } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { stepToEnd } from './command-end.ts'
import { type Core, command } from './core.ts'
import { creation } from './creation.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { parseTableName } from './name.ts'

/** Behind CREATE RULE name: AS ON event TO table [WHERE …] DO [ALSO | INSTEAD] NOTHING | command | (command; …). */
export function parseRule(c: Cursor, name: TableName): Core {
  if (!c.take2(K.AS, K.ON)) {
    // T-SQL: CREATE RULE r AS @x > 1.
    stepToEnd(c)
    return command('create')
  }
  const selects = c.at(K.SELECT)
  c.pos++
  c.expect(K.TO, 'TO')
  const table = parseTableName(c)
  if (c.take(K.WHERE)) parseExpression(c)
  c.expect(K.DO, 'DO')
  if (c.at(K.INSTEAD) || c.isWord(c.pos, 'also')) c.pos++
  const body = c.take(K.NOTHING) ? [] : commands(c)
  const [query] = body
  if (selects && table && query?.kind === 'query') return creation('view', table, { query: query.query })
  return { kind: 'routine', name, sort: 'trigger', parameters: [], rows: [], body, table }
}

function commands(c: Cursor): readonly Statement[] {
  const { inBody } = c
  c.inBody = true
  const body: Statement[] = []
  if (c.take(T.LPAREN)) {
    while (!c.at(T.RPAREN) && c.type !== T.EOF) {
      const before = c.pos
      if (c.take(T.SEMICOLON)) continue
      body.push(c.rules.statement(c))
      if (c.pos === before) c.skip()
    }
    c.closeParen()
  } else body.push(c.rules.statement(c))
  c.inBody = inBody
  return body
}
