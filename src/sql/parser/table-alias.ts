/** Whether what follows a relation is its alias, its column names, or hints. */

import { isMapReduce } from './hive-script.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { followsAlias, isKeyword, neverTableAlias, softTableClause, startsStatement } from './words.ts'

/** Whether an alias stands at the cursor, with AS or without. */
export function atTableAlias(c: Cursor): boolean {
  const type = c.type
  const next = c.peek(1)
  if (type === K.MAP || type === T.WORD) if (isMapReduce(c)) return false
  if (type === K.AS)
    return c.isName(c.pos + 1)
      ? next !== K.OF || c.peek(2) === K.ON
      : next === T.LPAREN || next === T.STRING || next === T.PARAM
  if (type === T.WORD || type === T.QUOTED)
    return !isTrailingWord(c) && !(c.dialect.looseStatements && next === T.COLON)
  if (type === T.STRING) return c.dialect.name === 'mysql' || c.dialect.name === 'duckdb'
  if (!isKeyword(type)) return false
  if (type === K.DISTRIBUTED && isPlacement(c)) return false
  if (c.inLoopHead && (type === K.LOOP || type === K.DO)) return false
  if (type === K.INCLUDE && next === T.LPAREN && c.dialect.name === 'db2') return false
  if (c.dialect.looseStatements && startsStatement(type)) return false
  if (c.inBody && startsStatement(type) && !followsAlias(next)) return false
  if (neverTableAlias(type))
    return (
      softTableClause(type) &&
      (followsAlias(next) || next === K.PIVOT) &&
      !(type === K.FINAL) &&
      !(type === K.SAMPLE) &&
      !(type === K.OFFSET && next === T.NUMBER) &&
      next !== K.JOIN
    )
  return true
}

/** Words outside of the keyword table that follow a table and are no alias. */
function isTrailingWord(c: Cursor): boolean {
  if (c.peek(1) === K.BY && c.isWord(c.pos, 'indexed')) return true
  if (c.peek(1) === K.ON && c.isWord(c.pos, 'expand')) return true
  if (c.isName(c.pos + 1) && (c.peek(2) === K.AS || c.peek(2) === T.STRING) && c.isWord(c.pos, 'timeseries'))
    return true
  return (
    c.isWord(c.pos, 'match_condition') ||
    (c.isWord(c.pos, 'positional') && c.peek(1) === K.JOIN) ||
    (c.peek(1) === K.JOIN && (c.isWord(c.pos, 'remote') || c.isWord(c.pos, 'lookup'))) ||
    (c.isWord(c.pos, 'emit') && c.isWord(c.pos + 1, 'changes')) ||
    (c.dialect.name === 'exasol' && c.isWord(c.pos, 'preferring')) ||
    isPlacement(c) ||
    ((c.isWord(c.pos, 'tablet') || c.isWord(c.pos, 'hierarchies')) && c.peek(1) === T.LPAREN)
  )
}

/** Where a table made by a query keeps its rows: DISTRIBUTED BY (a), SEGMENTED BY f(a) ALL NODES, UNSEGMENTED ALL NODES. */
function isPlacement(c: Cursor): boolean {
  const next = c.peek(1)
  if (c.dialect.name === 'greenplum')
    return (
      c.at(K.DISTRIBUTED) && (next === K.BY || c.isWord(c.pos + 1, 'randomly') || c.isWord(c.pos + 1, 'replicated'))
    )
  if (c.dialect.name !== 'vertica') return false
  if (c.isWord(c.pos, 'segmented') || c.isWord(c.pos, 'encoded')) return next === K.BY
  return c.isWord(c.pos, 'unsegmented') && (next === K.ALL || c.isWord(c.pos + 1, 'node'))
}

/** `t (a, b)`: names for columns, unless the parenthesis holds hints. */
export function atColumnAliases(c: Cursor): boolean {
  if (!c.at(T.LPAREN) || !(c.isName(c.pos + 1) || c.peek(1) === T.STRING)) return false
  const next = c.peek(2)
  if (isTableHint(c)) return false
  return next === T.COMMA || next === T.RPAREN || c.isName(c.pos + 2)
}

/** T-SQL: `t (NOLOCK)`. */
export function isTableHint(c: Cursor): boolean {
  return (
    c.dialect.name !== 'postgres' &&
    (c.isWord(c.pos + 1, 'nolock') ||
      c.isWord(c.pos + 1, 'readuncommitted') ||
      c.isWord(c.pos + 1, 'updlock') ||
      c.isWord(c.pos + 1, 'readpast') ||
      c.isWord(c.pos + 1, 'rowlock') ||
      c.isWord(c.pos + 1, 'holdlock') ||
      c.isWord(c.pos + 1, 'tablock') ||
      c.isWord(c.pos + 1, 'tablockx') ||
      c.isWord(c.pos + 1, 'xlock') ||
      (c.peek(1) === K.INDEX && c.dialect.name === 'tsql'))
  )
}
