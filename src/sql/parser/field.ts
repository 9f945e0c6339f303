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
  const taken = x.fields || x.elements ? takeMember(x, name, c.ends[c.pos + 1]!) : takeOutput(c, x, name)
  if (!taken) return false
  x.nameToken = c.pos + 1
  c.pos += 2
  return true
}

/** The field of that name of the struct before. `end`: where the name ends. */
export function takeMember(x: Collector, name: string, end: number): boolean {
  const { fields } = x
  const field = fields && fieldNamed(fields, name)
  if (fields && !field) return false
  extend(x, (before) =>
    before.path ? { ...before, path: [...before.path, name] } : { ...before, parts: [...before.parts, name], end },
  )
  if (field) takeField(x, fields, field)
  return true
}

/** The same in a document, or a map: of a column it is no field, but its key may be one that the text has put there. */
export function takeKey(x: Collector, key: string): void {
  const { fields } = x
  const field = fields && fieldNamed(fields, key)
  extend(x, (before) => ({ ...before, path: [...(before.path ?? []), key] }))
  if (field) takeField(x, fields, field)
  else {
    x.fields = undefined
    x.form = FORMS.other
  }
}

/** What lies in the value before is a document's: a name behind it is a key, and no part of the column's name. */
export function asDocument(x: Collector): void {
  extend(x, (before) => ({ ...before, path: before.path ?? [] }))
}

/** Whether the value before may have keys: a column, or a struct that the text builds. */
export function mayHaveKeys(x: Collector): boolean {
  return x.fields !== undefined || x.elements !== undefined || (x.form === FORMS.column && x.references.length > 0)
}

/** The columns that the value is an element of, each with more behind it. */
function extend(x: Collector, longer: (before: Reference) => Reference): void {
  const elements = x.form === FORMS.column && x.references.length > 0 ? x.references.slice(-1) : x.elements
  if (!elements) return
  x.elements = elements.map((before) => {
    const at = x.references.lastIndexOf(before)
    const after = longer(before)
    if (at >= 0) x.references[at] = after
    return after
  })
}

function fieldNamed(fields: readonly StructField[], name: string): StructField | undefined {
  const key = name.toLowerCase()
  const field = fields.find((one) => one.name.toLowerCase() === key && !one.star)
  return field ?? (PLACE.test(name) && !fields.some((one) => one.star) ? fields[Number(name) - 1] : undefined)
}

const PLACE = /^\d{1,3}$/

function takeField(x: Collector, fields: readonly StructField[], field: StructField): void {
  const others = fields.filter((one) => one !== field)
  const dropped = new Set<Reference | SubqueryUse>(others.flatMap((one) => [...one.references, ...one.queries]))
  for (const one of [...field.references, ...field.queries]) dropped.delete(one)
  x.references = x.references.filter((reference) => !dropped.has(reference))
  x.queries = x.queries.filter((query) => !dropped.has(query))
  x.fields = field.fields && [...field.fields]
  const isColumn = field.form === FORMS.column && field.references.length === 1
  x.elements = isColumn ? [...(x.elements ?? []), ...field.references] : x.elements
  x.form =
    isColumn && x.references.length === 1 && x.references[0]!.role === x.role && x.references[0] === field.references[0]
      ? FORMS.column
      : FORMS.other
}

function takeOutput(c: Cursor, x: Collector, name: string): boolean {
  const use = x.queries.at(-1)
  if (x.queries.length !== 1 || x.references.length > 0 || use!.valueless) return false
  const query = outputOf(use!.query, name, c)
  if (query) x.queries[0] = { ...use!, query }
  return query !== undefined
}

/** `SELECT name FROM (query)`, where the query's rows are structs, or structs are its only column. */
function outputOf(query: Query, name: string, c: Cursor): Select | undefined {
  if (query.kind !== 'select') return undefined
  const { start, end, items } = query
  const isStruct = query.valueTable === 'struct'
  if (!isStruct && (items.length !== 1 || items[0]!.star || query.valueTable)) return undefined
  const at = { start: c.starts[c.pos + 1]!, end: c.ends[c.pos + 1]! }
  const reference = { parts: isStruct ? [name] : [ROW, name], quoted: false, role: 0, ...at }
  const expression = { references: [reference], queries: [], stars: [], windows: [], form: FORMS.column, name, ...at }
  const relation = queryRelation(query, start, end)
  return plainSelect([{ expression, ...at }], [isStruct ? relation : { ...relation, columnAliases: [ROW] }], start, end)
}

/** What the only column of a subquery is called while a field of it is looked up. */
const ROW = '(row)'

/** Structs of one array, or of several branches: fields meet by position, and the first struct names them. */
export function mergedFields(
  left: readonly StructField[],
  right: readonly StructField[] | undefined,
): StructField[] | undefined {
  if (left.length !== right?.length || [...left, ...right].some((field) => field.star)) return undefined
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
