/**
 * Everything in the catalog as proposals: a backup, a way out, and the move to another PostgreSQL. Entities come in the
 * order of their URNs, definitions of structured properties before what uses them; each is a run of lines of its own:
 *
 *   key aspect ─► earlier versions of aspects, oldest first ─► newest versions ─► timeseries events ─► position
 *
 * The same content gives the same proposals in the same order, whatever database holds it.
 */
import type { JsonObject } from '../../model/json.ts'
import type { Proposal } from '../../model/proposal.ts'
import { entityTypeNamed } from '../../model/registry/registry.ts'
import { asUrn, entityTypeOf, type Urn } from '../../model/urn.ts'
import { readAllAspects, readEntities } from '../../store/aspect-store.ts'
import {
  entitiesBetween,
  eventPage,
  historyPage,
  withEvents,
  withHistory,
  type EntityName,
} from '../../store/export-store.ts'
import { listIndexes, type IndexName } from '../../store/timeseries-store.ts'
import type { Ports } from '../ports.ts'
import { storedKey, storedOf } from '../write/snapshot.ts'
import type { StoredAspect } from '../write/write.ts'

export interface ExportBatch {
  readonly proposals: readonly Proposal[]
  /** The entity that ends here: an export that is broken off goes on after it. Undefined within an entity. */
  readonly position: Urn | undefined
}

export interface Exporting {
  /**
   * @param after the position from which to go on; from the beginning when absent
   * @param history earlier versions too, each on the condition that it is the next one
   */
  all(options?: { readonly after?: string | undefined; readonly history?: boolean }): AsyncGenerator<ExportBatch>
}

/** Entities read together, and proposals given together. */
const ENTITIES = 200
const PROPOSALS = 500
/** URNs in three stretches: definitions go first, then what sorts before them, then what sorts after. */
const FIRST = ''
const DEFINITIONS = { after: 'urn:li:structuredProperty:', before: 'urn:li:structuredProperty;' } as const
const LAST = '\u{10ffff}'

export function createExporting({ database }: Ports): Exporting {
  async function* history({ urnId, urn }: EntityName): AsyncGenerator<Proposal> {
    for (let after = { name: '', version: 0 }; ;) {
      const rows = await historyPage(database, urnId, after, PROPOSALS)
      for (const row of rows) {
        // Written before, it is not written again: the condition keeps an import that is repeated from doubling it.
        const condition = row.version === 1 ? '-1' : String(row.version - 1)
        yield { ...proposalOf(urn, row.name, storedOf(row)), headers: { 'If-Version-Match': condition } }
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < PROPOSALS) return
      after = last
    }
  }

  async function* events(index: IndexName, { urnId, urn }: EntityName): AsyncGenerator<Proposal> {
    for (let after = { timestampMs: Number.MIN_SAFE_INTEGER, key: '' }; ;) {
      const rows = await eventPage(database, index, urnId, after, PROPOSALS)
      for (const row of rows) {
        yield proposal(urn, index.aspect, JSON.parse(row.body) as JsonObject, metadataOf(row.systemMetadata))
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < PROPOSALS) return
      after = last
    }
  }

  /** All that hangs on the entities of a page, an entity at a time. */
  async function* contents(
    page: readonly EntityName[],
    withVersions: boolean,
  ): AsyncGenerator<Iterable<Proposal> | AsyncIterable<Proposal>> {
    const ids = page.map((one) => one.urnId)
    const [rows, aspects, indexes] = await Promise.all([
      readEntities(database, ids),
      readAllAspects(database, ids),
      listIndexes(database),
    ])
    const entityById = new Map(rows.map((row) => [row.urnId, row]))
    const aspectsById = Map.groupBy(aspects, (row) => row.urnId)
    const versioned = withVersions ? await withHistory(database, ids) : new Set<number>()
    const eventful = new Map<IndexName, ReadonlySet<number>>()
    for (const index of indexes) eventful.set(index, await withEvents(database, index, ids))
    for (const one of page) {
      const entity = entityById.get(one.urnId)
      if (entity === undefined) continue
      const urn = asUrn(one.urn)
      yield [proposalOf(urn, keyAspectOf(urn), storedKey(urn, entity))]
      if (versioned.has(one.urnId)) yield history(one)
      const newest = (aspectsById.get(one.urnId) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))
      yield newest.map((row) => proposalOf(urn, row.name, storedOf(row)))
      for (const [index, holders] of eventful) if (holders.has(one.urnId)) yield events(index, one)
    }
  }

  async function* entities(after: string, before: string, withVersions: boolean): AsyncGenerator<ExportBatch> {
    let batch: Proposal[] = []
    for (let last = after; ;) {
      const page = await entitiesBetween(database, { after: last, before, limit: ENTITIES })
      for await (const proposals of contents(page, withVersions)) {
        for await (const one of proposals) {
          batch.push(one)
          if (batch.length < PROPOSALS) continue
          yield { proposals: batch, position: undefined }
          batch = []
        }
      }
      const end = page.at(-1)
      if (end === undefined) return
      last = end.urn
      yield { proposals: batch, position: asUrn(end.urn) }
      batch = []
    }
  }

  return {
    async *all({ after = '', history: withVersions = true } = {}) {
      const inDefinitions = after.startsWith(DEFINITIONS.after)
      const inRest = after !== FIRST && !inDefinitions
      if (!inRest) yield* entities(inDefinitions ? after : DEFINITIONS.after, DEFINITIONS.before, withVersions)
      if (!inRest || after < DEFINITIONS.after) {
        yield* entities(inRest ? after : FIRST, DEFINITIONS.after, withVersions)
      }
      yield* entities(inRest && after > DEFINITIONS.before ? after : DEFINITIONS.before, LAST, withVersions)
    },
  }
}

function keyAspectOf(urn: Urn): string {
  return entityTypeNamed(entityTypeOf(urn))?.keyAspect ?? 'key'
}

function proposalOf(urn: string, aspectName: string, { value, systemMetadata }: StoredAspect): Proposal {
  return proposal(urn, aspectName, value, Object.keys(systemMetadata).length === 0 ? undefined : systemMetadata)
}

function proposal(
  urn: string,
  aspectName: string,
  aspect: JsonObject,
  systemMetadata: Proposal['systemMetadata'],
): Proposal {
  const entityUrn = asUrn(urn)
  return {
    entityType: entityTypeOf(entityUrn),
    entityUrn,
    changeType: 'UPSERT',
    aspectName,
    aspect,
    ...(systemMetadata === undefined ? {} : { systemMetadata }),
  }
}

function metadataOf(text: string | null): Proposal['systemMetadata'] {
  return text === null ? undefined : (JSON.parse(text) as NonNullable<Proposal['systemMetadata']>)
}
