/** One operand with what stands before it: signs, constants, parameters, and what has a grammar of its own. */

import { FIRST_KEYWORD } from '../lexer/keywords.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { countArguments, scanCallArguments } from './arguments.ts'
import type { Collector } from './collector.ts'
import { scanArray, scanBraces, scanCase, scanConstructor, scanExists, scanParenthesised } from './constructor.ts'
import type { Cursor } from './cursor.ts'
import { scanInterval, startsIntervalValue } from './interval.ts'
import { stepOverDottedName } from './keyword-operator.ts'
import { scanName } from './operand-name.ts'
import { AGAIN, DONE, FORMS, MISSING } from './outcome.ts'
import { scanColonVariable, scanParameter } from './parameter.ts'
import { scanWithExpression, startsWithExpression } from './with-expression.ts'
import { isUnit, stopsOperand } from './words.ts'

/** One operand with its prefix operators. False when none stands here. */
export function scanOperand(c: Cursor, x: Collector): boolean {
  const first = c.pos
  if (!scanSignedOperand(c, x)) return false
  // `-a` is no copy of a.
  if (x.form === FORMS.column && isSign(c.types[first]!) && c.text[c.starts[first]!] !== '#') {
    x.form = FORMS.other
    x.nameToken = -1
  }
  return true
}

/** DuckDB: `#2`. */
function isColumnPlace(c: Cursor): boolean {
  return (
    c.dialect.name === 'duckdb' &&
    c.text[c.starts[c.pos]!] === '#' &&
    c.peek(1) === T.NUMBER &&
    c.touches(c.pos + 1) &&
    c.lengthAt(c.pos) === 1
  )
}

/** Dialects in which `> =` is one operator. */
const SPACED: ReadonlySet<string> = new Set([
  'tsql',
  'oracle',
  'ansi',
  'db2',
  'teradata',
  'exasol',
  'snowflake',
  'redshift',
  'vertica',
])

function isComparison(type: number): boolean {
  return type === T.LESS || type === T.GREATER || type === T.EQUALS
}

/** Dialects in which `(*)` is no value. */
const NO_STAR: ReadonlySet<string> = new Set(['postgres', 'trino', 'sqlite', 'mysql', 'spark', 'bigquery'])

/** Dialects in which strings behind each other on a line are no string. */
const ONE_STRING: ReadonlySet<string> = new Set(['postgres', 'trino', 'clickhouse', 'duckdb'])

function isSign(type: number): boolean {
  return type === T.MINUS || type === T.PLUS || type === T.OPERATOR || type === T.AT || type === K.NOT
}

