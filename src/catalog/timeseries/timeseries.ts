/** Timeseries aspects: reading events, sizes, truncation (interface §4.3, contract §4.3, §7). */
import { isJsonObject, numberAt, textOf, type JsonObject } from '../../model/json.ts'
import type { SystemMetadata } from '../../model/proposal.ts'
import { aspectNamed, carries, entityTypeNamed } from '../../model/registry/registry.ts'
import { unknownAspect, unknownEntityType } from '../../model/registry/unknown.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'
import {
  countOlder,
  deleteEventsOf,
  indexSizes,
  listIndexes,
  readEvents,
  readRange,
  tableOf,
  type IndexName,
  type IndexSize,
  type PlatformRows,
  type StoredEvent,
} from '../../store/timeseries-store.ts'
import { BadRequestError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { Filter } from '../search/filters.ts'
import { createTruncation, type Truncation } from './truncation.ts'

export type { PlatformRows } from '../../store/timeseries-store.ts'

export interface EventQuery {
  readonly urn: Urn
  /** Exactly the aspect's name. */
  readonly aspect: string
  /** Bounds in milliseconds, both included. */
  readonly fromMs?: number
  readonly toMs?: number
  readonly limit: number
  readonly oldestFirst?: boolean
  /** Fields of the event that must have these values. */
  readonly filter?: Filter
}

export interface Event {
  readonly value: JsonObject
  readonly systemMetadata: SystemMetadata | undefined
}

/** One event of an index, whatever its entity. */
export interface StreamedEvent {
  readonly urn: Urn
  readonly aspectName: string
  readonly aspect: JsonObject
  readonly systemMetadata?: SystemMetadata
}

export interface Timeseries extends Truncation {
  /** Events of one entity, newest first unless `oldestFirst`. */
  events(query: EventQuery): Promise<readonly Event[]>
  /** Rows strictly older than the cut-off, and all rows; of those that are meant. */
  count(
    index: IndexName,
    cutoffMs: number,
    rows?: PlatformRows,
  ): Promise<{ readonly older: number; readonly total: number }>
  /** The index of an entity type and aspect, however their names are cased. @throws BadRequestError */
  indexNamed(entityType: string, aspect: string): IndexName
  /** All indexes with their true sizes, largest first. */
  sizes(): Promise<readonly IndexSize[]>
  /** All events between two times (the later left out), oldest first, in batches. */
  stream(
    index: IndexName,
    range: { readonly fromMs: number; readonly beforeMs: number } & PlatformRows,
  ): AsyncGenerator<readonly StreamedEvent[]>
  /** Deletes the latest event of one entity, with any others of its time; gives how many went. */
  deleteLatest(urn: Urn, aspect: string): Promise<number>
  /** Deletes events of one entity between two times (both included); gives how many went. */
  deleteEvents(urn: Urn, aspect: string, range: { readonly fromMs?: number; readonly toMs?: number }): Promise<number>
}

/** Most events read for one answer before its filter is applied. */
const MAX_SCANNED = 100_000

export function createTimeseries(ports: Ports): Timeseries {
  const { database, urnIds } = ports

  // A table that was made stays: a rebuild puts the new one in its place.
  const seen = new Set<string>()
  async function known(index: IndexName): Promise<boolean> {
    const table = tableOf(index)
    if (seen.has(table)) return true
    const [row] = await database.rows<{ found: string | null }>('select to_regclass($1) as found', [table])
    if (row === undefined || row.found === null) return false
    seen.add(table)
    return true
  }

  const timeseries: Timeseries = {
    ...createTruncation(ports, known),

    async events(query) {
      const index = { entityType: entityTypeNamed(entityTypeOf(query.urn))?.name ?? '', aspect: query.aspect }
      const urnId = (await urnIds.find([query.urn])).get(query.urn)
      if (urnId === undefined || !(await known(index))) return []
      const filter = query.filter ?? []
      const rows = await readEvents(database, index, {
        urnId,
        fromMs: query.fromMs ?? 0,
        toMs: query.toMs ?? Number.MAX_SAFE_INTEGER,
        limit: filter.length === 0 ? query.limit : MAX_SCANNED,
        oldestFirst: query.oldestFirst ?? false,
      })
      return rows
        .map(eventOf)
        .filter((event) => passes(event.value, filter))
        .slice(0, query.limit)
    },

    async count(index, cutoffMs, rows) {
      return (await known(index)) ? countOlder(database, index, cutoffMs, rows) : { older: 0, total: 0 }
    },

    indexNamed(entityType, aspect) {
      const type = entityTypeNamed(entityType)
      if (type === undefined) throw new BadRequestError(unknownEntityType(entityType))
      const found = aspectNamed(aspect, { anyCase: true })
      if (found === undefined || found.kind !== 'timeseries' || !carries(type, found.name)) {
        throw new BadRequestError(unknownAspect(type, aspect, 'timeseries'))
      }
      return { entityType: type.name, aspect: found.name }
    },

    async sizes() {
      const sizes = await indexSizes(database)
      return sizes.toSorted((a, b) => b.bytes - a.bytes)
    },

    async *stream(index, range) {
      if (!(await known(index))) return
      for await (const rows of readRange(database, index, range)) {
        const names = await urnIds.names(rows.map((row) => row.urnId))
        yield rows.flatMap((row) => {
          const urn = names.get(row.urnId)
          const { value, systemMetadata } = eventOf(row)
          if (urn === undefined) return []
          return [
            {
              urn,
              aspectName: index.aspect,
              aspect: value,
              ...(systemMetadata === undefined ? {} : { systemMetadata }),
            },
          ]
        })
      }
    },

    async deleteLatest(urn, aspect) {
      const [latest] = await timeseries.events({ urn, aspect, limit: 1 })
      const at = numberAt(latest?.value, 'timestampMillis')
      return at === undefined ? 0 : timeseries.deleteEvents(urn, aspect, { fromMs: at, toMs: at })
    },

    async deleteEvents(urn, aspect, range) {
      const entityType = entityTypeNamed(entityTypeOf(urn))?.name ?? ''
      const urnId = (await urnIds.find([urn])).get(urn)
      if (urnId === undefined) return 0
      let deleted = 0
      for (const index of await listIndexes(database)) {
        if (index.entityType !== entityType || index.aspect !== aspect) continue
        deleted += await deleteEventsOf(database, index, {
          urnId,
          fromMs: range.fromMs ?? 0,
          toMs: range.toMs ?? Number.MAX_SAFE_INTEGER,
        })
      }
      return deleted
    },
  }
  return timeseries
}

function eventOf(row: StoredEvent): Event {
  const value: unknown = JSON.parse(row.body)
  const metadata: unknown = row.systemMetadata === null ? undefined : JSON.parse(row.systemMetadata)
  return { value: isJsonObject(value) ? value : {}, systemMetadata: isJsonObject(metadata) ? metadata : undefined }
}

function passes(event: JsonObject, filter: Filter): boolean {
  if (filter.length === 0) return true
  return filter.some((criteria) =>
    criteria.every((criterion) => {
      const found = criterion.values.includes(textOf(event[criterion.field]))
      return criterion.negated ? !found : found
    }),
  )
}
