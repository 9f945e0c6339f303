/**
 * Tokens that cannot stand side by side. The rules read on over much; what no grammar allows shows in two neighbours
 * already: `. .`, `= =`, `(,`, a reserved word where a name should stand. One look-up a pair:
 *
 *   FORBIDS[type of the first] & KIND[type of the second]
 */

import type { Dialect } from '../dialects/dialect.ts'
import { FREE_LABELS, reservedWords } from '../dialects/reserved.ts'
import { FIRST_KEYWORD } from '../lexer/keywords.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'

/** What a token is as the second of two. */
const KIND = {
  dot: 1,
  comma: 2,
  close: 4,
  equals: 8,
  sign: 16,
  star: 32,
  infix: 64,
  clause: 128,
  end: 256,
  as: 512,
  string: 1024,
  number: 2048,
  word: 4096,
  relation: 8192,
  plain: 16384,
} as const

interface Pairs {
  readonly forbids: Uint16Array
  readonly kinds: Uint16Array
}

const INFIX = [K.AND, K.OR, K.IS, K.THEN, K.ELSE, K.WHEN, K.BETWEEN, K.IN, K.LIKE]
const CLAUSE = [
  K.FROM,
  K.WHERE,
  K.GROUP,
  K.ORDER,
  K.HAVING,
  K.UNION,
  K.INTERSECT,
  K.EXCEPT,
  K.ON,
  K.USING,
  K.INTO,
  K.JOIN,
  K.INNER,
  K.CROSS,
  K.NATURAL,
  K.LIMIT,
  K.TO,
  K.SET,
  K.WINDOW,
  K.QUALIFY,
  K.RETURNING,
  K.REFERENCES,
]
/** Words behind which something has to stand. */
const NEEDY = [
  K.SELECT,
  K.FROM,
  K.WHERE,
  K.GROUP,
  K.ORDER,
  K.BY,
  K.HAVING,
  K.ON,
  K.USING,
  K.JOIN,
  K.INNER,
  K.CROSS,
  K.NATURAL,
  K.UNION,
  K.INTERSECT,
  K.EXCEPT,
  K.AS,
  K.AND,
  K.OR,
  K.NOT,
  K.IN,
  K.LIKE,
  K.BETWEEN,
  K.IS,
  K.CASE,
  K.WHEN,
  K.THEN,
  K.ELSE,
  K.INTO,
  K.LIMIT,
  K.DISTINCT,
  K.CREATE,
  K.CAST,
  K.WITH,
  K.COLLATE,
  K.REFERENCES,
  K.TO,
  K.EXISTS,
  K.ESCAPE,
  K.SET,
  K.VALUES,
  K.TABLE,
  K.WINDOW,
]

/** Words that neither an operand nor a relation begins with. */
const NO_OPERANDS = [
  K.CREATE,
  K.DROP,
  K.ALTER,
  K.GRANT,
  K.REFERENCES,
  K.PRIMARY,
  K.FOREIGN,
  K.COLUMN,
  K.CONSTRAINT,
  K.INDEX,
  K.TO,
]

/** Dialects in which `>` closes no type. */
const PLAIN_ANGLES: ReadonlySet<string> = new Set(['postgres', 'sqlite', 'mysql', 'trino', 'greenplum'])

const tables = new Map<string, Pairs>()

function pairsOf(dialect: Dialect): Pairs {
  const known = tables.get(dialect.name)
  if (known) return known
  const made = makePairs(dialect)
  tables.set(dialect.name, made)
  return made
}

