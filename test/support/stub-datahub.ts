/**
 * A DataHub as far as retention sees it, answering as the contract says and unlike ours: rows at or before the time go
 * (§7.1), the sentence follows the half-of-rows rule, `getEsTaskStatus` is JSON text in JSON text (§7.3), a delete gives
 * no bytes back, counts may lag behind the end of a task. No stand-in for our catalog: it is the other one.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StubRow {
  readonly urn: string
  readonly timestampMillis: number
}

export interface TruncateCall {
  readonly entityType: string
  readonly aspect: string
  readonly endTimeMillis: number
  readonly dryRun?: boolean
  readonly batchSize?: number
  readonly timeoutSeconds?: number
  readonly forceDeleteByQuery?: boolean
  readonly forceReindex?: boolean
}

interface StubIndex {
  readonly entityType: string
  /** As it is spelled; indexes tell it in lower case. */
  readonly aspectName: string
  rows: readonly StubRow[]
  sizeMb: number
}

interface StubTask {
  pollsLeft: number
  readonly finish: () => void
  readonly total: number
  deleted: number
  done: boolean
}

const MB_A_ROW = 0.001

export class StubDataHub implements AsyncDisposable {
  /** Every truncation call, dry runs too, in order. */
  readonly truncations: TruncateCall[] = []
  readonly actions: string[] = []
  /** Polls that a task takes to its end. */
  pollsPerTask = 2
  /** Counts after the end of a task that still show the old ones. */
  laggingCounts = 0
  /** Older servers answer `getIndexSizes` as text, with `sizeMb` alone. */
  oldSizes = false
  /** A server that keeps its events in PostgreSQL tells one size for all. */
  oneSize = false
  /** Answer of a truncation instead of the usual one. */
  truncateAnswer:
    ((call: TruncateCall) => { readonly status?: number; readonly value: unknown } | undefined) | undefined
  /** Tasks are forgotten as soon as they are made, as after a restart. */
  forgetsTasks = false
  token: string | undefined
  #lag = 0
  #old: ReadonlyMap<StubIndex, readonly StubRow[]> = new Map()
  readonly #indexes: StubIndex[] = []
  readonly #tasks: StubTask[] = []
  readonly #server: Server = createServer((request, response) => void this.#handle(request, response))

