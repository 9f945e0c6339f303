/** SET lists: what is assigned to which columns. */

import type { Assignment } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'

/** Reads one SET list. */
export function parseAssignments(c: Cursor): Assignment[] {
  const assignments: Assignment[] = []
  do {
    const before = c.pos
    const assignment = parseAssignment(c)
    if (assignment) assignments.push(...assignment)
    else c.missing(c.pos === before ? 'a column' : '=')
    if (c.pos === before) break
  } while (c.take(T.COMMA))
  return assignments
}

function parseAssignment(c: Cursor): readonly Assignment[] | undefined {
  const start = c.start()
  const targets: (readonly string[])[] = []
  let variable: string | undefined
  if (c.at(T.LPAREN)) {
    c.pos++
    while (!c.at(T.RPAREN) && !c.atEnd()) {
      const parts = columnParts(c)
      if (parts.length > 0) targets.push(parts)
      else c.skip()
      c.take(T.COMMA)
    }
    c.take(T.RPAREN)
  } else {
    if (c.at(T.PARAM)) variable = c.textAt(c.pos)
    if (variable !== undefined && assignsColumnToo(c)) c.pos += 2
    if (c.at(T.PARAM)) c.pos++
    else {
      const parts = columnParts(c)
      if (parts.length === 0) return undefined
      targets.push(parts)
    }
  }
  while (c.at(T.LBRACKET)) c.stepOverParens()
  if (c.at(T.LPAREN)) {
    // column.WRITE(expression, offset, length)
    const expression = parseExpression(c)
    return [{ targets: targets.map((parts) => parts.slice(0, -1)), expression, start, end: c.end() }]
  }
  // +=, -=, ||= and plain =.
  const operator = c.pos
  while (!c.at(T.EQUALS) && !c.at(T.ASSIGN) && isOperator(c.type)) c.pos++
  const compound = c.pos > operator
  if (!c.take(T.EQUALS) && !c.take(T.ASSIGN)) return undefined
  if (targets.length > 1 && rowWidth(c) === targets.length) return parseRowAssignments(c, targets)
  const expression = parseExpression(c)
  return [{ targets, expression, compound, variable, start, end: c.end() }]
}

/** T-SQL: @variable = t.column = expression, also with += and its kin. */
function assignsColumnToo(c: Cursor): boolean {
  if (c.peek(1) !== T.EQUALS || !c.isName(c.pos + 2)) return false
  let at = c.pos + 3
  while (c.types[at] === T.DOT) at += 2
  while (isOperator(c.types[at]!)) at++
  return c.types[at] === T.EQUALS && at > c.pos + 2
}

/** How many values stand in the parentheses at the cursor; 0 where a query does, or something follows them. */
function rowWidth(c: Cursor): number {
  const open = c.at(K.ROW) ? c.pos + 1 : c.pos
  if (c.types[open] !== T.LPAREN || startsQuery(c, open + 1)) return 0
  const closing = c.closing(open)
  let width = 1
  for (let i = open + 1; i < closing; i++) {
    if (c.types[i] === T.LPAREN || c.types[i] === T.LBRACKET) i = c.closing(i)
    else if (c.types[i] === T.COMMA) width++
  }
  return width
}

/** (a, b) = (x, y + 1): each from its own. */
function parseRowAssignments(c: Cursor, targets: readonly (readonly string[])[]): readonly Assignment[] {
  c.take(K.ROW)
  c.pos++
  const assignments = targets.map((parts) => {
    const start = c.start()
    const expression = parseExpression(c)
    const end = c.end()
    c.take(T.COMMA)
    return { targets: [parts], expression, start, end }
  })
  c.closeParen()
  return assignments
}

function isOperator(type: number): boolean {
  return (
    type === T.PLUS ||
    type === T.MINUS ||
    type === T.STAR ||
    type === T.SLASH ||
    type === T.PERCENT ||
    type === T.OPERATOR ||
    type === T.CONCAT
  )
}

function columnParts(c: Cursor): string[] {
  const parts: string[] = []
  while (c.isName(c.pos) || c.at(T.STRING)) {
    parts.push(c.nameAt(c.pos))
    c.pos++
    if (!(c.at(T.DOT) && (c.isName(c.pos + 1) || c.peek(1) === T.STRING))) break
    c.pos++
  }
  return parts
}
