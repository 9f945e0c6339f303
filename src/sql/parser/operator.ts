/** What stands behind an operand: subscripts, casts and paths, then an operator by its sign. */

import { FIRST_KEYWORD } from '../lexer/keywords.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { elementsOf } from './alternatives.ts'
import { scanCallArguments } from './arguments.ts'
import type { Collector } from './collector.ts'
import { pathKeys, renamedFields } from './call-value.ts'
import { scanSubscript } from './constructor.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { mayHaveKeys, scanField, takeKey, takeMember } from './field.ts'
import { scanKeywordOperator, scanWordOperator } from './keyword-operator.ts'
import { isBehindCall } from './lookahead.ts'
import { isOuterJoinMark, isTeradataPhrase } from './operand-name.ts'
import { AGAIN, DONE, FORMS } from './outcome.ts'
import { scanType } from './type.ts'
import { stopsOperand } from './words.ts'

/** Postfixes of the operand before, then a binary operator if one stands here. */
export function scanOperator(c: Cursor, x: Collector): boolean {
  for (;;) {
    const type = c.type
    if (type >= FIRST_KEYWORD) {
      const outcome = scanKeywordOperator(c, x, type)
      if (outcome === AGAIN) continue
      return outcome === DONE
    }
    switch (type) {
      case T.SLASH:
      case T.STAR:
        // a // b and a ** b.
        c.pos++
        if (c.at(type) && c.touches(c.pos)) c.pos++
        return true
      case T.PERCENT:
        // DuckDB: LIMIT 10%.
        if (c.dialect.name === 'duckdb' && endsLimit(c.peek(1))) {
          c.pos++
          continue
        }
        c.pos++
        return true
      case T.PLUS:
      case T.MINUS:
      case T.CONCAT:
      case T.EQUALS:
      case T.LESS:
      case T.GREATER:
      case T.OPERATOR:
      case T.AT:
      case T.ASSIGN:
      case T.QUESTION:
      case T.FAT_ARROW:
        c.pos++
        return true
      case T.ARROW:
      case T.LONG_ARROW:
        c.pos++
        if ((!c.at(T.STRING) && !c.at(T.NUMBER)) || !mayHaveKeys(x)) return true
        if (c.at(T.STRING)) for (const key of pathKeys(stringValue(c.textAt(c.pos)))) takeKey(x, key)
        c.pos++
        x.elements = elementsOf(x)
        x.form = FORMS.other
        x.nameToken = -1
        continue
      case T.DOUBLE_COLON: {
        c.pos++
        // Vertica: x::!INT gives null where the cast fails.
        if (c.at(T.OPERATOR) && c.textAt(c.pos) === '!') c.pos++
        if (c.dialect.name === 'tsql') {
          scanStaticMember(c, x)
          continue
        }
        const typeAt = c.pos
        if (!stopsOperand(c.type)) scanType(c)
        if (c.pos === typeAt) c.missing('a type')
        x.elements = elementsOf(x)
        if (x.fields) x.fields = renamedFields(x.fields, c.text.slice(c.starts[typeAt], c.end()))
        if (x.form !== FORMS.column && x.nameToken < 0) x.nameToken = typeAt
        x.form = FORMS.other
        continue
      }
      case T.LBRACKET:
        c.pos++
        scanSubscript(c, x)
        continue
      case T.DOT:
        if (c.isName(c.pos + 1) && c.peek(2) !== T.LPAREN && x.form === FORMS.column && x.references.length > 0) {
          // (a.b).c goes on where the name in the parentheses ended.
          const before = x.references.pop()!
          x.addReference({ ...before, parts: [...before.parts, c.nameAt(c.pos + 1)], end: c.ends[c.pos + 1]! })
          x.nameToken = c.pos + 1
          c.pos += 2
          continue
        }
        if (NO_FIELDS_OF_CALLS.has(c.dialect.name) && isBehindCall(c)) c.missing('(')
        if (c.isName(c.pos + 1)) {
          if (c.peek(2) !== T.LPAREN && scanField(c, x)) continue
          c.pos += 2
          x.fields = undefined
          x.elements = undefined
          if (c.at(T.LPAREN)) scanCallArguments(c, x, c.textAt(c.pos - 1).toLowerCase())
          x.nameToken = c.pos - 1
          x.form = FORMS.other
          continue
        }
        if (c.peek(1) === T.NUMBER || c.peek(1) === T.PARAM) {
          if (c.peek(1) === T.NUMBER) scanPlaces(c, x)
          else c.pos += 2
          continue
        }
        return false
      case T.COLON:
        if (c.dialect.name === 'clickhouse' && c.depth > 0 && !c.at(T.EOF) && x.form !== FORMS.literal) {
          c.pos++
          return true
        }
        if (!c.dialect.colonPaths || !isColonPath(c)) return false
        scanColonPath(c, x)
        continue
      case T.LPAREN:
        if (isOuterJoinMark(c)) {
          c.pos += 3
          continue
        }
        if (c.dialect.name === 'teradata' && isTeradataPhrase(c)) {
          const titled = c.peek(2) === T.STRING || c.isWord(c.pos + 1, 'named')
          c.stepOverParens()
          if (!titled) x.form = FORMS.other
          continue
        }
        return false
      case T.WORD: {
        const outcome = scanWordOperator(c)
        if (outcome === AGAIN) continue
        return outcome === DONE
      }
      case T.HOLE:
        // A template expression may hold the rest of the value: amount {{ dividing() }}.
        c.pos++
        x.form = FORMS.other
        continue
      default:
        return false
    }
  }
}

