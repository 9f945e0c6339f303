/**
 * A DataHub-compatible catalog, over HTTP: ours or a real one. One method per call of the contract that we make; each
 * retries by the client's policy (all of them are idempotent), is bounded in time and size, and throws the classes of
 * `errors.ts`.
 */
import pLimit from 'p-limit'
import { isJsonObject, numberAt, objectsAt, stringsAt, textAt, type JsonObject, type JsonValue } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import { asUrn, entityTypeOf, type Urn } from '../model/urn.ts'
import { GraphqlError, NotACatalogError, RefusedError, ThrottledError } from './errors.ts'
import {
  isTaskId,
  parseDryRun,
  parseIndexSizes,
  parseTaskStatus,
  truncateBody,
  type DryRun,
  type IndexSize,
  type PlatformRows,
  type TaskStatus,
  type TruncateRequest,
} from './operations.ts'
import { PATIENT, retrying, type RetryPolicy } from './retry.ts'
import { aspectId, type AspectKey, type Sink, type SinkLimits, type StoredAspect } from './sink.ts'
import {
  batchBody,
  batchGetBody,
  collectAspects,
  decodeEntity,
  decodeLineagePage,
  decodeScrollPage,
  type LineagePage,
} from './wire.ts'
import { Transport, type CatalogConnection, type HttpRequest } from './transport.ts'

export type { CatalogConnection } from './transport.ts'

/** What `/config` says of a catalog, as far as we ask (contract §1.1). */
export interface CatalogConfig {
  /** As told, for example `v1.1.0`; undefined where it is not told. */
  readonly version: string | undefined
  readonly patchCapable: boolean
  /** What our own catalog can do besides (docs/contract.md); empty for any other. */
  readonly abilities: ReadonlySet<string>
}

export interface LineageQuery {
  readonly urn: Urn
  readonly direction: 'UPSTREAM' | 'DOWNSTREAM'
  /** Hop distances wanted; all when absent. */
  readonly degrees?: readonly ('1' | '2' | '3+')[]
  readonly start?: number
  readonly count?: number
}

export interface TimeseriesQuery {
  readonly urn: Urn
  /** Exactly the aspect's name. */
  readonly aspectName: string
  readonly fromMs: number
  readonly toMs?: number
  readonly limit: number
}

const READ_BATCH = 200
const SINGLES_AT_ONCE = 8

const SEARCH_ACROSS_LINEAGE = `query search($input: SearchAcrossLineageInput!) {
  searchAcrossLineage(input: $input) { total searchResults { degree entity { urn type } } }
}`

const SCROLL_PAGE = 1000

const SCROLL_ACROSS_ENTITIES = `query scroll($input: ScrollAcrossEntitiesInput!) {
  scrollAcrossEntities(input: $input) { nextScrollId searchResults { entity { urn } } }
}`

/** How a call waits for its answer. */
interface Waiting {
  readonly signal?: AbortSignal | undefined
  readonly onRetry?: ((failure: unknown) => void) | undefined
}

export class CatalogClient implements Sink {
  readonly #transport: Transport
  readonly #retry: RetryPolicy
  /** What an emitter that writes here keeps to. */
  readonly limits: SinkLimits
  /** False once the catalog has shown that it has no batched reads (DataHub before OpenAPI v3). */
  #batchedReads = true
  #checksConditions = false
  /** What `/config` says of conditions; asked once. */
  #tellsConditions: Promise<boolean> | undefined

  constructor(
    connection: CatalogConnection,
    options: { readonly retry?: RetryPolicy; readonly limits?: SinkLimits } = {},
  ) {
    this.#transport = new Transport(connection)
    this.#retry = options.retry ?? PATIENT
    this.limits = options.limits ?? {}
  }

  /**
   * A catalog that tells the versions of aspects checks them, too (contract §6: both came together); ours says so in
   * `/config`, where there is no aspect yet whose version could show it.
   */
  get checksConditions(): boolean {
    return this.#checksConditions
  }

  /** The base URL, fit for messages. */
  get address(): string {
    return this.#transport.address('')
  }

  async close(): Promise<void> {
    await this.#transport.close()
  }

