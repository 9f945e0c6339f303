/** Operands that begin with a name: columns, calls, typed literals, stars. */

import { ROLE } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { scanCallArguments } from './arguments.ts'
import type { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { takeMember } from './field.ts'
import { isAggregate, isConstantWord } from './functions.ts'
import { stepOverUnit } from './interval.ts'
import { FORMS } from './outcome.ts'
import { scanType } from './type.ts'
import { addVariable } from './parameter.ts'
import { isCaseWord } from './teradata.ts'
import { isUnit } from './words.ts'

/** A name: a column, a function's call, a typed literal, a star with its qualifier. */
export function scanName(c: Cursor, x: Collector): boolean {
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
  x.form = FORMS.column
  if (x.lambdas !== undefined && x.lambdas.includes(c.nameAt(first).toLowerCase())) {
    x.references.pop()
    x.form = FORMS.other
  }
  // ClickHouse: `t.2.1` is a name, a dot and two numbers.
  while (c.types[c.pos] === T.NUMBER && c.touches(c.pos) && c.text[c.starts[c.pos]!] === '.') {
    takeMember(x, c.textAt(c.pos).slice(1), c.ends[c.pos]!)
    c.pos++
  }
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
  c.rules.expression(c, x)
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

const DOCUMENT_METHODS: Readonly<Record<string, ReadonlySet<string>>> = {
  oracle: new Set(
    'abs,array,atomic,boolean,ceiling,count,date,double,floor,length,lower,maxnumber,maxstring,minnumber,minstring,number,numberonly,size,string,stringonly,sum,timestamp,type,upper,avg'.split(
      ',',
    ),
  ),
  teradata: new Set('jsonextract,jsonextractvalue,jsonextractlargevalue,keycount,exist_value,asbson,astext'.split(',')),
}

/** Oracle's `column (+)`. */
export function isOuterJoinMark(c: Cursor): boolean {
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
  // Oracle's item methods, Teradata's of JSON: o.doc.total.number().
  if (last > first + 2 && DOCUMENT_METHODS[c.dialect.name]?.has(name)) {
    const role = x.role
    const [start, end] = [c.starts[first]!, c.ends[last - 2]!]
    x.addReference({ parts: partsOf(c, first, last - 1), quoted: false, start, end, role })
  }
  if (last > first && c.dialect.name === 'duckdb') {
    // t.column.f(x) is f(t.column, x); column.f(x) as well, unless the name before is a schema's.
    const parts = partsOf(c, first, last - 1)
    const role = last > first + 2 ? x.role : x.role | ROLE.OPTIONAL
    x.addReference({ parts, quoted: false, start: c.starts[first]!, end: c.ends[last - 2]!, role })
    if (x.lambdas?.includes(parts[0]!.toLowerCase())) x.references.pop()
  }
  // T-SQL's graph patterns name relations, not columns.
  if (name === 'match' && c.dialect.name === 'tsql') return c.stepOverParens()
  // MariaDB: a sequence, no column.
  if (c.dialect.name === 'mariadb' && SEQUENCE_FUNCTIONS.has(name)) {
    c.stepOverParens()
    x.form = FORMS.other
    x.nameToken = last
    return
  }
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

const SEQUENCE_FUNCTIONS: ReadonlySet<string> = new Set(['nextval', 'lastval', 'setval'])

/** Teradata: `x (INTEGER)`, `x (FORMAT 'YYYY')`, `x (NAMED y)`. */
export function isTeradataPhrase(c: Cursor): boolean {
  const word = c.isName(c.pos + 1) ? c.textAt(c.pos + 1).toLowerCase() : ''
  if (word === 'title' || word === 'format') return c.peek(2) === T.STRING
  if (word === 'named') return c.isName(c.pos + 2)
  if (word === 'not') return isCaseWord(c, c.pos + 2)
  return TERADATA_TYPES.has(word) && (c.peek(2) === T.RPAREN || c.peek(2) === T.LPAREN || c.peek(2) === T.COMMA)
}

const TERADATA_TYPES = new Set(
  'casespecific,cs,uppercase,integer,int,bigint,smallint,byteint,decimal,numeric,float,char,varchar,date,time,timestamp,byte,varbyte,number,graphic,vargraphic,clob,blob,period'.split(
    ',',
  ),
)
