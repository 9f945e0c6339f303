/** What the server held that the recordings were made with, as far as their answers tell. */
import type { JsonObject } from '../../src/model/json.ts'

export const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)'
const REPORT = 'urn:li:dataset:(urn:li:dataPlatform:hive,sales.report,PROD)'
const KPI = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,mart.kpi,DEV)'
const PII = 'urn:li:tag:pii'
const column = (dataset: string, path: string) => `urn:li:schemaField:(${dataset},${path})`
const T0 = 1_767_225_600_000
const stamp = { time: T0, actor: 'urn:li:corpuser:etl' }

function schema(...fields: string[]): JsonObject {
  return {
    schemaName: 's',
    platform: 'urn:li:dataPlatform:hive',
    version: 0,
    hash: '',
    created: stamp,
    lastModified: stamp,
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: fields.map((fieldPath) => ({
      fieldPath,
      nativeDataType: 'INT',
      nullable: false,
      recursive: false,
      isPartOfKey: false,
      type: { type: { 'com.linkedin.schema.NumberType': {} } },
    })),
  }
}

const property = (name: string, valueType: string, more: JsonObject = {}): JsonObject => ({
  qualifiedName: name,
  displayName: name,
  valueType: `urn:li:dataType:datahub.${valueType}`,
  cardinality: 'MULTIPLE',
  entityTypes: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.schemaField'],
  ...more,
})

const describe = (name: string) => ({ name, description: `d of ${name}`, customProperties: { k: 'v' }, tags: [] })

/** URN, aspect, value. */
export const WORLD: readonly (readonly [urn: string, aspect: string, value: JsonObject])[] = [
  [
    'urn:li:structuredProperty:retention.days',
    'propertyDefinition',
    property('retention.days', 'number', {
      allowedValues: [1, 2, 5, 9, 30, 365].map((double) => ({ value: { double } })),
    }),
  ],
  [ORDERS, 'datasetProperties', describe('sales.orders')],
  [ORDERS, 'status', { removed: false }],
  [ORDERS, 'schemaMetadata', schema('id', 'qty')],
  [ORDERS, 'globalTags', { tags: [{ tag: PII }] }],
  [ORDERS, 'ownership', { owners: [{ owner: 'urn:li:corpuser:etl', type: 'DATAOWNER' }], lastModified: stamp }],
  [ORDERS, 'domains', { domains: ['urn:li:domain:d'] }],
  [ORDERS, 'container', { container: 'urn:li:container:c1' }],
  [ORDERS, 'browsePathsV2', { path: [{ id: 'urn:li:container:c', urn: 'urn:li:container:c' }] }],
  [
    ORDERS,
    'editableSchemaMetadata',
    { editableSchemaFieldInfo: [{ fieldPath: 'qty', globalTags: { tags: [{ tag: PII }] } }] },
  ],
  [
    ORDERS,
    'structuredProperties',
    { properties: [{ propertyUrn: 'urn:li:structuredProperty:retention.days', values: [{ double: 30 }] }] },
  ],
  [ORDERS, 'subTypes', { typeNames: ['Table'] }],
  ...[0, 1, 2].map(
    (day) =>
      [
        ORDERS,
        'datasetUsageStatistics',
        {
          timestampMillis: T0 + day * 86_400_000,
          totalSqlQueries: day * 10,
          eventGranularity: { unit: 'DAY', multiple: 1 },
        },
      ] as const,
  ),
  [
    ORDERS,
    'operation',
    { timestampMillis: T0, operationType: 'INSERT', lastUpdatedTimestamp: T0, actor: 'urn:li:corpuser:etl' },
  ],
  [
    ORDERS,
    'operation',
    {
      timestampMillis: T0 + 1,
      operationType: 'UPDATE',
      sourceType: 'DATA_PLATFORM',
      numAffectedRows: 1,
      customProperties: { k: 'v' },
      lastUpdatedTimestamp: T0,
      actor: 'urn:li:corpuser:etl',
    },
  ],
  [REPORT, 'datasetProperties', describe('sales.report')],
  [REPORT, 'status', { removed: false }],
  [REPORT, 'schemaMetadata', schema('rid')],
  [
    REPORT,
    'upstreamLineage',
    {
      upstreams: [{ dataset: ORDERS, type: 'TRANSFORMED', auditStamp: stamp }],
      fineGrainedLineages: [
        {
          upstreamType: 'FIELD_SET',
          upstreams: [column(ORDERS, 'id')],
          downstreamType: 'FIELD',
          downstreams: [column(REPORT, 'rid')],
          confidenceScore: 1,
        },
      ],
    },
  ],
  ['urn:li:dataset:(urn:li:dataPlatform:hive,sales.old,PROD)', 'status', { removed: true }],
  [KPI, 'datasetProperties', describe('mart.kpi')],
  [KPI, 'status', { removed: false }],
  [
    KPI,
    'upstreamLineage',
    { upstreams: [REPORT, ORDERS].map((dataset) => ({ dataset, type: 'TRANSFORMED', auditStamp: stamp })) },
  ],
  [PII, 'tagProperties', { name: 'pii', description: 'd', colorHex: '#ff0000' }],
  ['urn:li:domain:d', 'domainProperties', { name: 'Sales' }],
  ['urn:li:container:c', 'containerProperties', { name: 'C' }],
  [
    'urn:li:dataPlatform:hive',
    'dataPlatformInfo',
    { name: 'hive', type: 'OTHERS', datasetNameDelimiter: '.', displayName: 'Hive', logoUrl: 'http://x' },
  ],
  [
    'urn:li:query:q1',
    'queryProperties',
    { statement: { value: 'select 1', language: 'SQL' }, source: 'SYSTEM', created: stamp, lastModified: stamp },
  ],
  ['urn:li:dataJob:(urn:li:dataFlow:(airflow,f,PROD),j)', 'dataJobInfo', { name: 'j', type: 'COMMAND' }],
  [
    ORDERS,
    'dataPlatformInstance',
    { platform: 'urn:li:dataPlatform:hive', instance: 'urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,i1)' },
  ],
  ...[1, 2].map((ms) => [ORDERS, 'datasetUsageStatistics', { timestampMillis: T0 + ms, totalSqlQueries: ms }] as const),
  ['urn:li:container:c1', 'containerProperties', { name: 'C' }],
  ['urn:li:corpuser:etl', 'corpUserInfo', { active: true, displayName: 'ETL', email: 'etl@x' }],
  ['urn:li:glossaryTerm:t', 'glossaryTermInfo', { name: 'T', definition: '', termSource: 'INTERNAL' }],
]