function scanSignedOperand(c: Cursor, x: Collector): boolean {
  x.form = FORMS.other
  x.fields = undefined
  x.elements = undefined
  for (;;) {
    const type = c.type
    if (type === T.WORD || type === T.QUOTED) {
      if (c.peek(1) === K.VALUE && c.peek(2) === K.FOR && c.isWord(c.pos, 'previous')) {
        c.pos += 3
        stepOverDottedName(c)
        return true
      }
      // Redshift: APPROXIMATE COUNT(DISTINCT x).
      if (c.dialect.name === 'redshift' && c.peek(2) === T.LPAREN && c.takeWord('approximate')) continue
      return scanName(c, x)
    }
    if (type >= FIRST_KEYWORD) {
      const outcome = scanKeywordOperand(c, x, type)
      if (outcome === AGAIN) continue
      return outcome === DONE
    }
    switch (type) {
      case T.NUMBER:
        c.pos++
        x.form = FORMS.literal
        x.nameToken = -1
        if (c.dialect.name === 'db2' && isUnit(c.type)) c.pos++
        return true
      case T.STRING:
      case T.DOLLAR_STRING:
        c.pos++
        while (c.at(T.STRING)) {
          if (ONE_STRING.has(c.dialect.name) && !c.text.slice(c.end(), c.start()).includes('\n')) c.missing(',')
          c.pos++
        }
        x.form = FORMS.literal
        x.nameToken = -1
        return true
      case T.LPAREN:
        scanParenthesised(c, x)
        return true
      case T.PARAM:
        return scanParameter(c, x)
      case T.QUESTION:
        c.pos++
        if (c.at(T.NUMBER) && c.touches(c.pos)) c.pos++
        return true
      case T.COLON:
        if (!c.touches(c.pos + 1) || !(c.isName(c.pos + 1) || c.peek(1) === T.NUMBER || c.peek(1) === T.STRING))
          return false
        scanColonVariable(c, x)
        return true
      case T.HOLE:
        return scanHole(c, x)
      case T.STAR:
        if (c.peek(-1) === T.LPAREN && !c.isName(c.pos - 2) && NO_STAR.has(c.dialect.name)) c.missing('a function')
        c.pos++
        // DuckDB: f(*COLUMNS(…)) has the columns as its arguments.
        if (c.at(K.COLUMNS) && c.peek(1) === T.LPAREN && c.dialect.name === 'duckdb')
          x.addStar({ star: { ...c.rules.columnsCall(c), each: false }, role: x.role })
        return true
      case T.LBRACKET:
        scanArray(c, x)
        return true
      case T.LBRACE:
        scanBraces(c, x)
        return true
      case T.OPERATOR:
        if (isColumnPlace(c)) {
          const [start, end] = [c.start(), c.ends[c.pos + 1]!]
          x.addReference({ parts: [c.text.slice(start, end)], quoted: false, start, end, role: x.role })
          c.pos += 2
          x.form = FORMS.column
          x.nameToken = c.pos - 1
          return true
        }
        c.pos++
        continue
      case T.PLUS:
      case T.MINUS:
      case T.AT:
      case T.LESS:
      case T.GREATER:
      case T.EQUALS:
      case T.CONCAT:
        // A sign, or the rest of an operator of several characters (@>, <->, ?|).
        if (isComparison(type) && !c.touches(c.pos) && !(SPACED.has(c.dialect.name) && isComparison(c.peek(-1))))
          c.missing('a value')
        c.pos++
        continue
      case T.PERCENT:
        // %s of a formatted string, or the rest of an operator.
        if (c.isWord(c.pos + 1, 's') && c.touches(c.pos + 1)) {
          c.pos += 2
          return true
        }
        c.pos++
        continue
      default:
        return false
    }
  }
}

/** `IF(a, b, c)`, the function of other databases; `IF (a > 1) THEN b ENDIF` has one condition. */
function isIfCall(c: Cursor): boolean {
  return c.peek(1) === T.LPAREN && countArguments(c, c.pos + 1) > 1
}

