/**
 * Functions in a SELECT list that give the fields of a struct, or of a map's entries, as columns: DuckDB's unnest of a
 * struct, inline of Spark and Hive, and explode of a map whose type is known.
 */

import type { Item } from '../ir/expression.ts'
import { elementFields } from './element-columns.ts'
import { codeOf } from './generated-names.ts'
import { KIND, NO_SOURCES, type OutColumn, type Resolving, type Scope } from './model.ts'
import { findReference } from './scope.ts'
import { outColumn } from './sources.ts'
import { quietly, raisedAll, structFields } from './struct-fields.ts'

const CALL = /^(unnest|inline|inline_outer|explode|explode_outer|posexplode|posexplode_outer)\s*\(/i

/** The columns that such an item gives; undefined for all others. */
export function spreadItem(r: Resolving, item: Item, scope: Scope): readonly OutColumn[] | undefined {
  const { expression, alias } = item
  if (expression.form !== 'other' || !(expression.fields || expression.elements)) return undefined
  if (r.dialect.name === 'clickhouse') return untupled(r, item, scope)
  if (alias !== undefined) return undefined
  const name = CALL.exec(codeOf(r, item))?.[1]?.toLowerCase()
  if (name === undefined) return undefined
  const fields = name === 'unnest' ? unnested(r, item, scope) : exploded(r, item, name, scope)
  return fields?.map((field, index) => {
    const own = item.aliases?.[index]
    return own === undefined ? { ...field, item } : { ...field, name: own, key: own.toLowerCase(), item }
  })
}

const DEEPER = /\b(recursive|max_depth)\s*(?::=|=>|=)\s*(true|\d+)/i

/** DuckDB: a struct gives its fields, a list does with `recursive := true` or `max_depth := 2`. */
function unnested(r: Resolving, item: Item, scope: Scope): readonly OutColumn[] | undefined {
  if (r.dialect.name !== 'duckdb') return undefined
  const { expression } = item
  const text = codeOf(r, item)
  const [, option, depth] = DEEPER.exec(text) ?? []
  const isStruct = /^unnest\s*\(\s*(?:\{|struct_pack\b)/i.test(text)
  const [element] = expression.elements ?? []
  const column = element && quietly(r, () => findReference(r, element, scope, r.lateral))
  if (!isStruct && option === undefined && column?.byType !== 'struct') return undefined
  const fields = structFields(r, expression, scope)
  return fields && option?.toLowerCase() === 'recursive' && depth?.toLowerCase() === 'true' ? flattened(fields) : fields
}

function flattened(fields: readonly OutColumn[]): readonly OutColumn[] {
  return fields.flatMap((field) => (field.fields ? flattened(field.fields) : [field]))
}

const UNTUPLE = /^untuple\s*\(([^]*)\)$/i

/** ClickHouse: untuple(t) gives a column for each element, called tupleElement(t, 'a'), or u.a where u is its alias. */
function untupled(r: Resolving, item: Item, scope: Scope): readonly OutColumn[] | undefined {
  const { expression, alias } = item
  const [, argument] = UNTUPLE.exec(codeOf(r, item)) ?? []
  const fields = argument === undefined ? undefined : structFields(r, expression, scope)
  return fields?.map((field) => {
    const name = alias === undefined ? `tupleElement(${argument}, '${field.name}')` : `${alias}.${field.name}`
    return { ...field, name, key: name.toLowerCase(), item }
  })
}

/** Rows of structs, or entries of a map. */
function exploded(r: Resolving, { expression }: Item, name: string, scope: Scope): readonly OutColumn[] | undefined {
  const isInline = name.startsWith('inline')
  const [element] = expression.elements ?? []
  const column = element && quietly(r, () => findReference(r, element, scope, r.lateral))
  if (!isInline && column?.byType !== 'map') return undefined
  const copied = column && element.path === undefined && expression.elements!.length === 1 && !expression.fields
  const fields = copied
    ? elementFields(r, { ...expression, references: [element], form: 'column' }, scope)
    : structFields(r, expression, scope)
  if (!fields) return undefined
  const raisedFields = raisedAll(fields, KIND.transformed)
  return name.startsWith('pos') ? [outColumn('pos', NO_SOURCES), ...raisedFields] : raisedFields
}