  static async start(): Promise<StubDataHub> {
    const stub = new StubDataHub()
    await new Promise<void>((resolve) => stub.#server.listen(0, '127.0.0.1', resolve))
    return stub
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  add(entityType: string, aspectName: string, rows: readonly StubRow[]): void {
    const known = this.#index(entityType, aspectName)
    const index = known ?? { entityType, aspectName, rows: [], sizeMb: 0 }
    if (known === undefined) this.#indexes.push(index)
    index.rows = [...index.rows, ...rows]
    index.sizeMb += rows.length * MB_A_ROW
  }

  clear(entityType: string, aspectName: string): void {
    const index = this.#index(entityType, aspectName)
    if (index !== undefined) index.rows = []
  }

  rows(entityType: string, aspectName: string): readonly StubRow[] {
    return this.#index(entityType, aspectName)?.rows ?? []
  }

  /** Truncations that were no dry runs. */
  get effects(): readonly TruncateCall[] {
    return this.truncations.filter(({ dryRun }) => dryRun === false)
  }

  #index(entityType: string, aspect: string): StubIndex | undefined {
    const wanted = `${entityType} ${aspect}`.toLowerCase()
    return this.#indexes.find((index) => `${index.entityType} ${index.aspectName}`.toLowerCase() === wanted)
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const { status, body } = this.#answer(request, text === '' ? {} : (JSON.parse(text) as Record<string, unknown>))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

  #answer(
    request: IncomingMessage,
    body: Record<string, unknown>,
  ): { readonly status: number; readonly body: unknown } {
    const path = request.url ?? ''
    if (path === '/config') {
      const versions = { 'acryldata/datahub': { version: 'v1.2.0', commit: 'f00' } }
      return { status: 200, body: { noCode: 'true', patchCapable: true, versions } }
    }
    if (this.token !== undefined && request.headers.authorization !== `Bearer ${this.token}`) {
      return { status: 401, body: { status: 401, message: 'Unauthorized' } }
    }
    const action = /[?&]action=(\w+)/.exec(path)?.[1] ?? path
    this.actions.push(action)
    switch (action) {
      case 'getIndexSizes':
        return { status: 200, body: { value: this.#sizes() } }
      case 'truncateTimeseriesAspect':
        return this.#truncate(body as unknown as TruncateCall)
      case 'getEsTaskStatus':
        return { status: 200, body: { value: JSON.stringify(this.#taskStatus(String(body['task']))) } }
      case 'getTimeseriesAspectValues':
        return { status: 200, body: { value: this.#values(body) } }
      case '/api/graphql':
        return { status: 200, body: { data: { scrollAcrossEntities: this.#scroll(body) } } }
      default:
        return { status: 404, body: { status: 404, message: `no ${path}` } }
    }
  }

  #sizes(): unknown {
    if (this.oneSize) {
      const sizeInMb = this.#indexes.reduce((sum, { sizeMb }) => sum + sizeMb, 0)
      return { indexSizes: [{ entityName: '*', aspectName: '*', indexName: '*', sizeMb: 0, sizeInMb }] }
    }
    const indexSizes = this.#indexes.map(({ entityType, aspectName, sizeMb }) => ({
      entityName: entityType,
      aspectName: aspectName.toLowerCase(),
      indexName: `${entityType}_${aspectName}aspect_v1`.toLowerCase(),
      ...(this.oldSizes ? { sizeMb } : { sizeMb: 0, sizeInMb: sizeMb }),
    }))
    return this.oldSizes ? JSON.stringify({ indexSizes }) : { indexSizes }
  }

  #truncate(call: TruncateCall): { readonly status: number; readonly body: unknown } {
    this.truncations.push(call)
    const instead = this.truncateAnswer?.(call)
    if (instead !== undefined) return { status: instead.status ?? 200, body: { value: instead.value } }
    const { forceDeleteByQuery, forceReindex, endTimeMillis } = call
    if (forceDeleteByQuery !== undefined && forceDeleteByQuery === forceReindex) {
      return { status: 200, body: { value: 'please only set forceReindex OR forceDeleteByQuery flags' } }
    }
    const index = this.#index(call.entityType, call.aspect)
    if (index === undefined) return { status: 500, body: { status: 500, message: 'Failed to find index' } }
    const rows = this.#lag > 0 ? (this.#old.get(index) ?? index.rows) : index.rows
    if (this.#lag > 0) this.#lag--
    const n = rows.filter(({ timestampMillis }) => timestampMillis <= endTimeMillis).length
    const t = rows.length
    const reindex = forceDeleteByQuery !== true && (forceReindex === true || n > Math.floor(t / 2))
    if (call.dryRun === false) return { status: 200, body: { value: this.#start(index, endTimeMillis, n, reindex) } }
    const percent = t === 0 ? 'NaN' : ((n / t) * 100).toFixed(2)
    const way = reindex ? 'Reindexing the aspect without the deleted records. ' : 'Issuing a delete by query request. '
    const value = `Delete ${n} out of ${t} rows (${percent}%). ${way}This was a dry run. Run with dryRun = false to execute.`
    return { status: 200, body: { value } }
  }

  #start(index: StubIndex, endTimeMillis: number, total: number, reindex: boolean): string {
    const task: StubTask = {
      pollsLeft: this.pollsPerTask,
      total,
      deleted: 0,
      done: false,
      finish: () => {
        this.#old = new Map([[index, index.rows]])
        this.#lag = this.laggingCounts
        index.rows = index.rows.filter(({ timestampMillis }) => timestampMillis > endTimeMillis)
        if (reindex) index.sizeMb = index.rows.length * MB_A_ROW
        // A reindex counts what it created, not what it left out.
        if (!reindex) task.deleted = total
        task.done = true
      },
    }
    this.#tasks.push(task)
    if (this.pollsPerTask === 0 || this.forgetsTasks) task.finish()
    return `aB1cdEf2GHIJKLMnoPQr3S:${this.#tasks.length}`
  }

  #taskStatus(id: string): unknown {
    const task = this.#tasks[Number(id.split(':')[1]) - 1]
    if (task === undefined || this.forgetsTasks) return { error: `Could not get task status for ${id}` }
    if (!task.done && --task.pollsLeft <= 0) task.finish()
    const { total, deleted } = task
    const status = { total, updated: 0, created: 0, deleted, batches: 1, version_conflicts: 0, noops: 0, failures: [] }
    return { completed: task.done, taskId: id, runTimeNanos: 1_179_458, status: JSON.stringify(status) }
  }

  #values(body: Record<string, unknown>): unknown {
    const { urn, startTimeMillis, endTimeMillis, limit } = body as {
      readonly urn: string
      readonly startTimeMillis?: number
      readonly endTimeMillis?: number
      readonly limit?: number
    }
    const [entity, aspect] = [String(body['entity']), String(body['aspect'])]
    const index = this.#index(entity, aspect)
    const rows = index?.aspectName === aspect ? index.rows : []
    const values = rows
      .filter((row) => row.urn === urn && row.timestampMillis >= (startTimeMillis ?? 0))
      .filter((row) => row.timestampMillis <= (endTimeMillis ?? Number.MAX_SAFE_INTEGER))
      .toSorted((a, b) => b.timestampMillis - a.timestampMillis)
      .slice(0, limit)
      .map(({ timestampMillis }) => ({
        aspect: { contentType: 'application/json', value: JSON.stringify({ timestampMillis }) },
      }))
    return { entityName: entity, aspectName: aspect, limit, values }
  }

  #scroll(body: Record<string, unknown>): unknown {
    const { input } = body['variables'] as { readonly input: { readonly types: readonly string[] } }
    const ofType = this.#indexes.filter(({ entityType }) => input.types.includes(entityType.toUpperCase()))
    const urns = new Set(ofType.flatMap(({ rows }) => rows.map(({ urn }) => urn)))
    return { nextScrollId: null, searchResults: [...urns].map((urn) => ({ entity: { urn } })) }
  }
}
