/** Everything in the catalog as proposals: a backup, a way out, and the move to a newer PostgreSQL. */
import type { Proposal } from '../../model/proposal.ts'
import { entityTypeNamed } from '../../model/registry/registry.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'
import { readAllAspects, readEntities } from '../../store/aspect-store.ts'
import { listIndexes, readRange } from '../../store/timeseries-store.ts'
import type { Ports } from '../ports.ts'
import { storedKey, storedOf } from '../write/snapshot.ts'

export interface ExportBatch {
  readonly proposals: readonly Proposal[]
  /** Where an export that is broken off goes on: pass it as `after`. Undefined while timeseries are read. */
  readonly position: number | undefined
}

export interface Exporting {
  /**
   * Newest versions of all aspects, definitions of structured properties before what uses them, then all events. Each
   * batch holds whole entities, so that importing it again changes nothing.
   */
  all(after?: number): AsyncGenerator<ExportBatch>
}

const BATCH = 500

export function createExporting({ database, urnIds }: Ports): Exporting {
  async function* entities(after: number, properties: boolean): AsyncGenerator<ExportBatch> {
    for (let last = after; ;) {
      const page = await database.rows<{ id: number; urn: Urn }>(
        `select u.id, u.urn from catalog.entity e join catalog.urn u on u.id = e.urn_id
         where e.urn_id > $1 and (e.entity_type = 'structuredProperty') = $2 order by e.urn_id limit $3`,
        [last, properties, BATCH],
      )
      if (page.length === 0) return
      const ids = page.map((row) => row.id)
      const [rows, aspects] = await Promise.all([readEntities(database, ids), readAllAspects(database, ids)])
      const entityById = new Map(rows.map((row) => [row.urnId, row]))
      const aspectsById = Map.groupBy(aspects, (row) => row.urnId)
      const proposals = page.flatMap(({ id, urn }) => {
        const entity = entityById.get(id)
        if (entity === undefined) return []
        const key = entityTypeNamed(entityTypeOf(urn))?.keyAspect ?? 'key'
        const own = (aspectsById.get(id) ?? []).map((row) => ({ name: row.name, stored: storedOf(row) }))
        return [{ name: key, stored: storedKey(urn, entity) }, ...own].map(({ name, stored }) => ({
          entityType: entityTypeOf(urn),
          entityUrn: urn,
          changeType: 'UPSERT' as const,
          aspectName: name,
          aspect: stored.value,
          systemMetadata: stored.systemMetadata,
        }))
      })
      last = page.at(-1)?.id ?? last
      yield { proposals, position: properties ? 0 : last }
    }
  }

  async function* events(): AsyncGenerator<ExportBatch> {
    for (const index of await listIndexes(database)) {
      for await (const rows of readRange(
        database,
        index,
        { fromMs: Number.MIN_SAFE_INTEGER, beforeMs: Number.MAX_SAFE_INTEGER },
        BATCH,
      )) {
        const names = await urnIds.names(rows.map((row) => row.urnId))
        const proposals = rows.flatMap((row): Proposal[] => {
          const entityUrn = names.get(row.urnId)
          if (entityUrn === undefined) return []
          const metadata = row.systemMetadata === null ? {} : { systemMetadata: JSON.parse(row.systemMetadata) }
          const aspect = JSON.parse(row.body)
          return [
            {
              entityType: index.entityType,
              entityUrn,
              changeType: 'UPSERT',
              aspectName: index.aspect,
              aspect,
              ...metadata,
            },
          ]
        })
        yield { proposals, position: undefined }
      }
    }
  }

  return {
    async *all(after = 0) {
      if (after === 0) yield* entities(0, true)
      yield* entities(after, false)
      yield* events()
    },
  }
}
