/** Aspects and entities as rest.li answers carry them (contract §3.7, §4.3). */
import type { EntityRecord } from '../../catalog/read/read.ts'
import type { StoredAspect } from '../../catalog/write/write.ts'
import type { JsonObject } from '../../model/json.ts'
import { aspectNamed, entityTypeNamed, keyAspectValue } from '../../model/registry/registry.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'

/** The system metadata as stored, with the defaults of the record and the aspect's version. */
export function systemMetadataJson(stored: StoredAspect): JsonObject {
  return {
    lastObserved: stored.writtenMs,
    runId: 'no-run-id-provided',
    lastRunId: 'no-run-id-provided',
    ...definedOnly(stored.systemMetadata),
    version: String(stored.version),
    aspectModified: { time: stored.writtenMs, actor: stored.writtenBy },
  }
}

/** `{name, type, version, value, created, systemMetadata}` for each aspect; the key aspect also of an unknown entity. */
export function entityJson(urn: Urn, record: EntityRecord | undefined): JsonObject {
  const type = entityTypeNamed(entityTypeOf(urn))
  const aspects = [...(record?.aspects ?? [])].map(([name, stored]) => [
    name,
    {
      name,
      type: aspectNamed(name)?.kind === 'timeseries' ? 'TIMESERIES' : 'VERSIONED',
      version: 0,
      value: stored.value,
      created: { time: stored.writtenMs, actor: stored.writtenBy },
      systemMetadata: systemMetadataJson(stored),
    },
  ])
  const key = type?.keyAspect ?? 'key'
  const unknown = { [key]: { name: key, type: 'VERSIONED', version: 0, value: keyAspectValue(urn) } }
  return {
    urn,
    entityName: type?.name ?? entityTypeOf(urn),
    aspects: record === undefined ? unknown : Object.fromEntries(aspects),
  }
}

function definedOnly(value: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as JsonObject
}
