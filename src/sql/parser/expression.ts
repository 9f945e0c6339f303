/**
 * Expressions, read flat: operands and operators alternate, and nothing is built but the list of what they refer to.
 *
 *   operand ─ postfix* ─ binary operator ─ operand ─ …     ends where neither an operator nor a postfix stands
 *
 * The alternation is what tells an alias from an operand: after an operand, a word that is no operator is not part of
 * the expression.
 */

import { ROLE, type Expression, type Reference } from '../ir/expression.ts'
import { FIRST_KEYWORD } from '../lexer/keywords.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { scanCallArguments, scanLambda } from './arguments.ts'
import { Collector } from './collector.ts'
import { type Cursor, variableName } from './cursor.ts'
import { isAggregate, isConstantWord } from './functions.ts'
import { lambdaArrow, startsQuery } from './lookahead.ts'
import { scanOrderList, scanWindowBody } from './order.ts'
import { scanType } from './type.ts'
import { isUnit, stopsOperand } from './words.ts'

/** What the last operand was; decides whether an expression is a plain copy of a column. */
const FORMS = { column: 'column', literal: 'literal', other: 'other' } as const

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
  if (!scanOperand(c, x)) return
  let operators = 0
  while (scanOperator(c, x)) {
    operators++
    if (!scanOperand(c, x)) break
  }
  if (operators > 0) {
    x.form = FORMS.other
    x.nameToken = -1
    x.fields = undefined
  }
}

/** What goes on behind an operand that was read elsewhere. */
export function scanRest(c: Cursor, x: Collector): void {
  while (scanOperator(c, x)) if (!scanOperand(c, x)) break
}

/** Expressions separated by commas. */
export function scanList(c: Cursor, x: Collector): void {
  do scanExpression(c, x)
  while (c.take(T.COMMA))
}

/** One operand with its prefix operators. False when none stands here. */
function scanOperand(c: Cursor, x: Collector): boolean {
  const first = c.pos
  if (!scanSignedOperand(c, x)) return false
  // `-a` is no copy of a.
  if (x.form === FORMS.column && isSign(c.types[first]!)) {
    x.form = FORMS.other
    x.nameToken = -1
  }
  return true
}

function isSign(type: number): boolean {
  return type === T.MINUS || type === T.PLUS || type === T.OPERATOR || type === T.AT || type === K.NOT
}

