/** Clauses behind a query that carry no lineage, stepped over knowingly. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'

/** One clause, if one stands at the cursor. */
export function stepOverClause(c: Cursor): boolean {
  const next = c.peek(1)
  switch (c.type) {
    case K.FETCH:
      // FETCH NEXT FROM c is a statement of its own.
      if ((next !== K.FIRST && next !== K.NEXT && next !== T.NUMBER) || c.peek(2) === K.FROM) return false
      c.pos++
      while (
        c.at(K.FIRST) ||
        c.at(K.NEXT) ||
        c.at(T.NUMBER) ||
        c.at(T.PARAM) ||
        c.at(T.LPAREN) ||
        c.at(K.PERCENT) ||
        c.at(K.ROW) ||
        c.at(K.ROWS) ||
        c.at(K.ONLY) ||
        c.at(K.TIES) ||
        (c.at(K.WITH) && c.peek(1) === K.TIES) ||
        (c.at(T.COLON) && c.isName(c.pos + 1)) ||
        (c.at(T.WORD) && (c.peek(1) === K.ROWS || c.peek(1) === K.ROW || c.peek(1) === K.PERCENT))
      ) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos += c.at(T.COLON) ? 2 : 1
      }
      return true
    case K.FOR:
      return stepOverFor(c)
    case K.LOCK:
      if (next !== K.IN) return false
      c.pos += 4
      return true
    case K.OPTION:
      if (next !== T.LPAREN) return false
      c.pos++
      c.stepOverParens()
      return true
    case K.WITH:
      return stepOverWith(c)
    case K.SETTINGS:
      if (!c.isName(c.pos + 1)) return false
      c.pos++
      do {
        c.pos++
        if (c.take(T.EQUALS)) c.rules.expression(c, new Collector())
      } while (c.take(T.COMMA))
      return true
    case K.FORMAT:
      if (!c.isName(c.pos + 1) || c.dialect.name !== 'clickhouse') return false
      c.pos += 2
      return true
    case K.INTERPOLATE:
      c.pos++
      if (c.at(T.LPAREN)) c.stepOverParens()
      return true
    case K.SAMPLE:
    case K.TABLESAMPLE:
      return stepOverSample(c)
    case K.USING:
      if (next !== K.SAMPLE) return false
      c.pos++
      return stepOverSample(c)
    case K.READ:
      if (next !== K.ONLY) return false
      c.pos += 2
      return true
    case K.OPTIONS:
      // Materialize: OPTIONS (AGGREGATE INPUT GROUP SIZE = 10).
      if (next !== T.LPAREN || c.dialect.name !== 'materialize') return false
      c.pos++
      c.stepOverParens()
      return true
    case K.OPTIMIZE:
      if (next !== K.FOR) return false
      c.pos += 2
      while (c.at(T.NUMBER) || c.at(K.ROW) || c.at(K.ROWS) || c.isWord(c.pos, 'latency')) c.pos++
      return true
    case K.INTO:
      if (!c.isWord(c.pos + 1, 'outfile')) return false
      while (!c.atEnd()) c.pos++
      return true
    case T.WORD:
      // Exasol's skyline: PREFERRING HIGH a PLUS LOW b.
      if (c.isWord(c.pos, 'preferring') && c.dialect.name === 'exasol') {
        while (!c.atEnd() && !c.at(T.RPAREN) && !c.at(K.ORDER) && !c.at(K.LIMIT)) c.pos++
        return true
      }
      if (c.isWord(c.pos, 'emit')) {
        c.pos += 2
        return true
      }
      if (c.isWord(c.pos, 'queryno')) {
        c.pos += 2
        return true
      }
      return false
    default:
      return false
  }
}

/** FOR UPDATE OF t NOWAIT, FOR SHARE, FOR XML PATH('x'), FOR JSON AUTO, FOR READ ONLY, FOR BROWSE. */
function stepOverFor(c: Cursor): boolean {
  const next = c.peek(1)
  const share = c.isWord(c.pos + 1, 'share') || next === K.SHARE
  if (next === K.XML || next === K.JSON) {
    c.pos += 2
    while (c.isName(c.pos) || c.at(T.COMMA) || c.at(T.LPAREN)) {
      if (c.at(T.LPAREN)) c.stepOverParens()
      else if (c.at(T.COMMA) || isXmlWord(c)) c.pos++
      else break
    }
    return true
  }
  if (!(
    next === K.UPDATE ||
    share ||
    next === K.READ ||
    next === K.NO ||
    next === K.KEY ||
    next === K.FETCH ||
    c.isWord(c.pos + 1, 'browse')
  ))
    return false
  c.pos += 2
  for (;;) {
    if (c.at(K.OF) && c.isName(c.pos + 1)) {
      c.pos++
      do {
        c.pos++
        while (c.at(T.DOT)) c.pos += 2
      } while (c.take(T.COMMA))
    } else if (
      c.at(K.NOWAIT) ||
      c.at(K.ONLY) ||
      c.at(K.UPDATE) ||
      c.at(K.KEY) ||
      c.at(K.SHARE) ||
      c.isWord(c.pos, 'share')
    )
      c.pos++
    else if (c.at(K.SKIP) && c.peek(1) === K.LOCKED) c.pos += 2
    else if (c.isWord(c.pos, 'wait') && c.peek(1) === T.NUMBER) c.pos += 2
    else return true
  }
}

function isXmlWord(c: Cursor): boolean {
  return /^(raw|auto|path|explicit|elements|xsinil|absent|type|root|xmldata|xmlschema|binary|base64|include_null_values|without_array_wrapper)$/i.test(
    c.textAt(c.pos),
  )
}

/** WITH UR, WITH CHECK OPTION, WITH READ ONLY, WITH NO DATA, WITH NO SCHEMA BINDING, WITH DATA, WITH TIES. */
function stepOverWith(c: Cursor): boolean {
  const next = c.peek(1)
  const isolation = /^(ur|rr|rs|cs)$/i
  if (next === K.CHECK || next === K.READ) {
    c.pos += 3
    if (c.at(K.CONSTRAINT)) c.pos += 2
    return true
  }
  if (next === K.NO || next === K.DATA) {
    c.pos += 2
    while (
      c.at(K.SCHEMA) ||
      c.at(K.DATA) ||
      c.isWord(c.pos, 'binding') ||
      c.at(K.AND) ||
      c.at(K.NO) ||
      c.at(K.STATISTICS) ||
      c.isWord(c.pos, 'stats')
    )
      c.pos++
    return true
  }
  if ((next === K.LOCAL || c.isWord(c.pos + 1, 'cascaded') || next === K.CASCADE) && c.peek(2) === K.CHECK) {
    c.pos += 4
    return true
  }
  if (c.isName(c.pos + 1) && isolation.test(c.textAt(c.pos + 1))) {
    c.pos += 2
    return true
  }
  return false
}

function stepOverSample(c: Cursor): boolean {
  c.pos++
  if (c.atEnd()) c.missing('a size')
  if (c.isName(c.pos) && c.peek(1) === T.LPAREN) c.pos++
  if (c.at(T.LPAREN)) c.stepOverParens()
  else {
    if (c.at(T.NUMBER)) c.pos++
    if (c.take(T.SLASH)) c.pos++
    if (c.at(T.PERCENT) || c.at(K.PERCENT) || c.at(K.ROWS)) c.pos++
    if (c.at(K.OFFSET)) c.pos += 2
  }
  if (c.at(T.LPAREN)) c.stepOverParens()
  while ((c.at(K.REPEATABLE) || c.at(K.SEED)) && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
  }
  return true
}
