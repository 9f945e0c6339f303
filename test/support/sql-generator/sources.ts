import type { EdgeKind, IndirectKind } from '../../../src/sql/types.ts'

/** Where a value comes from: `table.column` and how it reaches the value. */
export type Sources = ReadonlyMap<string, EdgeKind>

export interface OutputColumn {
  readonly name: string
  readonly sources: Sources
  /** How it is written where that is not its name: the path of a struct's field. */
  readonly sql?: string
}

/** Columns that shape the rows or the choice of a value, as `FILTER table.column`. */
export type Uses = Set<string>

export function note(uses: Uses, kind: IndirectKind, ...parts: readonly { readonly sources: Sources }[]): void {
  for (const { sources } of parts) for (const source of sources.keys()) uses.add(`${kind} ${source}`)
}

const RANK: Readonly<Record<EdgeKind, number>> = { IDENTITY: 0, TRANSFORMED: 1, AGGREGATED: 2 }

export const NO_SOURCES: Sources = new Map()

/** Every source of the parts; the stronger kind wins. */
export function union(...parts: readonly Sources[]): Sources {
  const all = new Map<string, EdgeKind>()
  for (const part of parts) for (const [source, kind] of part) all.set(source, stronger(all.get(source), kind))
  return all
}

/** The sources of a value that was put through something. */
export function through(kind: EdgeKind, ...parts: readonly Sources[]): Sources {
  return new Map([...union(...parts)].map(([source, before]) => [source, stronger(before, kind)]))
}

function stronger(a: EdgeKind | undefined, b: EdgeKind): EdgeKind {
  return a !== undefined && RANK[a] > RANK[b] ? a : b
}
