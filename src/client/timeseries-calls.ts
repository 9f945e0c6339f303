/**
 * Timeseries of a catalog: how large their indexes are, what they hold, and truncating them (contract §7). What is not
 * exactly one of the answers known is an error: nothing is deleted on a guess.
 */
import { isJsonObject, objectsAt, textAt, type JsonObject, type JsonValue } from '../model/json.ts'
import { entityTypeOf, type Urn } from '../model/urn.ts'
import type { CatalogCalls } from './catalog-calls.ts'
import { ThrottledError, type NotACatalogError } from './errors.ts'
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
import type { RetryDependencies } from './retry.ts'

/** Events of one entity from `fromMs` to `toMs`, both included. */
export interface TimeseriesQuery {
  readonly urn: Urn
  /** Exactly the aspect's name. */
  readonly aspectName: string
  readonly fromMs: number
  readonly toMs?: number
  readonly limit: number
}

export class TimeseriesCalls {
  readonly #calls: CatalogCalls

  constructor(calls: CatalogCalls) {
    this.#calls = calls
  }

  /** Sizes of all timeseries indexes, largest first. */
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
    const value = await this.#operation(
      'truncateTimeseriesAspect',
      truncateBody(request, { dryRun: false }),
      signal,
      (failure) => failure instanceof ThrottledError,
    )
    if (typeof value !== 'string' || !isTaskId(value)) throw this.#unreadable('truncateTimeseriesAspect', value)
    return value
  }

  /** How far a truncation is. @throws NotACatalogError where the answer cannot be read */
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
  async values(query: TimeseriesQuery, signal?: AbortSignal): Promise<readonly JsonObject[]> {
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
    const answer = await this.#calls.post(path, body, { signal })
    const value = isJsonObject(answer) ? answer['value'] : undefined
    return objectsAt(value, 'values').flatMap((row) => {
      const event = this.#calls.parse(path, textAt(row['aspect'], 'value') ?? 'null')
      return isJsonObject(event) ? [event] : []
    })
  }

  /**
   * All events of an index between two times (the later left out), oldest first, as lines of JSON; only where the
   * catalog's abilities name `stream-timeseries`. Each line has `urn`, `aspectName`, `aspect` and maybe `systemMetadata`.
   */
  async *stream(
    index: { readonly entityType: string; readonly aspectName: string },
    range: { readonly fromMs: number; readonly beforeMs: number } & PlatformRows,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const name = [index.entityType, index.aspectName].map(encodeURIComponent).join('/')
    const { fromMs, beforeMs, platform, exceptPlatforms } = range
    const query = new URLSearchParams({ startTimeMillis: `${fromMs}`, endTimeMillis: `${beforeMs}` })
    if (platform !== undefined) query.set('platform', platform)
    if (exceptPlatforms !== undefined) query.set('exceptPlatforms', exceptPlatforms.join(','))
    yield* this.#calls.transport.stream(`/openapi/operations/timeseries/${name}?${query.toString()}`, signal)
  }

  async #operation(
    action: string,
    body: JsonValue,
    signal: AbortSignal | undefined,
    mayRetry?: RetryDependencies['mayRetry'],
  ): Promise<JsonValue | undefined> {
    const answer = await this.#calls.post(`/operations?action=${action}`, body, { signal }, mayRetry)
    return isJsonObject(answer) ? answer['value'] : undefined
  }

  #unreadable(action: string, value: JsonValue | undefined): NotACatalogError {
    const shown = JSON.stringify(value ?? null).slice(0, 300)
    return this.#calls.unreadable(`/operations?action=${action}`, `cannot read ${shown}`)
  }
}
