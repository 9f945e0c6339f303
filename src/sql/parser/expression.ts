/**
 * Expressions, read flat: operands and operators alternate, and nothing is built but the list of what they refer to.
 *
 *   operand ─ postfix* ─ binary operator ─ operand ─ …     ends where neither an operator nor a postfix stands
 *
 * The alternation is what tells an alias from an operand: after an operand, a word that is no operator is not part of
 * the expression.
 */

import type { Expression } from '../ir/expression.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { scanOperand } from './operand.ts'
import { scanOperator } from './operator.ts'
import { FORMS } from './outcome.ts'

/** Reads one expression and returns it. */
export function parseExpression(c: Cursor): Expression {
  const into = new Collector()
  into.start = c.start()
  scanExpression(c, into)
  into.end = Math.max(into.start, c.end())
  return into
}

/** Reads one expression into a collector; afterwards the cursor is at the first token that is not part of it. */
export function scanExpression(c: Cursor, x: Collector): void {
  if (!scanOperand(c, x)) return c.missing('a value')
  let operators = 0
  while (scanOperator(c, x)) {
    operators++
    if (scanOperand(c, x)) continue
    c.missing('a value')
    break
  }
  if (operators > 0) {
    x.form = FORMS.other
    x.nameToken = -1
    x.fields = undefined
    x.elements = undefined
  }
}

/** What goes on behind an operand that was read elsewhere. */
export function scanRest(c: Cursor, x: Collector): void {
  while (scanOperator(c, x)) if (!scanOperand(c, x)) break
}
