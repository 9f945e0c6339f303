/**
 * What a CSV refers to, from YAML: structured property definitions in the shape of `datahub properties upsert -f`, and
 * tags. Both become changes like any other, so a second run writes nothing.
 */
import { Type, type Static } from 'typebox'
import { replaceAspect, type AspectChange, type Merge } from '../client/change.ts'
import { DecodeError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { asUrn, type Urn } from '../model/urn.ts'
import { decodeYaml } from '../model/yaml.ts'

const AllowedValue = Type.Object(
  { value: Type.Union([Type.String(), Type.Number()]), description: Type.Optional(Type.String()) },
  { additionalProperties: false },
)

const Definition = Type.Object(
  {
    id: Type.Optional(Type.String({ minLength: 1 })),
    urn: Type.Optional(Type.String()),
    qualified_name: Type.Optional(Type.String()),
    type: Type.String(),
    display_name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    entity_types: Type.Array(Type.String(), { minItems: 1 }),
    cardinality: Type.Enum(['SINGLE', 'MULTIPLE'], { default: 'SINGLE' }),
    allowed_values: Type.Optional(Type.Array(AllowedValue)),
    type_qualifier: Type.Optional(
      Type.Object({ allowed_types: Type.Array(Type.String()) }, { additionalProperties: false }),
    ),
    immutable: Type.Optional(Type.Boolean()),
    version: Type.Optional(Type.String({ pattern: '^[0-9]{14}$' })),
  },
  { additionalProperties: false },
)
const Definitions = Type.Array(Definition)

const Tags = Type.Array(
  Type.Object(
    {
      id: Type.String({ minLength: 1 }),
      name: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      color: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
    },
    { additionalProperties: false },
  ),
)

/** @param file for messages @throws DecodeError at file, line and column */
export function definitionChanges(text: string, file: string): readonly AspectChange[] {
  return decodeYaml(Definitions, text, file).map((definition, index) => {
    const urn = definitionUrn(definition, file, index)
    const intent = definitionAspect(definition, urn.slice('urn:li:structuredProperty:'.length))
    return { urn, aspectName: 'propertyDefinition', intent, merge: keepUnknown }
  })
}

/** @param file for messages @throws DecodeError at file, line and column */
export function tagChanges(text: string, file: string): readonly AspectChange[] {
  return decodeYaml(Tags, text, file).map(({ id, name, description, color }) => ({
    urn: asUrn(`urn:li:tag:${id}`),
    aspectName: 'tagProperties',
    intent: {
      name: name ?? id,
      ...(description === undefined ? {} : { description }),
      ...(color === undefined ? {} : { colorHex: color }),
    },
    merge: keepUnknown,
  }))
}

/** Fields that the YAML does not name (audit stamps, for one) stay. */
const keepUnknown: Merge = (current, intent) => replaceAspect(current, { ...current, ...intent })

/** How the aspects of definitions and tags are merged, by their names. */
export const DEFINITION_MERGES: ReadonlyMap<string, Merge> = new Map([
  ['propertyDefinition', keepUnknown],
  ['tagProperties', keepUnknown],
])

function definitionUrn(definition: Static<typeof Definition>, file: string, index: number): Urn {
  const { id, urn, qualified_name: qualifiedName } = definition
  const found = urn ?? (id === undefined ? undefined : `urn:li:structuredProperty:${id}`)
  if (found === undefined) throw new DecodeError('a definition needs an id or a urn', { file, path: String(index) })
  if (qualifiedName !== undefined && !found.endsWith(`:${qualifiedName}`)) {
    throw new DecodeError('qualified_name must be the id of the URN', { file, path: `${index}.qualified_name` })
  }
  return asUrn(found)
}

function definitionAspect(definition: Static<typeof Definition>, qualifiedName: string): JsonObject {
  const { display_name: displayName, description, immutable, version, type_qualifier: qualifier } = definition
  return {
    qualifiedName,
    valueType: typed('dataType', definition.type.toLowerCase()),
    entityTypes: definition.entity_types.map((name) => typed('entityType', name)),
    cardinality: definition.cardinality,
    ...(displayName === undefined ? {} : { displayName }),
    ...(description === undefined ? {} : { description }),
    ...(immutable === undefined ? {} : { immutable }),
    ...(version === undefined ? {} : { version }),
    ...(definition.allowed_values === undefined
      ? {}
      : { allowedValues: definition.allowed_values.map((allowed) => allowedValue(allowed)) }),
    ...(qualifier === undefined
      ? {}
      : { typeQualifier: { allowedTypes: qualifier.allowed_types.map((name) => typed('entityType', name)) } }),
  }
}

function allowedValue({ value, description }: Static<typeof AllowedValue>): JsonObject {
  const held = typeof value === 'number' ? { double: value } : { string: value }
  return { value: held, ...(description === undefined ? {} : { description }) }
}

/** A short name or a URN to the URN: `number` to `urn:li:dataType:datahub.number` (contract §2.1). */
function typed(kind: 'dataType' | 'entityType', name: string): string {
  return name.startsWith('urn:li:') ? name : `urn:li:${kind}:datahub.${name}`
}
