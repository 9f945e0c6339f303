/** Rules of structured-property values (contract §8): definition, type, cardinality, allowed values, entity types, immutability. */
import {
  canonicalJson,
  sameJson,
  isJsonObject,
  objectsOf,
  stringsAt,
  textOf,
  type JsonObject,
  type JsonValue,
} from '../../model/json.ts'
import { parseUrn, type Urn } from '../../model/urn.ts'
import { InvalidWriteError, NotApplicableError } from '../errors.ts'
import type { AspectRules } from '../write/rules.ts'
import type { AspectRef, View } from '../write/write.ts'

export const VALUE_RULES: AspectRules = {
  reads: (value) => propertyUrns(value).flatMap(definitionReads),
  async check({ type, next, stored, view }) {
    const before = assignments(stored?.value)
    const after = assignments(next)
    const seen = new Set<string>()
    for (const { urn, key, values } of after) {
      if (seen.has(key))
        throw new InvalidWriteError(`Property: ${urn} has multiple entries: ${canonicalJson(next.properties ?? [])}`)
      seen.add(key)
      const definition = await definitionOf(urn, view)
      checkEntityType(urn, definition, type.name)
      checkValues(urn, definition, values)
      const old = before.find((one) => one.key === key)
      if (definition.immutable === true && old !== undefined && !sameJson(old.values, values)) {
        throw new InvalidWriteError(`Cannot mutate an immutable property: ${urn}`)
      }
    }
    for (const { urn, key } of before) {
      if (seen.has(key)) continue
      const definition = (await view.aspect(urn, 'propertyDefinition'))?.value
      if (definition?.immutable === true) throw new InvalidWriteError(`Cannot delete an immutable property ${urn}`)
    }
  },
}

interface Assignment {
  readonly urn: Urn
  /** The property, and where the value comes from: an attributed value stands beside a plain one. */
  readonly key: string
  readonly values: readonly JsonObject[]
}

function assignments(value: JsonObject | undefined): readonly Assignment[] {
  return objectsOf(value?.properties).map((entry) => {
    const source = isJsonObject(entry.attribution) ? textOf(entry.attribution.source) : ''
    return {
      urn: textOf(entry.propertyUrn) as Urn,
      key: `${textOf(entry.propertyUrn)} ${source}`,
      values: objectsOf(entry.values),
    }
  })
}

async function definitionOf(urn: Urn, view: View): Promise<JsonObject> {
  const { entityType } = parseUrn(urn)
  if (entityType !== 'structuredProperty') {
    throw new InvalidWriteError(`Unexpected entity type. Expected: structuredProperty Found: ${entityType}`)
  }
  if ((await view.aspect(urn, 'status'))?.value.removed === true) {
    throw new InvalidWriteError(`Cannot apply a soft deleted Structured Property value: ${urn}`)
  }
  const definition = await view.aspect(urn, 'propertyDefinition')
  if (definition === undefined) {
    throw new InvalidWriteError(`Unexpected null value found for ${urn} Structured Property Definition.`)
  }
  return definition.value
}

/** `urn:li:entityType:<namespace>.<type>`, any namespace (contract §11); no entity types listed means none allowed. */
function checkEntityType(urn: Urn, definition: JsonObject, entityType: string): void {
  const allowed = stringsAt(definition, 'entityTypes').map((type) => lastWord(type))
  if (allowed.includes(entityType.toLowerCase())) return
  throw new NotApplicableError(`Property: ${urn} may be applied to [${allowed.join(', ')}], not to ${entityType}`, {
    remedy: 'use it where its definition says, or extend the entityTypes of the definition',
  })
}

function checkValues(urn: Urn, definition: JsonObject, values: readonly JsonObject[]): void {
  if ((definition.cardinality ?? 'SINGLE') === 'SINGLE' && values.length > 1) {
    throw new InvalidWriteError(
      `Property: ${urn} has cardinality 1, but multiple values were assigned: ${canonicalJson(values)}`,
    )
  }
  const check = TYPE_CHECKS[lastWord(textOf(definition.valueType))]
  if (check === undefined) {
    throw new InvalidWriteError(`Validation support for type ${textOf(definition.valueType)} is not yet implemented.`)
  }
  const allowed = Array.isArray(definition.allowedValues)
    ? objectsOf(definition.allowedValues).map((entry) => canonicalJson(entry.value ?? null))
    : undefined
  for (const value of values) {
    const fault = check(value, definition)
    if (fault !== undefined) throw new InvalidWriteError(`Property: ${urn}, value: ${canonicalJson(value)} ${fault}`)
    if (allowed !== undefined && !allowed.includes(canonicalJson(value))) {
      throw new InvalidWriteError(
        `Property: ${urn}, value: ${canonicalJson(value)} should be one of [${allowed.join(', ')}]`,
      )
    }
  }
}

type TypeCheck = (value: JsonObject, definition: JsonObject) => string | undefined

const text: TypeCheck = (value) => (typeof value.string === 'string' ? undefined : 'should be a string')

const TYPE_CHECKS: Readonly<Record<string, TypeCheck>> = {
  string: text,
  rich_text: text,
  date: (value) => text(value, {}) ?? (isDate(value.string) ? undefined : 'should be a date with format YYYY-MM-DD'),
  urn: (value, definition) => text(value, {}) ?? urnFault(textOf(value.string), definition),
  number: (value) => (typeof value.double === 'number' || isNumeric(value.string) ? undefined : 'should be a number'),
}

function urnFault(value: string, definition: JsonObject): string | undefined {
  let entityType: string
  try {
    entityType = parseUrn(value).entityType
  } catch {
    return 'should be an urn'
  }
  const allowed = stringsAt(definition.typeQualifier, 'allowedTypes')
  if (allowed.length === 0 || allowed.some((type) => lastWord(type) === entityType.toLowerCase())) return undefined
  return `is not of any supported urn types:[${allowed.join(', ')}]`
}

function isDate(value: JsonValue | undefined): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

function isNumeric(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
}

function definitionReads(urn: Urn): readonly AspectRef[] {
  return [
    { urn, name: 'propertyDefinition' },
    { urn, name: 'status' },
  ]
}

function propertyUrns(value: JsonObject): readonly Urn[] {
  return stringsAt(value, 'properties', 'propertyUrn') as readonly Urn[]
}

/** `dataset` of `urn:li:entityType:datahub.dataset`, in lower case. */
const lastWord = (urn: string): string => (urn.split(':').at(-1)?.split('.').at(-1) ?? '').toLowerCase()
