/** BigQuery: `WITH(a AS x + 1, b AS a * 2, a * b)` names parts of an expression for those behind them. */

import type { Expression } from '../ir/expression.ts'
import type { Cte } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { FORMS } from './outcome.ts'

/** With the cursor on WITH: whether `(name AS …` follows. */
export function startsWithExpression(c: Cursor): boolean {
  return c.dialect.name === 'bigquery' && c.peek(1) === T.LPAREN && c.isName(c.pos + 2) && c.peek(3) === K.AS
}

/** Reads it as a query of one output without relations, whose CTEs are the named expressions. */
export function scanWithExpression(c: Cursor, x: Collector): void {
  const start = c.start()
  c.pos += 2
  c.enter(1)
  const ctes: Cte[] = []
  while (c.isName(c.pos) && c.peek(1) === K.AS) {
    const at = c.start()
    const name = c.nameAt(c.pos)
    c.pos += 2
    const expression = readPart(c)
    ctes.push({ name, columns: undefined, expression, recursive: false, start: at, extraColumns: [] })
    if (!c.take(T.COMMA)) break
  }
  const at = c.start()
  const expression = readPart(c)
  const end = c.end()
  c.closeParen()
  c.leave(1)
  x.addQuery({
    query: {
      kind: 'select',
      items: [{ expression, start: at, end }],
      from: [],
      uses: [],
      windows: [],
      intoTemporary: false,
      variables: [],
      with: ctes,
      start,
      end,
    },
    role: x.role,
    valueless: false,
  })
  x.form = FORMS.other
  x.nameToken = -1
}

function readPart(c: Cursor): Expression {
  const part = new Collector()
  part.start = c.start()
  c.rules.expression(c, part)
  part.end = c.end()
  return part
}
