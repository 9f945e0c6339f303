/** Commands that read relations and give none of their columns. */

import type { Query, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseRelations } from './relation.ts'
import { startsQuery } from './lookahead.ts'

/** DuckDB: SUMMARIZE t; SUMMARIZE SELECT …. */
export function parseSummarize(c: Cursor): Core {
  c.pos++
  return reading('summarize', startsQuery(c, c.pos) || c.at(T.LPAREN) ? c.rules.query(c) : relationQuery(c))
}

/** Materialize: SUBSCRIBE [TO] t; SUBSCRIBE (SELECT …). */
export function parseSubscribe(c: Cursor): Core {
  c.pos++
  c.take(K.TO)
  const query = c.at(T.LPAREN) ? c.rules.query(c) : relationQuery(c)
  while (!c.atEnd()) c.pos++
  return reading('subscribe', query)
}

/** A command that reads a query's tables and gives none of its columns. */
export function reading(word: string, query: Query): Core {
  const { start, end } = query
  const uses = [{ query, role: 0, valueless: true }]
  return {
    kind: 'command',
    word,
    expressions: [{ start, end, references: [], queries: uses, stars: [], windows: [], form: 'other' }],
  }
}

/** The relation at the cursor, read whole. */
function relationQuery(c: Cursor): Query {
  const start = c.start()
  const uses: Use[] = []
  const from = parseRelations(c, uses)
  return { kind: 'table', from, uses, with: [], start, end: c.end() }
}
