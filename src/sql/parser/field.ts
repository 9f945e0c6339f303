/** `.name` behind a struct that the text builds: what went into that field alone is the value. */

import type { Reference, StructField, SubqueryUse } from '../ir/expression.ts'
import type { Query, Select } from '../ir/query.ts'
import type { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { plainSelect, queryRelation } from './plain-query.ts'
import { FORMS } from './outcome.ts'

/**
 * With the cursor on the dot: takes the field of `STRUCT(…)`, of an array of structs or of `(SELECT AS STRUCT …)` that
 * stands before. False where no such struct, or no such field, is known; nothing is read then.
 */
export function scanField(c: Cursor, x: Collector): boolean {
  const name = c.nameAt(c.pos + 1)
  if (!(x.fields ? takeField(x, x.fields, name) : takePath(c, x, name) || takeOutput(c, x, name))) return false
  x.nameToken = c.pos + 1
  c.pos += 2
  return true
}

function takeField(x: Collector, fields: readonly StructField[], name: string): boolean {
  const key = name.toLowerCase()
  const field = fields.find((one) => one.name.toLowerCase() === key)
  if (!field) return false
  const others = fields.filter((one) => one !== field)
  const dropped = new Set<Reference | SubqueryUse>(others.flatMap((one) => [...one.references, ...one.queries]))
  x.references = x.references.filter((reference) => !dropped.has(reference))
  x.queries = x.queries.filter((query) => !dropped.has(query))
  x.fields = field.fields && [...field.fields]
  x.form =
    field.form === FORMS.column && x.references.length === 1 && x.references[0]!.role === x.role
      ? FORMS.column
      : FORMS.other
  return true
}

/** `rows[0].name` is of the column's path `rows.name`. */
function takePath(c: Cursor, x: Collector, name: string): boolean {
  const at = x.element === undefined ? -1 : x.references.lastIndexOf(x.element)
  if (at < 0) return false
  const before = x.references[at]!
  x.element = { ...before, parts: [...before.parts, name], end: c.ends[c.pos + 1]! }
  x.references[at] = x.element
  return true
}

function takeOutput(c: Cursor, x: Collector, name: string): boolean {
  const use = x.queries.at(-1)
  if (x.queries.length !== 1 || x.references.length > 0 || use!.valueless || !givesStructs(use!.query)) return false
  x.queries[0] = { ...use!, query: outputOf(use!.query, name, c) }
  return true
}

function givesStructs(query: Query): boolean {
  return query.kind === 'select' && query.valueTable === 'struct'
}

/** `SELECT name FROM (query)`. */
function outputOf(query: Query, name: string, c: Cursor): Select {
  const { start, end } = query
  const at = { start: c.starts[c.pos + 1]!, end: c.ends[c.pos + 1]! }
  const reference = { parts: [name], quoted: false, role: 0, ...at }
  const expression = { references: [reference], queries: [], stars: [], windows: [], form: FORMS.column, name, ...at }
  return plainSelect([{ expression, ...at }], [queryRelation(query, start, end)], start, end)
}

/** Structs of one array, or of several branches: fields meet by position, and the first struct names them. */
export function mergedFields(
  left: readonly StructField[],
  right: readonly StructField[] | undefined,
): StructField[] | undefined {
  if (left.length !== right?.length) return undefined
  return left.map((field, index) => {
    const { references, queries } = right[index]!
    return {
      name: field.name,
      references: [...field.references, ...references],
      queries: [...field.queries, ...queries],
      form: FORMS.other,
    }
  })
}
