/**
 * Columns of the rows that UNNEST, explode, FLATTEN and their kin make of arrays of structs that the text builds. Either
 * the fields are columns of their own (`spread`), or one column holds the struct.
 */

import { withoutComments } from '../ir/comment.ts'
import type { Expression } from '../ir/expression.ts'
import type { FunctionRelation } from '../ir/query.ts'
import { KIND, NO_SOURCES, type OutColumn, type Resolving, type Scope, type Sources } from './model.ts'
import { rowColumn } from './generated-names.ts'
import { findReference } from './scope.ts'
import { outColumn } from './sources.ts'
import { quietly, raisedAll, structFields, structRows } from './struct-fields.ts'

/** The fields that elements of an array have; undefined where the text does not tell. */
export function elementFields(r: Resolving, array: Expression, scope: Scope): readonly OutColumn[] | undefined {
  const fields = quietly(r, () => {
    if (array.form !== 'column' || array.references.length !== 1)
      return structRows(r, array, scope) ?? structFields(r, array, scope) ?? onlyColumn(r, array, scope)?.fields
    const column = findReference(r, array.references[0]!, scope, 'none')
    return column?.byType && column.fields ? ofWhole(column.fields, column.sources) : column?.fields
  })
  // An element is not the array it comes from.
  return fields && array.fields === undefined ? raisedAll(fields, KIND.transformed) : fields
}

/** An element of a table's array derives from the array's column, and so do its fields. */
function ofWhole(fields: readonly OutColumn[], sources: Sources): readonly OutColumn[] {
  return fields.map((field) => ({ ...field, sources, fields: field.fields && ofWhole(field.fields, sources) }))
}

/** ARRAY(SELECT …), (SELECT ARRAY_AGG(…)). */
function onlyColumn(r: Resolving, { queries, references }: Expression, scope: Scope): OutColumn | undefined {
  const [use] = queries
  if (!use || queries.length > 1 || references.length > 0 || use.valueless) return undefined
  const columns = r.rules.query(r, use.query, scope.env, scope)
  return columns.length === 1 ? columns[0] : undefined
}

const ROWS: ReadonlySet<string> = new Set([
  'unnest',
  'explode',
  'explode_outer',
  'inline',
  'inline_outer',
  'table',
  'arrayjoin',
  'flatten',
])
const HOLDING: ReadonlySet<string> = new Set(['duckdb', 'clickhouse', 'snowflake'])

/** Columns of a function over arrays where fields of their elements are known; undefined where none are. */
export function elementColumns(
  r: Resolving,
  relation: FunctionRelation,
  args: readonly Sources[],
  scope: Scope,
): readonly OutColumn[] | undefined {
  if (!ROWS.has(relation.name) || relation.args.length === 0 || hasPath(r, relation)) return undefined
  const fields = relation.args.map((arg) => elementFields(r, arg, scope))
  if (!fields.some((one) => one !== undefined)) return undefined
  return spreads(r, relation, fields[0])
    ? named(relation, [
        ...fields.flatMap(
          (one, index) => one ?? [outColumn(relation.alias ?? relation.name, args[index] ?? NO_SOURCES)],
        ),
        ...counter(relation),
      ])
    : held(r, relation, fields[0], args[0] ?? NO_SOURCES)
}

/** Snowflake: the elements lie deeper in the argument. */
function hasPath(r: Resolving, { name, start, end }: FunctionRelation): boolean {
  return name === 'flatten' && /\bpath\s*=>/i.test(withoutComments(r.text.slice(start, end)))
}

function spreads(r: Resolving, { name }: FunctionRelation, fields: readonly OutColumn[] | undefined): boolean {
  const isMap = fields?.length === 2 && fields[0]!.key === 'key' && fields[1]!.key === 'value'
  return name.startsWith('inline') || isMap || !(HOLDING.has(r.dialect.name) || name.startsWith('explode'))
}

function counter({ ordinality }: FunctionRelation): OutColumn[] {
  return ordinality === undefined ? [] : [outColumn(ordinality, NO_SOURCES)]
}

/** Under the names that the alias gives; those beyond the list keep theirs. */
function named({ columnAliases, columns }: FunctionRelation, fields: readonly OutColumn[]): readonly OutColumn[] {
  const names = columnAliases ?? columns?.map(({ name }) => name)
  if (!names) return fields
  return fields.map((field, index) => {
    const name = names[index]
    return name === undefined ? field : { ...field, name, key: name.toLowerCase() }
  })
}

/** One column holds the element, the others have no part in it. */
function held(
  r: Resolving,
  relation: FunctionRelation,
  fields: readonly OutColumn[] | undefined,
  sources: Sources,
): readonly OutColumn[] {
  const { columns, columnAliases } = relation
  if (columns) {
    const at = columns.length === 1 ? 0 : columns.findIndex(({ name }) => name === 'value')
    return columns.map(({ name, from }, index) => {
      const column = outColumn(columnAliases?.[index] ?? name, from === 'none' ? NO_SOURCES : sources)
      return index === at ? { ...column, fields } : column
    })
  }
  const name = columnAliases?.[0] ?? rowColumn(r, relation.name) ?? relation.alias ?? relation.name
  const others = columnAliases?.slice(1).map((one) => outColumn(one, NO_SOURCES)) ?? counter(relation)
  return [{ ...outColumn(name, sources), fields }, ...others]
}