function makePairs(dialect: Dialect): Pairs {
  const forbids = new Uint16Array(1024)
  const kinds = new Uint16Array(1024)
  const { dot, comma, close, equals, star, infix, clause, end, as, string, number } = KIND
  for (const [type, kind] of [
    [T.DOT, dot],
    [T.COMMA, comma],
    [T.RPAREN, close],
    [T.RBRACKET, close],
    [T.EQUALS, equals],
    [T.LESS, equals],
    [T.CONCAT, equals],
    [T.STAR, star],
    [T.EOF, end],
    [T.SEMICOLON, end],
    [T.STRING, string],
    [T.NUMBER, number],
  ] as const)
    kinds[type] = kind
  const reserved = reservedWords(dialect.name)
  for (const type of INFIX) if (reserved.has(type)) kinds[type] = infix
  for (const type of CLAUSE) if (reserved.has(type)) kinds[type] = clause
  if (reserved.has(K.AS)) kinds[K.AS] = as
  const loose = dialect.trailingCommas ? 0 : close | clause
  const nothing = dot | comma | close | equals | end
  forbids[T.COMMA] = dot | comma | equals | infix | as | (dialect.trailingCommas ? 0 : end) | loose
  forbids[T.LPAREN] = dot | comma | equals | infix | as | end
  forbids[T.DOT] =
    dot | comma | close | equals | as | end | number | (FREE_LABELS.has(dialect.name) ? 0 : infix | clause)
  for (const type of [T.EQUALS, T.LESS, T.CONCAT, T.PLUS, T.MINUS])
    forbids[type] = dot | comma | close | equals | infix | clause | as | end
  for (const type of reserved) if (type !== K.END && type !== K.NEW && type !== K.DEFAULT) forbids[type] = dot
  for (const type of NEEDY) if (reserved.has(type)) forbids[type] = nothing
  for (const type of [
    K.AND,
    K.OR,
    K.NOT,
    K.WHERE,
    K.HAVING,
    K.ON,
    K.BY,
    K.LIKE,
    K.BETWEEN,
    K.WHEN,
    K.THEN,
    K.ELSE,
    K.LIMIT,
  ])
    if (reserved.has(type)) forbids[type] = nothing | clause | as
  for (const type of NO_OPERANDS) if (reserved.has(type) && kinds[type] === 0) kinds[type] = KIND.word
  for (const type of [T.EQUALS, T.LESS, T.CONCAT, T.PLUS, T.MINUS, K.AND, K.OR, K.WHERE, K.HAVING, K.LIKE, K.SELECT])
    if (type < FIRST_KEYWORD || reserved.has(type)) forbids[type]! |= KIND.word
  for (const type of [K.FROM, K.JOIN, K.INTO]) if (reserved.has(type)) forbids[type]! |= KIND.word | clause | infix | as
  for (const type of [K.DELETE, K.INSERT, K.DISTINCT, K.OFFSET, K.FETCH, K.ALL])
    if (reserved.has(type) && kinds[type] === 0) kinds[type] = KIND.relation
  for (const type of [K.JOIN, K.INTO]) if (reserved.has(type)) forbids[type]! |= KIND.relation
  if (!FREE_LABELS.has(dialect.name)) {
    for (const type of reserved) if (kinds[type] === 0) kinds[type] = KIND.plain
    forbids[T.DOT]! |= KIND.word | KIND.relation | KIND.plain
  }
  if (reserved.has(K.DISTINCT)) forbids[K.DISTINCT] = nothing | clause
  forbids[T.NUMBER] = dot
  if (dialect.name !== 'duckdb' && dialect.name !== 'mysql' && dialect.name !== 'mariadb') forbids[T.STRING] = dot
  if (PLAIN_ANGLES.has(dialect.name)) {
    kinds[T.GREATER] = equals
    forbids[T.GREATER] = dot | comma | close | equals | infix | clause | as | end
  }
  if (dialect.emptySelect) forbids[K.SELECT] = dot | equals
  if (dialect.longOperators || dialect.name === 'duckdb') kinds[T.CONCAT] = 0
  return { forbids, kinds }
}

/** Tells the first two tokens of [from, to) that cannot stand side by side. */
export function checkNeighbours(c: Cursor, from: number, to: number): void {
  const { forbids, kinds } = pairsOf(c.dialect)
  const { types } = c
  let before = types[from]!
  for (let i = from + 1; i < to; i++) {
    const type = types[i]!
    if ((forbids[before]! & kinds[type]!) !== 0 && cannotFollow(c, i)) return tell(c, i)
    before = type
  }
  if ((forbids[before]! & KIND.end) !== 0 && c.types[to] !== T.RPAREN && c.atEnd() && cannotFollow(c, to)) tell(c, to)
}

/** Whether the pair that ends at `index` is wrong indeed: what the two words before and the brackets around them say. */
function cannotFollow(c: Cursor, index: number): boolean {
  const first = c.types[index - 1]!
  const second = c.types[index]!
  const before = index > 1 ? c.types[index - 2]! : T.EOF
  const touches = c.touches(index)
  if (first >= FIRST_KEYWORD) {
    // Any word is a name behind a dot, and a label behind AS.
    if (before === T.DOT || (before === K.AS && FREE_LABELS.has(c.dialect.name))) return false
    if (first === K.ON && before === T.EQUALS) return false
    if (first === K.DISTINCT && (second === K.ON || (second === K.FROM && (before === K.IS || before === K.NOT))))
      return false
    if ((first === K.THEN || first === K.ELSE) && second === K.INTO) return false
    if (first === K.USING && (second === T.LESS || second === T.EQUALS)) return false
    if ((first === K.SET || first === K.COLLATE) && second === T.EQUALS) return false
    if (first === K.VALUES && before === K.DEFAULT) return false
    if (first === K.AND && second === K.ORDER && before === K.GROUP) return false
    if (first === K.ORDER && (second === T.COMMA || second === T.RPAREN || second === T.EOF)) return false
    if (second === T.DOT && (c.dialect.name === 'tsql' || c.dialect.name === 'ansi')) return false
  }
  switch (first) {
    case T.DOT:
      if (second === T.DOT) return !touches || c.dialect.defaultSchema === undefined
      if (second === T.NUMBER) return !touches
      return second !== K.AS || !FREE_LABELS.has(c.dialect.name)
    case T.LPAREN:
    case T.COMMA:
      if (second === K.LIKE || second === K.IN) return false
      break
    case T.NUMBER:
    case T.STRING:
      if (touches) return false
      break
    case T.PLUS:
      if (before === T.LPAREN || touches) return false
      break
    case T.EQUALS:
      if (second === K.ON || second === K.TO || touches) return false
      break
    default:
      if (touches && second !== T.DOT && first < FIRST_KEYWORD) return false
  }
  return !isInPattern(c, index)
}

/** Brackets that hold a grammar of their own: the rows or the graph that a query looks for, a regular expression. */
function isInPattern(c: Cursor, index: number): boolean {
  let depth = 0
  for (let i = index - 1; i > 0; i--) {
    const type = c.types[i]!
    if (type === T.RPAREN) depth++
    else if (type === T.SEMICOLON) return false
    else if (type === T.LPAREN && --depth < 0) {
      depth = 0
      if (/^(pattern|match|graph_table|subset|permute|options?|operator)$/i.test(c.textAt(i - 1))) return true
    }
  }
  return false
}

function tell(c: Cursor, index: number): void {
  const at = c.pos
  c.pos = index
  c.missing('something')
  c.pos = at
}
