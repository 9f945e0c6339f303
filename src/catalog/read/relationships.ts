/** Relationships of an entity in both directions: those of the registry, and lineage edges under their names. */
import type { Urn } from '../../model/urn.ts'
import { relationshipOfKind } from '../lineage/edges.ts'
import type { Ports } from '../ports.ts'

export interface RelationshipQuery {
  readonly urn: Urn
  /** Names of relationships; all when empty. */
  readonly types: readonly string[]
  /** Outgoing: this entity's aspect names the other one. */
  readonly direction: 'incoming' | 'outgoing'
}

export interface RelatedEntity {
  readonly urn: Urn
  readonly type: string
}

export interface Relationships {
  of(
    query: RelationshipQuery,
    range: { readonly start: number; readonly count: number },
  ): Promise<{ readonly total: number; readonly relationships: readonly RelatedEntity[] }>
}

export function createRelationships({ database, urnIds }: Ports): Relationships {
  return {
    async of({ urn, types, direction }, range) {
      const id = (await urnIds.find([urn])).get(urn)
      if (id === undefined) return { total: 0, relationships: [] }
      const [near, far] = direction === 'outgoing' ? ['source_id', 'dest_id'] : ['dest_id', 'source_id']
      const plain = await database.rows<{ id: number; type: string }>(
        `select distinct ${far} as id, type from catalog.relationship where ${near} = $1`,
        [id],
      )
      // The owner of an edge is the entity whose aspect declares it; the other end is what it points to.
      const [own, other] =
        direction === 'outgoing'
          ? ['owner_id', 'case when up_id = owner_id then down_id else up_id end']
          : ['case when up_id = owner_id then down_id else up_id end', 'owner_id']
      const edges = await database.rows<{ id: number; kind: number }>(
        `select distinct ${other} as id, kind from catalog.lineage_edge
         where (up_id = $1 or down_id = $1) and kind < 100 and ${own} = $1`,
        [id],
      )
      const all = [...plain, ...edges.map((edge) => ({ id: edge.id, type: relationshipOfKind(edge.kind) }))]
        .filter((one) => types.length === 0 || types.includes(one.type))
        .toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : a.id - b.id))
      const page = all.slice(range.start, range.start + range.count)
      const names = await urnIds.names(page.map((one) => one.id))
      return {
        total: all.length,
        relationships: page.flatMap((one) => {
          const name = names.get(one.id)
          return name === undefined ? [] : [{ urn: name, type: one.type }]
        }),
      }
    },
  }
}
