/** Operators that are words, and the clauses behind a call: OVER, FILTER, WITHIN GROUP. */

import { ROLE } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { tableQuery } from './plain-query.ts'
import type { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { isBehindCall, startsQuery } from './lookahead.ts'
import { scanWindowBody } from './order.ts'
import { AGAIN, DONE, FORMS, MISSING } from './outcome.ts'
import { stepOverValuePhrase } from './teradata.ts'
import { isUnit, stopsOperand } from './words.ts'

export function stepOverDottedName(c: Cursor): void {
  if (c.isName(c.pos)) c.pos++
  while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
}

export function scanKeywordOperator(c: Cursor, x: Collector, type: number): number {
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
      if (type === K.IN && NEEDS_LIST.has(c.dialect.name) && !startsList(c)) c.missing('(')
      if (type === K.BETWEEN) {
        if (c.isWord(c.pos, 'symmetric') || c.isWord(c.pos, 'asymmetric')) c.pos++
        expectAnd(c)
      }
      if (
        type === K.IN &&
        c.isName(c.pos) &&
        c.peek(1) !== T.LPAREN &&
        (c.dialect.name === 'clickhouse' || c.dialect.name === 'sqlite') &&
        !isInPosition(c)
      )
        return scanInTable(c, x)
      return DONE
    case K.NOT:
      if (c.dialect.name === 'teradata' && stepOverValuePhrase(c)) return AGAIN
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
        if (!c.isWord(c.pos + 2, 'zone')) c.missing('ZONE')
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
      if (!mayHaveWindow(c)) return MISSING
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
      if (!isBehindCall(c)) c.missing('a function')
      c.pos += 2
      // T-SQL: WITHIN GROUP (GRAPH PATH).
      if (c.isWord(c.pos + 1, 'graph') && c.isWord(c.pos + 2, 'path')) c.stepOverParens()
      else if (c.take(T.LPAREN)) scanGroupOrder(c, x)
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
    case K.INTERPOLATE:
      // Vertica: ON a.ts INTERPOLATE PREVIOUS VALUE b.ts.
      if (c.dialect.name !== 'vertica' || c.peek(2) !== K.VALUE) return MISSING
      c.pos += 3
      return DONE
    case K.MATCH:
      if (c.dialect.name !== 'sqlite') return MISSING
      c.pos++
      return DONE
    default:
      if (c.dialect.name === 'teradata' && stepOverValuePhrase(c)) return AGAIN
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

/** The AND of a BETWEEN whose lower bound is at the cursor. */
function expectAnd(c: Cursor): void {
  let depth = 0
  for (let i = c.pos; ; i++) {
    const type = c.types[i]!
    if (type === T.LPAREN || type === T.LBRACKET || type === T.LBRACE || type === K.CASE) depth++
    else if (type === T.RPAREN || type === T.RBRACKET || type === T.RBRACE || type === K.END) depth--
    if (type === K.AND && depth <= 0) return
    if (type === T.HOLE || type === T.BATCH) return
    if (depth < 0 || type === T.EOF || type === T.SEMICOLON || (depth === 0 && ENDS_BOUND.has(type))) {
      const at = c.pos
      c.pos = i
      c.missing('AND')
      c.pos = at
      return
    }
  }
}

const ENDS_BOUND: ReadonlySet<number> = new Set([
  T.COMMA,
  K.OR,
  K.WHERE,
  K.GROUP,
  K.ORDER,
  K.THEN,
  K.WHEN,
  K.UNION,
  K.FROM,
])

/** Dialects in which IN has a list in parentheses. */
const NEEDS_LIST: ReadonlySet<string> = new Set(['postgres', 'trino', 'athena', 'mysql', 'spark'])

function startsList(c: Cursor): boolean {
  const { type } = c
  return type === T.LPAREN || type === T.HOLE || type === T.PARAM || type === T.QUESTION || isInPosition(c)
}

const CALLS_ONLY: ReadonlySet<string> = new Set(['postgres', 'duckdb', 'sqlite', 'mysql', 'spark', 'bigquery'])

/** OVER stands behind a call and the words of it; Trino has measures there, too. */
function mayHaveWindow(c: Cursor): boolean {
  const before = c.types[c.pos - 1]!
  if (before === T.RPAREN) return isBehindCall(c)
  // Vertica: LIMIT 2 OVER (PARTITION BY a ORDER BY b).
  if (before === T.NUMBER) return c.dialect.name === 'vertica'
  if (before === T.HOLE || before === T.PARAM || before === K.NULLS) return true
  return c.isName(c.pos - 1) && c.types[c.pos - 2] !== T.DOT && !CALLS_ONLY.has(c.dialect.name)
}

/** `WITHIN GROUP (ORDER BY …)`: what is ordered is what an ordered-set function aggregates. */
function scanGroupOrder(c: Cursor, x: Collector): void {
  const { role, nameToken: name, fields, elements } = x
  x.role = role | ROLE.AGGREGATED
  scanWindowBody(c, x, 0)
  x.role = role
  x.nameToken = name
  x.fields = fields
  x.elements = elements
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
export function scanWordOperator(c: Cursor): number {
  if (c.dialect.name === 'teradata' && stepOverValuePhrase(c)) return AGAIN
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
  if (c.dialect.name === 'impala' && c.isWord(c.pos, 'iregexp') && !endsItem(c.peek(1))) {
    c.pos++
    return DONE
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

/** Whether the cursor is behind the IN of POSITION(a IN b). */
function isInPosition(c: Cursor): boolean {
  let depth = 0
  let at = c.pos - 1
  for (; at >= 0 && depth >= 0; at--) {
    const type = c.types[at]
    if (type === T.RPAREN) depth++
    else if (type === T.LPAREN) depth--
    else if (depth === 0 && (type === T.COMMA || type === K.SELECT || type === T.SEMICOLON)) return false
  }
  return c.isWord(at, 'position') || c.types[at] === K.POSITION
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
    query: tableQuery({ ...name, parts, end: c.end() }, start, c.end()),
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
  // IS NFC NORMALIZED.
  if (c.isWord(c.pos + 1, 'normalized')) c.pos++
  if (
    c.isWord(c.pos, 'nan') ||
    c.isWord(c.pos, 'infinite') ||
    c.isWord(c.pos, 'document') ||
    c.isWord(c.pos, 'normalized')
  ) {
    c.pos++
    return AGAIN
  }
  if (c.dialect.name === 'sqlite' || c.at(T.HOLE) || c.at(T.PARAM)) return DONE
  const isTest = c.isName(c.pos) && TESTS.has(c.textAt(c.pos).toLowerCase())
  if (c.at(T.WORD) ? c.peek(1) !== T.DOT && !isTest : !isTest && COMPARES_NULL.has(c.dialect.name)) c.missing('NULL')
  return DONE
}

/** Dialects in which IS compares with NULL and its kin alone. */
const COMPARES_NULL: ReadonlySet<string> = new Set([
  'postgres',
  'duckdb',
  'trino',
  'spark',
  'mysql',
  'bigquery',
  'tsql',
])

/** What a value may be said to be, beside NULL and its kin. */
const TESTS: ReadonlySet<string> = new Set([
  'until_changed',
  'until_closed',
  'present',
  'dangling',
  'a',
  'any',
  'source',
  'destination',
  'labeled',
  'directed',
  'nfc',
  'nfd',
  'nfkc',
  'nfkd',
  'valid',
  'untyped',
  'typed',
])

function scanRole(c: Cursor, x: Collector, bit: number): void {
  const role = x.role
  x.role = role | bit
  c.rules.expression(c, x)
  x.role = role
}

/** OVER (…) or OVER name. */
function scanOver(c: Cursor, x: Collector): number {
  const { nameToken: name, fields, elements } = x
  if (c.peek(1) === T.LPAREN) {
    c.pos += 2
    scanWindowBody(c, x, ROLE.WINDOW)
  } else if (c.isName(c.pos + 1) && !stopsOperand(c.peek(1))) {
    x.addWindow(c.nameAt(c.pos + 1).toLowerCase())
    c.pos += 2
  } else return MISSING
  x.nameToken = name
  x.fields = fields
  x.elements = elements
  x.form = FORMS.other
  return AGAIN
}
