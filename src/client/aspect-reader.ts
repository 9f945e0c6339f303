/**
 * Aspects of a catalog, by as few calls as it can: OpenAPI v3's batchGet, and one by one where it has none (DataHub
 * before OpenAPI v3).
 */
import pLimit from 'p-limit'
import { isJsonObject } from '../model/json.ts'
import { entityTypeOf } from '../model/urn.ts'
import { undefinedWhenAbsent, type CatalogCalls, type Waiting } from './catalog-calls.ts'
import { aspectId, type AspectKey, type StoredAspect } from './sink.ts'
import { batchGetBody, collectAspects } from './wire.ts'

const READ_BATCH = 200
const SINGLES_AT_ONCE = 8

export class AspectReader {
  readonly #calls: CatalogCalls
  /** Whether `/config` tells that conditions are checked. */
  readonly #tellsConditions: (signal: AbortSignal | undefined) => Promise<boolean>
  /** Asked once. */
  #told: Promise<boolean> | undefined
  /** False once the catalog has shown that it has no batched reads. */
  #batchedReads = true
  #checksConditions = false

  constructor(calls: CatalogCalls, tellsConditions: (signal: AbortSignal | undefined) => Promise<boolean>) {
    this.#calls = calls
    this.#tellsConditions = tellsConditions
  }

  /**
   * A catalog that tells the versions of aspects checks them, too (contract §6: both came together); ours says so in
   * `/config`, where there is no aspect yet whose version could show it.
   */
  get checksConditions(): boolean {
    return this.#checksConditions
  }

  /** One aspect's newest version. */
  async one(key: AspectKey, waiting: Waiting): Promise<StoredAspect | undefined> {
    const path = `/aspects/${encodeURIComponent(key.urn)}?aspect=${encodeURIComponent(key.aspectName)}&version=0`
    const body = await this.#calls.get(path, waiting).catch(undefinedWhenAbsent)
    if (body === undefined) return undefined
    const wrapped = isJsonObject(body) ? body['aspect'] : undefined
    const value = isJsonObject(wrapped) ? Object.values(wrapped)[0] : undefined
    if (!isJsonObject(value)) throw this.#calls.unreadable('/aspects', 'no aspect in it')
    return { value }
  }

  /** The newest versions of many, by `aspectId`. */
  async many(keys: readonly AspectKey[], waiting: Waiting): Promise<ReadonlyMap<string, StoredAspect>> {
    const found = new Map<string, StoredAspect>()
    for (const [entityType, group] of Map.groupBy(keys, (key) => entityTypeOf(key.urn))) {
      for (let start = 0; start < group.length; start += READ_BATCH) {
        const part = group.slice(start, start + READ_BATCH)
        if (this.#batchedReads) await this.#readBatch(entityType, part, found, waiting)
        if (!this.#batchedReads) await this.#readSingly(part, found, waiting)
      }
    }
    return found
  }

  async #readBatch(
    entityType: string,
    keys: readonly AspectKey[],
    found: Map<string, StoredAspect>,
    waiting: Waiting,
  ): Promise<void> {
    const path = `/openapi/v3/entity/${encodeURIComponent(entityType)}/batchGet?systemMetadata=true`
    const body = await this.#calls.post(path, batchGetBody(keys), waiting).catch(undefinedWhenAbsent)
    if (body === undefined) {
      this.#batchedReads = false
      return
    }
    if (!Array.isArray(body)) throw this.#calls.unreadable(path, 'not a list')
    for (const entity of body.filter(isJsonObject)) collectAspects(entity, found)
    if (this.#checksConditions) return
    const isTold = [...found.values()].some((aspect) => aspect.version !== undefined)
    this.#told ??= this.#tellsConditions(waiting.signal).catch(() => false)
    this.#checksConditions = isTold || (await this.#told)
  }

  async #readSingly(keys: readonly AspectKey[], found: Map<string, StoredAspect>, waiting: Waiting): Promise<void> {
    const limit = pLimit(SINGLES_AT_ONCE)
    await limit.map(keys, async (key) => {
      const aspect = await this.one(key, waiting)
      if (aspect !== undefined) found.set(aspectId(key), aspect)
    })
  }
}
