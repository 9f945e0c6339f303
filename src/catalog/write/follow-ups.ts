/** What follows from changed aspects: search fields, relationships, lineage edges, soft deletion. Pure. */
import type { Urn } from '../../model/urn.ts'
import { linksOf, type Edge, type Relationship } from '../lineage/edges.ts'
import { fieldsOfAspect, type Fields } from '../search/fields.ts'
import type { DraftAspect } from './draft.ts'

export interface FollowUps {
  /** Every URN that the changes below name, besides the changed entities themselves. */
  readonly urns: readonly Urn[]
  readonly edges: Difference<Edge & { readonly owner: Urn }>
  readonly relationships: Difference<Relationship & { readonly source: Urn; readonly aspect: string }>
  readonly fields: ReadonlyMap<Urn, { readonly dropped: readonly string[]; readonly set: Fields }>
  /** Entities whose status was written, with what it says. */
  readonly removed: ReadonlyMap<Urn, boolean>
}

interface Difference<T> {
  readonly added: readonly T[]
  readonly removed: readonly T[]
}

export function followUps(changed: readonly Pick<DraftAspect, 'urn' | 'aspect' | 'before' | 'versions'>[]): FollowUps {
  const edges = { added: [] as (Edge & { owner: Urn })[], removed: [] as (Edge & { owner: Urn })[] }
  const relationships = {
    added: [] as (Relationship & { source: Urn; aspect: string })[],
    removed: [] as (Relationship & { source: Urn; aspect: string })[],
  }
  const fields = new Map<Urn, { dropped: readonly string[]; set: Fields }>()
  const removed = new Map<Urn, boolean>()
  for (const { urn, aspect, before, versions } of changed) {
    const after = versions.at(-1)?.value
    const linksBefore = linksOf(urn, aspect, before?.value)
    const linksAfter = linksOf(urn, aspect, after)
    const edge = difference(linksBefore.edges, linksAfter.edges, (e) => `${e.kind} ${e.up} ${e.down}`)
    edges.added.push(...edge.added.map((e) => ({ ...e, owner: urn })))
    edges.removed.push(...edge.removed.map((e) => ({ ...e, owner: urn })))
    const link = difference(linksBefore.relationships, linksAfter.relationships, (r) => `${r.type} ${r.dest}`)
    relationships.added.push(...link.added.map((r) => ({ ...r, source: urn, aspect: aspect.name })))
    relationships.removed.push(...link.removed.map((r) => ({ ...r, source: urn, aspect: aspect.name })))
    mergeFields(
      fields,
      urn,
      before && fieldsOfAspect(aspect.name, before.value),
      after && fieldsOfAspect(aspect.name, after),
    )
    if (aspect.name === 'status') removed.set(urn, after?.removed === true)
  }
  const urns = new Set<Urn>()
  for (const e of [...edges.added, ...edges.removed]) urns.add(e.up).add(e.down).add(e.owner)
  for (const r of [...relationships.added, ...relationships.removed]) urns.add(r.source).add(r.dest)
  return { urns: [...urns], edges, relationships, fields, removed }
}

function mergeFields(
  all: Map<Urn, { dropped: readonly string[]; set: Fields }>,
  urn: Urn,
  before: Fields = {},
  after: Fields = {},
): void {
  const known = all.get(urn) ?? { dropped: [], set: {} }
  const dropped = Object.keys(before).filter((name) => !(name in after))
  all.set(urn, { dropped: [...known.dropped, ...dropped], set: { ...known.set, ...after } })
}

function difference<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): Difference<T> {
  const old = new Map(before.map((item) => [keyOf(item), item]))
  const now = new Map(after.map((item) => [keyOf(item), item]))
  return {
    added: [...now].filter(([key]) => !old.has(key)).map(([, item]) => item),
    removed: [...old].filter(([key]) => !now.has(key)).map(([, item]) => item),
  }
}
