import { describe, expect, test } from 'vitest'
import { readRecipe } from '../../../src/recipe/recipe.ts'

const CSV = `
source:
  type: csv-enricher
  config:
    filename: ./tags.csv
    write_semantics: OVERRIDE
    array_delimiter: ";"
    structured_properties: { retention: io.acme.retention }
sink: { type: datahub-rest, config: { server: "\${SERVER:-http://localhost:8080}", token: "\${TOKEN}" } }
`

test('a csv-enricher recipe is an import', () => {
  expect(readRecipe(CSV, 'r.yaml', { TOKEN: 'secret' })).toEqual({
    job: 'import-csv',
    input: {
      file: ['./tags.csv'],
      mode: 'override',
      delimiter: ',',
      arrayDelimiter: ';',
      columns: { retention: 'io.acme.retention' },
      missing: 'create',
      unknownColumns: 'ignore',
      maxRemovals: 1,
    },
    notes: [
      'OVERRIDE replaces what cells name; an empty cell clears nothing',
      expect.stringContaining('compat: strict does as it does'),
    ],
    sink: { kind: 'catalog', catalog: { server: 'http://localhost:8080', token: 'secret' } },
  })
})

test('a sql-queries recipe is a harvest of a log', () => {
  const recipe = `
source:
  type: sql-queries
  config: { query_file: q.json, platform: snowflake, platform_instance: null, default_db: DB, default_schema: S, usage: { bucket_duration: HOUR, start_time: -7d, top_n_queries: 5, user_email_pattern: { deny: [svc_] } } }
`
  expect(readRecipe(recipe, 'r.yaml', {})).toEqual({
    job: 'harvest-lineage',
    input: {
      source: 'q.json',
      format: 'log',
      platform: 'snowflake',
      env: 'PROD',
      database: 'DB',
      schema: 'S',
      temporary: [],
      maxFailures: 0.8,
      schemas: false,
      actor: 'urn:li:corpuser:_ingestion',
      usage: true,
      usageRules: { bucket: 'HOUR', from: '-7d', top: 5, queryLength: 4800, deny: ['svc_'] },
      readQueries: true,
    },
    notes: [],
    sink: { kind: 'own' },
  })
})

const ANY = 'source: { type: csv-enricher, config: { filename: a } }'

test.each([
  ['PATCH', undefined, 'patch'],
  ['OVERRIDE', undefined, 'override'],
  ['override', undefined, 'override'],
  ['OVERRIDE', 'strict', 'override'],
  ['override', 'strict', 'patch'],
])('write_semantics %s with compat %s is mode %s', (semantics, compat, mode) => {
  const more = compat === undefined ? '' : `, compat: ${compat}`
  const recipe = `source: { type: csv-enricher, config: { filename: a, write_semantics: ${semantics}${more} } }`
  expect(readRecipe(recipe, 'r.yaml', {}).input).toMatchObject({ mode, ...(compat === undefined ? {} : { compat }) })
})

test.each([
  ['file', 'source: { type: file, config: { path: ./dump } }', { file: ['./dump'], format: 'mcp', maxRemovals: 1 }],
  [
    'datahub-lineage-file',
    'source: { type: datahub-lineage-file, config: { file: l.yaml, preserve_upstream: false } }',
    { file: ['l.yaml'], format: 'lineage', preserveUpstream: false, maxRemovals: 1 },
  ],
])('a source of type %s is an import of metadata', (_, recipe, input) => {
  expect(readRecipe(recipe, 'r.yaml', {})).toMatchObject({ job: 'import-metadata', input })
})

describe('sinks', () => {
  test('all that is said of the way to a catalog is kept apart from the input', () => {
    const sink = `
sink:
  type: datahub-rest
  config:
    server: https://gms:8080
    timeout_sec: 5
    extra_headers: { X-Team: data }
    ca_certificate_path: ca.pem
    client_certificate_path: me.pem
    mode: ASYNC_BATCH
    max_threads: \${THREADS}
`
    const { sink: read, notes } = readRecipe(ANY + sink, 'r.yaml', { THREADS: '4' })
    expect(read).toEqual({
      kind: 'catalog',
      catalog: {
        server: 'https://gms:8080',
        token: undefined,
        timeoutSeconds: 5,
        extraHeaders: { 'X-Team': 'data' },
        caFile: 'ca.pem',
        certificateFile: 'me.pem',
      },
    })
    expect(notes).toContain('mode, max_threads of the sink: the emitter finds its own pace and retries')
  })

  test.each([
    ['sink: { type: file, config: { filename: out.json } }', { kind: 'file', path: 'out.json' }],
    ['sink: { type: console }', { kind: 'console' }],
    ['datahub_api: { server: "http://a:1" }', { kind: 'catalog', catalog: { server: 'http://a:1', token: undefined } }],
  ])('%s', (sink, expected) => {
    expect(readRecipe(`${ANY}\n${sink}`, 'r.yaml', {}).sink).toEqual(expected)
  })
})

test('what has no use for a run of ours is said, what is switched off is not', () => {
  const recipe = `${ANY}
run_id: x
failure_log: { enabled: true, log_config: { filename: f } }
flags: { enabled: false }
reporting: [{ type: datahub }]
`
  const { notes } = readRecipe(recipe, 'r.yaml', {})
  expect(notes.join('\n')).toMatch(/failure_log: .*dead list[^]*reporting: [^]*run_id: /)
  expect(notes.join('\n')).not.toContain('flags')
})

