/** CSVs for `csv-enricher` and what the catalog holds before; each case has datasets of its own. */
export interface EnricherCase {
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
  readonly csv: string
  /** Aspects by entity. */
  readonly before?: Readonly<Record<string, Readonly<Record<string, object>>>>
}

const HEAD = 'resource,subresource,glossary_terms,tags,owners,ownership_type,description,domain'
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`
const q = (text: string): string => `"${text}"`
const STAMP = { time: 1, actor: 'urn:li:corpuser:before' }

/** What people had made of a dataset before. */
function enriched(): Readonly<Record<string, object>> {
  return {
    globalTags: { tags: [{ tag: 'urn:li:tag:old', context: 'theirs' }, { tag: 'urn:li:tag:pii' }] },
    glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:old' }], auditStamp: STAMP },
    ownership: {
      owners: [{ owner: 'urn:li:corpuser:ada', type: 'DATAOWNER' }],
      lastModified: STAMP,
    },
    domains: { domains: ['urn:li:domain:old'] },
    editableDatasetProperties: { created: STAMP, lastModified: STAMP, description: 'old' },
    editableSchemaMetadata: {
      created: STAMP,
      lastModified: STAMP,
      editableSchemaFieldInfo: [
        { fieldPath: 'id', description: 'old', globalTags: { tags: [{ tag: 'urn:li:tag:old' }] } },
        {
          fieldPath: '[version=2.0].[type=string].mail',
          glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:old' }], auditStamp: STAMP },
        },
      ],
    },
  }
}

function rowsFor(urn: string): string {
  return [
    HEAD,
    `${q(urn)},,[urn:li:glossaryTerm:new],[urn:li:tag:pii|urn:li:tag:new],[urn:li:corpuser:ada|urn:li:corpGroup:ops],DATAOWNER,"new, with a comma",urn:li:domain:new`,
    `${q(urn)},id,,urn:li:tag:new,,,,`,
    `${q(urn)},mail,[urn:li:glossaryTerm:new|urn:li:glossaryTerm:old],,,,Address,`,
    `${q(urn)},other,,,,,Not there before,`,
    '',
  ].join('\n')
}

/**
 * The original reads the later row of a dataset before it wrote the former, and so loses one of them. It is run anew at
 * each of these marks; ours reads the rows as one file.
 */
export const APART = '--- the original: from here in a run of its own'

function repeatedRows(urn: string): string {
  return [
    HEAD,
    `${q(urn)},,,urn:li:tag:a,,,first,urn:li:domain:a`,
    APART,
    `${q(urn)},,urn:li:glossaryTerm:t,urn:li:tag:b,urn:li:corpuser:ada,,second,urn:li:domain:b`,
    `${q(urn)},id,,urn:li:tag:a,,,first,`,
    `${q(urn)},id,,urn:li:tag:b,,,second,`,
    '',
  ].join('\n')
}

const PROPERTY_HEAD = `${HEAD},team,since`
const PROPERTIES = { team: 'golden.team', since: 'urn:li:structuredProperty:golden.since' }

function propertyCase(name: string, semantics: string): EnricherCase {
  const urn = dataset(name)
  const held = { propertyUrn: 'urn:li:structuredProperty:golden.team', values: [{ string: 'OPS' }] }
  const other = { propertyUrn: 'urn:li:structuredProperty:golden.other', values: [{ string: 'kept?' }] }
  return {
    name,
    config: { write_semantics: semantics, structured_properties: PROPERTIES },
    csv: [
      PROPERTY_HEAD,
      `${q(urn)},,,,,,,,FIN,2026-01-01`,
      `${q(urn)},id,,,,,x,,LAW,`,
      `${q(dataset(`${name}.new`))},,,,,,,, OPS ,`,
      '',
    ].join('\n'),
    before: { [urn]: { structuredProperties: { properties: [held, other] } } },
  }
}

export const ENRICHER_CASES: readonly EnricherCase[] = [
  { name: 'patch.fresh', config: { write_semantics: 'PATCH' }, csv: rowsFor(dataset('patch.fresh')) },
  { name: 'override.fresh', config: { write_semantics: 'OVERRIDE' }, csv: rowsFor(dataset('override.fresh')) },
  {
    name: 'patch.enriched',
    config: { write_semantics: 'PATCH' },
    csv: rowsFor(dataset('patch.enriched')),
    before: { [dataset('patch.enriched')]: enriched() },
  },
  {
    name: 'override.enriched',
    config: { write_semantics: 'OVERRIDE' },
    csv: rowsFor(dataset('override.enriched')),
    before: { [dataset('override.enriched')]: enriched() },
  },
  { name: 'patch.repeated', config: { write_semantics: 'PATCH' }, csv: repeatedRows(dataset('patch.repeated')) },
  {
    name: 'override.repeated',
    config: { write_semantics: 'OVERRIDE' },
    csv: repeatedRows(dataset('override.repeated')),
  },
  {
    name: 'items',
    config: { delimiter: ';', array_delimiter: ',' },
    csv: [
      HEAD.replaceAll(',', ';'),
      `${dataset('items.a')};;;"[urn:li:tag:a, urn:li:tag:blank,bare,urn:li:tag:b]";;;;`,
      `${dataset('items.b')};;;urn:li:tag:open];;;;`,
      `${dataset('items.c')};;;,,;"urn:li:corpuser:ada,bob";;  ;`,
      `;;;urn:li:tag:nobody;;;;`,
      `${dataset('items.d')};;;urn:li:tag:short`,
      '',
    ].join('\n'),
  },
  {
    name: 'owners',
    config: {},
    csv: [
      `${HEAD},ownership_type_urn`,
      `${q(dataset('owners.a'))},,,,urn:li:corpuser:ada,CUSTOM,,,urn:li:ownershipType:lead`,
      `${q(dataset('owners.b'))},,,,urn:li:corpuser:ada,,,,urn:li:ownershipType:lead`,
      `${q(dataset('owners.c'))},,,,urn:li:corpuser:ada,,,,`,
      APART,
      `${q(dataset('owners.c'))},,,,urn:li:corpuser:ada,TECHNICAL_OWNER,,,`,
      `${q(dataset('owners.c'))},id,,,urn:li:corpuser:ada,,,,`,
      '',
    ].join('\n'),
  },
  {
    name: 'others',
    config: { write_semantics: 'PATCH' },
    csv: [
      HEAD,
      '"urn:li:chart:(looker,1)",,,urn:li:tag:a,urn:li:corpuser:ada,,passed over,urn:li:domain:d',
      '"urn:li:chart:(looker,1)",axis,,urn:li:tag:b,,,,',
      'urn:li:container:c,,urn:li:glossaryTerm:t,,,,,',
      '',
    ].join('\n'),
  },
  propertyCase('patch.properties', 'PATCH'),
  propertyCase('override.properties', 'OVERRIDE'),
]

/** Entities of every case: the definitions that the properties need. */
export const DEFINITIONS: NonNullable<EnricherCase['before']> = Object.fromEntries([
  ['urn:li:tag:old', { tagProperties: { name: 'old' } }],
  ...['team', 'since', 'other'].map((id) => [
    `urn:li:structuredProperty:golden.${id}`,
    {
      propertyDefinition: {
        qualifiedName: `golden.${id}`,
        displayName: id,
        valueType: 'urn:li:dataType:datahub.string',
        cardinality: 'MULTIPLE',
        entityTypes: ['urn:li:entityType:datahub.dataset'],
      },
    },
  ]),
])
