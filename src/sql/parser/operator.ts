/** What stands behind an operand: subscripts, casts and paths, then an operator by its sign. */

import { FIRST_KEYWORD } from '../lexer/keywords.ts'
import { T } from '../lexer/tokens.ts'
import { scanCallArguments } from './arguments.ts'
import type { Collector } from './collector.ts'
import { scanBracketItems, scanSubscript } from './constructor.ts'
import type { Cursor } from './cursor.ts'
import { scanField } from './field.ts'
import { scanKeywordOperator, scanWordOperator } from './keyword-operator.ts'
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
      case T.PLUS:
      case T.MINUS:
      case T.PERCENT:
      case T.CONCAT:
      case T.EQUALS:
      case T.LESS:
      case T.GREATER:
      case T.OPERATOR:
      case T.ARROW:
      case T.LONG_ARROW:
      case T.AT:
      case T.ASSIGN:
      case T.QUESTION:
      case T.FAT_ARROW:
        c.pos++
        return true
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
        if (c.isName(c.pos + 1)) {
          if (c.peek(2) !== T.LPAREN && scanField(c, x)) continue
          c.pos += 2
          x.fields = undefined
          if (c.at(T.LPAREN)) scanCallArguments(c, x, c.textAt(c.pos - 1).toLowerCase())
          x.nameToken = c.pos - 1
          x.form = FORMS.other
          continue
        }
        if (c.peek(1) === T.NUMBER || c.peek(1) === T.PARAM) {
          c.pos += 2
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

/** `:a.b[0].c` behind a column: a path into a document. */
function scanColonPath(c: Cursor, x: Collector): void {
  c.pos += 1
  if (c.isName(c.pos) || c.at(T.STRING)) {
    x.nameToken = c.pos
    c.pos++
  }
  for (;;) {
    if (c.at(T.DOT) && c.isName(c.pos + 1)) {
      x.nameToken = c.pos + 1
      c.pos += 2
    } else if (c.at(T.LBRACKET)) {
      c.pos++
      scanBracketItems(c, x)
    } else break
  }
  x.form = FORMS.other
}
