import DataLoader from 'dataloader'
import type { Catalog } from '../../catalog/catalog.ts'
import type { AspectRef, StoredAspect } from '../../catalog/write/write.ts'
import type { JsonObject } from '../../model/json.ts'
import { aspectNamed } from '../../model/registry/registry.ts'
import type { Urn } from '../../model/urn.ts'
import type { Caller } from '../caller.ts'

/** What resolvers work with; one a request. */
export interface GraphqlContext {
  readonly catalog: Catalog
  readonly caller: Caller
  /** The caller's user. */
  readonly actor: Urn
  /** The value of an aspect; undefined where the entity has none. */
  aspect(urn: Urn, name: string): Promise<JsonObject | undefined>
  stored(urn: Urn, name: string): Promise<StoredAspect | undefined>
  exists(urn: Urn): Promise<boolean>
  /** Forgets what was read; a mutation calls it before its answer is resolved. */
  refresh(): void
}

/** Most keys of one statement. */
const MAX_BATCH = 5000

/** Reads that any number of requests share: all that is asked for in the same turn goes in one statement. */
export interface SharedReads {
  aspect(ref: AspectRef): Promise<StoredAspect | undefined>
  exists(urn: Urn): Promise<boolean>
}

/** @returns reads without memory: each request remembers its own, so that none sees another's past */
export function sharedReads(catalog: Catalog): SharedReads {
  const options = {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: (run: () => void) => void setImmediate(run),
  }
  const aspects = new DataLoader<AspectRef, StoredAspect | undefined>((refs) => catalog.read.aspects(refs), options)
  const entities = new DataLoader<Urn, boolean>(async (urns) => {
    const records = await catalog.read.entities(urns, [])
    return urns.map((urn) => records.has(urn))
  }, options)
  return { aspect: (ref) => aspects.load(ref), exists: (urn) => entities.load(urn) }
}

export function graphqlContext(catalog: Catalog, reads: SharedReads, caller: Caller): GraphqlContext {
  const aspects = new Map<string, Promise<StoredAspect | undefined>>()
  const entities = new Map<Urn, Promise<boolean>>()
  const stored = (urn: Urn, name: string) => {
    // Key aspects are no rows; they exist as long as their entity does.
    if (aspectNamed(name)?.kind === 'key') return catalog.read.aspect(urn, name)
    return remembered(aspects, `${urn} ${name}`, () => reads.aspect({ urn, name }))
  }
  return {
    catalog,
    caller,
    actor: caller.actor,
    stored,
    aspect: async (urn, name) => (await stored(urn, name))?.value,
    exists: (urn) => remembered(entities, urn, () => reads.exists(urn)),
    refresh() {
      aspects.clear()
      entities.clear()
    },
  }
}

function remembered<K, V>(memory: Map<K, Promise<V>>, key: K, read: () => Promise<V>): Promise<V> {
  const known = memory.get(key)
  if (known !== undefined) return known
  const promise = read()
  memory.set(key, promise)
  return promise
}
