/** Operations on timeseries indexes (interface §4.3, contract §7). */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ExportBatch } from '../../catalog/read/export.ts'
import type { PlatformRows, StreamedEvent } from '../../catalog/timeseries/timeseries.ts'
import type { Task } from '../../catalog/timeseries/truncation.ts'
import { DecodeError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Proposal } from '../../model/proposal.ts'
import { asUrn } from '../../model/urn.ts'
import { decoder } from '../decode.ts'
import { flagIn } from '../openapi/names.ts'
import { FLAG, NUMBER, reads, TEXT } from '../route-options.ts'
import { operating } from '../restli/action.ts'
import { actionRoute, answerAsRestli } from '../restli/routes.ts'

const DEFAULT_BATCH = 10_000
const MAX_BATCH = 1_000_000
/** Names this service in task ids; Elasticsearch's nodes have such names there. */
const NODE = 'headwater'

const MAX_PLATFORMS = 1_000
const PLATFORM = Type.String({ minLength: 1, maxLength: 200 })

const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))
const truncateRequest = decoder(
  Type.Object(
    {
      entityType: Type.String(),
      aspect: Type.String(),
      endTimeMillis: Type.Integer(),
      dryRun: flag,
      batchSize: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      timeoutSeconds: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      forceDeleteByQuery: flag,
      forceReindex: flag,
      // Beyond the contract: only rows of this platform's entities, or all but those of these platforms.
      platform: Type.Optional(Type.Union([PLATFORM, Type.Null()])),
      exceptPlatforms: Type.Optional(Type.Union([Type.Array(PLATFORM, { maxItems: MAX_PLATFORMS }), Type.Null()])),
    },
    // What is misspelt here would otherwise be a truncation by defaults.
    { additionalProperties: false },
  ),
  'truncateTimeseriesAspect',
)
const taskRequest = decoder(
  Type.Object({
    task: Type.Optional(Type.String()),
    nodeId: Type.Optional(Type.String()),
    taskId: Type.Optional(Type.Integer()),
  }),
  'getEsTaskStatus',
)

const NOTHING_TO_RESTORE = 'Indexes are kept with every write; nothing to restore.'
const LINES = 'application/x-ndjson'
const EXPORT = reads({
  tag: 'operations',
  summary: 'Everything as proposals, one a line, with lines {"position"} from which it can go on',
  query: Type.Object({ after: TEXT, history: FLAG }),
  answers: { 200: Type.Unsafe({ content: { [LINES]: { schema: { type: 'string' } } } }) },
})
const RANGE = reads({
  tag: 'operations',
  summary: 'The events of an index between two times, the later left out, one a line',
  query: Type.Object({ startTimeMillis: NUMBER, endTimeMillis: NUMBER, platform: TEXT, exceptPlatforms: TEXT }),
  answers: { 200: Type.Unsafe({ content: { [LINES]: { schema: { type: 'string' } } } }) },
})

const SIZES = reads({
  tag: 'operations',
  summary: 'The sizes of all timeseries indexes',
  answers: {
    200: Type.Object({ sizes: Type.Array(Type.Object({ indexName: Type.String(), sizeMb: Type.Number() })) }),
  },
})
const RESTORE = reads({
  tag: 'operations',
  summary: 'Nothing to do here: search follows every write',
  answers: { 200: Type.Object({ result: Type.String() }) },
})
const TASK = reads({
  tag: 'operations',
  summary: 'How a task stands',
  query: Type.Object({ task: TEXT }),
  answers: { 200: Type.Object({}) },
})

