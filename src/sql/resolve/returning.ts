/** What RETURNING and OUTPUT give. */

import type { Item } from '../ir/expression.ts'
import type { TableName } from '../ir/query.ts'
import { columnOf, land } from './edges.ts'
import { valueOf } from './expression.ts'
import { NO_COLUMNS, type OutColumn, type Scope } from './model.ts'
import { newScope } from './scope.ts'
import { outColumn } from './sources.ts'
import { expandStar } from './star.ts'
import { BY_NAME, type StatementResolving, write } from './target.ts'

interface WithReturning {
  readonly returning: readonly Item[]
  readonly returningInto?: { readonly target: TableName; readonly columns: readonly string[] | undefined } | undefined
  readonly start: number
}

/** RETURNING and OUTPUT: rows of the target as they are written; INTO writes them on. */
export function returned(r: StatementResolving, statement: WithReturning, scope: Scope): readonly OutColumn[] {
  if (statement.returning.length === 0) return NO_COLUMNS
  const first = scope.relations[0]
  const inner = newScope(undefined, scope.env)
  if (first)
    for (const alias of ['inserted', 'deleted', 'new', 'old'])
      inner.relations.push({ ...first, alias, path: [], hidden: true, silent: true })
  inner.relations.unshift(...scope.relations)
  const plain = { ...inner, relations: scope.relations }
  const columns: OutColumn[] = []
  for (const item of statement.returning) {
    if (item.star) columns.push(...expandStar(r, item.star, inner))
    else {
      const value = valueOf(
        r,
        item.expression,
        item.expression.references.some((reference) => reference.parts.length > 1) ? inner : plain,
        'none',
        undefined,
      )
      columns.push({
        ...outColumn(
          item.alias ?? item.expression.name ?? item.expression.references[0]?.parts.at(-1) ?? '',
          value.sources,
        ),
        item,
      })
    }
  }
  if (statement.returningInto) {
    const target = write(r, statement.returningInto.target)
    if (target) {
      const landed = land(
        r,
        columns,
        target,
        { ...BY_NAME, names: statement.returningInto.columns, byName: false },
        statement.start,
      )
      r.effect.edges.push(...landed)
      r.effect.defined.push({ table: target, columns: landed.map(columnOf), temporary: false, replaces: false })
    }
  }
  return columns
}
