/**
 * What an entity is found by: search fields with their values, taken from its URN and its aspects. Each aspect owns
 * fields of its own, so that a changed aspect replaces exactly what it gave before. Words (for text search) stand in
 * fields named `_words.<aspect>`.
 */
import { isJsonObject, objectsOf, stringsAt as strings, textOf, type JsonObject } from '../../model/json.ts'
import { parseUrn, type Urn } from '../../model/urn.ts'
import { entityTypeNamed } from '../../model/registry/registry.ts'

export type Fields = Readonly<Record<string, readonly string[]>>

/** Longest value that is kept for search, in characters. */
const MAX_VALUE_CHARS = 500
/** Most words kept of one aspect. */
const MAX_WORDS = 200
/** Most values kept of one field. */
const MAX_VALUES = 1000

/** Fields that follow from the URN alone. */
export function fieldsOfUrn(urn: Urn): Fields {
  const { entityType, key } = parseUrn(urn)
  const type = entityTypeNamed(entityType)
  const name = type?.name === 'dataset' ? (key[1] ?? '') : key.join(' ')
  const platform = key[type?.keyFields.indexOf('platform') ?? -1]
  const origin = key[type?.keyFields.indexOf('origin') ?? -1]
  return clean({
    id: [name],
    platform: platform === undefined ? [] : [platform],
    origin: origin === undefined ? [] : [origin],
    '_words.urn': wordsOf([name, platform ?? '']),
  })
}

/** Fields that an aspect's value gives. */
export function fieldsOfAspect(aspect: string, value: JsonObject): Fields {
  return clean({ ...SPECIFIC[aspect]?.(value), ...describing(aspect, value) })
}

/** The words of texts: lower case, split at everything that is neither letter nor digit. */
export function wordsOf(texts: readonly string[]): readonly string[] {
  const words = texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
  return [...new Set(words)].map((word) => word.slice(0, 64)).slice(0, MAX_WORDS)
}

type Reader = (value: JsonObject) => Readonly<Record<string, readonly string[]>>

const SPECIFIC: Readonly<Record<string, Reader>> = {
  globalTags: (value) => ({ tags: strings(value, 'tags', 'tag') }),
  glossaryTerms: (value) => ({ glossaryTerms: strings(value, 'terms', 'urn') }),
  ownership: (value) => ({ owners: strings(value, 'owners', 'owner') }),
  domains: (value) => ({ domains: strings(value, 'domains') }),
  subTypes: (value) => ({ typeNames: strings(value, 'typeNames') }),
  container: (value) => ({ container: strings(value, 'container') }),
  dataPlatformInstance: (value) => ({
    'platform.instance': strings(value, 'platform'),
    platformInstance: strings(value, 'instance'),
  }),
  browsePathsV2: (value) => ({ browsePathV2: [`␟${strings(value, 'path', 'id').join('␟')}`] }),
  schemaMetadata: (value) => ({
    fieldPaths: strings(value, 'fields', 'fieldPath'),
    fieldTags: strings(value, 'fields', 'globalTags', 'tags', 'tag'),
    fieldGlossaryTerms: strings(value, 'fields', 'glossaryTerms', 'terms', 'urn'),
  }),
  editableSchemaMetadata: (value) => ({
    editedFieldTags: strings(value, 'editableSchemaFieldInfo', 'globalTags', 'tags', 'tag'),
    editedFieldGlossaryTerms: strings(value, 'editableSchemaFieldInfo', 'glossaryTerms', 'terms', 'urn'),
  }),
  structuredProperties: (value) =>
    Object.fromEntries(
      objectsOf(value.properties).map((entry) => [
        valuesField(textOf(entry.propertyUrn)),
        objectsOf(entry.values).map((one) => textOf(one.string ?? one.double)),
      ]),
    ),
  corpUserInfo: (value) => ({ email: strings(value, 'email') }),
  status: () => ({}),
}

/** Names, descriptions and custom properties of aspects that describe their entity. */
function describing(aspect: string, value: JsonObject): Record<string, readonly string[]> {
  if (aspect === 'structuredProperties' || !/(Properties|Info|Definition)$/.test(aspect)) return {}
  const names = ['name', 'displayName', 'qualifiedName', 'title', 'fullName'].flatMap((key) => strings(value, key))
  const descriptions = ['description', 'definition', 'about'].flatMap((key) => strings(value, key))
  const custom = isJsonObject(value.customProperties) ? Object.entries(value.customProperties) : []
  return {
    [`name.${aspect}`]: names,
    [`customProperties.${aspect}`]: custom.map(([key, text]) => `${key}=${textOf(text)}`),
    [`_words.${aspect}`]: wordsOf([...names, ...descriptions]),
  }
}

/** Without empty fields, and with values that jsonb takes: no NUL, no lone surrogates, bounded. */
function clean(fields: Readonly<Record<string, readonly string[]>>): Fields {
  const kept: Record<string, readonly string[]> = {}
  for (const [name, values] of Object.entries(fields)) {
    if (values.length > 0) kept[tidy(name)] = tidied(values)
  }
  return kept
}

function tidied(values: readonly string[]): readonly string[] {
  const [first = ''] = values
  return values.length === 1 ? [tidy(first)] : [...new Set(values.map(tidy))].slice(0, MAX_VALUES)
}

function tidy(text: string): string {
  if (text.length <= MAX_VALUE_CHARS && !text.includes('\u0000') && text.isWellFormed()) return text
  return text.replaceAll('\u0000', '').slice(0, MAX_VALUE_CHARS).toWellFormed()
}

/** The field under which entities are found by their values of a structured property. */
export function valuesField(propertyUrn: string): string {
  return `structuredProperties.${propertyUrn.replace('urn:li:structuredProperty:', '')}`
}
