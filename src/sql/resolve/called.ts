/** What calls of functions that the script defines give: `f(x)` derives from what f returns, as well as from x. */

import type { Expression } from '../ir/expression.ts'
import { KIND, NO_SOURCES, type Resolving, type Sources } from './model.ts'
import { SourceSet } from './sources.ts'

/** Strings and comments, or a name in front of a parenthesis; `dot` where its owner is named. */
const CALL = /'(?:[^']|'')*'|--[^\n]*|\/\*[^]*?\*\/|(?<dot>\.\s*)?[["`]?(?<name>[A-Za-z_][\w$#]*)[\]"`]?\s*\(/g

/** Sources of the functions called in an expression, outside of its subqueries, which speak for themselves. */
export function calledSources(r: Resolving, { start, end, queries }: Expression): Sources {
  const { functionValue } = r
  if (!functionValue || end <= start) return NO_SOURCES
  let found: SourceSet | undefined
  for (const match of r.text.slice(start, end).matchAll(CALL)) {
    const { name, dot } = match.groups!
    // T-SQL: functions of one's own are named with their schema.
    if (name === undefined || (r.dialect.looseStatements && dot === undefined)) continue
    const at = start + match.index
    if (queries.some(({ query }) => query.start <= at && at < query.end)) continue
    const value = functionValue(name.toLowerCase())
    if (!value) continue
    for (const table of value.inputs) r.gathered.inputs.add(table)
    found ??= new SourceSet()
    found.addAll(value.sources, KIND.transformed)
  }
  return found?.sources() ?? NO_SOURCES
}