const FAULT = 'the answer is a fault that the recording’s server injected'

/** Scenarios that are not compared, each with its reason. */
export const EXEMPT: Readonly<Record<string, string>> = {
  config_http_401: FAULT,
  config_http_404: FAULT,
  config_http_500: FAULT,
  config_nocode_bool: FAULT,
  config_nocode_absent: FAULT,
  emit_error_422: FAULT,
  emit_error_400_too_old: FAULT,
  emit_error_401_html: FAULT,
  emit_error_403: FAULT,
  emit_error_413_text: FAULT,
  emit_error_500_no_message: FAULT,
  emit_retry_503: FAULT,
  emit_retry_429: FAULT,
  emit_retry_patch: FAULT,
  oa_error_400: FAULT,
  oa_patch_503: FAULT,
  oa_async_wait_error: FAULT,
  oa_async_wait_pending: FAULT,
  oa_async_wait_no_trace: FAULT,
  read_errors: FAULT,
  get_aspect_bad_name: FAULT,
  'java_0.15.0rc20_error422': FAULT,
  patch_dataproduct: 'aspects that the interface does not name are checked by shape only, and this patch keys the list',
  cli_search_diagnose: 'needs an error for a field that this schema has',
  filter_paging: 'goes on with a scroll id of the recording’s server',
  scroll_entities: 'goes on with a scroll id of the recording’s server',
  sdk_get_lineage_filter: 'goes on with a scroll id of the recording’s server',
  'java_0.15.0rc20_patch_tags':
    'that client names the tag wrongly in the value; we take it from the path and store what was meant',
}