describe('variables', () => {
  test.each([
    ['"a ${NAME} b"', 'a value b'],
    ['$NAME/x.csv', 'value/x.csv'],
    ['$NOWHERE/x.csv', '$NOWHERE/x.csv'],
    ['"${EMPTY:-standing in}"', 'standing in'],
    ['"${EMPTY-}x"', 'x'],
    ['"${NOWHERE:-}x"', 'x'],
    ['${TRICKY}', '"]}, evil: {a: b'],
  ])('%s is %j', (written, read) => {
    const environment = { NAME: 'value', EMPTY: '', TRICKY: '"]}, evil: {a: b' }
    expect(readRecipe(aRecipeOf(written), 'r.yaml', environment).input['file']).toEqual([read])
  })

  test('their values do not stand in messages', () => {
    const recipe = `${ANY}\nsink: { type: datahub-rest, config: { server: "\${SERVER}" } }`
    const read = () => readRecipe(recipe, 'r.yaml', { SERVER: 'ftp://me:hunter2@gms' })
    expect(read).toThrow('${SERVER}')
    expect(read).not.toThrow('hunter2')
  })
})

test('every key of sql-queries has its meaning, or a word on why not', () => {
  const recipe = `
source:
  type: sql-queries
  config:
    query_file: q.json
    platform: athena
    env: dev
    override_dialect: mssql
    temp_table_patterns: ['awsdatacatalog\\.tmp_']
    incremental_lineage: false
    max_consecutive_aggregator_failures: 5
    failure_ratio_threshold: 0.5
    aws_config: { aws_region: eu-west-1 }
    use_schema_resolver: true
    lazy_schema_loading: true
    usage: { include_top_n_queries: false, format_sql_queries: true }
pipeline_name: nightly harvest
`
  expect(readRecipe(recipe, 'r.yaml', {})).toEqual({
    job: 'harvest-lineage',
    input: {
      source: 'q.json',
      format: 'log',
      platform: 'athena',
      env: 'DEV',
      dialect: 'tsql',
      temporary: ['awsdatacatalog\\.tmp_'],
      maxFailures: 0.5,
      schemas: false,
      actor: 'urn:li:corpuser:_ingestion',
      usage: true,
      usageRules: { bucket: 'DAY', top: 0, queryLength: 2400 },
      readQueries: true,
      replaceSeen: true,
      origin: 'nightly-harvest',
    },
    notes: [
      'statements are kept as they are: format_sql_queries is not done',
      'max_consecutive_aggregator_failures is not needed: one bad statement never fails the next',
      'aws_config is not used: s3:// addresses are not read',
    ],
    sink: { kind: 'own' },
  })
})

describe('what a recipe asks for and we do not do is refused', () => {
  test.each([
    ['another source', 'source: { type: csv-enrichr, config: {} }', 'did you mean "csv-enricher"?'],
    [
      'an unknown key',
      'source: { type: csv-enricher, config: { filename: a, delimeter: x } }',
      'did you mean "delimiter"?',
    ],
    ['a missing key', 'source: { type: csv-enricher, config: {} }', 'missing key "filename"'],
    [
      'another sink',
      'source: { type: csv-enricher, config: { filename: a } }\nsink: { type: datahub-kafka }',
      'no sink of type "datahub-kafka"',
    ],
    [
      'transformers',
      'source: { type: csv-enricher, config: { filename: a } }\ntransformers: [{ type: x }]',
      'transformers',
    ],
    [
      'a variable that is not set',
      'source: { type: csv-enricher, config: { filename: "${NOWHERE}" } }',
      'NOWHERE is not set',
    ],
    [
      'certificates that are not verified',
      `${ANY}\nsink: { type: datahub-rest, config: { server: "https://a", disable_ssl_verification: true } }`,
      'always verified',
    ],
    [
      'an address with a password in it',
      `${ANY}\nsink: { type: datahub-rest, config: { server: "https://me:pw@a" } }`,
      'a name and a password',
    ],
    ['one aspect of a file', 'source: { type: file, config: { path: a, aspect: status } }', 'one aspect alone'],
    [
      'one delimiter for both',
      'source: { type: csv-enricher, config: { filename: a, delimiter: "|" } }',
      'also that of items',
    ],
    [
      'a pattern that is none',
      'source: { type: sql-queries, config: { query_file: q, platform: hive, temp_table_patterns: ["(tmp"] } }',
      '"(tmp" is no regular expression',
    ],
    [
      'a log on S3',
      'source: { type: sql-queries, config: { query_file: "s3://bucket/q", platform: hive } }',
      's3:// addresses are not read',
    ],
  ])('%s', (_, recipe, text) => {
    expect(() => readRecipe(recipe, 'r.yaml', {})).toThrow(text)
  })
})

function aRecipeOf(filename: string): string {
  return `source:\n  type: csv-enricher\n  config:\n    filename: ${filename}\n`
}

test('a sink that there is not, and what is never done, are refused as such', () => {
  const unsafe = '{ type: datahub-rest, config: { server: "http://localhost:8080", disable_ssl_verification: true } }'
  for (const sink of ['{ type: datahub-kafka, config: {} }', unsafe]) {
    const recipe = `source: { type: csv-enricher, config: { filename: a.csv } }\nsink: ${sink}\n`
    expect(() => readRecipe(recipe, 'r.yaml', {})).toThrow(
      expect.objectContaining({ code: 'RECIPE_UNSUPPORTED', badInput: true }),
    )
  }
})
