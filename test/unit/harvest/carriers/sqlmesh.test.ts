import { expect, test } from 'vitest'
import { carriedSql } from '../../../../src/harvest/carriers/read-carriers.ts'
import { createSession } from '../../../../src/sql/index.ts'

test('models come after what they read, with variables, seeds, external models and models in Python', () => {
  const files: Readonly<Record<string, string>> = {
    'config.yaml': [
      'gateways: { local: { connection: { type: duckdb }, variables: { src: raw } } }',
      'model_defaults: { dialect: snowflake }',
      'variables: { least: 5, Fields: [net, vat] }',
    ].join('\n'),
    'models/a.sql':
      'MODEL (name shop.mart, kind FULL);\nSELECT s.*, r.rate, x.score FROM shop.stage s LEFT JOIN shop.rates r USING (code) JOIN shop.scores x USING (id)',
    'models/b.sql':
      'MODEL (name shop.stage);\nSELECT o.id, o.code, @EACH(@fields, f -> o.@f) FROM @{src}.orders o WHERE o.amount > @least',
    'models/rates.sql': "MODEL (name shop.rates, kind SEED (path '../seeds/rates.csv'));",
    'models/scores.py':
      'import x\n@model(\n  "shop.scores",\n  columns={"id": "int", "score": "double"},\n)\ndef execute(context):\n  return 1\n',
    'seeds/rates.csv': 'code,rate\nEUR,1\n',
    'external_models.yaml':
      '# given\n- name: raw.orders\n  columns: { id: int, code: text, net: int, vat: int, amount: int }\n',
  }
  const paths = Object.keys(files)
  const carrying = ['config.yaml', 'external_models.yaml', 'models/scores.py']
  const { texts, problems, claimed, dialect } = carriedSql(carrying, { paths, textOf: (path) => files[path] })
  const session = createSession({ dialect: 'snowflake' })
  for (const { sql, file, model } of texts) session.add(sql, { file, ...(model ? { model } : {}) })
  const { statements, diagnostics } = session.lineage()
  expect(dialect).toBe('snowflake')
  expect([...claimed]).toEqual(['models/a.sql', 'models/b.sql', 'models/rates.sql'])
  expect(problems).toEqual([{ file: 'models/scores.py', line: 2, message: 'a model in Python has no SQL to read' }])
  expect(diagnostics).toEqual([])
  expect(
    statements.map(({ kind, outputs, columns, file, span }) => {
      const names = columns.map(({ downstream }) => downstream.column).join(',')
      return `${kind} ${outputs.join(',')} (${names}) ${file}:${span.line}`
    }),
  ).toEqual([
    'table raw.orders () external_models.yaml:2',
    'table shop.scores () models/scores.py:2',
    'view shop.stage (id,code,net,vat) models/b.sql:2',
    'table shop.rates () models/rates.sql:1',
    'ctas shop.mart (id,code,net,vat,rate,score) models/a.sql:2',
  ])
})
