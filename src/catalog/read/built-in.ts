/**
 * Entities that exist without having been written: DataHub's data types, and its name for each entity type. Definitions
 * of structured properties point to them, and clients ask whether they exist (contract §11). Whoever writes one of them
 * gets an entity like any other.
 */
import type { JsonObject } from '../../model/json.ts'
import { entityTypes, keyAspectValue } from '../../model/registry/registry.ts'
import { asUrn, type Urn } from '../../model/urn.ts'
import type { StoredAspect } from '../write/write.ts'

const DATA_TYPES = { string: 'String', number: 'Number', date: 'Date', rich_text: 'Rich Text', urn: 'Urn' }

const BUILT_IN: ReadonlyMap<Urn, ReadonlyMap<string, StoredAspect>> = new Map([
  ...Object.entries(DATA_TYPES).map(([name, displayName]) => builtIn('dataType', name, displayName)),
  ...entityTypes().map(({ name }) => builtIn('entityType', name, name.charAt(0).toUpperCase() + name.slice(1))),
])

/**
 * The aspects of a built-in entity: its key, and what it is.
 * @param names those wanted; all where undefined. The key is always among them
 * @returns undefined for any other entity
 */
export function builtInAspects(urn: Urn, names?: readonly string[]): ReadonlyMap<string, StoredAspect> | undefined {
  const aspects = BUILT_IN.get(urn)
  if (aspects === undefined || names === undefined) return aspects
  return new Map([...aspects].filter(([name]) => name.endsWith('Key') || names.includes(name)))
}

function builtIn(kind: 'dataType' | 'entityType', name: string, displayName: string) {
  const urn = asUrn(`urn:li:${kind}:datahub.${name}`)
  const aspects = new Map([
    [`${kind}Key`, stored(keyAspectValue(urn))],
    [`${kind}Info`, stored({ qualifiedName: `datahub.${name}`, displayName })],
  ])
  return [urn, aspects] as const
}

function stored(value: JsonObject): StoredAspect {
  return { value, version: 1, systemMetadata: {}, writtenMs: 0, writtenBy: asUrn('urn:li:corpuser:__datahub_system') }
}
