/**
 * A DataHub-compatible catalog, over HTTP: ours or a real one. One method per call of the contract that we make; each
 * retries by the client's policy (all of them are idempotent), is bounded in time and size, and throws the classes of
 * `errors.ts`.
 */
import pLimit from 'p-limit'
import { isJsonObject, objectsAt, stringsAt, textAt, type JsonObject } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import { asUrn, entityTypeOf, type Urn } from '../model/urn.ts'
import { AspectReader } from './aspect-reader.ts'
import { CatalogCalls, undefinedWhenAbsent } from './catalog-calls.ts'
import { PATIENT, type OnWait, type RetryPolicy } from './retry.ts'
import { aspectId, type AspectKey, type Sink, type SinkLimits, type StoredAspect } from './sink.ts'
import { TimeseriesCalls } from './timeseries-calls.ts'
import {
  batchBody,
  collectAspects,
  decodeEntity,
  decodeLineagePage,
  decodeScrollPage,
  type LineagePage,
} from './wire.ts'
import { Transport, type CatalogConnection } from './transport.ts'

export type { CatalogConnection } from './transport.ts'

/** What `/config` says of a catalog, as far as we ask (contract §1.1). */
export interface CatalogConfig {
  /** As told, for example `v1.1.0`; undefined where it is not told. */
  readonly version: string | undefined
  readonly patchCapable: boolean
  /** What our own catalog can do besides (docs/contract.md); empty for any other. */
  readonly abilities: ReadonlySet<string>
}

/** A question to `searchLineage`. */
export interface LineageQuery {
  readonly urn: Urn
  readonly direction: 'UPSTREAM' | 'DOWNSTREAM'
  /** Hop distances wanted; all when absent. */
  readonly degrees?: readonly ('1' | '2' | '3+')[]
  readonly start?: number
  readonly count?: number
}

const SINGLES_AT_ONCE = 8

const SEARCH_ACROSS_LINEAGE = `query search($input: SearchAcrossLineageInput!) {
  searchAcrossLineage(input: $input) { total searchResults { degree entity { urn type } } }
}`

const SCROLL_PAGE = 1000

const SCROLL_ACROSS_ENTITIES = `query scroll($input: ScrollAcrossEntitiesInput!) {
  scrollAcrossEntities(input: $input) { nextScrollId searchResults { entity { urn } } }
}`

export interface CatalogClientOptions {
  /** A job's patience when absent. */
  readonly retry?: RetryPolicy
  readonly limits?: SinkLimits
  readonly onWait?: OnWait
}

export class CatalogClient implements Sink {
  readonly #options: CatalogClientOptions
  readonly #transport: Transport
  readonly #calls: CatalogCalls
  readonly #aspects: AspectReader
  /** Timeseries: sizes, rows, truncation. */
  readonly timeseries: TimeseriesCalls
  /** What an emitter that writes here keeps to. */
  readonly limits: SinkLimits

