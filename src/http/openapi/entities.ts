/** Entities as version 2 and 3 of the REST interface show them (contract §5.2). */
import type { EntityRecord } from '../../catalog/read/read.ts'
import type { StoredAspect } from '../../catalog/write/write.ts'
import type { JsonObject } from '../../model/json.ts'
import { systemMetadataJson } from '../restli/encode.ts'

export type Version = 2 | 3

/** `{value}`, with system metadata (and in version 3 the audit stamp) when asked for. */
export function aspectJson(stored: StoredAspect, version: Version, withSystemMetadata: boolean): JsonObject {
  if (!withSystemMetadata) return { value: stored.value }
  return {
    value: stored.value,
    systemMetadata: systemMetadataJson(stored),
    ...(version === 3 ? { auditStamp: { time: stored.writtenMs, actor: stored.writtenBy } } : {}),
  }
}

/** Version 2 keeps aspects under `aspects`, version 3 beside `urn`. */
export function entityJson(
  urn: string,
  aspects: Iterable<readonly [string, StoredAspect]>,
  version: Version,
  withSystemMetadata: boolean,
): JsonObject {
  const shown = Object.fromEntries(
    [...aspects].map(([name, stored]) => [name, aspectJson(stored, version, withSystemMetadata)]),
  )
  return version === 2 ? { urn, aspects: shown } : { urn, ...shown }
}

/** What was accepted and is not yet carried out, as it was proposed. */
export function acceptedJson(
  urn: string,
  aspects: readonly (readonly [name: string, value: JsonObject])[],
  version: Version,
): JsonObject {
  const shown = Object.fromEntries(aspects.map(([name, value]) => [name, { value }]))
  return version === 2 ? { urn, aspects: shown } : { urn, ...shown }
}

export function recordJson(record: EntityRecord, version: Version, withSystemMetadata: boolean): JsonObject {
  return entityJson(record.urn, record.aspects, version, withSystemMetadata)
}
