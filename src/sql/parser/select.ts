/** SELECT: its list, then its clauses. */

import type { Expression, Item } from '../ir/expression.ts'
import type { Cte, NamedWindow, Query, Relation, Select, Use } from '../ir/query.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { isMapReduce, parseMapReduce } from './hive-script.ts'
import { parseItems, starModifiers } from './item.ts'
import { NO_CTES } from './with.ts'
import type { Draft } from './select-draft.ts'
import { parseSelectWords } from './select-words.ts'
import { parseClauses } from './select-clauses.ts'
import { parseLeadingInto } from './select-into.ts'

const NO_RELATIONS: readonly Relation[] = []
const NO_NAMES: readonly string[] = []
const NO_WINDOWS: readonly NamedWindow[] = []

/** SELECT; FROM-first hands in the relations that were read before it. */
export function parseSelect(
  c: Cursor,
  givenFrom: readonly Relation[] = NO_RELATIONS,
  uses: Use[] = [],
  begin = c.start(),
): Query {
  const script = !c.at(K.SELECT) && isMapReduce(c)
  c.pos++
  const valueTable = script ? undefined : parseSelectWords(c, uses)
  // PL/pgSQL: SELECT INTO a, b x, y FROM t.
  const leading = c.at(K.INTO) && c.inBody && !c.dialect.looseStatements ? parseLeadingInto(c) : undefined
  let items: Item[] = script ? [parseMapReduce(c)] : parseItems(c)
  if (c.at(K.EXCLUDE)) items = excludeAtEnd(c, items)
  const draft: Draft = { from: givenFrom, windows: [], into: undefined, intoTemporary: false, variables: NO_NAMES }
  if (leading) draft.variables = leading
  parseClauses(c, uses, draft)
  if (draft.hierarchical) for (const item of items) dropPseudoColumns(item.expression)
  const assigned = draft.variables.length === 0 && items.some((item) => item.variable !== undefined)
  if (assigned) draft.variables = items.map((item) => item.variable ?? '')
  const select: Select = {
    kind: 'select',
    with: measuresOf(items, draft.windows),
    items,
    from: draft.from,
    uses,
    windows: draft.windows.length > 0 ? draft.windows : NO_WINDOWS,
    into: draft.into,
    intoTemporary: draft.intoTemporary,
    valueTable,
    variables: draft.variables,
    givesRows: assigned && !c.dialect.looseStatements,
    start: begin,
    end: c.end(),
  }
  return select
}

const HIERARCHY_WORDS: ReadonlySet<string> = new Set(['level', 'connect_by_isleaf', 'connect_by_iscycle'])

function dropPseudoColumns(expression: Expression): void {
  if (!(expression instanceof Collector)) return
  const kept = expression.references.filter(
    ({ parts, quoted }) => quoted || parts.length > 1 || !HIERARCHY_WORDS.has(parts[0]!.toLowerCase()),
  )
  if (kept.length === expression.references.length) return
  expression.references = kept
  expression.form = 'other'
}

/** Redshift: SELECT * EXCLUDE a, b FROM …; the list belongs to every star before it. */
function excludeAtEnd(c: Cursor, items: Item[]): Item[] {
  const { except } = starModifiers(c, undefined, undefined)
  return items.map((item) =>
    item.star ? { ...item, star: { ...item.star, except: [...item.star.except, ...except] } } : item,
  )
}

/** Trino: what windows measure, as named expressions of the query. */
function measuresOf(items: readonly Item[], windows: readonly NamedWindow[]): readonly Cte[] {
  let measures = NO_CTES
  for (const { expression } of windows) if (expression.measures) measures = [...measures, ...expression.measures]
  for (const { expression } of items) if (expression.measures) measures = [...measures, ...expression.measures]
  return measures
}
