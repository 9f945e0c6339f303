/** The texts of the operations interface (contract §7), read exactly: what is not understood means "do not proceed". */
import { isJsonObject, numberAt, textAt, type JsonValue } from '../model/json.ts'

/** Size of one timeseries index. */
export interface IndexSize {
  readonly entityType: string
  /** Lower-case, as index names are. */
  readonly aspectName: string
  readonly indexName: string
  /** Megabytes of 1,000,000 bytes. */
  readonly sizeMb: number
  /** Beyond the contract: only our own catalog tells it. */
  readonly rows?: number
}

/** A part of an index; only where the catalog's abilities name `truncate-by-platform`. All of it where neither is given. */
export interface PlatformRows {
  /** Rows of this data platform's entities. */
  readonly platform?: string
  /** All but those of these platforms'. */
  readonly exceptPlatforms?: readonly string[]
}

export interface TruncateRequest extends PlatformRows {
  readonly entityType: string
  readonly aspectName: string
  /** The cut-off: our catalog deletes what is strictly older, a DataHub what is at it or older (contract §11). */
  readonly endTimeMillis: number
  readonly batchSize?: number
  readonly timeoutSeconds?: number
  /** How the rows go; the catalog decides where absent. */
  readonly method?: 'delete' | 'rebuild'
}

/** The answer of a dry run. */
export interface DryRun {
  readonly matching: number
  readonly total: number
  readonly method: 'delete' | 'rebuild'
  /** As answered, for people. */
  readonly sentence: string
}

/** State of a truncation. `unknown`: the catalog does not know the task (any more), which does not mean that it is done. */
export type TaskStatus =
  | { readonly state: 'running'; readonly deleted: number | undefined; readonly total: number | undefined }
  | {
      readonly state: 'completed'
      readonly deleted: number | undefined
      readonly total: number | undefined
      readonly failures: number
    }
  | { readonly state: 'unknown'; readonly reason: string }

const SENTENCE =
  /^Delete (\d+) out of (\d+) rows \((?:\d+\.\d\d|NaN)%\)\. (Reindexing the aspect without the deleted records\.|Issuing a delete by query request\.) This was a dry run\. Run with dryRun = false to execute\.$/

/** Body of a truncation (contract §7.1). */
export function truncateBody(request: TruncateRequest, mode: { readonly dryRun: boolean }): JsonValue {
  return {
    entityType: request.entityType,
    aspect: request.aspectName,
    endTimeMillis: request.endTimeMillis,
    dryRun: mode.dryRun,
    ...(request.platform === undefined ? {} : { platform: request.platform }),
    ...(request.exceptPlatforms === undefined ? {} : { exceptPlatforms: request.exceptPlatforms }),
    ...(request.batchSize === undefined ? {} : { batchSize: request.batchSize }),
    ...(request.timeoutSeconds === undefined ? {} : { timeoutSeconds: request.timeoutSeconds }),
    ...(request.method === 'delete' ? { forceDeleteByQuery: true } : {}),
    ...(request.method === 'rebuild' ? { forceReindex: true } : {}),
  }
}

/** Reads a dry run's sentence. @returns undefined where it is any other text, for example that flags contradict */
export function parseDryRun(sentence: string): DryRun | undefined {
  const match = SENTENCE.exec(sentence.trim())
  if (match === null) return undefined
  const method = match[3]?.startsWith('Reindexing') ? 'rebuild' : 'delete'
  return { matching: Number(match[1]), total: Number(match[2]), method, sentence }
}

/** True for the id of a task: `<node>:<number>`, the number not zero. */
export function isTaskId(text: string): boolean {
  return /^[a-zA-Z0-9_-]+:0*[1-9][0-9]*$/.test(text)
}

/** Reads `value.indexSizes`; older servers answer it as JSON text. @returns undefined where it is neither */
export function parseIndexSizes(value: JsonValue | undefined): readonly IndexSize[] | undefined {
  const read = parseIfText(value)
  const list = isJsonObject(read) ? read['indexSizes'] : undefined
  if (!Array.isArray(list)) return undefined
  return list.filter(isJsonObject).map((row) => ({
    entityType: textAt(row, 'entityName') ?? '',
    aspectName: (textAt(row, 'aspectName') ?? '').toLowerCase(),
    indexName: textAt(row, 'indexName') ?? '',
    // sizeMb is deprecated and 0 on newer servers, alone on older ones (contract §7.2).
    sizeMb: numberAt(row, 'sizeInMb') ?? numberAt(row, 'sizeMb') ?? 0,
    ...withRows(numberAt(row, 'rows')),
  }))
}

function withRows(rows: number | undefined): { readonly rows?: number } {
  return rows === undefined ? {} : { rows }
}

/** Reads a task's status, which is JSON text in JSON text (contract §7.3). @returns undefined where it is not */
export function parseTaskStatus(value: JsonValue | undefined): TaskStatus | undefined {
  const outer = parseIfText(value)
  if (!isJsonObject(outer)) return undefined
  if (typeof outer['error'] === 'string') return { state: 'unknown', reason: outer['error'] }
  if (typeof outer['completed'] !== 'boolean') return undefined
  const inner = parseIfText(outer['status'])
  const deleted = numberAt(inner, 'deleted')
  const total = numberAt(inner, 'total')
  if (!outer['completed']) return { state: 'running', deleted, total }
  const listed = isJsonObject(inner) ? inner['failures'] : undefined
  return { state: 'completed', deleted, total, failures: Array.isArray(listed) ? listed.length : 0 }
}

function parseIfText(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as JsonValue
  } catch {
    return undefined
  }
}
