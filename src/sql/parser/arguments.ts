/**
 * Arguments of a call. Functions have grammars of their own (`CAST(x AS t)`, `EXTRACT(y FROM d)`, `LISTAGG(x ORDER BY y)`,
 * `JSON_OBJECT(KEY a VALUE b ABSENT ON NULL)`), but their words mean the same in all of them: one rule reads them all.
 */

import { type Reference, ROLE, type StructField } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { elementsOf } from './alternatives.ts'
import { CallValue, makesDocument, renamedFields, ruleOf } from './call-value.ts'
import type { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { asDocument } from './field.ts'
import { addDictionary } from './dictionary.ts'
import { isUnitArgument } from './functions.ts'
import { lambdaArrow, startsQuery } from './lookahead.ts'
import { scanOrderList } from './order.ts'
import { scanType } from './type.ts'
import { isUnit } from './words.ts'

/**
 * With the cursor on `(`: reads the arguments of function `name` (lower case) and the closing parenthesis. `names` are
 * those of a typed struct's fields, STRUCT<a INT64, b STRING>(x, y); undefined stands for a field without a name.
 */
export function scanCallArguments(
  c: Cursor,
  x: Collector,
  name: string,
  names: readonly (string | undefined)[] = [],
): void {
  // SQLite: RAISE(ABORT, 'text').
  if (name === 'raise' && c.dialect.name === 'sqlite') return c.stepOverParens()
  const open = c.pos
  if (c.dialect.name === 'clickhouse') addDictionary(c, x, name)
  c.pos++
  c.enter(1)
  const role = x.role
  if (c.at(K.DISTINCT) || (c.at(K.ALL) && c.peek(1) !== T.LPAREN) || (c.at(K.UNIQUE) && c.peek(1) !== T.COMMA)) c.pos++
  let index = 0
  let castName = -1
  const rule = ruleOf(name)
  const value = rule === undefined || rule === 'first' ? undefined : new CallValue(c, rule, names)
  let kept: StructField[] | undefined
  let elements: readonly Reference[] | undefined
  let type: string | undefined
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    const references = x.references.length
    const isChoice = chooses(name, index) && !(name === 'multiif' && index > 0 && index === countArguments(c, open) - 1)
    value?.open(x)
    x.role = isChoice ? role | ROLE.CONDITIONAL : role
    scanArgument(c, x, name, index, open)
    if (index === 0) castName = x.form === 'column' ? x.nameToken : -1
    if (rule === 'first') {
      // A lambda stands in front of ClickHouse's arrays.
      if (index === 0 || (index === 1 && !kept && !elements)) {
        kept = x.fields
        elements = elementsOf(x)
      }
      if (c.at(K.AS) && isCast(name)) type = typeAhead(c)
    } else value?.read(x, index, isChoice)
    if (c.dialect.name === 'clickhouse' && c.at(K.AS) && c.isName(c.pos + 1))
      (x.inline ??= []).push({ name: c.nameAt(c.pos + 1), references: x.references.slice(references) })
    scanArgumentTail(c, x, name)
    value?.close(x)
    index++
    if (c.take(T.COMMA)) {
      if (c.at(T.RPAREN) && !c.dialect.trailingCommas) c.missing('an argument')
      continue
    }
    if (c.at(T.RPAREN) || c.at(T.HOLE)) continue
    c.missing(',')
    if (c.pos === before) c.skip()
  }
  x.role = role
  c.closeParen()
  c.leave(1)
  x.form = 'other'
  x.nameToken = isCast(name) ? castName : -1
  x.fields = kept && type !== undefined ? renamedFields(kept, type) : kept
  x.elements = elements
  value?.give(x)
  if (elements && makesDocument(name)) asDocument(x)
}

