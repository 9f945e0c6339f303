/**
 * Job data on its way through the queue. It holds ids and references, never data: a kept job costs its size many times
 * over. It travels as JSON text in one field, so that a NUL character in it arrives there as six plain characters, which
 * PostgreSQL's jsonb would refuse otherwise.
 */
import { isJsonObject, type JsonObject } from '../model/json.ts'
import { QueuePayloadError } from './errors.ts'

const MAX_PAYLOAD_BYTES = 64 * 1024

export interface PackedPayload {
  readonly json: string
}

/** @throws QueuePayloadError above 64 KB */
export function packPayload(payload: JsonObject): PackedPayload {
  const json = JSON.stringify(payload)
  const bytes = Buffer.byteLength(json)
  if (bytes > MAX_PAYLOAD_BYTES) {
    throw new QueuePayloadError(`job data has ${bytes} bytes, more than ${MAX_PAYLOAD_BYTES}`, {
      remedy: 'put a reference to a file or a row into the job instead of the data',
    })
  }
  return { json }
}

/** @throws QueuePayloadError where it was not packed by `packPayload` */
export function unpackPayload(data: unknown): JsonObject {
  if (typeof data === 'object' && data !== null && 'json' in data && typeof data.json === 'string') {
    const payload: unknown = JSON.parse(data.json)
    if (isJsonObject(payload)) return payload
  }
  throw new QueuePayloadError('job data is not of this program')
}

/** BullMQ refuses ids that are numbers or hold a colon. @throws QueuePayloadError */
export function checkJobId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,219}$/.test(id) && !/^\d+$/.test(id)) return id
  throw new QueuePayloadError(`not the id of a job: ${JSON.stringify(id.slice(0, 300))}`, {
    remedy: 'use letters, digits, dots, dashes and underscores, at most 220, and not digits alone',
  })
}
