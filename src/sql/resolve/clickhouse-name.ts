/** ClickHouse: what an output is called that is written with dots, and what a star calls columns of one name. */

import type { OutColumn, Scope, ScopeRelation } from './model.ts'

/** `t.x` is x, or t.x where another table before has an x too; `column.field` keeps both names. */
export function clickhouseName(parts: readonly string[], scope: Scope): string {
  const first = parts[0]!.toLowerCase()
  const owner = scope.relations.find((relation) => relation.alias === first || relation.path.at(-1) === first)
  if (owner) {
    const name = parts.slice(1).join('.')
    return isTaken(owner, name.toLowerCase(), scope.relations) ? parts.join('.') : name
  }
  const named = scope.relations.find((relation) => startsWith(parts, relation.path))
  return parts.slice(named?.path.length ?? 0).join('.')
}

function startsWith(parts: readonly string[], path: readonly string[]): boolean {
  return path.length > 0 && parts.length > path.length && path.every((part, i) => part === parts[i]!.toLowerCase())
}

/** Columns of a star over some relations of a scope: of several with one name all but the first are qualified. */
export function clickhouseColumns(relations: readonly ScopeRelation[], scope: Scope): OutColumn[] {
  return relations.flatMap((relation) =>
    relation.columns.map((column) => {
      if (column.open || relation.alias === '' || !isTaken(relation, column.key, scope.relations)) return column
      const name = `${relation.alias}.${column.name}`
      return { ...column, name, key: name.toLowerCase() }
    }),
  )
}

/** Another relation has a column of that name: one before, or any where more than two are joined. */
function isTaken(owner: ScopeRelation, key: string, relations: readonly ScopeRelation[]): boolean {
  const shown = relations.filter((relation) => !relation.hidden)
  const others = shown.length > 2 ? shown : shown.slice(0, Math.max(shown.indexOf(owner), 0))
  return others.some((other) => other !== owner && other.columns.some((column) => column.key === key && !column.open))
}
