/** Sets of sources: small arrays without doubles, shared wherever nothing changes. */

import { KIND, NO_SOURCES, type Kind, type OutColumn, type Source, type Sources, type TableColumn } from './model.ts'

/** Union of two sets; a column in both keeps the stronger kind. */
export function union(left: Sources, right: Sources): Sources {
  if (left.length === 0) return right
  if (right.length === 0 || left === right) return left
  const gathered = new SourceSet()
  gathered.addAll(left, KIND.identity)
  gathered.addAll(right, KIND.identity)
  return gathered.sources()
}

/** Sources raised to at least a kind. */
export function raised(sources: Sources, kind: Kind): Sources {
  if (kind === KIND.identity || sources.length === 0) return sources
  let same = true
  for (const source of sources) if (source.kind < kind) same = false
  return same ? sources : sources.map((source) => (source.kind < kind ? { column: source.column, kind } : source))
}

const SMALL = 12

/** Gathers sources; a list while it is small, a map beyond. */
export class SourceSet {
  #list: Source[] = []
  #map: Map<TableColumn, number> | undefined

  addAll(sources: Sources, least: Kind): void {
    for (const source of sources) this.add(source.column, source.kind < least ? least : source.kind)
  }

  add(column: TableColumn, kind: Kind): void {
    const at = this.#find(column)
    if (at < 0) {
      this.#map?.set(column, this.#list.length)
      this.#list.push({ column, kind })
      if (this.#list.length === SMALL) this.#map = new Map(this.#list.map((source, index) => [source.column, index]))
    } else if (this.#list[at]!.kind < kind) this.#list[at] = { column, kind }
  }

  #find(column: TableColumn): number {
    if (this.#map) return this.#map.get(column) ?? -1
    for (let i = 0; i < this.#list.length; i++) if (this.#list[i]!.column === column) return i
    return -1
  }

  sources(): Sources {
    return this.#list.length === 0 ? NO_SOURCES : this.#list
  }
}

/** Sources of all columns of a relation, for functions over whole rows. An open table has no column to name. */
export function allSources(columns: readonly OutColumn[], kind: Kind): Sources {
  const set = new SourceSet()
  for (const column of columns) set.addAll(column.sources, kind)
  return set.sources()
}

/** A named column. */
export function outColumn(name: string, sources: Sources, doubt?: OutColumn['doubt']): OutColumn {
  return { name, key: name.toLowerCase(), sources, open: undefined, item: undefined, doubt }
}

/** All columns of tables that are not known. */
export function openColumn(open: NonNullable<OutColumn['open']>): OutColumn {
  return { name: '*', key: '*', sources: NO_SOURCES, open, item: undefined, doubt: undefined }
}
