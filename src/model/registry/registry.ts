/** Looks up what `registry-data.ts` says: entity types, aspects, their record names, kinds and relationships. */
import { parseUrn, type Urn } from '../urn.ts'
import type { JsonObject } from '../json.ts'
import { ENTITIES, RECORDS, RELATIONSHIPS, TIMESERIES } from './registry-data.ts'

export interface EntityType {
  readonly name: string
  readonly keyAspect: string
  /** Fields of the key record, in the order of the URN's parts. */
  readonly keyFields: readonly string[]
  /** Names of the aspects it carries, the key aspect left out. */
  readonly aspects: ReadonlySet<string>
}

export interface AspectType {
  readonly name: string
  /** Full name of its record on the wire, for example `com.linkedin.common.GlobalTags` (contract §3.1). */
  readonly record: string
  readonly kind: 'key' | 'versioned' | 'timeseries'
  readonly relationships: readonly RelationshipRule[]
}

export interface RelationshipRule {
  /** Segments of the path; `*` is every item. */
  readonly path: readonly string[]
  readonly type: string
  /** For lineage: the side on which the entity pointed to stands. */
  readonly lineage: 'upstream' | 'downstream' | undefined
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/)
const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const ENTITY_TYPES: ReadonlyMap<string, EntityType> = new Map(
  Object.entries(ENTITIES).map(([name, { key, fields, aspects }]) => [
    name.toLowerCase(),
    { name, keyAspect: key, keyFields: words(fields), aspects: new Set(words(aspects)) },
  ]),
)

const ASPECT_TYPES: ReadonlyMap<string, AspectType> = aspectTypes()
const BY_LOWER_CASE: ReadonlyMap<string, AspectType> = new Map(
  [...ASPECT_TYPES.values()].map((aspect) => [aspect.name.toLowerCase(), aspect]),
)
const BY_RECORD: ReadonlyMap<string, AspectType> = new Map(
  [...ASPECT_TYPES.values()].map((aspect) => [aspect.record, aspect]),
)

/** The entity type of this name, whatever its case; undefined when there is none. */
export function entityTypeNamed(name: string): EntityType | undefined {
  return ENTITY_TYPES.get(name.toLowerCase())
}

/** All entity types, by name. */
export function entityTypes(): readonly EntityType[] {
  return [...ENTITY_TYPES.values()]
}

/** The aspect of exactly this name; `{ anyCase: true }` for paths and index names, which are matched ignoring case. */
export function aspectNamed(name: string, options: { readonly anyCase?: boolean } = {}): AspectType | undefined {
  return options.anyCase === true ? BY_LOWER_CASE.get(name.toLowerCase()) : ASPECT_TYPES.get(name)
}

/** The aspect whose record has this full name, as legacy snapshots name their aspects. */
export function aspectOfRecord(record: string): AspectType | undefined {
  return BY_RECORD.get(record.replace('com.linkedin.pegasus2avro.', 'com.linkedin.'))
}

/** Whether entities of this type carry this aspect, the key aspect included. */
export function carries(entity: EntityType, aspect: string): boolean {
  return entity.keyAspect === aspect || entity.aspects.has(aspect)
}

/** The value of an entity's key aspect, which is made from its URN: `{ name: 'pii' }` for `urn:li:tag:pii`. */
export function keyAspectValue(urn: Urn): JsonObject {
  const { entityType, key } = parseUrn(urn)
  const fields = entityTypeNamed(entityType)?.keyFields ?? ['id']
  return Object.fromEntries(fields.map((field, index) => [field, key[index] ?? '']))
}

/** The URN that a key aspect's value stands for; undefined where a field is missing. */
export function urnOfKeyAspect(entity: EntityType, value: JsonObject): string | undefined {
  const parts = entity.keyFields
    .map((field) => value[field])
    .filter((part): part is string => typeof part === 'string' && part !== '')
  if (parts.length !== entity.keyFields.length) return undefined
  const key = parts.join(',')
  return `urn:li:${entity.name}:${parts.length === 1 ? key : `(${key})`}`
}

function aspectTypes(): Map<string, AspectType> {
  const timeseries = new Set(words(TIMESERIES))
  const keys = new Set([...ENTITY_TYPES.values()].map((entity) => entity.keyAspect))
  const rules = new Map<string, RelationshipRule[]>()
  for (const [aspect, path, type, lineage] of RELATIONSHIPS) {
    const rule = { path: path.slice(1).split('/'), type, lineage }
    rules.set(aspect, [...(rules.get(aspect) ?? []), rule])
  }
  const records = new Map([...keys].map((key) => [key, `com.linkedin.metadata.key.${capitalised(key)}`]))
  for (const [group, names] of Object.entries(RECORDS)) {
    for (const word of words(names)) {
      const [name = word, record = capitalised(word)] = word.split('=')
      records.set(name, `${group}.${record}`)
    }
  }
  const kindOf = (name: string) => (keys.has(name) ? 'key' : timeseries.has(name) ? 'timeseries' : 'versioned')
  return new Map(
    [...records].map(([name, record]) => [
      name,
      { name, record, kind: kindOf(name), relationships: rules.get(name) ?? [] },
    ]),
  )
}
