/**
 * Schemas of the aspects that the interface names (contract §3.2-3.7): URN grammar, enums, required fields. Fields that
 * a schema does not know are kept, since newer clients send more. Aspects without a schema are checked by shape only.
 */
import { Type, type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Set as defineFormat } from 'typebox/format'
import type { JsonObject } from '../json.ts'
import { parseUrn } from '../urn.ts'

defineFormat('urn', (text) => isUrnOf(undefined, text))
for (const entityType of ['tag', 'structuredProperty', 'schemaField']) {
  defineFormat(`${entityType}-urn`, (text) => isUrnOf(entityType, text))
}

const optional = Type.Optional
const list = (items: TSchema) => Type.Array(items)
const urn = Type.String({ format: 'urn' })
const text = Type.String()
/** What a JavaScript Date can hold, about 270,000 years around 1970. */
const millis = Type.Integer({ minimum: -8.64e15, maximum: 8.64e15 })
const oneOf = (...values: string[]) => Type.Enum(values)
/** A primitive union: exactly one of the two keys (contract §3.5). */
const primitive = Type.Union([
  Type.Object({ string: text }, { additionalProperties: false }),
  Type.Object({ double: Type.Number() }, { additionalProperties: false }),
])

const auditStamp = Type.Object({ time: millis, actor: urn })
const changeStamps = {
  created: optional(auditStamp),
  lastModified: optional(auditStamp),
  deleted: optional(auditStamp),
}
const globalTags = Type.Object({
  tags: list(Type.Object({ tag: Type.String({ format: 'tag-urn' }), context: optional(text) })),
})
const glossaryTerms = Type.Object({ terms: list(Type.Object({ urn })), auditStamp: optional(auditStamp) })
const properties = optional(Type.Record(text, text))

const schemaField = Type.Object({
  fieldPath: text,
  type: Type.Object({ type: Type.Record(text, Type.Unknown(), { minProperties: 1, maxProperties: 1 }) }),
  nativeDataType: text,
  nullable: optional(Type.Boolean()),
  description: optional(text),
  globalTags: optional(globalTags),
  glossaryTerms: optional(glossaryTerms),
})

const fineGrainedLineage = Type.Object({
  upstreamType: oneOf('FIELD_SET', 'DATASET', 'NONE'),
  upstreams: optional(list(urn)),
  downstreamType: oneOf('FIELD', 'FIELD_SET'),
  downstreams: optional(list(urn)),
  transformOperation: optional(text),
  confidenceScore: optional(Type.Number()),
  query: optional(urn),
})

const timeWindow = Type.Object({ unit: oneOf('SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR') })
/** What every timeseries aspect includes (contract §3.6). */
const timeseries = {
  timestampMillis: millis,
  eventGranularity: optional(timeWindow),
  partitionSpec: optional(Type.Object({ partition: text, type: optional(oneOf('PARTITION', 'QUERY', 'FULL_TABLE')) })),
  messageId: optional(text),
}

