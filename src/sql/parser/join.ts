/** Joins: the words between two relations, and the conditions behind them. */

import type { Join, JoinKind, Relation, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { nameList } from './name-list.ts'
import { startsQuery } from './lookahead.ts'

/** The next join's words; undefined when FROM ends here. */
export function parseJoin(c: Cursor): Join | undefined {
  if (c.at(T.COMMA)) {
    c.pos++
    if (c.at(K.LATERAL) && c.peek(1) === K.VIEW) return lateralView(c)
    if (!c.atEnd() && !c.at(K.WHERE)) return { kind: 'comma', natural: false, using: undefined }
    c.missing('a table')
    return undefined
  }
  const start = c.pos
  let kind: JoinKind = 'inner'
  let natural = false
  for (;;) {
    const type = c.type
    if (type === K.JOIN) {
      c.pos++
      // Hints behind JOIN: [SHUFFLE], tsql's none.
      if (c.at(T.LBRACKET)) c.stepOverParens()
      return { kind, natural, using: undefined }
    }
    if (type === K.STRAIGHT_JOIN) {
      c.pos++
      return { kind: 'inner', natural, using: undefined }
    }
    if (type === K.APPLY && c.pos > start) {
      c.pos++
      return { kind: 'apply', natural, using: undefined }
    }
    if (type === K.LATERAL && c.peek(1) === K.VIEW) return lateralView(c)
    if (type === K.ARRAY && c.peek(1) === K.JOIN && c.dialect.name === 'clickhouse')
      return { kind: 'cross', natural, using: undefined }
    if (!JOIN_WORDS.has(type) && !isJoinWord(c)) break
    if (type === K.LEFT && c.peek(1) === T.LPAREN) break
    if (c.pos > start && contradicts(c.types[c.pos - 1]!, type)) c.missing('JOIN')
    kind = joinKind(type, kind)
    if (type === K.NATURAL) natural = true
    c.pos++
  }
  c.pos = start
  return undefined
}

/** `INNER FULL`, `CROSS CROSS`: words that no join has together. */
function contradicts(before: number, type: number): boolean {
  return before === type || (before === K.INNER && SIDES.has(type)) || (type === K.INNER && SIDES.has(before))
}

const SIDES: ReadonlySet<number> = new Set([K.LEFT, K.RIGHT, K.FULL, K.CROSS, K.OUTER])

const JOIN_WORDS: ReadonlySet<number> = new Set([
  K.INNER,
  K.LEFT,
  K.RIGHT,
  K.FULL,
  K.CROSS,
  K.NATURAL,
  K.OUTER,
  K.SEMI,
  K.ANTI,
  K.ASOF,
  K.ANY,
  K.ALL,
  K.GLOBAL,
  K.LOOP,
  K.HASH,
  K.MERGE,
  K.LOCAL,
])

function lateralView(c: Cursor): Join {
  c.pos += 2
  c.take(K.OUTER)
  return { kind: 'lateral-view', natural: false, using: undefined }
}

function isJoinWord(c: Cursor): boolean {
  const next = c.peek(1)
  const joins = next === K.JOIN || next === K.LEFT || next === K.INNER || next === K.RIGHT
  return (
    joins &&
    (c.isWord(c.pos, 'positional') ||
      c.isWord(c.pos, 'remote') ||
      c.isWord(c.pos, 'lookup') ||
      c.isWord(c.pos, 'broadcast') ||
      c.isWord(c.pos, 'paste') ||
      c.isWord(c.pos, 'directed') ||
      c.isWord(c.pos, 'exclusion') ||
      c.isWord(c.pos, 'distributed') ||
      c.isWord(c.pos, 'redistribute') ||
      c.isWord(c.pos, 'replicate') ||
      c.isWord(c.pos, 'reduce'))
  )
}

function joinKind(type: number, kind: JoinKind): JoinKind {
  switch (type) {
    case K.LEFT:
      return 'left'
    case K.RIGHT:
      return 'right'
    case K.FULL:
      return 'full'
    case K.CROSS:
      return 'cross'
    case K.SEMI:
      return 'semi'
    case K.ANTI:
      return 'anti'
    default:
      return kind
  }
}

/** ON, USING, MATCH_CONDITION of the joins before, as many as stand there; gives how many. */
export function parseJoinCondition(c: Cursor, relations: Relation[], uses: Use[]): number {
  for (let count = 0; ; count++) {
    if (c.at(K.ON) && c.peek(1) !== K.CONFLICT && c.peek(1) !== K.DUPLICATE) {
      c.pos++
      uses.push({ kind: 'JOIN', expression: parseExpression(c) })
    } else if (c.at(K.USING) && c.peek(1) === T.LPAREN && relations.length > 0 && !isMergeWhen(c)) {
      const using = nameList(c, c.pos + 1, true)
      const last = relations.pop()!
      const alias = c.at(K.AS) && c.isName(c.pos + 1) ? c.nameAt(c.pos + 1) : undefined
      if (alias !== undefined) c.pos += 2
      const join = { ...last.join, using: [...(last.join.using ?? []), ...using] }
      relations.push({ ...last, join: alias === undefined ? join : { ...join, alias } })
    } else if (c.at(K.USING) && c.isName(c.pos + 1) && c.dialect.name === 'clickhouse' && relations.length > 1) {
      c.pos++
      const using: string[] = []
      do using.push(c.nameAt(c.pos++))
      while (c.take(T.COMMA) && c.isName(c.pos))
      const last = relations.pop()!
      relations.push({ ...last, join: { ...last.join, using } })
    } else if (c.isWord(c.pos, 'match_condition') && c.peek(1) === T.LPAREN) {
      c.pos++
      uses.push({ kind: 'JOIN', expression: parseExpression(c) })
    } else return count
  }
}

function isMergeWhen(c: Cursor): boolean {
  return startsQuery(c, c.pos + 2)
}

/** ClickHouse: ARRAY JOIN, its LEFT already read. */
export function isArrayJoin(c: Cursor): boolean {
  return c.at(K.ARRAY) && c.peek(1) === K.JOIN
}

/** Dialects in which a join without ON or USING is none. */
const NEEDS_CONDITION: ReadonlySet<string> = new Set([
  'postgres',
  'greenplum',
  'duckdb',
  'trino',
  'athena',
  'tsql',
  'db2',
])

/** Whether the join whose words were read asks for a condition. */
export function needsCondition(c: Cursor, join: Join): boolean {
  if (c.types[c.pos - 1] !== K.JOIN || join.natural || !NEEDS_CONDITION.has(c.dialect.name)) return false
  return join.kind !== 'cross' && join.kind !== 'apply' && !c.isWord(c.pos - 2, 'positional')
}
