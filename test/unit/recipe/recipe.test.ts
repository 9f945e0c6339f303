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
    },
    notes: ['OVERRIDE replaces what cells name; an empty cell clears nothing'],
    server: 'http://localhost:8080',
    token: 'secret',
  })
})

test('a sql-queries recipe is a harvest of a log', () => {
  const recipe = `
source:
  type: sql-queries
  config: { query_file: q.json, platform: snowflake, platform_instance: null, default_db: DB, default_schema: S, usage: {} }
`
  expect(readRecipe(recipe, 'r.yaml', {})).toEqual({
    job: 'harvest-lineage',
    input: { source: 'q.json', format: 'log', platform: 'snowflake', env: 'PROD', database: 'DB', schema: 'S' },
    notes: ['usage statistics and operations are not written'],
    server: undefined,
    token: undefined,
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
      'source: { type: csv-enricher, config: { filename: a } }\nsink: { type: file }',
      'no sink of type "file"',
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
      'patterns of temporary tables',
      'source: { type: sql-queries, config: { query_file: q, platform: hive, temp_table_patterns: ["^tmp"] } }',
      'patterns of temporary tables',
    ],
  ])('%s', (_, recipe, text) => {
    expect(() => readRecipe(recipe, 'r.yaml', {})).toThrow(text)
  })
})