/** An operand that begins with a keyword. Keywords are names unless their grammar follows. */
function scanKeywordOperand(c: Cursor, x: Collector, type: number): number {
  const next = c.peek(1)
  switch (type) {
    case K.CASE:
      if (next === T.DOT || next === T.COMMA) break
      scanCase(c, x)
      return DONE
    case K.COLUMNS:
      if (next !== T.LPAREN || !(c.dialect.name === 'duckdb' || c.dialect.name === 'clickhouse')) break
      x.addStar({ star: c.rules.columnsCall(c), role: x.role })
      return DONE
    case K.NULL:
    case K.TRUE:
    case K.FALSE:
      if (next === T.DOT || next === T.LPAREN) break
      c.pos++
      x.form = FORMS.literal
      x.nameToken = -1
      return DONE
    case K.DEFAULT:
      // SET a = DEFAULT may be the last word.
      if (next !== T.COMMA && next !== T.RPAREN && c.types[c.pos - 1] !== T.EQUALS) break
      c.pos++
      x.form = FORMS.literal
      x.nameToken = -1
      return DONE
    case K.NOT:
    case K.DISTINCT:
    case K.PRIOR:
    case K.CONNECT_BY_ROOT:
    case K.BINARY:
    case K.UNIQUE:
      if (next === T.DOT || next === T.COMMA || next === T.RPAREN || (next === T.LPAREN && type === K.BINARY)) break
      c.pos++
      return AGAIN
    case K.ALL:
    case K.ANY:
    case K.SOME:
      if (next === T.DOT || next === T.COMMA || next === T.RPAREN) break
      c.pos++
      return AGAIN
    case K.EXISTS:
      if (next !== T.LPAREN) break
      return scanExists(c, x)
    case K.INTERVAL:
      if (!startsIntervalValue(c)) break
      scanInterval(c, x)
      return DONE
    case K.SELECT:
    case K.WITH:
      if (next === T.DOT || next === T.COMMA || next === T.RPAREN) break
      if (type === K.WITH && startsWithExpression(c)) {
        scanWithExpression(c, x)
        return DONE
      }
      if (c.types[c.pos - 1] === K.SELECT || c.types[c.pos - 1] === K.DISTINCT) c.missing('(')
      x.addQuery({ query: c.rules.query(c), role: x.role, valueless: false })
      return DONE
    case K.ARRAY:
    case K.MULTISET:
    case K.MAP:
    case K.STRUCT:
    case K.ROW:
      return scanConstructor(c, x, type)
    case K.CURRENT:
      // Db2's CURRENT DATE; CURRENT OF cursor.
      if (
        next === K.OF ||
        next === K.DATE ||
        next === K.TIME ||
        next === K.TIMESTAMP ||
        next === K.SCHEMA ||
        next === K.USER
      ) {
        c.pos += next === K.OF ? 3 : 2
        return DONE
      }
      break
    case K.NEXT:
      if (next === K.VALUE && c.peek(2) === K.FOR) {
        c.pos += 3
        stepOverDottedName(c)
        return DONE
      }
      break
    case K.NEW:
      if (c.isName(c.pos + 1) && c.peek(2) === T.LPAREN) {
        c.pos++
        return AGAIN
      }
      break
    case K.VALUE:
    case K.VALUES:
      // MySQL: ON DUPLICATE KEY UPDATE a = VALUES(a) reads what was to be inserted. MariaDB: VALUE(a) as well.
      if (type === K.VALUE && c.dialect.name !== 'mariadb') break
      if (next === T.LPAREN && c.isName(c.pos + 2) && c.peek(3) === T.RPAREN) {
        x.addReference({
          parts: ['excluded', c.nameAt(c.pos + 2)],
          quoted: false,
          start: c.start(),
          end: c.ends[c.pos + 3]!,
          role: x.role,
        })
        c.pos += 4
        x.form = FORMS.column
        return DONE
      }
      break
    case K.LIKE:
      if (next === T.STRING) return MISSING
      break
    case K.LEFT:
    case K.RIGHT:
    case K.IF:
    case K.REPLACE:
    case K.INSERT:
    case K.GROUPING:
      if (type === K.IF && c.dialect.name === 'exasol' && next !== T.DOT && next !== T.COMMA && !isIfCall(c)) {
        scanCase(c, x)
        return DONE
      }
      if (next !== T.LPAREN && next !== T.DOT && (type === K.LEFT || type === K.RIGHT) && isJoinAhead(c)) return MISSING
      if (type === K.GROUPING && next === K.SETS) {
        c.pos += 2
        return AGAIN
      }
      break
    default:
      if (
        stopsOperand(type) &&
        next !== T.DOT &&
        !(next === T.LPAREN && c.touches(c.pos + 1) && type !== K.USING && type !== K.IN && type !== K.ON)
      )
        return MISSING
      if ((type === K.GROUP || type === K.ORDER) && next === K.BY) return MISSING
  }
  return scanName(c, x) ? DONE : MISSING
}

function isJoinAhead(c: Cursor): boolean {
  const next = c.peek(1)
  return (
    next === K.JOIN || next === K.OUTER || next === K.SEMI || next === K.ANTI || next === K.ARRAY || next === K.ASOF
  )
}

function scanHole(c: Cursor, x: Collector): boolean {
  c.pos++
  x.nameToken = -1
  while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
  if (c.at(T.LPAREN)) scanCallArguments(c, x, '')
  return true
}