const SCHEMAS: Readonly<Record<string, TSchema>> = {
  upstreamLineage: Type.Object({
    upstreams: list(
      Type.Object({
        dataset: urn,
        type: oneOf('COPY', 'TRANSFORMED', 'VIEW'),
        auditStamp: optional(auditStamp),
        created: optional(auditStamp),
        properties,
        query: optional(urn),
      }),
    ),
    fineGrainedLineages: optional(list(fineGrainedLineage)),
  }),
  globalTags,
  glossaryTerms,
  tagProperties: Type.Object({ name: text, description: optional(text), colorHex: optional(text) }),
  editableSchemaMetadata: Type.Object({
    ...changeStamps,
    editableSchemaFieldInfo: list(
      Type.Object({
        fieldPath: text,
        description: optional(text),
        globalTags: optional(globalTags),
        glossaryTerms: optional(glossaryTerms),
      }),
    ),
  }),
  schemaMetadata: Type.Object({
    schemaName: text,
    platform: urn,
    version: Type.Integer(),
    hash: text,
    platformSchema: Type.Record(text, Type.Unknown(), { minProperties: 1, maxProperties: 1 }),
    fields: list(schemaField),
    ...changeStamps,
  }),
  datasetProperties: Type.Object({
    customProperties: properties,
    name: optional(text),
    qualifiedName: optional(text),
    description: optional(text),
    externalUrl: optional(text),
    tags: optional(list(text)),
  }),
  status: Type.Object({ removed: optional(Type.Boolean()) }),
  ownership: Type.Object({ owners: list(Type.Object({ owner: urn, type: optional(text), typeUrn: optional(urn) })) }),
  chartInfo: Type.Object({ title: text, description: text }),
  dashboardInfo: Type.Object({ title: text, description: text }),
  propertyDefinition: Type.Object({
    qualifiedName: text,
    displayName: optional(text),
    valueType: urn,
    typeQualifier: optional(Type.Record(text, list(text))),
    allowedValues: optional(list(Type.Object({ value: primitive, description: optional(text) }))),
    cardinality: optional(oneOf('SINGLE', 'MULTIPLE')),
    entityTypes: list(urn),
    description: optional(text),
    immutable: optional(Type.Boolean()),
    version: optional(text),
    created: optional(auditStamp),
    lastModified: optional(auditStamp),
  }),
  structuredProperties: Type.Object({
    properties: list(Type.Object({ propertyUrn: urn, values: list(primitive) })),
  }),
  datasetUsageStatistics: Type.Object({
    ...timeseries,
    uniqueUserCount: optional(Type.Integer()),
    totalSqlQueries: optional(Type.Integer()),
    topSqlQueries: optional(list(text)),
    userCounts: optional(list(Type.Object({ user: urn, count: Type.Integer() }))),
    fieldCounts: optional(list(Type.Object({ fieldPath: text, count: Type.Integer() }))),
  }),
  datasetProfile: Type.Object({
    ...timeseries,
    rowCount: optional(Type.Integer()),
    columnCount: optional(Type.Integer()),
    sizeInBytes: optional(Type.Integer()),
  }),
  operation: Type.Object({
    ...timeseries,
    operationType: oneOf('INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'DROP', 'CUSTOM', 'UNKNOWN'),
    lastUpdatedTimestamp: millis,
  }),
}

const TIMESERIES_SCHEMA = Type.Object(timeseries)
const compiled = new Map<string, Validator>()

/**
 * What is wrong with an aspect's value: sentences with the path of the field, in the words that clients know; empty when
 * nothing is. `timeseries` picks the schema common to all timeseries aspects where the aspect has none of its own.
 */
export function aspectFaults(
  name: string,
  value: JsonObject,
  options: { readonly timeseries: boolean },
): readonly string[] {
  const schema = SCHEMAS[name] ?? (options.timeseries ? TIMESERIES_SCHEMA : undefined)
  if (schema === undefined) return []
  const key = SCHEMAS[name] === undefined ? '' : name
  const validator = compiled.get(key) ?? Compile(schema)
  compiled.set(key, validator)
  return validator.Check(value) ? [] : sentences(validator, value)
}

function sentences(validator: Validator, value: JsonObject): readonly string[] {
  const faults = validator.Errors(value).flatMap((error) => {
    if (error.keyword === 'anyOf' || error.keyword === 'boolean' || error.keyword === 'additionalProperties') return []
    // Which ones they are helps more than that there are some.
    if (error.keyword === 'enum') {
      return [`ERROR :: ${error.instancePath || '/'} :: is none of ${error.params.allowedValues.join(', ')}`]
    }
    if (error.keyword !== 'required') return [`ERROR :: ${error.instancePath || '/'} :: ${error.message}`]
    return error.params.requiredProperties.map(
      (field) => `ERROR :: ${error.instancePath}/${field} :: field is required but not found and has no default value`,
    )
  })
  return faults.length > 0 ? faults.slice(0, 20) : ['ERROR :: / :: does not match the schema of the aspect']
}

function isUrnOf(entityType: string | undefined, value: string): boolean {
  try {
    return entityType === undefined ? parseUrn(value) !== undefined : parseUrn(value).entityType === entityType
  } catch {
    return false
  }
}