  constructor(connection: CatalogConnection | Transport, options: CatalogClientOptions = {}) {
    this.#options = options
    this.#transport = connection instanceof Transport ? connection : new Transport(connection)
    this.#calls = new CatalogCalls(this.#transport, options.retry ?? PATIENT, options.onWait)
    const tellsConditions = async (signal: AbortSignal | undefined): Promise<boolean> =>
      (await this.config(signal)).abilities.has('conditions')
    this.#aspects = new AspectReader(this.#calls, tellsConditions)
    this.timeseries = new TimeseriesCalls(this.#calls)
    this.limits = options.limits ?? {}
  }

  /** The same catalog over the same connections, for one who wants to know what its calls wait for; needs no closing. */
  telling(onWait: OnWait): CatalogClient {
    return new CatalogClient(this.#transport, { ...this.#options, onWait })
  }

  /** Whether conditions of writes are known to be checked. */
  get checksConditions(): boolean {
    return this.#aspects.checksConditions
  }

  /** The base URL, fit for messages. */
  get address(): string {
    return this.#transport.address('')
  }

  /** Ends its connections, also of those made by `telling`. */
  async close(): Promise<void> {
    await this.#transport.close()
  }

  /** `GET /config`. @throws NotACatalogError where it is the frontend or something else */
  async config(signal?: AbortSignal): Promise<CatalogConfig> {
    const body = await this.#calls.get('/config', { signal })
    if (!isJsonObject(body) || body['noCode'] !== 'true') {
      throw this.#calls.unreadable('/config', 'noCode is not "true"')
    }
    const versions = isJsonObject(body['versions']) ? body['versions'] : {}
    const version = textAt(versions['acryldata/datahub'], 'version')
    const abilities = new Set(stringsAt(body, 'headwater', 'abilities'))
    return { version, patchCapable: body['patchCapable'] === true, abilities }
  }

  /** Resolves when `GET /health` answers with success. */
  async health(signal?: AbortSignal): Promise<void> {
    await this.#calls.send({ method: 'GET', path: '/health' }, { signal })
  }

  /**
   * `POST /aspects?action=ingestProposalBatch`, synchronous: one bad member fails the whole call (contract §4.2).
   * Not retried here: the emitter decides what a failure of a batch means.
   */
  async write(proposals: readonly Proposal[], signal?: AbortSignal): Promise<void> {
    const upserts = proposals.filter((proposal) => proposal.changeType !== 'DELETE')
    if (upserts.length > 0) {
      const path = '/aspects?action=ingestProposalBatch'
      const { text } = await this.#transport.send({ method: 'POST', path, body: batchBody(upserts), signal })
      // A login page says 200, too: nothing was written then.
      if (!isJsonObject(this.#calls.parse(path, text))) throw this.#calls.unreadable(path, 'not a JSON object')
    }
    const removals = proposals.filter((proposal) => proposal.changeType === 'DELETE')
    if (removals.length > 0) await pLimit(SINGLES_AT_ONCE).map(removals, (removal) => this.#remove(removal, signal))
  }

  /** Proposals delete key aspects only (contract §4.1); any other aspect goes by OpenAPI (§5.2). */
  async #remove({ entityType, entityUrn, aspectName }: Proposal, signal: AbortSignal | undefined): Promise<void> {
    const path = `/openapi/v3/entity/${encodeURIComponent(entityType)}/${encodeURIComponent(entityUrn)}/${encodeURIComponent(aspectName)}`
    await this.#transport.send({ method: 'DELETE', path, signal })
  }

  /** One aspect's newest version. */
  getAspect(key: AspectKey, signal?: AbortSignal): Promise<StoredAspect | undefined> {
    return this.#aspects.one(key, { signal })
  }

  /** Many aspects in as few calls as possible. */
  read(
    keys: readonly AspectKey[],
    signal?: AbortSignal,
    onRetry?: (failure: unknown) => void,
  ): Promise<ReadonlyMap<string, StoredAspect>> {
    return this.#aspects.many(keys, { signal, onRetry })
  }

  /** Aspects whose newest version a run wrote (contract §4.4, `runs?action=describe`). */
  async aspectsOfRun(
    runId: string,
    { start, count }: { readonly start: number; readonly count: number },
    signal?: AbortSignal,
  ): Promise<readonly AspectKey[]> {
    const asked = { runId, start, count, includeSoft: true, includeAspect: false }
    const body = await this.#calls.post('/runs?action=describe', asked, { signal })
    return objectsAt(body, 'value').flatMap((row) => {
      const urn = textAt(row, 'urn')
      const aspectName = textAt(row, 'aspectName')
      return urn === undefined || aspectName === undefined ? [] : [{ urn: asUrn(urn), aspectName }]
    })
  }

  /** An older version, counted from 1, with what is told of its write; undefined where the catalog has not kept it. */
  async olderVersion(
    { urn, aspectName }: AspectKey,
    version: number,
    signal?: AbortSignal,
  ): Promise<StoredAspect | undefined> {
    const entity = `/openapi/v3/entity/${encodeURIComponent(entityTypeOf(urn))}/${encodeURIComponent(urn)}`
    const path = `${entity}/${encodeURIComponent(aspectName)}?version=${version}&systemMetadata=true`
    const body = await this.#calls.get(path, { signal }).catch(undefinedWhenAbsent)
    const found = new Map<string, StoredAspect>()
    if (body !== undefined) collectAspects({ urn, [aspectName]: body }, found)
    return found.get(aspectId({ urn, aspectName }))
  }

  /** Runs a document. @throws GraphqlError where the answer holds errors */
  graphql(query: string, variables: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    return this.#calls.graphql(query, variables, signal)
  }

  /** What an entity is derived from, or what depends on it, over any number of hops (contract §9.2). */
  async searchLineage(query: LineageQuery, signal?: AbortSignal): Promise<LineagePage> {
    const filter = { field: 'degree', condition: 'EQUAL', negated: false, values: query.degrees ?? [] }
    const input: JsonObject = {
      query: '*',
      urn: query.urn,
      start: query.start ?? 0,
      count: query.count ?? 1000,
      direction: query.direction,
      orFilters: query.degrees === undefined ? [] : [{ and: [filter] }],
    }
    const data = await this.graphql(SEARCH_ACROSS_LINEAGE, { input }, signal)
    return decodeLineagePage(data['searchAcrossLineage'] ?? null)
  }

  /** URNs of all datasets of some platforms, page by page, in the order of the catalog's scroll (contract §9.5). */
  async *scrollDatasets(platforms: readonly string[], signal?: AbortSignal): AsyncGenerator<readonly Urn[]> {
    const values = platforms.map((platform) => `urn:li:dataPlatform:${platform}`)
    const orFilters = [{ and: [{ field: 'platform', condition: 'EQUAL', values }] }]
    let scrollId: string | null = null
    do {
      const input: JsonObject = { types: ['DATASET'], query: '*', count: SCROLL_PAGE, scrollId, orFilters }
      const data = await this.graphql(SCROLL_ACROSS_ENTITIES, { input }, signal)
      const { urns, next } = decodeScrollPage(data['scrollAcrossEntities'] ?? null)
      yield urns
      scrollId = next
    } while (scrollId !== null)
  }

  /**
   * Everything in the catalog as MCPs, one a line, with lines `{"position": …}` after which it can go on; only where the
   * catalog's abilities name `export`.
   */
  async *streamExport(
    { after, history }: { readonly after: string; readonly history: boolean },
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const query = `after=${encodeURIComponent(after)}&history=${history}`
    yield* this.#transport.stream(`/openapi/operations/export?${query}`, signal)
  }

  /** Entities of a type with some of their aspects, page by page (contract §5.2). @throws RefusedError for an unknown type */
  async *scrollEntities(
    entityType: string,
    aspects: readonly string[],
    signal?: AbortSignal,
  ): AsyncGenerator<readonly { readonly urn: Urn; readonly aspects: Readonly<Record<string, JsonObject>> }[]> {
    const base = `/openapi/v3/entity/${encodeURIComponent(entityType)}?count=${SCROLL_PAGE}&aspects=${aspects.join(',')}`
    for (let scrollId: string | undefined = ''; scrollId !== undefined;) {
      const path = scrollId === '' ? base : `${base}&scrollId=${encodeURIComponent(scrollId)}`
      const body = await this.#calls.get(path, { signal })
      yield objectsAt(body, 'entities').flatMap((entity) => decodeEntity(entity) ?? [])
      scrollId = textAt(body, 'scrollId')
    }
  }

  /** Some entities of a type, in the order of the catalog's scroll (contract §9.5). */
  async someEntities(entityType: string, count: number, signal?: AbortSignal): Promise<readonly Urn[]> {
    const type = entityType.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
    const input: JsonObject = { types: [type], query: '*', count }
    const data = await this.graphql(SCROLL_ACROSS_ENTITIES, { input }, signal)
    return decodeScrollPage(data['scrollAcrossEntities'] ?? null).urns
  }
}