export async function operationsRoutes(
  app: FastifyInstance,
  { catalog }: { readonly catalog: Catalog },
): Promise<void> {
  answerAsRestli(app)
  actionRoute(app, '/operations', {
    truncateTimeseriesAspect: operating(async (body) => ({ value: await truncate(catalog, truncateRequest(body)) })),
    getIndexSizes: operating(async () => ({ value: { indexSizes: await indexSizes(catalog) } })),
    // Search fields and edges are written with the aspects that they follow from; there is nothing to restore.
    restoreIndices: operating(async () => ({ value: NOTHING_TO_RESTORE })),
    getEsTaskStatus: operating(async (body) => ({ value: await taskStatus(catalog, taskRequest(body ?? {})) })),
    // Beyond the contract: ends a truncation early; what is deleted by then stays deleted.
    cancelTask: operating(async (body) => {
      const { node, number } = taskIdOf(taskRequest(body ?? {}))
      return { value: node === NODE && (await catalog.timeseries.cancel(number)) }
    }),
  })

  // The same as getIndexSizes and getEsTaskStatus, without JSON inside of JSON (contract §7.4).
  app.get('/openapi/operations/elasticSearch/getIndexSizes', SIZES, async () => {
    const sizes = await indexSizes(catalog)
    const shown = ['aspectName', 'entityName', 'indexName', 'sizeMb']
    return { sizes: sizes.map((size) => Object.fromEntries(shown.map((name) => [name, size[name]]))) }
  })
  app.get('/openapi/operations/elasticSearch/getTaskStatus', TASK, async (request) => {
    const { task } = request.query as { readonly task?: string }
    return taskState(catalog, taskRequest(task === undefined ? {} : { task }))
  })

  for (const method of ['GET', 'POST'] as const) {
    const url = '/openapi/operations/elasticSearch/restoreIndices'
    app.route({ method, url, ...RESTORE, handler: () => ({ result: NOTHING_TO_RESTORE }) })
  }

  // Beyond the contract: everything as proposals, one a line; `after` goes on from a position that was read before.
  app.get('/openapi/operations/export', EXPORT, (request, reply) => {
    const { after } = request.query as { readonly after?: string }
    // Before the first line is on its way: from then on an answer can only break off.
    if (after !== undefined && after !== '') asUrn(after)
    const history = flagIn(request.query, 'history') ?? true
    const lines = exportLines(catalog.exporting.all({ after, history }))
    return reply.header('content-type', LINES).send(Readable.from(lines))
  })

  // Beyond the contract: a range of an index line by line, oldest first, for archives; of any size in bounded memory.
  app.get('/openapi/operations/timeseries/:entity/:aspect', RANGE, (request, reply) => {
    const { entity, aspect } = request.params as { readonly entity: string; readonly aspect: string }
    const query = request.query as Readonly<Record<string, string | undefined>>
    const index = catalog.timeseries.indexNamed(entity, aspect)
    const lines = catalog.timeseries.stream(index, {
      fromMs: millisOf(query.startTimeMillis, 0),
      beforeMs: millisOf(query.endTimeMillis, Number.MAX_SAFE_INTEGER),
      ...platformRows({ platform: query.platform, exceptPlatforms: query.exceptPlatforms?.split(',') }),
    })
    return reply.header('content-type', LINES).send(Readable.from(ndjson(lines)))
  })
}

/** An MCP as the neighbours' file source reads it: the aspect under `json`. */
function mcpLine({ aspect, ...envelope }: Proposal): string {
  return JSON.stringify({ ...envelope, aspect: { json: aspect } })
}

/** One proposal a line; a line of its own says from where to go on when the export is broken off. */
async function* exportLines(batches: AsyncIterable<ExportBatch>): AsyncGenerator<string> {
  for await (const { proposals, position } of batches) {
    const lines = proposals.map(mcpLine)
    if (position !== undefined) lines.push(JSON.stringify({ position }))
    if (lines.length > 0) yield `${lines.join('\n')}\n`
  }
}

async function* ndjson(events: AsyncIterable<readonly StreamedEvent[]>): AsyncGenerator<string> {
  for await (const batch of events) yield batch.map((event) => `${JSON.stringify(event)}\n`).join('')
}

function millisOf(text: string | undefined, absent: number): number {
  if (text === undefined) return absent
  if (!/^\d{1,16}$/.test(text)) throw new DecodeError('a time is a number of milliseconds', { path: '?endTimeMillis' })
  return Number(text)
}

async function truncate(catalog: Catalog, request: ReturnType<typeof truncateRequest>): Promise<string> {
  const { forceDeleteByQuery: byQuery, forceReindex: reindex } = request
  if (typeof byQuery === 'boolean' && byQuery === reindex) {
    return 'please only set forceReindex OR forceDeleteByQuery flags'
  }
  const index = catalog.timeseries.indexNamed(request.entityType, request.aspect)
  const rows = platformRows(request)
  const { older, total } = await catalog.timeseries.count(index, request.endTimeMillis, rows)
  // Anything but a clear `false` is a dry run.
  if (request.dryRun !== false) return dryRunSentence(older, total, byQuery === true)
  const batchSize = typeof request.batchSize === 'number' && request.batchSize > 0 ? request.batchSize : DEFAULT_BATCH
  const timeout = request.timeoutSeconds
  const id = await catalog.timeseries.start({
    index,
    cutoffMs: request.endTimeMillis,
    ...(rows === undefined ? {} : { rows }),
    batchSize: Math.min(batchSize, MAX_BATCH),
    expected: older,
    total,
    ...(byQuery === true ? { method: 'delete' as const } : reindex === true ? { method: 'rebuild' as const } : {}),
    ...(typeof timeout === 'number' && timeout > 0 ? { timeoutSeconds: timeout } : {}),
  })
  return `${NODE}:${id}`
}