function endsLimit(type: number): boolean {
  return type === T.EOF || type === T.SEMICOLON || type === T.RPAREN || type === K.OFFSET
}

/** Dialects in which a call's field is read in parentheses: `(f(x)).y`. */
const NO_FIELDS_OF_CALLS: ReadonlySet<string> = new Set(['postgres', 'sqlite', 'mysql'])

/** T-SQL: `geography::Point(a, b, 4326)`, `hierarchyid::GetRoot()`; what stands before `::` is a type. */
function scanStaticMember(c: Cursor, x: Collector): void {
  if (x.form === FORMS.column) x.references.pop()
  if (c.isName(c.pos)) c.pos++
  if (c.at(T.LPAREN)) scanCallArguments(c, x, c.textAt(c.pos - 1).toLowerCase())
  x.form = FORMS.other
}

function isColonPath(c: Cursor): boolean {
  const next = c.peek(1)
  return (c.isName(c.pos + 1) || next === T.LBRACKET || next === T.STRING) && (c.touches(c.pos + 1) || c.touches(c.pos))
}

/** `.1`, `.2.1`: fields of a tuple by their places. */
function scanPlaces(c: Cursor, x: Collector): void {
  const start = c.pos
  c.pos += 2
  // `.2.1` is a dot and two numbers.
  while (c.at(T.NUMBER) && c.touches(c.pos) && c.text[c.starts[c.pos]!] === '.') c.pos++
  const places = c.text.slice(c.starts[start], c.end()).split('.').filter(Boolean)
  for (const place of places) if (x.fields && !takeMember(x, place, c.end())) x.fields = undefined
  if (!x.fields) x.form = x.form === FORMS.column ? x.form : FORMS.other
}

/** `:a.b[0].c` behind a column: a path into a document. */
function scanColonPath(c: Cursor, x: Collector): void {
  c.pos += 1
  const known = mayHaveKeys(x)
  const { fields } = x
  if (c.isName(c.pos) || c.at(T.STRING)) {
    x.nameToken = c.pos
    c.pos++
    if (known) takeKey(x, keyBefore(c))
  }
  for (;;) {
    if (c.at(T.DOT) && c.isName(c.pos + 1)) {
      x.nameToken = c.pos + 1
      c.pos += 2
      if (known) takeKey(x, keyBefore(c))
    } else if (c.at(T.LBRACKET)) {
      const name = x.nameToken
      c.pos++
      scanSubscript(c, x)
      x.nameToken = name
    } else break
  }
  if (!known) x.fields = fields
  x.elements = elementsOf(x)
  x.form = FORMS.other
}

/** The key that the cursor has passed. */
function keyBefore(c: Cursor): string {
  return c.types[c.pos - 1] === T.STRING ? stringValue(c.textAt(c.pos - 1)) : c.nameAt(c.pos - 1)
}
