/** Operands that enclose others: parentheses, CASE, EXISTS, arrays, structs, objects, subscripts. */

import { type Expression, ROLE, type StructField } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Alternatives, elementsOf } from './alternatives.ts'
import { scanCallArguments, scanLambda } from './arguments.ts'
import { placeName } from './call-value.ts'
import { Collector } from './collector.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { mayHaveKeys, takeKey } from './field.ts'
import { lambdaArrow, startsQuery } from './lookahead.ts'
import { scanName } from './operand-name.ts'
import { scanOrderList } from './order.ts'
import { DONE, FORMS, MISSING } from './outcome.ts'
import { scanType } from './type.ts'

export function scanExists(c: Cursor, x: Collector): number {
  c.pos++
  if (!startsQuery(c, c.pos + 1)) {
    if (c.peek(1) === T.RPAREN) {
      c.pos++
      c.missing('a query')
      c.pos--
    }
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
export function scanParenthesised(c: Cursor, x: Collector): void {
  const isList = c.types[c.pos - 1] === K.IN
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
  const open = c.pos
  c.pos++
  let items = 0
  let form: Expression['form'] = FORMS.other
  const first = x.references.length
  let row: StructField[] | undefined
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    const references = x.references.length
    const queries = x.queries.length
    c.rules.expression(c, x)
    items++
    form = x.form
    if (!isList && (row || c.at(T.COMMA))) {
      row ??= []
      if (items <= MAX_ROW) row.push(rowField(c, x, references, queries, items))
    }
    if (c.at(K.AS) && c.isName(c.pos + 1) && c.dialect.name === 'clickhouse') {
      ;(x.inline ??= []).push({ name: c.nameAt(c.pos + 1), references: x.references.slice(first) })
    }
    scanTail(c, x)
    if (c.take(T.COMMA)) continue
    if (c.pos === before) c.skip()
    else if (!c.at(T.RPAREN)) break
  }
  if (items === 0 && needsItems(c, open)) c.missing('a value')
  c.closeParen()
  c.leave(1)
  x.form = items === 1 ? form : FORMS.other
  if (items === 1) return
  x.nameToken = -1
  x.fields = row && row.length === items ? row : undefined
  x.elements = undefined
}

/** Rows wider than that are lists of values. */
const MAX_ROW = 64

function rowField(c: Cursor, x: Collector, references: number, queries: number, place: number): StructField {
  return {
    name: placeName(c, place),
    references: x.references.slice(references),
    queries: x.queries.slice(queries),
    form: x.form,
    ...(x.fields ? { fields: x.fields } : {}),
  }
}

/** `()` is no value behind an operator, and no list behind IN but where an empty one is allowed. */
function needsItems(c: Cursor, open: number): boolean {
  const { name } = c.dialect
  if (!c.at(T.RPAREN) || name === 'clickhouse' || name === 'ansi') return false
  const before = c.types[open - 1]!
  if (before === K.IN) return name !== 'sqlite'
  return before === T.STAR || before === T.PLUS || before === T.MINUS || before === T.EQUALS || before === K.SELECT
}

/** Dialects in which AS names nothing inside of parentheses. */
const NO_NAMED_PARTS: ReadonlySet<string> = new Set(['postgres', 'trino', 'athena', 'sqlite', 'mysql', 'duckdb'])

/** What may follow an expression inside parentheses: an alias of a struct field, a set operation, ORDER BY, LIMIT. */
function scanTail(c: Cursor, x: Collector): void {
  for (;;) {
    switch (c.type) {
      case K.AS:
        if (NO_NAMED_PARTS.has(c.dialect.name)) c.missing(')')
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
        c.rules.expression(c, new Collector())
        break
      default:
        return
    }
  }
}

/** CASE … END, Exasol's IF … ENDIF: the conditions choose, the branches are the value. */
export function scanCase(c: Cursor, x: Collector): void {
  const start = c.pos
  c.pos++
  c.enter(1)
  const role = x.role
  const branches = new Alternatives()
  x.role = role | ROLE.CONDITIONAL
  if (!c.at(K.WHEN)) c.rules.expression(c, x)
  x.role = role
  let before: number = c.types[start]!
  while (!c.atEnd()) {
    const type = c.type
    if (!FOLLOWS[before]?.has(type) && CASE_WORDS.has(type)) c.missing(before === K.WHEN ? 'THEN' : 'WHEN')
    if (CASE_WORDS.has(type)) before = type
    if (type === K.WHEN) {
      c.pos++
      x.role = role | ROLE.CONDITIONAL
      scanList(c, x)
      x.role = role
    } else if (type === K.THEN || type === K.ELSE) {
      c.pos++
      const references = x.references.length
      const queries = x.queries.length
      c.rules.expression(c, x)
      branches.add(x, references, queries)
    } else if (type === K.END || c.isWord(c.pos, 'endif')) {
      c.pos++
      break
    } else if (type === T.RPAREN) break
    else c.skip()
  }
  if (before !== K.END && !c.isWord(c.pos - 1, 'endif') && !c.at(T.BATCH)) c.missing('END')
  x.role = role
  c.leave(1)
  x.form = FORMS.other
  branches.give(x)
  x.nameToken = start
}

const CASE_WORDS: ReadonlySet<number> = new Set([K.WHEN, K.THEN, K.ELSE, K.END])

/** Words of CASE behind each other; IF is Exasol's. */
const FOLLOWS: Readonly<Record<number, ReadonlySet<number>>> = {
  [K.CASE]: new Set([K.WHEN]),
  [K.IF]: new Set([K.THEN]),
  [K.WHEN]: new Set([K.THEN]),
  [K.THEN]: new Set([K.WHEN, K.ELSE, K.END]),
  [K.ELSE]: new Set([K.END]),
}

/** ARRAY[…], ARRAY(SELECT …), STRUCT<…>(…), MAP {…}, ROW(…). */
export function scanConstructor(c: Cursor, x: Collector, type: number): number {
  const start = c.pos
  let names: (string | undefined)[] | undefined
  if (c.peek(1) === T.LESS) {
    c.pos++
    names = scanAngles(c)
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
  else if (c.at(T.LBRACE)) scanBraces(c, x, type === K.MAP)
  else if (c.at(T.LPAREN)) scanCallArguments(c, x, 'struct', names)
  x.form = FORMS.other
  x.nameToken = start
  return DONE
}

/** Steps over `<…>`; returns the names of a struct's fields, undefined where a type stands without one. */
function scanAngles(c: Cursor): (string | undefined)[] {
  const names: (string | undefined)[] = []
  let depth = 0
  while (!c.atEnd()) {
    const opens = depth === 0
    if (c.at(T.LESS)) depth += c.ends[c.pos]! - c.starts[c.pos]!
    else if (c.at(T.GREATER)) depth--
    const begins = opens || (depth === 1 && c.at(T.COMMA))
    c.pos++
    if (depth <= 0) break
    if (begins) names.push(c.isName(c.pos) && c.isName(c.pos + 1) ? c.nameAt(c.pos) : undefined)
  }
  return names
}

export function scanArray(c: Cursor, x: Collector): void {
  c.pos++
  c.enter(1)
  const items = scanBracketItems(c, x)
  c.leave(1)
  x.form = FORMS.other
  items.give(x)
  x.nameToken = -1
}

/**
 * Items up to `]`: values, slices `a:b`, comprehensions `f(x) for x in list`. Returns what an item may be.
 */
export function scanBracketItems(c: Cursor, x: Collector): Alternatives {
  const outer = x.lambdas
  const items = new Alternatives()
  const variable = comprehensionVariable(c)
  if (variable !== undefined) x.lambdas = [...(outer ?? []), variable]
  while (!c.at(T.RBRACKET) && !c.atEnd()) {
    const before = c.pos
    if (startsQuery(c, c.pos) && c.type !== K.FROM)
      x.addQuery({ query: c.rules.query(c), role: x.role, valueless: false })
    else if (!c.at(T.COLON)) {
      const [references, queries] = [x.references.length, x.queries.length]
      c.rules.expression(c, x)
      items.add(x, references, queries)
    }
    if (c.take(T.COMMA) || c.take(T.COLON)) continue
    if (c.at(K.FOR) || c.at(K.IN) || c.at(K.IF) || c.at(K.AS)) {
      c.pos += c.at(K.FOR) ? (c.peek(2) === K.IN ? 3 : 2) : 1
      continue
    }
    if (c.pos === before) {
      if (c.at(T.RPAREN)) break
      c.skip()
    } else if (!c.at(T.RBRACKET) && !c.at(T.HOLE)) c.missing(',')
  }
  if (!c.take(T.RBRACKET)) c.note('UNBALANCED_PARENTHESES', c.start())
  x.lambdas = outer
  return variable === undefined ? items : new Alternatives()
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
export function scanBraces(c: Cursor, x: Collector, isMap = false): void {
  c.pos++
  const fields: StructField[] = []
  c.enter(1)
  if (
    c.isName(c.pos) &&
    (c.isWord(c.pos, 'fn') || c.isWord(c.pos, 'd') || c.isWord(c.pos, 'ts') || c.isWord(c.pos, 't')) &&
    c.peek(1) !== T.COLON
  )
    c.pos++
  while (!c.at(T.RBRACE) && !c.atEnd()) {
    const before = c.pos
    let field: string | undefined
    if (!isMap && (c.isName(c.pos) || c.at(T.STRING)) && c.peek(1) === T.COLON) {
      field = c.at(T.STRING) ? stringValue(c.textAt(c.pos)) : c.nameAt(c.pos)
      c.pos += 2
    }
    const [references, queries] = [x.references.length, x.queries.length]
    if (c.at(T.STAR)) scanObjectStar(c, x)
    else c.rules.expression(c, x)
    if (field !== undefined)
      fields.push({
        name: field,
        references: x.references.slice(references),
        queries: x.queries.slice(queries),
        form: x.form,
        ...(x.fields ? { fields: x.fields } : {}),
      })
    if (c.take(T.COMMA) || c.take(T.COLON)) continue
    if (c.pos === before) c.skip()
  }
  c.take(T.RBRACE)
  c.leave(1)
  x.form = FORMS.other
  x.nameToken = -1
  x.fields = fields.length > 0 ? fields : undefined
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

export function scanSubscript(c: Cursor, x: Collector): void {
  c.enter(1)
  const { nameToken: name, fields } = x
  const elements = elementsOf(x)
  const key = c.at(T.STRING) && c.peek(1) === T.RBRACKET && mayHaveKeys(x) ? stringValue(c.textAt(c.pos)) : undefined
  if (key !== undefined) {
    takeKey(x, key)
    c.pos += 2
    x.form = FORMS.other
    c.leave(1)
    return
  }
  // ARRAY[OFFSET(0)] of BigQuery is a position, not a function of columns; its argument is read as any other.
  scanBracketItems(c, x)
  x.nameToken = name
  x.fields = fields
  x.elements = elements
  x.form = FORMS.other
  c.leave(1)
}

/** Expressions separated by commas. */
export function scanList(c: Cursor, x: Collector): void {
  do c.rules.expression(c, x)
  while (c.take(T.COMMA))
}