/** @throws DecodeError where both are given */
function platformRows(asked: {
  readonly platform?: string | null | undefined
  readonly exceptPlatforms?: readonly string[] | null | undefined
}): PlatformRows | undefined {
  const platform = asked.platform ?? undefined
  const exceptPlatforms = asked.exceptPlatforms ?? undefined
  if (platform !== undefined && exceptPlatforms !== undefined) {
    throw new DecodeError('platform and exceptPlatforms exclude each other', { path: '/exceptPlatforms' })
  }
  return platform === undefined && exceptPlatforms === undefined ? undefined : { platform, exceptPlatforms }
}

/** The sentence of the interface; it speaks of reindexing whatever way the rows will go, unless told (contract §11). */
export function dryRunSentence(older: number, total: number, byQuery: boolean): string {
  const percent = total === 0 ? 'NaN' : ((older / total) * 100).toFixed(2)
  const way = byQuery ? 'Issuing a delete by query request. ' : 'Reindexing the aspect without the deleted records. '
  return `Delete ${older} out of ${total} rows (${percent}%). ${way}This was a dry run. Run with dryRun = false to execute.`
}

async function indexSizes(catalog: Catalog): Promise<readonly JsonObject[]> {
  const sizes = await catalog.timeseries.sizes()
  return sizes.map((size) => {
    const megabytes = size.bytes / 1_000_000
    const aspectName = size.aspect.toLowerCase()
    return {
      entityName: size.entityType,
      aspectName,
      indexName: `${size.entityType.toLowerCase()}_${aspectName}aspect_v1`,
      sizeMb: megabytes,
      sizeInMb: megabytes,
      // Beyond the contract: what a person wants to know before truncating.
      rows: size.rows,
      ...(size.rowsEstimated ? { rowsEstimated: true } : {}),
      ...(size.oldestMs === null ? {} : { oldestMillis: size.oldestMs }),
      ...(size.newestMs === null ? {} : { newestMillis: size.newestMs }),
    }
  })
}

/** JSON text whose `status` is JSON text again, as task status is there (contract §7.3). */
async function taskStatus(catalog: Catalog, request: ReturnType<typeof taskRequest>): Promise<string> {
  const { status, ...state } = await taskState(catalog, request)
  return JSON.stringify({ ...state, ...(status === undefined ? {} : { status: JSON.stringify(status) }) })
}

/** How a task stands; an unknown one is an object with `error`. */
async function taskState(catalog: Catalog, request: ReturnType<typeof taskRequest>): Promise<JsonObject> {
  const { node, number } = taskIdOf(request)
  const task = node === NODE ? await catalog.timeseries.task(number) : undefined
  if (task === undefined) return { error: `Could not get task status for ${node}:${number}` }
  return {
    completed: task.state !== 'running',
    taskId: `${node}:${number}`,
    runTimeNanos: ((task.endedMs ?? catalog.clock.now()) - task.startedMs) * 1_000_000,
    status: statusOf(task),
  }
}

function statusOf(task: Task): JsonObject {
  return {
    total: task.total,
    updated: 0,
    created: 0,
    deleted: task.deleted,
    batches: task.batches,
    version_conflicts: 0,
    noops: 0,
    retries: { bulk: 0, search: 0 },
    throttled_millis: 0,
    requests_per_second: -1,
    throttled_until_millis: 0,
    ...(task.error === null ? {} : { failures: [{ reason: task.error, state: task.state }] }),
  }
}

function taskIdOf(request: ReturnType<typeof taskRequest>): { readonly node: string; readonly number: number } {
  const { task, nodeId, taskId } = request
  const named = task === undefined ? undefined : /^([a-zA-Z0-9_-]+):(\d{1,15})$/.exec(task)
  if (task !== undefined && (named === null || Number(named?.[2]) === 0)) {
    throw new DecodeError('task reads <node id>:<number>, the number not zero', { path: '/task' })
  }
  const parts = nodeId === undefined || taskId === undefined ? undefined : { node: nodeId, number: taskId }
  const fromTask = named ? { node: named[1] ?? '', number: Number(named[2]) } : undefined
  const found = fromTask ?? parts
  if (found === undefined) throw new DecodeError('either task, or nodeId and taskId, is required', { path: '/task' })
  if (
    fromTask !== undefined &&
    parts !== undefined &&
    (fromTask.node !== parts.node || fromTask.number !== parts.number)
  ) {
    throw new DecodeError('task disagrees with nodeId and taskId', { path: '/task' })
  }
  return found
}
