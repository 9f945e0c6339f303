/** Clauses of a table that carry no lineage: samples, hints, partitions, time travel. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { isTableHint } from './table-alias.ts'

/** Everything on a table that carries no lineage: samples, hints, partitions, time travel. */
export function stepOverTableClauses(c: Cursor): void {
  while (stepOverTableClause(c));
}

function stepOverTableClause(c: Cursor): boolean {
  const next = c.peek(1)
  switch (c.type) {
    case K.FOR:
      // T-SQL: a node or edge of a path, FROM t FOR PATH AS p.
      if (c.isWord(c.pos + 1, 'path') && c.dialect.name === 'tsql') {
        c.pos += 2
        return true
      }
      return stepOverTimeTravel(c)
    case K.VERSION:
    case K.TIMESTAMP:
    case K.SYSTEM_TIME:
      if (!(next === K.AS && c.peek(2) === K.OF)) return false
      c.pos += 3
      parseExpression(c)
      return true
    case K.VERSIONS:
      if (next !== K.BETWEEN) return false
      c.pos += 2
      if (c.isName(c.pos)) c.pos++
      parseExpression(c)
      return true
    case K.AS:
      if (next !== K.OF || c.peek(2) === K.ON) return false
      c.pos += 2
      if (c.isWord(c.pos, 'scn') || c.at(K.TIMESTAMP) || c.at(K.VERSION)) c.pos++
      parseExpression(c)
      return true
    case K.AT:
    case K.BEFORE:
    case K.CHANGES:
      if (next !== T.LPAREN) return false
      c.pos++
      c.stepOverParens()
      if (c.at(K.END) && c.peek(1) === T.LPAREN) {
        c.pos++
        c.stepOverParens()
      }
      return true
    case K.MATCH:
      // Vertica: MATCH (PARTITION BY … DEFINE … PATTERN …) numbers the rows of its patterns.
      if (next !== T.LPAREN || c.dialect.name !== 'vertica') return false
      c.pos++
      c.stepOverParens()
      return true
    case K.TABLESAMPLE:
    case K.SAMPLE:
      return stepOverSample(c)
    case K.USING:
      if (next !== K.SAMPLE) return false
      c.pos++
      return stepOverSample(c)
    case K.FINAL:
      if (c.dialect.name !== 'clickhouse' && c.dialect.name !== 'ansi') return false
      c.pos++
      return true
    case K.WITH:
      if (next === T.LPAREN && c.peek(2) !== K.SELECT) {
        c.pos++
        c.stepOverParens()
        return true
      }
      return false
    case T.LPAREN:
      // Oracle: TABLE(…) (+), XMLTABLE(…) (+).
      if (next === T.PLUS && c.peek(2) === T.RPAREN) {
        c.pos += 3
        return true
      }
      // Snowflake: @stage (FILE_FORMAT => …).
      if (!isTableHint(c) && c.types[c.pos - 1] !== T.STAGE) return false
      c.stepOverParens()
      return true
    case K.USE:
    case K.FORCE:
    case K.IGNORE:
      if (next !== K.INDEX && next !== K.KEY) return false
      c.pos += 2
      if (c.at(K.FOR)) c.pos += c.peek(1) === K.JOIN ? 2 : 3
      if (c.at(T.LPAREN)) c.stepOverParens()
      return true
    case K.PARTITION:
      if (next === K.FOR && c.peek(2) === T.LPAREN) c.pos++
      else if (c.dialect.name === 'doris' && c.isName(c.pos + 1)) {
        // DELETE FROM t PARTITION p1 USING s.
        c.pos += 2
        return true
      } else if (next !== T.LPAREN) return false
      c.pos++
      c.stepOverParens()
      return true
    case K.SUBPARTITION:
      if (next !== T.LPAREN) return false
      c.pos++
      c.stepOverParens()
      return true
    case K.NOT:
      if (!c.isWord(c.pos + 1, 'indexed')) return false
      c.pos += 2
      return true
    case T.LBRACKET:
      // Impala: [SHUFFLE]; StarRocks: [_META_].
      if (c.touches(c.pos) && c.dialect.name !== 'starrocks' && c.dialect.name !== 'doris') return false
      c.stepOverParens()
      return true
    case T.STAR:
      // PostgreSQL of old: t *.
      if (c.dialect.unnamed !== 'postgres') return false
      c.pos++
      return true
    case K.WITHIN:
      // KSQL: WITHIN 1 HOUR, WITHIN (1 HOUR, 2 HOURS) GRACE PERIOD 5 MINUTES.
      if (next !== T.NUMBER && !(next === T.LPAREN && c.peek(2) === T.NUMBER)) return false
      while (!c.atEnd() && !c.at(K.ON)) c.pos++
      return true
    case T.WORD:
      if (next === K.BY && c.isWord(c.pos, 'indexed')) {
        c.pos += 3
        return true
      }
      // Oracle: FROM an analytic view HIERARCHIES (h, d.h).
      if ((c.isWord(c.pos, 'tablet') || c.isWord(c.pos, 'hierarchies')) && next === T.LPAREN) {
        c.pos++
        c.stepOverParens()
        return true
      }
      return false
    default:
      return false
  }
}

/** FOR SYSTEM_TIME AS OF x, FOR VERSION AS OF x, FOR SYSTEM_TIME BETWEEN a AND b, FOR PORTION OF. */
function stepOverTimeTravel(c: Cursor): boolean {
  const next = c.peek(1)
  if (!(
    next === K.SYSTEM_TIME ||
    c.isWord(c.pos + 1, 'system_version') ||
    next === K.VERSION ||
    next === K.TIMESTAMP ||
    (next === K.TIME && c.peek(2) === K.AS) ||
    c.isWord(c.pos + 1, 'business_time') ||
    c.isWord(c.pos + 1, 'application_time') ||
    c.isWord(c.pos + 1, 'portion')
  ))
    return false
  c.pos += 2
  if (c.at(K.OF)) c.pos += 2
  if (c.take2(K.AS, K.OF)) parseExpression(c)
  else if (c.take(K.BETWEEN)) parseExpression(c)
  else if (c.take(K.FROM)) {
    parseExpression(c)
    if (c.take(K.TO)) parseExpression(c)
  } else if (c.isWord(c.pos, 'contained')) {
    c.pos += 2
    if (c.at(T.LPAREN)) c.stepOverParens()
  } else c.take(K.ALL)
  return true
}

function stepOverSample(c: Cursor): boolean {
  const next = c.peek(1)
  const sampled =
    next === T.LPAREN ||
    next === T.NUMBER ||
    next === T.PARAM ||
    ((c.isName(c.pos + 1) || next === T.NUMBER) && (c.peek(2) === T.LPAREN || c.peek(2) === T.NUMBER))
  if (!sampled) return false
  c.pos++
  if (c.isName(c.pos)) c.pos++
  if (c.at(T.LPAREN)) c.stepOverParens()
  else {
    c.pos++
    if (c.take(T.SLASH)) c.pos++
    if (c.at(T.PERCENT) || c.at(K.PERCENT) || c.at(K.ROWS)) c.pos++
    if (c.at(K.OFFSET) && c.peek(1) === T.NUMBER) {
      c.pos += 2
      if (c.take(T.SLASH)) c.pos++
    }
  }
  while ((c.at(K.REPEATABLE) || c.at(K.SEED)) && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
  }
  if (c.at(T.LPAREN) && c.peek(1) !== K.SELECT && c.isWord(c.pos - 1, 'sample')) c.stepOverParens()
  return true
}
