/** Fields of structs that the text itself builds, so that a later `s.x` comes from what went into x alone. */

import { type Expression, type Reference, ROLE } from '../ir/expression.ts'
import { KIND, type OutColumn, type Resolving, type Scope } from './model.ts'
import { outColumn, raised } from './sources.ts'

const ROW_TAKING = /^(?:array_agg|any_value)\s*\(/i

/** Fields of STRUCT(a AS x), ARRAY_AGG(STRUCT(…)) and, where a row is meant, of t and ARRAY_AGG(t); else undefined. */
export function structFields(r: Resolving, expression: Expression, scope: Scope): readonly OutColumn[] | undefined {
  if (expression.fields) {
    const deciding = decidingReferences(expression)
    return expression.fields.map(({ name, references, queries, form, fields }) => {
      const copied = form === 'column' && references.length === 1 && references[0]!.role === 0 && deciding.length === 0
      const part = {
        ...expression,
        references: [...references, ...deciding],
        queries,
        stars: [],
        windows: [],
        form: copied ? 'column' : 'other',
        fields,
      } as const
      const column = outColumn(name, r.rules.expression(r, part, scope))
      return fields ? { ...column, fields: structFields(r, part, scope) } : column
    })
  }
  return r.dialect.name === 'bigquery' || r.dialect.name === 'duckdb' ? rowFields(r, expression, scope) : undefined
}

/** What chooses the struct, and so each of its fields: conditions, and the order of a window. */
function decidingReferences({ references, fields }: Expression): readonly Reference[] {
  const deciding = references.filter((reference) => (reference.role & (ROLE.CONDITIONAL | ROLE.WINDOW)) !== 0)
  if (deciding.length === 0) return deciding
  const own = new Set(fields!.flatMap((field) => field.references))
  return deciding.filter((reference) => !own.has(reference))
}

function rowFields(r: Resolving, expression: Expression, scope: Scope): readonly OutColumn[] | undefined {
  const parts = expression.references[0]?.parts
  const isRow = expression.form === 'column'
  if (parts?.length !== 1) return undefined
  if (!isRow && !ROW_TAKING.test(r.text.slice(expression.start, expression.start + 14))) return undefined
  const key = parts[0]!.toLowerCase()
  const relation = scope.relations.find((one) => one.alias === key && !one.any)
  if (!relation || relation.columns.some((column) => column.key === key)) return undefined
  if (isRow) return relation.columns
  return relation.columns.map((column) => ({
    ...column,
    sources: raised(column.sources, KIND.aggregated),
    open: column.open?.map((one) => ({ ...one, kind: KIND.aggregated })),
  }))
}

/** BigQuery: ARRAY(SELECT AS STRUCT a, b …) and (SELECT AS STRUCT …): the columns of the one query there is. */
export function structRows(r: Resolving, expression: Expression, scope: Scope): readonly OutColumn[] | undefined {
  const [use] = expression.queries
  if (!use || expression.queries.length > 1 || expression.references.length > 0 || use.valueless) return undefined
  if (use.query.kind !== 'select' || use.query.valueTable !== 'struct') return undefined
  return r.rules.query(r, use.query, scope.env, scope)
}
