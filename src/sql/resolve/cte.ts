/**
 * CTEs, resolved when they are first read. A recursive one is resolved from its first branch, then again with itself in
 * reach until its sources stay the same.
 */

import type { AddedColumn, Cte, Query } from '../ir/query.ts'
import { KIND, NO_COLUMNS, NO_SOURCES, type CteEnv, type OutColumn, type Resolving, type Scope } from './model.ts'
import { openColumnNamed } from './open.ts'
import { outColumn, raised, union } from './sources.ts'

/** CTEs of a WITH clause in reach of what follows it. */
export function extendEnv(ctes: readonly Cte[], env: CteEnv | undefined, scope: Scope | undefined): CteEnv | undefined {
  let current = env
  for (const cte of ctes) {
    if (cte.name === '') continue
    current = {
      key: cte.name.toLowerCase(),
      cte,
      parent: current,
      outer: current,
      scope,
      columns: undefined,
      resolving: false,
    }
  }
  return current
}

/** Columns of the CTE with that name (lower case); undefined when there is none. */
export function findCte(r: Resolving, env: CteEnv | undefined, key: string): readonly OutColumn[] | undefined {
  for (let at = env; at; at = at.parent) {
    if (at.key !== key) continue
    if (at.cte.expression) continue
    if (at.columns) return at.columns
    if (at.resolving) continue
    return resolveCte(r, at)
  }
  return undefined
}

/** A ClickHouse `WITH expression AS name`: its column. */
export function findCteExpression(
  r: Resolving,
  env: CteEnv | undefined,
  key: string,
  scope: Scope,
): OutColumn | undefined {
  for (let at = env; at; at = at.parent) {
    if (at.key !== key || !at.cte.expression || at.resolving) continue
    at.resolving = true
    const sources = r.rules.expression(r, at.cte.expression, scope)
    const fields = r.rules.fields(r, at.cte.expression, scope)
    at.resolving = false
    return { ...outColumn(at.cte.name, sources), fields }
  }
  return undefined
}

/** Resolves the CTEs of a long WITH clause from the first to the last, so that a chain of them does not nest. */
export function resolveInOrder(r: Resolving, env: CteEnv | undefined, until: CteEnv | undefined): void {
  const inOrder: CteEnv[] = []
  for (let at = env; at && at !== until; at = at.parent) inOrder.unshift(at)
  for (const one of inOrder) if (!one.columns && !one.resolving && one.cte.query) resolveCte(r, one)
}

/** CTEs that nothing has read: their tables count in most profiles. */
export function resolveUnused(r: Resolving, env: CteEnv | undefined, until: CteEnv | undefined): void {
  for (let at = env; at && at !== until; at = at.parent)
    if (!at.columns && !at.resolving && at.cte.query && (r.profile !== 'openlineage' || changesData(at.cte.query)))
      resolveCte(r, at)
}

function changesData(query: Query): boolean {
  return query.kind === 'statement'
}

function resolveCte(r: Resolving, env: CteEnv): readonly OutColumn[] {
  const { cte } = env
  env.resolving = true
  let columns: readonly OutColumn[] = NO_COLUMNS
  if (cte.query) {
    const recursive = cte.recursive && cte.query.kind === 'set'
    columns = recursive
      ? resolveRecursive(r, env, cte.query)
      : named(cte, r.rules.query(r, cte.query, env.outer, env.scope))
  }
  if (cte.extraColumns.length > 0)
    columns = [...columns, ...cte.extraColumns.map((added) => addedColumn(r, added, columns))]
  env.columns = columns
  env.resolving = false
  return columns
}

/** SEARCH … BY a SET o, CYCLE a SET c USING p: made of what is compared. */
function addedColumn(r: Resolving, { name, of }: AddedColumn, columns: readonly OutColumn[]): OutColumn {
  const compared = of.map((one) => one.toLowerCase())
  const sources = compared.flatMap(
    (key) =>
      (columns.find((column) => column.key === key && !column.open) ?? openColumnNamed(r, { columns }, key, key))
        ?.sources ?? NO_SOURCES,
  )
  return outColumn(name, raised(union(NO_SOURCES, sources), KIND.transformed))
}

function resolveRecursive(r: Resolving, env: CteEnv, query: Query): readonly OutColumn[] {
  // The first branch alone names the columns and gives the first sources.
  let anchor = query
  while (anchor.kind === 'set') anchor = anchor.left
  const outer: CteEnv | undefined = query.with.length > 0 ? extendEnv(query.with, env.outer, env.scope) : env.outer
  let columns = named(env.cte, r.rules.query(r, anchor, outer, env.scope))
  // Each pass carries a source one column further, so a wide row that is shifted needs as many as it has columns.
  const passes = Math.min(Math.max(columns.length + 1, 4), 32)
  for (let pass = 0; pass < passes; pass++) {
    const self: CteEnv = { ...env, columns, resolving: false, parent: env.outer, outer: env.outer }
    const next = named(env.cte, r.rules.query(r, query, self, env.scope))
    const settled = sameSources(columns, next)
    columns = merged(columns, next)
    if (settled) break
  }
  return columns
}

function named(cte: Cte, columns: readonly OutColumn[]): readonly OutColumn[] {
  const names = cte.columns
  if (!names) return columns
  const result: OutColumn[] = []
  let index = 0
  for (const column of columns) {
    if (column.open && index < names.length) {
      for (; index < names.length; index++) result.push(outColumn(names[index]!, NO_SOURCES, 'UNKNOWN_COLUMNS'))
    } else if (index < names.length) {
      const name = names[index++]!
      result.push({ ...column, name, key: name.toLowerCase() })
    } else result.push(column)
  }
  for (; index < names.length; index++) result.push(outColumn(names[index]!, NO_SOURCES))
  return result
}

function sameSources(left: readonly OutColumn[], right: readonly OutColumn[]): boolean {
  return (
    left.length === right.length &&
    left.every((column, index) => column.sources.length === right[index]!.sources.length)
  )
}

function merged(left: readonly OutColumn[], right: readonly OutColumn[]): readonly OutColumn[] {
  const both = left.map((column, index) => {
    const other = right[index]
    return other ? { ...column, sources: union(column.sources, other.sources) } : column
  })
  // A set operation by name may have columns that its first branch lacks.
  return [...both, ...right.slice(left.length)]
}
