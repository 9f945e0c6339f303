/** Vertica: COPY t (a, raw FILLER varchar(20), b AS TO_DATE(raw, 'YYYY')) reads fields, of which some are no columns. */

import type { Item } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'

interface CopiedFields {
  readonly columns: readonly string[]
  readonly items: readonly Item[]
  /** Some field is no column, or some column no field. */
  readonly computes: boolean
}

/** With the cursor on the parenthesis: the columns, and what each is made of. */
export function parseCopiedFields(c: Cursor): CopiedFields {
  const columns: string[] = []
  const items: Item[] = []
  let computes = false
  c.pos++
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const start = c.start()
    if (!c.isName(c.pos)) {
      c.skip()
      continue
    }
    const name = c.nameAt(c.pos++)
    const end = c.end()
    if (c.isWord(c.pos, 'filler')) computes = true
    else if (c.take(K.AS)) {
      computes = true
      columns.push(name)
      items.push({ expression: parseExpression(c), alias: name, start, end: c.end() })
    } else {
      const references = [{ parts: [name], quoted: false, start, end, role: 0 }]
      const field = { start, end, references, queries: [], stars: [], windows: [], form: 'column', name } as const
      columns.push(name)
      items.push({ expression: field, start, end })
    }
    while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
      if (c.at(T.LPAREN)) c.stepOverParens()
      else c.pos++
    }
    c.take(T.COMMA)
  }
  c.closeParen()
  return { columns, items, computes }
}
