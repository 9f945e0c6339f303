/** Fields of structs that the text itself builds, so that a later `s.x` comes from what went into x alone. */

import { type Expression, type Reference, ROLE, type StructField } from '../ir/expression.ts'
import { KIND, type Kind, type OutColumn, type Resolving, type Scope } from './model.ts'
import { findReference } from './scope.ts'
import { outColumn, raised, union } from './sources.ts'

/**
 * Fields of STRUCT(a AS x), ARRAY_AGG(STRUCT(…)), and of the columns that COALESCE(s, t) or `rows[0]` may be; else
 * undefined. `hasFields`: a column that it refers to may have fields.
 */
export function structFields(
  r: Resolving,
  expression: Expression,
  scope: Scope,
  hasFields = true,
): readonly OutColumn[] | undefined {
  const { elements } = expression
  if (elements && !hasFields) return undefined
  const built = expression.fields && builtFields(r, expression, expression.fields, scope)
  return elements ? elementFields(r, expression, elements, built, scope) : built
}

function builtFields(
  r: Resolving,
  expression: Expression,
  parts: readonly StructField[],
  scope: Scope,
): readonly OutColumn[] {
  const deciding = decidingReferences(expression)
  return parts.flatMap((part) => {
    const { name, references, queries, form, fields, star } = part
    if (star) return r.rules.star(r, star, scope)
    const copied = form === 'column' && references.length === 1 && references[0]!.role === 0 && deciding.length === 0
    const own = {
      ...expression,
      references: [...references, ...deciding],
      queries,
      stars: [],
      form: copied && expression.windows.length === 0 ? 'column' : 'other',
      fields,
      elements: form === 'column' ? references : undefined,
    } as const
    const column = outColumn(name, r.rules.expression(r, own, scope))
    const inner = structFields(r, own, scope)
    return inner ? [{ ...column, fields: inner }] : [column]
  })
}

/** What chooses the struct, and so each of its fields: conditions, and the order of a window. */
function decidingReferences({ references, fields, elements }: Expression): readonly Reference[] {
  const deciding = references.filter((reference) => (reference.role & (ROLE.CONDITIONAL | ROLE.WINDOW)) !== 0)
  if (deciding.length === 0) return deciding
  const own = new Set([...(fields?.flatMap((field) => field.references) ?? []), ...(elements ?? [])])
  return deciding.filter((reference) => !own.has(reference))
}

/** Fields that the columns have which the value may be; they meet by position. Undefined where one has none. */
function elementFields(
  r: Resolving,
  expression: Expression,
  elements: readonly Reference[],
  built: readonly OutColumn[] | undefined,
  scope: Scope,
): readonly OutColumn[] | undefined {
  let fields = built
  for (const element of elements) {
    const column = quietly(r, () => findReference(r, element, scope, r.lateral))
    if (!column) return undefined
    const own = fieldsAlong(column, element.path)
    if (own) {
      const kind = (element.role & ROLE.AGGREGATED) !== 0 ? KIND.aggregated : KIND.transformed
      const raisedFields = raisedAll(own, kind)
      fields = fields ? unitedFields(fields, raisedFields) : raisedFields
      if (!fields) return undefined
    } else if (column.sources.length > 0) return undefined
  }
  const deciding = decidingReferences(expression)
  if (!fields || deciding.length === 0) return fields
  const others = {
    ...expression,
    references: deciding,
    queries: [],
    stars: [],
    form: 'other',
    fields: undefined,
  } as const
  const sources = r.rules.expression(r, others, scope)
  return fields.map((field) => ({ ...field, sources: union(field.sources, sources) }))
}

/** Asks without leaving a doubt behind. */
export function quietly<T>(r: Resolving, ask: () => T): T {
  const before = r.gathered.doubts.length
  const answer = ask()
  r.gathered.doubts.length = before
  return answer
}

/** The fields of what lies at the keys of a document that the text builds. */
function fieldsAlong(column: OutColumn, path: readonly string[] | undefined): readonly OutColumn[] | undefined {
  return (path ? keyedColumn(column, path) : column)?.fields
}

/** What lies at the keys of a document, as far as the text tells: the part of it, or the column. */
export function keyedColumn(column: OutColumn, path: readonly string[]): OutColumn {
  let at = column
  for (const key of path) {
    const field = at.fields?.find((one) => !one.open && one.key === key.toLowerCase())
    if (!field) return at
    at = field
  }
  return at
}

/** Fields as a computed value has them. */
export function raisedAll(fields: readonly OutColumn[], kind: Kind): readonly OutColumn[] {
  return fields.map((field) => ({
    ...field,
    sources: raised(field.sources, kind),
    open: field.open?.map((one) => ({ ...one, kind: one.kind < kind ? kind : one.kind })),
  }))
}

/** Fields of structs meet by position; where the numbers differ, none are known. */
export function unitedFields(
  left: readonly OutColumn[],
  right: readonly OutColumn[],
): readonly OutColumn[] | undefined {
  if (right.length !== left.length || [...left, ...right].some((field) => field.open)) return undefined
  return left.map((field, index) => {
    const other = right[index]!
    const inner = field.fields && other.fields && unitedFields(field.fields, other.fields)
    return { ...field, sources: union(field.sources, other.sources), fields: inner }
  })
}

/** BigQuery: ARRAY(SELECT AS STRUCT a, b …) and (SELECT AS STRUCT …): the columns of the one query there is. */
export function structRows(r: Resolving, expression: Expression, scope: Scope): readonly OutColumn[] | undefined {
  const [use] = expression.queries
  if (!use || expression.queries.length > 1 || expression.references.length > 0 || use.valueless) return undefined
  if (use.query.kind !== 'select' || use.query.valueTable !== 'struct') return undefined
  return r.rules.query(r, use.query, scope.env, scope)
}
