import DataLoader from 'dataloader'
import type { Catalog } from '../../catalog/catalog.ts'
import type { EntityRecord } from '../../catalog/read/read.ts'
import type { StoredAspect } from '../../catalog/write/write.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Urn } from '../../model/urn.ts'

/** What resolvers work with; one a request. All that is asked for in the same turn is read with one statement. */
export interface GraphqlContext {
  readonly catalog: Catalog
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

export function graphqlContext(catalog: Catalog, actor: Urn): GraphqlContext {
  const aspects = new DataLoader<{ readonly urn: Urn; readonly name: string }, StoredAspect | undefined, string>(
    async (keys) => {
      const records = await readTogether(catalog, keys)
      return keys.map((key) => records.get(key.urn)?.aspects.get(key.name))
    },
    { cacheKeyFn: (key) => `${key.urn} ${key.name}`, maxBatchSize: MAX_BATCH },
  )
  const entities = new DataLoader<Urn, EntityRecord | undefined>(
    async (urns) => {
      const records = await catalog.read.entities(urns, [])
      return urns.map((urn) => records.get(urn))
    },
    { maxBatchSize: MAX_BATCH },
  )
  return {
    catalog,
    actor,
    stored: (urn, name) => aspects.load({ urn, name }),
    aspect: async (urn, name) => (await aspects.load({ urn, name }))?.value,
    exists: async (urn) => (await entities.load(urn)) !== undefined,
    refresh() {
      aspects.clearAll()
      entities.clearAll()
    },
  }
}

function readTogether(catalog: Catalog, keys: readonly { readonly urn: Urn; readonly name: string }[]) {
  return catalog.read.entities([...new Set(keys.map((key) => key.urn))], [...new Set(keys.map((key) => key.name))])
}
