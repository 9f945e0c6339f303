/** A table's columns, as SQL defines them, as a `schemaMetadata` aspect (contract §3.4). */
import { createHash } from 'node:crypto'
import type { JsonObject } from '../model/json.ts'
import { datasetParts, type DatasetUrn } from '../model/urn.ts'
import type { LearntColumn, LearntSchema } from '../sql/index.ts'

/** The aspect's value; equal schemas give equal values, so that a second load changes nothing. */
export function schemaMetadata(dataset: DatasetUrn, schema: LearntSchema): JsonObject {
  const { platform, name } = datasetParts(dataset)
  const fields = schema.columns.map(fieldOf)
  const keys = schema.columns.filter((column) => column.primaryKey === true).map((column) => column.name)
  return {
    schemaName: name,
    platform: `urn:li:dataPlatform:${platform}`,
    version: 0,
    hash: createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 16),
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields,
    ...(keys.length === 0 ? {} : { primaryKeys: keys }),
  }
}

function fieldOf(column: LearntColumn): JsonObject {
  const nativeDataType = column.type ?? ''
  return {
    fieldPath: column.name,
    nativeDataType,
    type: { type: { [`com.linkedin.schema.${typeClass(nativeDataType)}`]: {} } },
    nullable: column.nullable ?? column.primaryKey !== true,
    isPartOfKey: column.primaryKey ?? false,
    ...(column.comment === undefined ? {} : { description: column.comment }),
  }
}

/** Class of a native type, by how its name begins; views teach names only, and those count as text. */
const TYPE_CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^(array|repeated)\b|\[\]$/, 'ArrayType'],
  [/^(struct|record|object|variant|json|jsonb|map|row)\b/, 'RecordType'],
  [/^(bool)/, 'BooleanType'],
  [/^(timestamp|datetime|time)/, 'TimeType'],
  [/^(date)\b/, 'DateType'],
  [/^(bytes|bytea|binary|varbinary)/, 'BytesType'],
  [/^(int|bigint|smallint|tinyint|number|numeric|decimal|float|double|real|serial|bigserial|money)/, 'NumberType'],
]

function typeClass(nativeType: string): string {
  const lower = nativeType.trim().toLowerCase()
  return TYPE_CLASSES.find(([pattern]) => pattern.test(lower))?.[1] ?? 'StringType'
}
