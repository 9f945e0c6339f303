/** What stands between SELECT and its list. */

import type { Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseDistinctOn } from './group-by.ts'
import { stepOverNormalize } from './teradata.ts'

/** DISTINCT [ON (…)], TOP n, AS STRUCT and all else between SELECT and its list. */
export function parseSelectWords(c: Cursor, uses: Use[]): 'struct' | 'value' | undefined {
  let valueTable: 'struct' | 'value' | undefined
  for (;;) {
    const next = c.peek(1)
    switch (c.type) {
      case K.WITH:
        // BigQuery: SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (…).
        if (!c.isName(c.pos + 1)) return valueTable
        c.pos += 2
        if (c.take(K.OPTIONS) && c.at(T.LPAREN)) c.stepOverParens()
        break
      case K.ALL:
      case K.DISTINCTROW:
      case K.UNIQUE:
        if (next === T.COMMA || next === T.DOT || next === K.FROM || next === T.LPAREN) return valueTable
        c.pos++
        break
      case K.DISTINCT:
        c.pos++
        if (c.at(K.ON) && c.peek(1) === T.LPAREN) {
          c.pos++
          parseDistinctOn(c, uses)
        }
        break
      case K.TOP:
        if (!(next === T.NUMBER || next === T.LPAREN || next === T.PARAM || next === T.COLON || next === T.QUESTION))
          return valueTable
        c.pos++
        if (c.at(T.LPAREN)) c.stepOverParens()
        else {
          if (c.at(T.COLON)) c.pos++
          c.pos++
        }
        c.take(K.PERCENT)
        c.take2(K.WITH, K.TIES)
        break
      case K.AS:
        if (next !== K.STRUCT && next !== K.VALUE) return valueTable
        valueTable = next === K.STRUCT ? 'struct' : 'value'
        c.pos += 2
        break
      case K.FIRST:
      case K.SKIP:
      case K.LIMIT:
        if (next !== T.NUMBER) return valueTable
        c.pos += 2
        break
      case K.STRAIGHT_JOIN:
      case K.STREAM:
        if (next === T.COMMA || next === T.DOT || next === K.FROM) return valueTable
        c.pos++
        break
      case T.LBRACKET:
        // Impala: SELECT [STRAIGHT_JOIN] a.
        if (c.peek(1) !== K.STRAIGHT_JOIN) return valueTable
        c.stepOverParens()
        break
      case T.WORD:
        if (c.dialect.name === 'teradata' && stepOverNormalize(c)) break
        if (!isSelectWord(c) || next === T.COMMA || next === T.DOT || next === K.FROM) return valueTable
        c.pos++
        break
      default:
        return valueTable
    }
  }
}

function isSelectWord(c: Cursor): boolean {
  const code = c.text.charCodeAt(c.start()) | 32
  if (code !== 115 && code !== 104) return false
  return (
    c.isWord(c.pos, 'sql_calc_found_rows') ||
    c.isWord(c.pos, 'sql_no_cache') ||
    c.isWord(c.pos, 'sql_cache') ||
    c.isWord(c.pos, 'sql_small_result') ||
    c.isWord(c.pos, 'sql_big_result') ||
    c.isWord(c.pos, 'sql_buffer_result') ||
    c.isWord(c.pos, 'high_priority')
  )
}