/** With the cursor on AS: the text of the type behind it, where fields of a struct may be named in it. */
function typeAhead(c: Cursor): string | undefined {
  const next = c.peek(2)
  if (next !== T.LESS && next !== T.LPAREN) return c.peek(2) === T.LBRACKET ? '' : undefined
  let end = c.pos + 1
  for (let depth = 0; end < c.count; end++) {
    const type = c.types[end]!
    if (type === T.LPAREN) depth++
    else if (type === T.RPAREN && --depth < 0) break
  }
  return c.text.slice(c.starts[c.pos + 1], c.ends[end - 1])
}

/** Whether argument `index` chooses the value instead of being it. */
function chooses(name: string, index: number): boolean {
  return (
    (index === 0 &&
      (name === 'if' ||
        name === 'iif' ||
        name === 'iff' ||
        name === 'decode' ||
        name === 'nvl2' ||
        name === 'multiif' ||
        name === 'choose')) ||
    (name === 'multiif' && index % 2 === 0)
  )
}

function isCast(name: string): boolean {
  return name === 'cast' || name === 'try_cast' || name === 'safe_cast'
}

function scanArgument(c: Cursor, x: Collector, name: string, index: number, open: number): void {
  const type = c.type
  const next = c.peek(1)
  // MySQL: CONVERT(x, CHAR(10)).
  if (name === 'convert' && index === 1 && (c.dialect.name === 'mysql' || c.dialect.name === 'mariadb')) {
    scanType(c)
    return
  }
  if (next === T.COMMA || next === T.RPAREN) {
    if (type === T.STAR) {
      c.pos++
      if (name !== 'count' && name !== 'count_big' && name !== 'countif')
        x.addStar({ star: { except: [], replace: [], rename: undefined }, role: x.role })
      return
    }
    // With the unit as text, all others are values: DATE_DIFF('day', date, now()).
    const isTold = index > 0 && c.types[open + 1] === T.STRING
    if (c.isName(c.pos) && !isTold && isUnitArgument(name, index, countArguments(c, open), isUnit(type), c.dialect)) {
      c.pos++
      return
    }
  }
  if (type === K.WEEK && next === T.LPAREN && index > 0 && isUnitArgument(name, index, 2, true, c.dialect)) {
    // WEEK(MONDAY)
    c.pos++
    c.stepOverParens()
    return
  }
  if (next === T.FAT_ARROW || (next === T.ASSIGN && c.isName(c.pos))) {
    c.pos += 2
    return scanArgument(c, x, '', 0, open)
  }
  const arrow = type === T.LPAREN || c.isName(c.pos) ? lambdaArrow(c) : 0
  if (arrow > 0) return scanLambda(c, x, arrow)
  if (startsQuery(c, c.pos) && type !== K.TABLE && type !== K.FROM && type !== K.REPLACE) {
    x.addQuery({ query: c.rules.query(c), role: x.role, valueless: false })
    return
  }
  if (index === 0 && scanLeadingWords(c, x, name)) return
  // Teradata: CASE_N(a < 1, NO CASE OR UNKNOWN), RANGE_N(d BETWEEN x AND y EACH INTERVAL '1' DAY, NO RANGE).
  // The form is a word of its own: normalize(x, NFC).
  if (name === 'normalize' && index === 1 && c.isName(c.pos) && next === T.RPAREN) {
    c.pos++
    return
  }
  if (index > 0 && (name === 'case_n' || name === 'range_n') && (c.at(K.NO) || c.at(K.UNKNOWN))) {
    while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) c.pos++
    return
  }
  if (type === K.TABLE && c.isName(c.pos + 1)) c.pos++
  c.rules.expression(c, x)
}

