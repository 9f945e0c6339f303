/** What hangs on a relation: alias, column names, pivots, and clauses without lineage. */

import type { Join, Relation, TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { nameList } from './name-list.ts'
import { parseMatchRecognize } from './match.ts'
import { parsePivots } from './pivot.ts'
import { neverTableAlias } from './words.ts'
import { atColumnAliases, atTableAlias } from './table-alias.ts'
import { stepOverTableClauses } from './table-clauses.ts'

/** Clauses whose words might be aliases; at the end of a statement they are a clause that was broken off. */
const BEGINS: ReadonlySet<number> = new Set([
  K.LIMIT,
  K.FETCH,
  K.MINUS,
  K.TABLESAMPLE,
  K.SAMPLE,
  K.OPTION,
  K.PIVOT,
  K.UNPIVOT,
  K.RETURNING,
])

/** Dialects in which the names of a table's columns have no types. */
const BARE_ALIASES: ReadonlySet<string> = new Set(['trino', 'athena', 'spark', 'sqlite', 'mysql'])

/** A table by its name, with all that hangs on it. */
export function finishTable(c: Cursor, name: TableName, join: Join, start: number): Relation {
  return finish(c, { kind: 'table', name, join, pivots: [], start, end: c.end() })
}

/** Alias, column names, pivots, samples, time travel and hints, in whatever order the dialect has them. */
export function finish(c: Cursor, relation: Relation): Relation {
  let result = relation
  let aliased = false
  for (;;) {
    const before = c.pos
    stepOverTableClauses(c)
    if (result.kind === 'function' && c.at(K.WITH) && (c.peek(1) === K.ORDINALITY || c.peek(1) === K.OFFSET)) {
      result = { ...result, ordinality: ordinalityName(c) }
    } else if (result.kind === 'table' && c.at(K.WITH) && c.peek(1) === K.OFFSET) {
      // BigQuery: FROM t, t.items AS i WITH OFFSET AS position.
      result = { ...result, position: ordinalityName(c) }
    } else if (isPivotAhead(c)) {
      const pivots = parsePivots(c)
      result = { ...result, pivots: [...result.pivots, ...pivots], end: c.end() }
      aliased = aliased || pivots.some((pivot) => pivot.alias !== undefined)
      // An alias behind the last PIVOT names the result; the one before named what was pivoted.
    } else if (c.at(K.MATCH_RECOGNIZE) && c.peek(1) === T.LPAREN) {
      result = parseMatchRecognize(c, result)
      aliased = false
    } else if (!aliased && atTableAlias(c)) {
      c.take(K.AS)
      if (c.at(T.LPAREN)) {
        result = { ...result, columnAliases: nameList(c, c.pos), end: c.end() }
      } else {
        const alias = c.nameAt(c.pos)
        const begun = BEGINS.has(c.type) && c.types[c.pos - 1] !== K.AS
        c.pos++
        if (begun && c.atEnd()) c.missing(`what follows ${alias}`)
        const columnAliases = atColumnAliases(c) ? nameList(c, c.pos, BARE_ALIASES.has(c.dialect.name)) : undefined
        result = { ...result, alias, ...(columnAliases ? { columnAliases } : {}), end: c.end() }
      }
      aliased = true
    } else if (c.at(K.AT) && c.dialect.name === 'redshift' && c.isName(c.pos + 1) && result.kind === 'table') {
      // Redshift: FROM t.items AS i AT position.
      result = { ...result, position: c.nameAt(c.pos + 1) }
      c.pos += 2
    }
    if (c.pos === before) return result
  }
}

/** WITH ORDINALITY, WITH OFFSET [[AS] name]. */
function ordinalityName(c: Cursor): string {
  const offset = c.peek(1) === K.OFFSET
  c.pos += 2
  if (!offset) return 'ordinality'
  const explicit = c.take(K.AS)
  if (c.isName(c.pos) && (explicit || !neverTableAlias(c.type))) return c.nameAt(c.pos++)
  return 'offset'
}

function isPivotAhead(c: Cursor): boolean {
  if (!(c.at(K.PIVOT) || c.at(K.UNPIVOT))) return false
  const next = c.peek(1)
  return (
    next === T.LPAREN ||
    next === K.XML ||
    ((c.isWord(c.pos + 1, 'include') || next === K.INCLUDE || next === K.EXCLUDE) && c.peek(2) === K.NULLS)
  )
}
