import { createHash } from 'node:crypto'
import { canonicalJson, type JsonObject, type JsonValue } from '../model/json.ts'
import type { Clock } from '../observe/clock.ts'
import type { Ids } from '../observe/ids.ts'
import type { Logger } from '../observe/logger.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { QueueKit } from '../queue/queue-kit.ts'
import type { Database } from '../store/database.ts'
import { ResultTooLargeError } from './errors.ts'
import type { JobRegistry } from './registry.ts'

/** What every use case of the runner works with; put together once by the composition. */
export interface RunnerParts {
  readonly database: Database
  readonly queues: QueueKit
  readonly jobs: JobRegistry
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Equal for equal values, whatever the order of their keys. */
export function fingerprint(value: JsonValue): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/** @throws ResultTooLargeError */
export function checkSize(what: string, value: JsonValue, limitBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(value))
  if (bytes > limitBytes) throw new ResultTooLargeError(what, bytes, limitBytes)
}

/** A copy that is JSON and nothing else: undefined members gone, dates as texts. */
export function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

/** PostgreSQL's text holds no NUL; one in a message becomes the replacement character. */
export function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD')
}

/** At most `length` characters, an ellipsis where something was cut. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