/** First arguments that begin with words of the function. True when the argument is read whole. */
function scanLeadingWords(c: Cursor, x: Collector, name: string): boolean {
  switch (name) {
    case 'extract':
    case 'date_part':
      if ((c.isName(c.pos) || c.at(T.STRING)) && c.peek(1) === K.FROM) {
        c.pos += 2
        c.rules.expression(c, x)
        return true
      }
      if (isUnit(c.type) && c.peek(1) === T.LPAREN) {
        c.pos++
        c.stepOverParens()
        if (c.take(K.FROM)) c.rules.expression(c, x)
        return true
      }
      return false
    case 'trim':
      if (c.at(K.BOTH) || c.at(K.LEADING) || c.at(K.TRAILING)) c.pos++
      if (c.take(K.FROM)) c.rules.expression(c, x)
      else return false
      return true
    case 'convert':
    case 'try_convert':
      if (c.dialect.name === 'tsql' || c.dialect.name === 'redshift' || (c.dialect.name === 'ansi' && isTypeWord(c))) {
        scanType(c)
        return true
      }
      return false
    case 'json_object':
    case 'json_objectagg':
    case 'json_object_agg':
      if (c.at(K.KEY) && c.peek(1) !== T.COMMA && c.peek(1) !== T.COLON) c.pos++
      return false
    case 'xmlelement':
    case 'xmlforest':
    case 'xmlattributes':
    case 'xmlroot':
    case 'xmlpi':
      if (name === 'xmlelement' && c.at(K.NAME) && c.isName(c.pos + 1)) c.pos++
      if (name === 'xmlelement' && (c.peek(1) === T.COMMA || c.peek(1) === T.RPAREN) && c.isName(c.pos)) {
        c.pos++
        return true
      }
      return false
    default:
      return false
  }
}

/** Whether a type stands first: CONVERT(varchar(10), x). */
function isTypeWord(c: Cursor): boolean {
  return /^(n?varchar2?|n?char|int|integer|bigint|smallint|tinyint|date|datetime2?|smalldatetime|time|decimal|numeric|float|real|money|bit|n?text|varbinary|binary|uniqueidentifier|xml)$/i.test(
    c.textAt(c.pos),
  )
}

/** Words that may stand behind an argument, until the next comma or the closing parenthesis. */
function scanArgumentTail(c: Cursor, x: Collector, name: string): void {
  for (;;) {
    const next = c.peek(1)
    switch (c.type) {
      case T.COMMA:
      case T.RPAREN:
      case T.EOF:
        return
      case K.AS:
        // A cast's type, or the name of a struct's field.
        if (!namesArguments(c, name)) c.missing(')')
        c.pos++
        if (c.at(T.RPAREN)) c.missing('a type')
        scanType(c)
        break
      case K.FORMAT:
        c.pos++
        if (c.at(K.JSON)) c.pos++
        else c.rules.expression(c, x)
        break
      case K.AT:
        if (next === K.TIME) {
          c.pos += 3
          c.rules.expression(c, x)
        } else return
        break
      case K.FROM:
      case K.FOR:
      case K.PLACING:
      case K.VALUE:
      case T.COLON:
      case K.SEPARATOR:
      case K.HAVING:
      case K.LIMIT:
      case K.WHERE:
      case K.PASSING:
      case K.OFFSET:
        if (CUTTING.has(c.type) && !CUTS_TEXT.test(name)) c.missing(')')
        c.pos++
        if (isHavingBound(c)) c.pos++
        else takePassing(c)
        c.rules.expression(c, x)
        break
      case K.ORDER:
        if (next !== K.BY) return
        c.pos += 2
        scanOrderList(c, x)
        break
      case K.USING:
        c.pos++
        // Vertica: f(x USING PARAMETERS model_name = 'm').
        if (c.isWord(c.pos, 'parameters')) {
          while (!c.at(T.RPAREN) && !c.atEnd()) c.pos++
          return
        }
        if (c.isName(c.pos)) c.pos++
        if (!c.at(T.COMMA) && !c.at(T.RPAREN)) c.rules.expression(c, x)
        break
      case K.RETURNING:
        c.pos++
        scanType(c)
        break
      case K.IGNORE:
      case K.RESPECT:
        c.pos += 2
        break
      case K.UNION:
      case K.INTERSECT:
      case K.EXCEPT: {
        const valueless = c.at(K.EXCEPT)
        c.pos++
        if (c.at(K.ALL) || c.at(K.DISTINCT)) c.pos++
        x.addQuery({ query: c.rules.query(c), role: x.role, valueless })
        break
      }
      case K.ON:
      case K.NULL:
      case K.DEFAULT:
      case K.WITH:
      case K.WITHOUT:
      case K.ASC:
      case K.DESC:
      case K.NULLS:
      case K.COLUMNS:
        if (!stepOverNoise(c)) return
        break
      default:
        if (name === 'range_n' && c.take(K.EACH)) c.rules.expression(c, x)
        else if (!stepOverNoise(c)) return
    }
  }
}