function scanSignedOperand(c: Cursor, x: Collector): boolean {
  x.form = FORMS.other
  x.fields = undefined
  for (;;) {
    const type = c.type
    if (type === T.WORD || type === T.QUOTED) {
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
        while (c.at(T.STRING)) c.pos++
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
        c.pos++
        return true
      case T.LBRACKET:
        scanArray(c, x)
        return true
      case T.LBRACE:
        scanBraces(c, x)
        return true
      case T.PLUS:
      case T.MINUS:
      case T.OPERATOR:
      case T.AT:
      case T.LESS:
      case T.GREATER:
      case T.EQUALS:
      case T.CONCAT:
        // A sign, or the rest of an operator of several characters (@>, <->, ?|).
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

const DONE = 1
const AGAIN = 2
const MISSING = 0

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
      if (next !== T.COMMA && next !== T.RPAREN) break
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
    case K.VALUES:
      // MySQL: ON DUPLICATE KEY UPDATE a = VALUES(a) reads what was to be inserted.
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
    case K.LEFT:
    case K.RIGHT:
    case K.IF:
    case K.REPLACE:
    case K.INSERT:
    case K.LIKE:
    case K.GROUPING:
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

function scanExists(c: Cursor, x: Collector): number {
  c.pos++
  if (!startsQuery(c, c.pos + 1)) {
    // A function of that name: exists(array, x -> …).
    scanCallArguments(c, x, 'exists')
    return DONE
  }
  c.pos++
  c.enter(1)
  x.addQuery({ query: c.rules.query(c), role: x.role, valueless: true })
  c.leave(1)
  c.closeParen()
  x.nameToken = -1
  return DONE
}

/** `(`: a subquery, a lambda's parameters, a row or a plain parenthesis. */
function scanParenthesised(c: Cursor, x: Collector): void {
  c.enter(1)
  if (startsQuery(c, c.pos + 1)) {
    c.pos++
    x.addQuery({ query: c.rules.query(c), role: x.role, valueless: false })
    x.nameToken = -1
    c.closeParen()
    c.leave(1)
    x.form = FORMS.other
    return
  }
  const arrow = lambdaArrow(c)
  if (arrow > 0) {
    scanLambda(c, x, arrow)
    c.leave(1)
    return
  }
  c.pos++
  let items = 0
  let form: Expression['form'] = FORMS.other
  const first = x.references.length
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    scanExpression(c, x)
    items++
    form = x.form
    if (c.at(K.AS) && c.isName(c.pos + 1) && c.dialect.name === 'clickhouse') {
      ;(x.inline ??= []).push({ name: c.nameAt(c.pos + 1), references: x.references.slice(first) })
    }
    scanTail(c, x)
    if (c.take(T.COMMA)) continue
    if (c.pos === before) c.skip()
    else if (!c.at(T.RPAREN)) break
  }
  c.closeParen()
  c.leave(1)
  x.form = items === 1 ? form : FORMS.other
  if (items !== 1) x.nameToken = -1
}

/** What may follow an expression inside parentheses: an alias of a struct field, a set operation, ORDER BY, LIMIT. */
function scanTail(c: Cursor, x: Collector): void {
  for (;;) {
    switch (c.type) {
      case K.AS:
        c.pos++
        scanType(c)
        break
      case K.UNION:
      case K.INTERSECT:
      case K.EXCEPT:
      case K.MINUS: {
        const valueless = c.at(K.EXCEPT) || c.at(K.MINUS)
        c.pos++
        if (c.at(K.ALL) || c.at(K.DISTINCT)) c.pos++
        x.addQuery({ query: c.rules.query(c), role: x.role, valueless })
        break
      }
      case K.ORDER:
        if (c.peek(1) !== K.BY) return
        c.pos += 2
        scanOrderList(c, new Collector())
        break
      case K.LIMIT:
      case K.OFFSET:
        c.pos++
        scanExpression(c, new Collector())
        break
      default:
        return
    }
  }
}

/** CASE … END: the conditions choose, the branches are the value. */
function scanCase(c: Cursor, x: Collector): void {
  const start = c.pos
  c.pos++
  c.enter(1)
  const role = x.role
  x.role = role | ROLE.CONDITIONAL
  if (!c.at(K.WHEN)) scanExpression(c, x)
  x.role = role
  while (!c.atEnd()) {
    const type = c.type
    if (type === K.WHEN) {
      c.pos++
      x.role = role | ROLE.CONDITIONAL
      scanList(c, x)
      x.role = role
    } else if (type === K.THEN || type === K.ELSE) {
      c.pos++
      scanExpression(c, x)
    } else if (type === K.END) {
      c.pos++
      break
    } else if (type === T.RPAREN) break
    else c.skip()
  }
  x.role = role
  c.leave(1)
  x.form = FORMS.other
  x.fields = undefined
  x.nameToken = start
}

/** INTERVAL as a column's name has no value behind it. */
function startsIntervalValue(c: Cursor): boolean {
  const next = c.peek(1)
  if (
    next === T.STRING ||
    next === T.NUMBER ||
    next === T.PARAM ||
    next === T.LPAREN ||
    next === T.MINUS ||
    next === T.PLUS ||
    next === T.QUESTION ||
    next === T.HOLE
  )
    return true
  if (next === T.COLON) return c.touches(c.pos + 2)
  return (
    c.isName(c.pos + 1) &&
    !stopsOperand(next) &&
    next !== K.ASC &&
    next !== K.DESC &&
    (isUnit(c.peek(2)) || c.peek(2) === T.DOT || c.peek(2) === T.LPAREN)
  )
}

function scanInterval(c: Cursor, x: Collector): void {
  c.pos++
  scanOperand(c, x)
  while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
  if (!isUnit(c.type)) {
    // An expression before the unit: INTERVAL a + 1 DAY.
    while (!isUnit(c.type) && scanArithmetic(c) && scanOperand(c, x));
  }
  stepOverUnit(c)
  x.form = FORMS.literal
  x.nameToken = -1
}

function scanArithmetic(c: Cursor): boolean {
  return c.take(T.PLUS) || c.take(T.MINUS) || c.take(T.STAR) || c.take(T.SLASH)
}

/** DAY, DAY (3) TO SECOND (2), YEAR TO MONTH. */
function stepOverUnit(c: Cursor): void {
  if (!isUnit(c.type) || c.at(K.DATE) || c.at(K.TIME)) return
  c.pos++
  if (c.at(T.LPAREN) && c.peek(1) === T.NUMBER) c.stepOverParens()
  if (c.at(K.TO) && isUnit(c.peek(1))) {
    c.pos += 2
    if (c.at(T.LPAREN) && c.peek(1) === T.NUMBER) c.stepOverParens()
  }
}

/** ARRAY[…], ARRAY(SELECT …), STRUCT<…>(…), MAP {…}, ROW(…). */
function scanConstructor(c: Cursor, x: Collector, type: number): number {
  const start = c.pos
  if (c.peek(1) === T.LESS) {
    c.pos++
    scanAngles(c)
  } else if (c.peek(1) === T.LBRACKET || c.peek(1) === T.LBRACE) c.pos++
  else if (c.peek(1) === T.LPAREN) {
    if ((type === K.ARRAY || type === K.MULTISET) && startsQuery(c, c.pos + 2)) {
      c.pos++
      scanParenthesised(c, x)
      x.nameToken = start
      return DONE
    }
    return scanName(c, x) ? DONE : MISSING
  } else return scanName(c, x) ? DONE : MISSING
  if (c.at(T.LBRACKET)) scanArray(c, x)
  else if (c.at(T.LBRACE)) scanBraces(c, x)
  else if (c.at(T.LPAREN)) scanCallArguments(c, x, 'struct')
  x.form = FORMS.other
  x.nameToken = start
  return DONE
}

function scanAngles(c: Cursor): void {
  let depth = 0
  while (!c.atEnd()) {
    if (c.at(T.LESS)) depth += c.ends[c.pos]! - c.starts[c.pos]!
    else if (c.at(T.GREATER)) depth--
    c.pos++
    if (depth <= 0) return
  }
}

function scanArray(c: Cursor, x: Collector): void {
  c.pos++
  c.enter(1)
  scanBracketItems(c, x)
  c.leave(1)
  x.form = FORMS.other
  x.fields = undefined
  x.nameToken = -1
}

/** Items up to `]`: values, slices `a:b`, comprehensions `f(x) for x in list`. */
function scanBracketItems(c: Cursor, x: Collector): void {
  const outer = x.lambdas
  const variable = comprehensionVariable(c)
  if (variable !== undefined) x.lambdas = [...(outer ?? []), variable]
  while (!c.at(T.RBRACKET) && !c.atEnd()) {
    const before = c.pos
    if (startsQuery(c, c.pos) && c.type !== K.FROM)
      x.addQuery({ query: c.rules.query(c), role: x.role, valueless: false })
    else if (!c.at(T.COLON)) scanExpression(c, x)
    if (c.take(T.COMMA) || c.take(T.COLON)) continue
    if (c.at(K.FOR) || c.at(K.IN) || c.at(K.IF) || c.at(K.AS)) {
      c.pos += c.at(K.FOR) ? 2 : 1
      continue
    }
    if (c.pos === before) {
      if (c.at(T.RPAREN)) break
      c.skip()
    }
  }
  c.take(T.RBRACKET)
  x.lambdas = outer
}

/** Tokens that are looked through for `FOR x IN`: brackets nest, and each looks for itself. */
const COMPREHENSION_REACH = 400

/** The `x` of `[f(x) FOR x IN list]`, in lower case, when the cursor is behind the bracket. */
function comprehensionVariable(c: Cursor): string | undefined {
  let depth = 0
  for (let i = c.pos; i < c.pos + COMPREHENSION_REACH && depth >= 0; i++) {
    const type = c.types[i]
    if (type === undefined || type === T.EOF) return undefined
    if (type === T.LBRACKET || type === T.LPAREN) depth++
    else if (type === T.RBRACKET || type === T.RPAREN) depth--
    else if (depth === 0 && type === K.FOR && c.isName(i + 1) && c.types[i + 2] === K.IN)
      return c.nameAt(i + 1).toLowerCase()
  }
  return undefined
}

/** `{'a': x, b: y}` of DuckDB, `{fn f(x)}` and `{ts '…'}` of ODBC. */
function scanBraces(c: Cursor, x: Collector): void {
  c.pos++
  c.enter(1)
  if (
    c.isName(c.pos) &&
    (c.isWord(c.pos, 'fn') || c.isWord(c.pos, 'd') || c.isWord(c.pos, 'ts') || c.isWord(c.pos, 't')) &&
    c.peek(1) !== T.COLON
  )
    c.pos++
  while (!c.at(T.RBRACE) && !c.atEnd()) {
    const before = c.pos
    if ((c.isName(c.pos) || c.at(T.STRING)) && c.peek(1) === T.COLON) c.pos += 2
    if (c.at(T.STAR)) scanObjectStar(c, x)
    else scanExpression(c, x)
    if (c.take(T.COMMA) || c.take(T.COLON)) continue
    if (c.pos === before) c.skip()
  }
  c.take(T.RBRACE)
  c.leave(1)
  x.form = FORMS.other
  x.nameToken = -1
}

/** Snowflake: `{*}`, `{* EXCLUDE (a, b)}`: all columns as one object. */
function scanObjectStar(c: Cursor, x: Collector): void {
  c.pos++
  const except: string[] = []
  if (c.take(K.EXCLUDE)) {
    const end = c.at(T.LPAREN) ? c.closing(c.pos) : c.pos
    for (; c.pos <= end; c.pos++) if (c.isName(c.pos)) except.push(c.nameAt(c.pos).toLowerCase())
  }
  x.addStar({ star: { except, replace: [], rename: undefined }, role: x.role })
}

function scanParameter(c: Cursor, x: Collector): boolean {
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
function scanColonVariable(c: Cursor, x: Collector): void {
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
function addVariable(c: Cursor, x: Collector, at: number, name: string): void {
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

function scanHole(c: Cursor, x: Collector): boolean {
  c.pos++
  x.nameToken = -1
  while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
  if (c.at(T.LPAREN)) scanCallArguments(c, x, '')
  return true
}

function stepOverDottedName(c: Cursor): void {
  if (c.isName(c.pos)) c.pos++
  while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
}

/** A name: a column, a function's call, a typed literal, a star with its qualifier. */
function scanName(c: Cursor, x: Collector): boolean {
  const first = c.pos
  const firstType = c.types[first]!
  const second = c.types[first + 1]!
  if (second === T.OPERATOR && isUnicodeLiteral(c, first)) {
    c.pos += 3
    x.form = FORMS.literal
    x.nameToken = -1
    return true
  }
  if (second === T.STRING && isTypedLiteral(c, first)) {
    c.pos += 2
    while (c.at(T.STRING)) c.pos++
    if (isUnit(c.type) && firstType === K.INTERVAL) stepOverUnit(c)
    x.form = FORMS.literal
    x.nameToken = first
    return true
  }
  c.pos++
  // COLLATION FOR (x).
  if (second === K.FOR && c.types[first + 2] === T.LPAREN && c.isWord(first, 'collation')) c.pos++
  let last = first
  while (c.types[c.pos] === T.DOT) {
    const next = c.types[c.pos + 1]!
    if (c.isName(c.pos + 1) || next === T.PARAM || next === T.HOLE || (next === T.NUMBER && c.touches(c.pos + 1))) {
      last = c.pos + 1
      c.pos += 2
    } else if (next === T.STAR) {
      const parts = partsOf(c, first, c.pos)
      c.pos += 2
      x.addStar({ star: { qualifier: parts, except: [], replace: [], rename: undefined }, role: x.role })
      x.form = FORMS.other
      return true
    } else break
  }
  if (c.dialect.name === 'clickhouse' && c.types[c.pos] === T.DOT) stepOverJsonMarks(c)
  x.nameToken = last
  if (c.types[c.pos] === T.LPAREN && !isOuterJoinMark(c) && !(c.dialect.name === 'teradata' && isTeradataPhrase(c))) {
    scanCall(c, x, first, last)
    return true
  }
  if (first === last) {
    if (firstType !== T.QUOTED && isConstantWord(c, first, c.dialect)) {
      x.form = FORMS.other
      return true
    }
    // lambda x, y: expression
    if (c.isWord(first, 'lambda') && c.isName(c.pos)) return scanColonLambda(c, x)
  } else if (isSequenceWord(c, last)) {
    x.form = FORMS.other
    return true
  }
  x.addReference({
    parts: first === last ? [c.nameAt(first)] : partsOf(c, first, last + 1),
    quoted: firstType === T.QUOTED,
    start: c.starts[first]!,
    end: c.ends[last]!,
    role: x.role,
  })
  if (x.lambdas !== undefined && x.lambdas.includes(c.nameAt(first).toLowerCase())) x.references.pop()
  x.form = FORMS.column
  return true
}

/** ClickHouse: `js.^user` reads a whole object of a JSON column, `js.x.:Int64` the values of one type. */
function stepOverJsonMarks(c: Cursor): void {
  for (;;) {
    const mark = c.text[c.starts[c.pos + 1]!]
    if (!c.at(T.DOT) || !(mark === '^' || mark === ':') || !c.touches(c.pos + 1)) return
    c.pos += 2
    if (mark === ':') scanType(c)
    else {
      if (c.isName(c.pos)) c.pos++
      while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
    }
  }
}

/** Standard SQL: U&'\0041'. */
function isUnicodeLiteral(c: Cursor, first: number): boolean {
  return (
    c.isWord(first, 'u') &&
    c.text[c.starts[first + 1]!] === '&' &&
    c.touches(first + 1) &&
    c.touches(first + 2) &&
    c.types[first + 2] === T.STRING
  )
}

/** `seq.nextval` and `seq.currval` read a sequence, not a column. */
function isSequenceWord(c: Cursor, index: number): boolean {
  return c.isWord(index, 'nextval') || c.isWord(index, 'currval')
}

function scanColonLambda(c: Cursor, x: Collector): boolean {
  const outer = x.lambdas
  const names = outer ? [...outer] : []
  while (c.isName(c.pos)) {
    names.push(c.nameAt(c.pos).toLowerCase())
    c.pos++
    if (!c.take(T.COMMA)) break
  }
  c.take(T.COLON)
  x.lambdas = names
  scanExpression(c, x)
  x.lambdas = outer
  return true
}

const XML_METHODS: ReadonlySet<string> = new Set([
  'value',
  'query',
  'exist',
  'nodes',
  'modify',
  'tostring',
  'stastext',
  'getancestor',
])

/** Oracle's `column (+)`. */
function isOuterJoinMark(c: Cursor): boolean {
  return c.peek(1) === T.PLUS && c.peek(2) === T.RPAREN
}

function partsOf(c: Cursor, first: number, end: number): string[] {
  const parts: string[] = []
  for (let i = first; i < end; i += 2) parts.push(c.nameAt(i))
  return parts
}

/** `DATE '2024-01-01'`, `int2 '2'`: any type's name, unless a string after a value is its alias in this dialect. */
function isTypedLiteral(c: Cursor, index: number): boolean {
  const type = c.types[index]!
  if (type === T.QUOTED) return false
  if (
    type === K.DATE ||
    type === K.TIME ||
    type === K.TIMESTAMP ||
    type === K.TIMESTAMPTZ ||
    type === K.INTERVAL ||
    type === K.DATETIME ||
    type === K.JSON
  )
    return true
  return !c.dialect.stringAliases
}

function scanCall(c: Cursor, x: Collector, first: number, last: number): void {
  const name = c.textAt(last).toLowerCase()
  if (last > first && c.dialect.name === 'tsql' && XML_METHODS.has(name)) {
    // column.value('path', 'type')
    x.addReference({
      parts: partsOf(c, first, last),
      quoted: false,
      start: c.starts[first]!,
      end: c.ends[last - 2]!,
      role: x.role,
    })
  }
  if (last > first + 2 && c.dialect.name === 'duckdb') {
    // t.column.f(x) is f(t.column, x).
    const parts = partsOf(c, first, last - 1)
    x.addReference({ parts, quoted: false, start: c.starts[first]!, end: c.ends[last - 2]!, role: x.role })
  }
  // T-SQL's graph patterns name relations, not columns.
  if (name === 'match' && c.dialect.name === 'tsql') return c.stepOverParens()
  const role = x.role
  if (isAggregate(name, c.dialect)) x.role = role | ROLE.AGGREGATED
  scanCallArguments(c, x, name)
  // Parameterised aggregates take a second list: quantile(0.9)(x).
  while (
    c.at(T.LPAREN) &&
    !isOuterJoinMark(c) &&
    c.dialect.name !== 'teradata' &&
    (c.dialect.name === 'clickhouse' || c.touches(c.pos))
  ) {
    scanCallArguments(c, x, name)
  }
  x.role = role
  x.form = FORMS.other
  x.nameToken = last
  // PL/SQL: an element of a collection looks like a call, `ids(i)`, `rows(i).id`.
  if (c.inBody && first === last) addVariable(c, x, first, c.nameAt(first))
}

/** Postfixes of the operand before, then a binary operator if one stands here. */
function scanOperator(c: Cursor, x: Collector): boolean {
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
        scanType(c)
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
          const titled = c.peek(2) === T.STRING
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

/** Teradata: `x (INTEGER)`, `x (FORMAT 'YYYY')`, `x (NAMED y)`. */
function isTeradataPhrase(c: Cursor): boolean {
  const word = c.isName(c.pos + 1) ? c.textAt(c.pos + 1).toLowerCase() : ''
  if (word === 'title' || word === 'format') return c.peek(2) === T.STRING
  return TERADATA_TYPES.has(word) && (c.peek(2) === T.RPAREN || c.peek(2) === T.LPAREN || c.peek(2) === T.COMMA)
}

const TERADATA_TYPES = new Set(
  'named,casespecific,not,uppercase,integer,int,bigint,smallint,byteint,decimal,numeric,float,char,varchar,date,time,timestamp'.split(
    ',',
  ),
)

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

function scanSubscript(c: Cursor, x: Collector): void {
  c.enter(1)
  const { nameToken: name, fields } = x
  // ARRAY[OFFSET(0)] of BigQuery is a position, not a function of columns; its argument is read as any other.
  scanBracketItems(c, x)
  x.nameToken = name
  x.fields = fields
  x.form = FORMS.other
  c.leave(1)
}

function scanKeywordOperator(c: Cursor, x: Collector, type: number): number {
  const next = c.peek(1)
  switch (type) {
    case K.AND:
    case K.OR:
    case K.XOR:
    case K.LIKE:
    case K.ILIKE:
    case K.LIKEC:
    case K.LIKE_REGEX:
    case K.RLIKE:
    case K.REGEXP:
    case K.GLOB:
    case K.IN:
    case K.BETWEEN:
    case K.OVERLAPS:
    case K.DIV:
    case K.MOD:
    case K.ESCAPE:
      if ((type === K.MOD || type === K.DIV || type === K.GLOB || type === K.ESCAPE) && endsItem(next)) return MISSING
      // ClickHouse: UPDATE a = b IN PARTITION p.
      if (type === K.IN && next === K.PARTITION && c.dialect.name === 'clickhouse') return MISSING
      if (type === K.IN && next === T.LPAREN && !startsQuery(c, c.pos + 2)) {
        c.pos++
        return DONE
      }
      c.pos++
      if (type === K.BETWEEN && (c.isWord(c.pos, 'symmetric') || c.isWord(c.pos, 'asymmetric'))) c.pos++
      if (
        type === K.IN &&
        c.isName(c.pos) &&
        c.peek(1) !== T.LPAREN &&
        (c.dialect.name === 'clickhouse' || c.dialect.name === 'sqlite')
      )
        return scanInTable(c, x)
      return DONE
    case K.NOT:
      if (next === K.NULL) {
        c.pos += 2
        return AGAIN
      }
      c.pos++
      return isNegatable(c.type) ? AGAIN : DONE
    case K.IS:
      return scanIs(c, x)
    case K.ISNULL:
    case K.NOTNULL:
      if (endsItem(c.peek(-1))) return MISSING
      c.pos++
      x.form = FORMS.other
      return AGAIN
    case K.COLLATE:
      c.pos++
      if (c.at(T.STRING)) c.pos++
      else stepOverDottedName(c)
      return AGAIN
    case K.AT:
      if (next === K.TIME) {
        c.pos += 3
        return DONE
      }
      if (next === K.LOCAL) {
        c.pos += 2
        return AGAIN
      }
      return MISSING
    case K.SIMILAR:
    case K.MEMBER:
    case K.SOUNDS:
      if (!(next === K.TO || next === K.OF || next === K.LIKE)) return MISSING
      c.pos += 2
      return DONE
    case K.MULTISET:
      c.pos += 2
      if (c.at(K.ALL) || c.at(K.DISTINCT)) c.pos++
      return DONE
    case K.OPERATOR:
      if (next !== T.LPAREN) return MISSING
      c.pos++
      c.stepOverParens()
      return DONE
    case K.OVER:
      return scanOver(c, x)
    case K.FILTER:
      if (next !== T.LPAREN) return MISSING
      c.pos += 2
      c.take(K.WHERE)
      scanRole(c, x, ROLE.CONDITIONAL)
      c.closeParen()
      return AGAIN
    case K.WITHIN:
      if (next !== K.GROUP) return MISSING
      c.pos += 2
      if (c.take(T.LPAREN)) scanGroupOrder(c, x)
      return AGAIN
    case K.KEEP:
      if (next !== T.LPAREN) return MISSING
      c.pos += 2
      while (!c.at(K.ORDER) && !c.at(T.RPAREN) && !c.atEnd()) c.pos++
      scanWindowBody(c, x, ROLE.WINDOW)
      return AGAIN
    case K.GLOBAL:
      if (next !== K.IN && !(next === K.NOT && c.peek(2) === K.IN)) return MISSING
      c.pos++
      return AGAIN
    case K.IGNORE:
    case K.RESPECT:
      if (next !== K.NULLS) return MISSING
      c.pos += 2
      return AGAIN
    case K.FROM:
      if (
        (next === K.FIRST || next === K.LAST) &&
        (c.peek(2) === K.OVER || c.peek(2) === K.IGNORE || c.peek(2) === K.RESPECT)
      ) {
        c.pos += 2
        return AGAIN
      }
      return MISSING
    case K.MATCH:
      if (next === T.LPAREN || next === T.STRING || c.dialect.name !== 'sqlite') return MISSING
      c.pos++
      return DONE
    default:
      if (
        c.dialect.name === 'db2' &&
        isUnit(type) &&
        (c.peek(-1) === T.RPAREN || x.form === FORMS.column) &&
        isDuration(c, type)
      ) {
        c.pos++
        return AGAIN
      }
      return scanWordOperator(c)
  }
}

/** `WITHIN GROUP (ORDER BY …)`: what is ordered is what an ordered-set function aggregates. */
function scanGroupOrder(c: Cursor, x: Collector): void {
  const role = x.role
  const name = x.nameToken
  x.role = role | ROLE.AGGREGATED
  scanWindowBody(c, x, 0)
  x.role = role
  x.nameToken = name
  x.form = FORMS.other
}

/** Db2: `x + col DAYS`. */
function isDuration(c: Cursor, type: number): boolean {
  return (
    type !== K.DATE &&
    type !== K.TIME &&
    c.peek(1) !== T.LPAREN &&
    (c.ends[c.pos]! - c.starts[c.pos]! > 3 || endsItem(c.peek(1)))
  )
}

const TERADATA_OPERATORS: ReadonlySet<string> = new Set(['eq', 'ne', 'gt', 'lt', 'ge', 'le'])

/** Operators whose words mean nothing elsewhere. */
function scanWordOperator(c: Cursor): number {
  if (
    c.dialect.name === 'teradata' &&
    c.lengthAt(c.pos) === 2 &&
    TERADATA_OPERATORS.has(c.textAt(c.pos).toLowerCase())
  ) {
    c.pos++
    return DONE
  }
  if (c.isWord(c.pos, 'against') && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
    return AGAIN
  }
  if (c.dialect.name === 'db2' && c.isWord(c.pos, 'concat') && !endsItem(c.peek(1))) {
    c.pos++
    return DONE
  }
  if (
    c.dialect.name === 'doris' &&
    /^match_(any|all|phrase|phrase_prefix|phrase_edge|regexp)$/i.test(c.textAt(c.pos))
  ) {
    c.pos++
    return DONE
  }
  if (c.isWord(c.pos, 'uescape') || c.isWord(c.pos, 'regexp_like') || c.isWord(c.pos, 'imatch')) {
    c.pos++
    return DONE
  }
  return MISSING
}

/** Whether a word before this token stands at the end of an item, so that it is a name and no operator. */
function endsItem(type: number): boolean {
  return type === T.COMMA || type === T.RPAREN || type === T.EOF || type === T.SEMICOLON || type === K.FROM
}

function isNegatable(type: number): boolean {
  return (
    type === K.IN ||
    type === K.LIKE ||
    type === K.BETWEEN ||
    type === K.ILIKE ||
    type === K.RLIKE ||
    type === K.REGEXP ||
    type === K.SIMILAR ||
    type === K.GLOB ||
    type === K.MEMBER ||
    type === K.LIKEC ||
    type === K.OVERLAPS ||
    type === K.MATCH
  )
}

/** sqlite and ClickHouse: `x IN table`. */
function scanInTable(c: Cursor, x: Collector): number {
  const start = c.start()
  const name = c.simpleName(c.pos)
  const parts = [...name.parts]
  c.pos++
  while (c.at(T.DOT) && c.isName(c.pos + 1)) {
    parts.push(c.nameAt(c.pos + 1))
    c.pos += 2
  }
  x.addQuery({
    query: {
      kind: 'table',
      with: [],
      start,
      end: c.end(),
      uses: [],
      from: [
        {
          kind: 'table',
          name: { ...name, parts, end: c.end() },
          join: { kind: 'first', natural: false, using: undefined },
          pivots: [],
          start,
          end: c.end(),
        },
      ],
    },
    role: x.role,
    valueless: true,
  })
  return AGAIN
}

/** IS [NOT] NULL, IS DISTINCT FROM x, IS JSON …. */
function scanIs(c: Cursor, x: Collector): number {
  c.pos++
  c.take(K.NOT)
  x.form = FORMS.other
  const type = c.type
  if (type === K.DISTINCT && c.peek(1) === K.FROM) {
    c.pos += 2
    return DONE
  }
  if (type === K.NULL || type === K.TRUE || type === K.FALSE || type === K.UNKNOWN || type === K.EMPTY) {
    c.pos++
    return AGAIN
  }
  if (type === K.JSON) {
    c.pos++
    while (c.at(K.VALUE) || c.at(K.ARRAY) || c.at(K.OBJECT) || c.isWord(c.pos, 'scalar') || c.at(K.STRICT)) c.pos++
    if ((c.at(K.WITH) || c.at(K.WITHOUT)) && c.peek(1) === K.UNIQUE) {
      c.pos += 2
      if (c.isWord(c.pos, 'keys') || c.at(K.KEY)) c.pos++
    }
    return AGAIN
  }
  if (type === K.OF) {
    c.pos++
    if (c.at(K.TYPE)) c.pos++
    if (c.at(T.LPAREN)) c.stepOverParens()
    return AGAIN
  }
  if (
    c.isWord(c.pos, 'nan') ||
    c.isWord(c.pos, 'infinite') ||
    c.isWord(c.pos, 'document') ||
    c.isWord(c.pos, 'normalized')
  ) {
    c.pos++
    return AGAIN
  }
  return DONE
}

function scanRole(c: Cursor, x: Collector, bit: number): void {
  const role = x.role
  x.role = role | bit
  scanExpression(c, x)
  x.role = role
}

/** OVER (…) or OVER name. */
function scanOver(c: Cursor, x: Collector): number {
  const name = x.nameToken
  if (c.peek(1) === T.LPAREN) {
    c.pos += 2
    scanWindowBody(c, x, ROLE.WINDOW)
  } else if (c.isName(c.pos + 1)) {
    x.addWindow(c.nameAt(c.pos + 1).toLowerCase())
    c.pos += 2
  } else return MISSING
  x.nameToken = name
  x.form = FORMS.other
  return AGAIN
}
