/** Relationships of an entity in both directions: those of the registry, and lineage edges under their names. */
import type { Urn } from '../../model/urn.ts'
import { BadRequestError } from '../errors.ts'
import { COLUMN_KIND, relationshipOfKind } from '../lineage/edges.ts'
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

export interface RelationshipScroll {
  /** Names of relationships; all when empty. */
  readonly types: readonly string[]
  /** Only from these entities, only to these; any when absent. */
  readonly sources: readonly Urn[] | undefined
  readonly destinations: readonly Urn[] | undefined
}

export interface Relationship {
  readonly type: string
  readonly source: Urn
  readonly destination: Urn
}

export interface Relationships {
  /** Relationships of many entities, page by page. */
  scroll(
    query: RelationshipScroll,
    range: { readonly after: string | undefined; readonly count: number },
  ): Promise<{ readonly relationships: readonly Relationship[]; readonly next: string | undefined }>
  of(
    query: RelationshipQuery,
    range: { readonly start: number; readonly count: number },
  ): Promise<{ readonly total: number; readonly relationships: readonly RelatedEntity[] }>
}

export function createRelationships({ database, urnIds }: Ports): Relationships {
  return {
    async scroll({ types, sources, destinations }, range) {
      const offset = range.after === undefined ? 0 : Number(range.after)
      if (!Number.isSafeInteger(offset) || offset < 0) throw new BadRequestError('not a scroll id')
      const ids = async (urns: readonly Urn[] | undefined) =>
        urns === undefined ? null : [...(await urnIds.find(urns)).values()]
      const rows = await database.rows<{ source: number; type: string; destination: number }>(
        `select source, type, destination from (
           select source_id as source, type, dest_id as destination from catalog.relationship
           union
           select owner_id, (array['DownstreamOf','DownstreamOf','Consumes','Produces','DerivedFrom','Contains'])[kind],
             case when up_id = owner_id then down_id else up_id end
           from catalog.lineage_edge where kind < ${COLUMN_KIND}) as r
         where (cardinality($1::text[]) = 0 or type = any($1)) and ($2::int[] is null or source = any($2))
           and ($3::int[] is null or destination = any($3))
         order by source, type, destination offset $4 limit $5`,
        [types, await ids(sources), await ids(destinations), offset, range.count + 1],
      )
      const page = rows.slice(0, range.count)
      const names = await urnIds.names(page.flatMap((row) => [row.source, row.destination]))
      return {
        next: rows.length > range.count ? String(offset + range.count) : undefined,
        relationships: page.flatMap((row) => {
          const [source, destination] = [names.get(row.source), names.get(row.destination)]
          return source === undefined || destination === undefined ? [] : [{ type: row.type, source, destination }]
        }),
      }
    },

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
