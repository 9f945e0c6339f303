/** Parameters and variables as operands. */

import { ROLE, type Reference } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { scanCallArguments } from './arguments.ts'
import type { Collector } from './collector.ts'
import { type Cursor, variableName } from './cursor.ts'
import { FORMS } from './outcome.ts'

export function scanParameter(c: Cursor, x: Collector): boolean {
  const at = c.pos
  c.pos++
  x.nameToken = -1
  // $1 of a staged file is its first column.
  if (c.dialect.stages && isDollarNumber(c, at)) {
    x.addReference({ parts: [c.textAt(at)], quoted: false, start: c.starts[at]!, end: c.ends[at]!, role: x.role })
    x.form = FORMS.column
    return true
  }
  addVariable(c, x, at, variableName(c.textAt(at)))
  while (c.at(T.DOT) && c.isName(c.pos + 1)) {
    c.pos += 2
    if (c.at(T.LPAREN)) scanCallArguments(c, x, '')
  }
  if (c.at(T.LPAREN) && c.touches(c.pos)) scanCallArguments(c, x, '')
  return true
}

/** `:x`, `:new.id`, `:1`. */
export function scanColonVariable(c: Cursor, x: Collector): void {
  c.pos += 2
  if (c.isName(c.pos - 1)) addVariable(c, x, c.pos - 1, c.nameAt(c.pos - 1))
  while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
  x.nameToken = -1
}

/** The variable that a token names. */
export function variableReference(c: Cursor, at: number): Reference {
  const parts = [variableName(c.nameAt(at))]
  return { parts, quoted: false, start: c.starts[at]!, end: c.ends[at]!, role: ROLE.VARIABLE }
}

/** Refers to a variable and to the field that stands behind the cursor's dots. */
export function addVariable(c: Cursor, x: Collector, at: number, name: string): void {
  const parts = [name]
  let last = c.pos - 1
  for (let i = c.pos; c.types[i] === T.DOT && c.isName(i + 1); i += 2) {
    parts.push(c.nameAt(i + 1))
    last = i + 1
  }
  x.addReference({
    parts,
    quoted: false,
    start: c.starts[at]!,
    end: c.ends[last]!,
    role: x.role | ROLE.VARIABLE,
  })
}

function isDollarNumber(c: Cursor, at: number): boolean {
  const code = c.text.charCodeAt(c.starts[at]! + 1)
  return c.text.charCodeAt(c.starts[at]!) === 36 && code >= 48 && code <= 57
}