  /** `GET /config`. @throws NotACatalogError where it is the frontend or something else */
  async config(signal?: AbortSignal): Promise<CatalogConfig> {
    const body = await this.#get('/config', { signal })
    if (!isJsonObject(body) || body['noCode'] !== 'true') {
      throw new NotACatalogError(this.#transport.address('/config'), 'noCode is not "true"')
    }
    const versions = isJsonObject(body['versions']) ? body['versions'] : {}
    const version = textAt(versions['acryldata/datahub'], 'version')
    const abilities = new Set(stringsAt(body, 'headwater', 'abilities'))
    return { version, patchCapable: body['patchCapable'] === true, abilities }
  }

  /** Resolves when `GET /health` answers with success. */
  async health(signal?: AbortSignal): Promise<void> {
    await this.#send({ method: 'GET', path: '/health' }, { signal })
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
      if (!isJsonObject(this.#parse(path, text)))
        throw new NotACatalogError(this.#transport.address(path), 'not a JSON object')
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
    return this.#getAspect(key, { signal })
  }

  async #getAspect(key: AspectKey, waiting: Waiting): Promise<StoredAspect | undefined> {
    const path = `/aspects/${encodeURIComponent(key.urn)}?aspect=${encodeURIComponent(key.aspectName)}&version=0`
    const body = await this.#get(path, waiting).catch(undefinedWhenAbsent)
    if (body === undefined) return undefined
    const wrapped = isJsonObject(body) ? body['aspect'] : undefined
    const value = isJsonObject(wrapped) ? Object.values(wrapped)[0] : undefined
    if (!isJsonObject(value)) throw new NotACatalogError(this.#transport.address('/aspects'), 'no aspect in it')
    return { value }
  }

  /** Many aspects in as few calls as possible: OpenAPI v3 batchGet, else one by one with bounded concurrency. */
  async read(
    keys: readonly AspectKey[],
    signal?: AbortSignal,
    onRetry?: (failure: unknown) => void,
  ): Promise<ReadonlyMap<string, StoredAspect>> {
    const found = new Map<string, StoredAspect>()
    for (const [entityType, group] of Map.groupBy(keys, (key) => entityTypeOf(key.urn))) {
      for (let start = 0; start < group.length; start += READ_BATCH) {
        const part = group.slice(start, start + READ_BATCH)
        if (this.#batchedReads) await this.#readBatch(entityType, part, found, { signal, onRetry })
        if (!this.#batchedReads) await this.#readSingly(part, found, { signal, onRetry })
      }
    }
    return found
  }

  /** Aspects whose newest version a run wrote (contract §4.4, `runs?action=describe`). */
  async aspectsOfRun(
    runId: string,
    { start, count }: { readonly start: number; readonly count: number },
    signal?: AbortSignal,
  ): Promise<readonly AspectKey[]> {
    const asked = { runId, start, count, includeSoft: true, includeAspect: false }
    const body = await this.#post('/runs?action=describe', asked, { signal })
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
    const body = await this.#get(path, { signal }).catch(undefinedWhenAbsent)
    const found = new Map<string, StoredAspect>()
    if (body !== undefined) collectAspects({ urn, [aspectName]: body }, found)
    return found.get(aspectId({ urn, aspectName }))
  }

  /** Runs a document. @throws GraphqlError where the answer holds errors */
  async graphql(query: string, variables: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const path = '/api/graphql'
    const body = await this.#post(path, { query, variables }, { signal })
    if (!isJsonObject(body)) throw new NotACatalogError(this.#transport.address(path), 'not a JSON object')
    const errors = objectsAt(body, 'errors')
    if (errors.length > 0) {
      const messages = errors.map((error) => textAt(error, 'message') ?? 'unknown error')
      throw new GraphqlError(this.#transport.address(path), messages, numberAt(errors[0]?.['extensions'], 'code'))
    }
    return isJsonObject(body['data']) ? body['data'] : {}
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

  /** Sizes of all timeseries indices, largest first. */
  async indexSizes(signal?: AbortSignal): Promise<readonly IndexSize[]> {
    const value = await this.#operation('getIndexSizes', {}, signal)
    const sizes = parseIndexSizes(value)
    if (sizes === undefined) throw this.#unreadable('getIndexSizes', value)
    return sizes.toSorted((a, b) => b.sizeMb - a.sizeMb || a.indexName.localeCompare(b.indexName))
  }

  /** What a truncation would delete. @throws NotACatalogError on any sentence that is not exactly one of the two known */
  async truncateDryRun(request: TruncateRequest, signal?: AbortSignal): Promise<DryRun> {
    const value = await this.#operation('truncateTimeseriesAspect', truncateBody(request, { dryRun: true }), signal)
    const dryRun = typeof value === 'string' ? parseDryRun(value) : undefined
    if (dryRun === undefined) throw this.#unreadable('truncateTimeseriesAspect', value)
    return dryRun
  }

  /**
   * Starts a truncation, once: where the answer is lost it may have begun, and asking again is the caller's decision.
   * Only what was surely not begun (429) is tried again here.
   * @returns the task's id
   */
  async truncate(request: TruncateRequest, signal?: AbortSignal): Promise<string> {
    const path = '/operations?action=truncateTimeseriesAspect'
    const body = JSON.stringify(truncateBody(request, { dryRun: false }))
    const sent = await retrying(() => this.#transport.send({ method: 'POST', path, body, signal }), {
      policy: this.#retry,
      signal,
      mayRetry: (failure) => failure instanceof ThrottledError,
    })
    const answer = this.#parse(path, sent.text)
    const value = isJsonObject(answer) ? answer['value'] : undefined
    if (typeof value !== 'string' || !isTaskId(value)) throw this.#unreadable('truncateTimeseriesAspect', value)
    return value
  }

  async taskStatus(taskId: string, signal?: AbortSignal): Promise<TaskStatus> {
    const value = await this.#operation('getEsTaskStatus', { task: taskId }, signal)
    const status = parseTaskStatus(value)
    if (status === undefined) throw this.#unreadable('getEsTaskStatus', value)
    return status
  }

  /** Ends a running task early; only where the catalog's abilities name `cancel-task`. @returns false where it does not run */
  async cancelTask(taskId: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.#operation('cancelTask', { task: taskId }, signal)) === true
  }

  /** Events of one entity between two times, both included, newest first (contract §4.3). */
  async timeseriesValues(query: TimeseriesQuery, signal?: AbortSignal): Promise<readonly JsonObject[]> {
    const { urn, aspectName, fromMs, toMs, limit } = query
    const body: JsonObject = {
      urn,
      entity: entityTypeOf(urn),
      aspect: aspectName,
      startTimeMillis: fromMs,
      ...(toMs === undefined ? {} : { endTimeMillis: toMs }),
      limit,
    }
    const path = '/aspects?action=getTimeseriesAspectValues'
    const answer = await this.#post(path, body, { signal })
    const value = isJsonObject(answer) ? answer['value'] : undefined
    return objectsAt(value, 'values').flatMap((row) => {
      const event = this.#parse(path, textAt(row['aspect'], 'value') ?? 'null')
      return isJsonObject(event) ? [event] : []
    })
  }

  /**
   * All events of an index between two times (the later left out), oldest first, as lines of JSON; only where the
   * catalog's abilities name `stream-timeseries`. Each line has `urn`, `aspectName`, `aspect` and maybe `systemMetadata`.
   */
  async *streamTimeseries(
    index: { readonly entityType: string; readonly aspectName: string },
    range: { readonly fromMs: number; readonly beforeMs: number } & PlatformRows,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const name = [index.entityType, index.aspectName].map(encodeURIComponent).join('/')
    const { fromMs, beforeMs, platform, exceptPlatforms } = range
    const query = new URLSearchParams({ startTimeMillis: `${fromMs}`, endTimeMillis: `${beforeMs}` })
    if (platform !== undefined) query.set('platform', platform)
    if (exceptPlatforms !== undefined) query.set('exceptPlatforms', exceptPlatforms.join(','))
    yield* this.#transport.stream(`/openapi/operations/timeseries/${name}?${query.toString()}`, signal)
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
      const body = await this.#get(path, { signal })
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

  async #readBatch(
    entityType: string,
    keys: readonly AspectKey[],
    found: Map<string, StoredAspect>,
    waiting: Waiting,
  ): Promise<void> {
    const path = `/openapi/v3/entity/${encodeURIComponent(entityType)}/batchGet?systemMetadata=true`
    const body = await this.#post(path, batchGetBody(keys), waiting).catch(undefinedWhenAbsent)
    if (body === undefined) {
      this.#batchedReads = false
      return
    }
    if (!Array.isArray(body)) throw new NotACatalogError(this.#transport.address(path), 'not a list')
    for (const entity of body.filter(isJsonObject)) collectAspects(entity, found)
    if (this.#checksConditions) return
    const isTold = [...found.values()].some((aspect) => aspect.version !== undefined)
    this.#tellsConditions ??= this.config(waiting.signal).then(
      ({ abilities }) => abilities.has('conditions'),
      () => false,
    )
    this.#checksConditions = isTold || (await this.#tellsConditions)
  }

  async #readSingly(keys: readonly AspectKey[], found: Map<string, StoredAspect>, waiting: Waiting): Promise<void> {
    const limit = pLimit(SINGLES_AT_ONCE)
    await limit.map(keys, async (key) => {
      const aspect = await this.#getAspect(key, waiting)
      if (aspect !== undefined) found.set(aspectId(key), aspect)
    })
  }

  async #operation(action: string, body: JsonValue, signal: AbortSignal | undefined): Promise<JsonValue | undefined> {
    const answer = await this.#post(`/operations?action=${action}`, body, { signal })
    return isJsonObject(answer) ? answer['value'] : undefined
  }

  #unreadable(action: string, value: JsonValue | undefined): NotACatalogError {
    const shown = JSON.stringify(value ?? null).slice(0, 300)
    return new NotACatalogError(this.#transport.address(`/operations?action=${action}`), `cannot read ${shown}`)
  }

  async #get(path: string, waiting: Waiting): Promise<JsonValue> {
    return this.#parse(path, await this.#send({ method: 'GET', path }, waiting))
  }

  async #post(path: string, body: JsonValue, waiting: Waiting): Promise<JsonValue> {
    return this.#parse(path, await this.#send({ method: 'POST', path, body: JSON.stringify(body) }, waiting))
  }

  async #send(call: HttpRequest, { signal, onRetry }: Waiting): Promise<string> {
    const answer = await retrying(() => this.#transport.send({ ...call, signal }), {
      policy: this.#retry,
      signal,
      ...(onRetry === undefined ? {} : { onRetry }),
    })
    return answer.text
  }

  #parse(path: string, text: string): JsonValue {
    try {
      return JSON.parse(text) as JsonValue
    } catch {
      throw new NotACatalogError(this.#transport.address(path), 'the answer is not JSON')
    }
  }
}

/** 404 means absent; servers without an endpoint also answer 405 or 501. */
function undefinedWhenAbsent(error: unknown): undefined {
  if (error instanceof RefusedError && [404, 405, 501].includes(error.status)) return undefined
  throw error
}