const CUTTING: ReadonlySet<number> = new Set([K.FROM, K.FOR, K.PLACING])

/** Functions with such words between their arguments. */
const CUTS_TEXT =
  /^(?:extract|date_part|substr(?:ing)?|overlay|[lr]?trim|btrim|position|normalize|json_\w+|xml\w+|collation|previous|next|try|get|diff)$/

/** Dialects in which AS stands in a call for a type alone, and what takes one or names its parts. */
const PLAIN_CALLS: ReadonlySet<string> = new Set(['postgres', 'trino', 'athena', 'sqlite', 'mysql'])
const TAKES_AS = /^(?:\w*cast|treat|convert|json\w*|xml\w*|row|table|columns?|struct|position|char|weight_string|)$/

function namesArguments(c: Cursor, name: string): boolean {
  return !PLAIN_CALLS.has(c.dialect.name) || TAKES_AS.test(name)
}

/** BigQuery: ANY_VALUE(x HAVING MAX y). */
function isHavingBound(c: Cursor): boolean {
  return (
    c.types[c.pos - 1] === K.HAVING &&
    (c.isWord(c.pos, 'max') || c.isWord(c.pos, 'min')) &&
    c.peek(1) !== T.LPAREN &&
    c.peek(1) !== T.DOT
  )
}

function takePassing(c: Cursor): void {
  if (c.at(K.BY) && (c.peek(1) === K.VALUE || c.peek(1) === K.REF)) c.pos += 2
}

const NOISE = new Set(
  'absent,null,nulls,error,empty,default,on,overflow,truncate,with,without,unique,keys,key,array,wrapper,conditional,unconditional,keep,omit,quotes,scalar,string,strict,lax,first,last,asc,desc,count,json,pretty,ascii,document,content,indent,hide,show,conversion,defaults,entityescaping,noentityescaping,evalname,ordered,true,false,unknown,encoding,utf8,allow,disallow,scalars,type,extended,columns,in,using,option,nocache,nextval'.split(
    ',',
  ),
)

/** A word of the function's own grammar that refers to nothing. */
function stepOverNoise(c: Cursor): boolean {
  if (c.isName(c.pos) && NOISE.has(c.textAt(c.pos).toLowerCase())) {
    c.pos++
    if (c.at(T.STRING) || c.at(T.NUMBER)) c.pos++
    return true
  }
  return false
}

export function countArguments(c: Cursor, open: number): number {
  let depth = 0
  let count = 1
  for (let i = open; i < c.count; i++) {
    const type = c.types[i]!
    if (type === T.LPAREN || type === T.LBRACKET) depth++
    else if (type === T.RPAREN || type === T.RBRACKET) {
      if (--depth === 0) return count
    } else if (type === T.COMMA && depth === 1) count++
    else if (type === T.SEMICOLON) return count
  }
  return count
}

/** A lambda: its parameters are no columns. */
export function scanLambda(c: Cursor, x: Collector, arrow: number): void {
  const outer = x.lambdas
  const names = outer ? [...outer] : []
  for (let i = c.pos; i < arrow; i++) if (c.isName(i)) names.push(c.nameAt(i).toLowerCase())
  x.lambdas = names
  c.pos = arrow + 1
  c.rules.expression(c, x)
  x.lambdas = outer
  x.nameToken = -1
}
