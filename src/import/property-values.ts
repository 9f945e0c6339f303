/**
 * Structured property values by their definition: numbers stay numbers, dates are dates, and what a definition does not
 * allow is refused here, before it is sent (the rules of contract §8).
 */
import { assertNever } from '../model/errors.ts'
import { isJsonObject, numberAt, objectsAt, textAt, type JsonObject } from '../model/json.ts'
import { didYouMean } from '../model/near.ts'
import { entityTypeOf, parseUrn, type Urn } from '../model/urn.ts'
import { RowError } from './errors.ts'

const VALUE_TYPES = ['string', 'rich_text', 'number', 'date', 'urn'] as const
type ValueType = (typeof VALUE_TYPES)[number]

export interface PropertyDefinition {
  readonly urn: Urn
  readonly valueType: ValueType
  readonly single: boolean
  /** Lower-case entity types it may be applied to; empty: any. */
  readonly entityTypes: readonly string[]
  /** As the definition writes them: `{string}` or `{double}`; undefined: any. */
  readonly allowedValues: readonly JsonObject[] | undefined
  /** Lower-case entity types that a `urn` value may have; empty: any. */
  readonly allowedTypes: readonly string[]
}

/** Reads a `propertyDefinition` aspect. @returns undefined where its value type is not one that we know */
export function readDefinition(urn: Urn, aspect: JsonObject): PropertyDefinition | undefined {
  const typeName = lastPart(textAt(aspect, 'valueType') ?? '')
  const valueType = VALUE_TYPES.find((type) => type === typeName)
  if (valueType === undefined) return undefined
  const qualifier = isJsonObject(aspect['typeQualifier']) ? aspect['typeQualifier']['allowedTypes'] : undefined
  const allowed = objectsAt(aspect, 'allowedValues')
    .map((item) => item['value'])
    .filter(isJsonObject)
  return {
    urn,
    valueType,
    single: textAt(aspect, 'cardinality') !== 'MULTIPLE',
    entityTypes: textsOf(aspect['entityTypes']).map(lastPart),
    allowedValues: allowed.length === 0 ? undefined : allowed,
    allowedTypes: textsOf(qualifier).map(lastPart),
  }
}

/** One value as the aspect writes it. @param column for messages @throws RowError INVALID_VALUE */
export function typedValue(definition: PropertyDefinition, text: string, column: string): JsonObject {
  const value = convert(definition, text, column)
  const { allowedValues } = definition
  if (allowedValues === undefined || allowedValues.some((allowed) => equalValues(allowed, value))) return value
  const shown = allowedValues.map((allowed) => textAt(allowed, 'string') ?? String(numberAt(allowed, 'double')))
  throw new RowError(
    'INVALID_VALUE',
    `${JSON.stringify(text)} is not one of the allowed values ${shown.join(', ')}${didYouMean(text, shown)}`,
    column,
  )
}

/** Refuses properties that are not made for this type of entity. @throws RowError NOT_APPLICABLE */
export function checkEntityType(definition: PropertyDefinition, entityType: string, column: string): void {
  const { entityTypes } = definition
  if (entityTypes.length === 0 || entityTypes.includes(entityType.toLowerCase())) return
  throw new RowError(
    'NOT_APPLICABLE',
    `${definition.urn} is for ${entityTypes.join(', ')}, not for ${entityType}`,
    column,
  )
}

function convert(definition: PropertyDefinition, text: string, column: string): JsonObject {
  switch (definition.valueType) {
    case 'string':
    case 'rich_text':
      return { string: text }
    case 'number': {
      const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
      if (!Number.isFinite(number)) {
        const hint = SEPARATED.test(text) ? ': digits are not grouped, and decimals follow a point (1234.5)' : ''
        throw new RowError('INVALID_VALUE', `${JSON.stringify(text)} is not a number${hint}`, column)
      }
      return { double: number }
    }
    case 'date':
      if (!isDate(text)) {
        throw new RowError('INVALID_VALUE', `${JSON.stringify(text)} is not a date of the form YYYY-MM-DD`, column)
      }
      return { string: text }
    case 'urn':
      return { string: urnValue(definition, text, column) }
    default:
      return assertNever(definition.valueType)
  }
}

/** As people of many countries write numbers, and as nobody else can tell what they mean. */
const SEPARATED = /^[+-]?\d[\d.,'’\s]*$/

function urnValue(definition: PropertyDefinition, text: string, column: string): string {
  let entityType: string
  try {
    entityType = parseUrn(text).entityType
  } catch (error) {
    throw new RowError('INVALID_URN', (error as Error).message, column)
  }
  const { allowedTypes } = definition
  if (allowedTypes.length > 0 && !allowedTypes.includes(entityType.toLowerCase())) {
    throw new RowError('INVALID_VALUE', `${text} is not a URN of type ${allowedTypes.join(', ')}`, column)
  }
  return text
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function equalValues(a: JsonObject, b: JsonObject): boolean {
  return a['string'] === b['string'] && a['double'] === b['double']
}

/** `urn:li:dataType:datahub.number` to `number`: any namespace counts (contract §11). */
function lastPart(urn: string): string {
  const key = urn.startsWith('urn:li:') ? urn.slice(entityTypeOf(urn as Urn).length + 8) : urn
  return key.slice(key.lastIndexOf('.') + 1).toLowerCase()
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
