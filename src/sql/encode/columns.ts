import type { ColumnLineage, Upstream } from '../types.ts'

/** A column of a table as one string, the way people write it; an output of a bare query has no table. */
export function columnName(ref: { readonly table: string | null; readonly column: string }): string {
  return ref.table === null ? ref.column : `${ref.table}.${ref.column}`
}

/** One entry a downstream column: the branches of a MERGE and the statements of a script add their upstreams up. */
export function sumByDownstream(columns: readonly ColumnLineage[]): ColumnLineage[] {
  const sums = new Map<string, ColumnLineage>()
  for (const column of columns) {
    const key = `${column.downstream.table ?? ''}\u0000${column.downstream.column}`.toLowerCase()
    const before = sums.get(key)
    sums.set(key, before === undefined ? column : addUp(before, column))
  }
  return [...sums.values()]
}

function addUp(a: ColumnLineage, b: ColumnLineage): ColumnLineage {
  const { branch: _, ...rest } = a
  return {
    ...rest,
    upstreams: uniqueUpstreams([...a.upstreams, ...b.upstreams]),
    confidence: Math.min(a.confidence, b.confidence),
    reasons: [...new Set([...a.reasons, ...b.reasons])],
  }
}

const STRENGTH = { IDENTITY: 0, TRANSFORMED: 1, AGGREGATED: 2 } as const

/** Each upstream column once, with the strongest kind it has. */
export function uniqueUpstreams(upstreams: readonly Upstream[]): Upstream[] {
  const unique = new Map<string, Upstream>()
  for (const upstream of upstreams) {
    const key = `${upstream.table ?? ''}\u0000${upstream.column}`.toLowerCase()
    const before = unique.get(key)
    if (before === undefined || STRENGTH[upstream.kind] > STRENGTH[before.kind]) unique.set(key, upstream)
  }
  return [...unique.values()]
}
