/**
 * The catalog: use cases over PostgreSQL, without HTTP. One instance a process; several processes may share a database.
 */
import { HeadwaterError } from '../model/errors.ts'
import { entityTypeNamed } from '../model/registry/registry.ts'
import { entityTypeOf } from '../model/urn.ts'
import type { Clock } from '../observe/clock.ts'
import type { Ids } from '../observe/ids.ts'
import type { Logger } from '../observe/logger.ts'
import type { Closable } from '../observe/resources.ts'
import type { Database } from '../store/database.ts'
import { createLogKeeper } from '../store/lineage-log.ts'
import { createMemoryGraph } from '../store/memory-graph.ts'
import { ensureIndex } from '../store/timeseries-store.ts'
import { createUrnIds } from '../store/urn-ids.ts'
import { createForms, type Forms } from './forms/forms.ts'
import { createLineageSearch, type LineageSearch } from './lineage/lineage-search.ts'
import { createUpdateLineage, type UpdateLineage } from './lineage/update-lineage.ts'
import type { Ports } from './ports.ts'
import { createProperties, type Properties } from './properties/properties.ts'
import { createRelationships, type Relationships } from './read/relationships.ts'
import { createReading, type Reading } from './read/read.ts'
import { createExporting, type Exporting } from './read/export.ts'
import { createTimeline, type Timeline } from './read/timeline.ts'
import { createRuns, type Runs } from './runs/runs.ts'
import { createSearch, type Search } from './search/search.ts'
import { createTags, type Tags } from './tags/tags.ts'
import { createTexts, type Texts } from './texts/texts.ts'
import { createTokens, type Tokens } from './tokens/tokens.ts'
import { createTimeseries, type Timeseries } from './timeseries/timeseries.ts'
import { createAccepting, type Accepting } from './write/accepted.ts'
import { commit } from './write/commit.ts'
import { createDeletion, type Deletion } from './write/delete.ts'
import { createIngest, type Ingest } from './write/ingest.ts'
import { createWriteQueue } from './write/write-queue.ts'
import type { ChangeResult, Write } from './write/write.ts'

export interface CatalogOptions {
  /** Migrated to the newest schema (src/store/migrate.ts). */
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Most lineage edges that are held in memory; see src/store/memory-graph.ts. */
  readonly graphEdges?: number | undefined
}

export interface Catalog extends Closable {
  readonly clock: Clock
  readonly read: Reading
  readonly tags: Tags
  readonly texts: Texts
  readonly forms: Forms
  readonly lineage: LineageSearch & UpdateLineage
  readonly search: Search
  readonly timeseries: Timeseries
  readonly relationships: Relationships
  readonly deletion: Deletion
  readonly properties: Properties
  readonly runs: Runs
  readonly timeline: Timeline
  readonly exporting: Exporting
  readonly tokens: Tokens
  /**
   * Carries out proposals, all or none.
   * @returns for each, whether anything was written; what is stored already is not written again
   * @throws InvalidUrnError, InvalidWriteError, PreconditionError
   */
  readonly ingest: Ingest
  /** Proposals that are carried out soon, after their acknowledgement. */
  readonly accepting: Accepting
  /** Carries out a write of one's own making, as `ingest` does. */
  write(write: Write): Promise<readonly ChangeResult[]>
  close(): Promise<void>
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { database, clock, ids, logger } = options
  const urnIds = createUrnIds(database)
  const log = createLogKeeper(database, logger)
  const commitPorts = { database, urnIds, clock, log }
  const queue = createWriteQueue((writes) => commit(commitPorts, writes), clock)
  const indexes = new Set<string>()

  async function ensureIndexes(events: Write['events'] = []): Promise<void> {
    for (const { urn, aspect } of events) {
      const index = { entityType: entityTypeNamed(entityTypeOf(urn))?.name ?? '', aspect: aspect.name }
      const key = `${index.entityType} ${index.aspect}`
      if (indexes.has(key)) continue
      await ensureIndex(database, index)
      indexes.add(key)
    }
  }

  async function write(one: Write): Promise<readonly ChangeResult[]> {
    if (one.events !== undefined) await ensureIndexes(one.events)
    const outcome = await queue.submit(one)
    if (outcome.ok) return outcome.results
    throw outcome.error instanceof HeadwaterError
      ? outcome.error
      : new Error('a write failed', { cause: outcome.error })
  }

  const ports: Ports = { database, urnIds, clock, ids, logger, write }
  const read = createReading(ports)
  const search = createSearch(ports)
  const timeseries = createTimeseries(ports)
  const deletion = createDeletion(ports)
  const accepting = createAccepting(ports, async (writes, also) => {
    for (const one of writes) await ensureIndexes(one.events)
    await commit(commitPorts, writes, also)
  })
  return {
    clock,
    read,
    search,
    timeseries,
    relationships: createRelationships(ports),
    deletion,
    properties: createProperties(ports, read),
    runs: createRuns(ports, deletion),
    timeline: createTimeline(ports),
    exporting: createExporting(ports),
    tags: createTags(ports, read),
    texts: createTexts(ports, read),
    forms: createForms(ports, read),
    tokens: createTokens(ports),
    lineage: {
      ...createLineageSearch(ports, createMemoryGraph({ database, logger, maxEdges: options.graphEdges }), search),
      ...createUpdateLineage(ports, read),
    },
    ingest: createIngest(write, deletion, accepting),
    accepting,
    write,
    async close() {
      await accepting.stop()
      await timeseries.stop()
      await log.close()
    },
  }
}
