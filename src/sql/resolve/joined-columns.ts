/** USING and NATURAL: columns of both sides that become one. */
import { INDIRECT_KINDS, NO_SOURCES, type Resolving, type Scope, type ScopeRelation } from './model.ts'
import type { Join } from '../ir/query.ts'
import { knownColumn } from './known-column.ts'
import { openColumnNamed } from './open.ts'
import { outColumn, union } from './sources.ts'

/** USING and NATURAL make columns of both sides one. */
export function mergeJoined(r: Resolving, scope: Scope, join: Join, from: number): void {
  const right = scope.relations.slice(from)
  const names = join.using ?? (join.natural ? commonNames(scope.relations.slice(0, from), right) : undefined)
  if (!names) return
  scope.merged ??= new Map()
  for (const name of names) {
    const key = name.toLowerCase()
    const owners = scope.merged.get(key) ?? scope.relations.slice(0, from).filter((relation) => mayOwn(relation, key))
    scope.merged.set(key, [...owners, ...right.filter((relation) => mayOwn(relation, key) && !relation.hidden)])
    for (const relation of [...owners, ...right]) noteJoin(r, relation, name, key)
  }
  // MySQL reads a right join from the right: its columns come first.
  if (join.kind === 'right' && (r.dialect.name === 'mysql' || r.dialect.name === 'mariadb'))
    scope.relations = [...right, ...scope.relations.slice(0, from)]
  if (join.alias !== undefined) pushJoinAlias(r, scope, join.alias, names)
}

/** The columns of USING under the join's own alias; a star does not give them a second time. */
function pushJoinAlias(r: Resolving, scope: Scope, alias: string, names: readonly string[]): void {
  const columns = names.map((name) => {
    const owners = scope.merged?.get(name.toLowerCase()) ?? []
    const sources = owners.flatMap(
      (owner) =>
        (
          knownColumn(r, owner, name, name.toLowerCase(), undefined) ??
          openColumnNamed(r, owner, name, name.toLowerCase())
        )?.sources ?? NO_SOURCES,
    )
    return outColumn(name, union(NO_SOURCES, sources))
  })
  const key = alias.toLowerCase()
  scope.relations.push({ alias: key, path: [], columns, any: undefined, hidden: true, silent: true, index: undefined })
}

const JOIN_BIT = 1 << INDIRECT_KINDS.indexOf('JOIN')

/** A column of USING joins, on either side. */
function noteJoin(r: Resolving, relation: ScopeRelation, name: string, key: string): void {
  const column = knownColumn(r, relation, name, key, undefined) ?? openColumnNamed(r, relation, name, key)
  const { indirect } = r.gathered
  for (const source of column?.sources ?? []) indirect.set(source.column, (indirect.get(source.column) ?? 0) | JOIN_BIT)
}

function mayOwn(relation: ScopeRelation, key: string): boolean {
  return relation.columns.some(
    (column) => column.key === key || (column.open !== undefined && !column.open.every((one) => one.except?.has(key))),
  )
}

function commonNames(left: readonly ScopeRelation[], right: readonly ScopeRelation[]): string[] {
  const known = new Set(left.flatMap((relation) => relation.columns.map((column) => column.key)))
  return right.flatMap((relation) =>
    relation.columns.filter((column) => !column.open && known.has(column.key)).map((column) => column.name),
  )
}
