import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RelationName } from '../../../../src/sql/template/options.ts'
import { materializationOf } from '../../../../src/harvest/dbt/project.ts'
import { readDbtProject } from '../../../../src/harvest/dbt/read-project.ts'
import { dbtProjectFolder } from '../../../support/dbt-projects.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

async function projectOf(files: Readonly<Record<string, string>>, options: Parameters<typeof readDbtProject>[1] = {}) {
  await using folder = await temporaryFolder()
  for (const [path, text] of Object.entries({ 'dbt_project.yml': 'name: shop\n', ...files })) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true })
    await writeFile(join(folder.path, path), text)
  }
  return await readDbtProject(folder.path, options)
}

const dotted = (relation: RelationName | undefined) =>
  relation && [relation.database, relation.schema, relation.identifier].filter(Boolean).join('.')

const snapshot = (name: string) =>
  `{% snapshot ${name} %}{{ config(target_schema='s', unique_key='id') }}select * from {{ source('a', '${name}') }}{% endsnapshot %}\n`

describe('a whole project', () => {
  test('nodes come after all that they read', async () => {
    const { nodes, problems } = await readDbtProject(dbtProjectFolder('bakery'))
    const names = nodes.map(({ name }) => name)
    expect(problems).toEqual([])
    expect(names.indexOf('dim_customers')).toBeGreaterThan(names.indexOf('fct_orders'))
    expect(names.indexOf('fct_orders')).toBeGreaterThan(names.indexOf('int_orders_all'))
    expect(names.indexOf('int_orders_all')).toBeGreaterThan(names.indexOf('stg_web__orders'))
    expect(names).toHaveLength(12)
  })

  test('names follow target, folder, alias and file', async () => {
    const { nodes, facts } = await readDbtProject(dbtProjectFolder('bakery'))
    const name = (of: string) => dotted(nodes.find((node) => node.name === of)?.relation)
    expect(name('stg_till__orders')).toBe('analytics.bakery_staging.stg_till__orders')
    expect(name('stg_till__order_lines')).toBe('analytics.bakery_staging.order_lines')
    expect(name('int_orders_all')).toBe('analytics.bakery.int_orders_all')
    expect(name('snap_customers')).toBe('analytics.snapshots.snap_customers')
    expect(name('products')).toBe('analytics.bakery_reference.products')
    expect(dotted(facts.sources['till.orders'])).toBe('raw.till_v2.sales_order')
    expect(dotted(facts.sources['web.orders'])).toBe('raw.web.orders')
  })

  test('materializations come from folders and files', async () => {
    const { nodes } = await readDbtProject(dbtProjectFolder('bakery'))
    expect(Object.fromEntries(nodes.map((node) => [node.name, materializationOf(node)]))).toMatchObject({
      stg_till__orders: 'view',
      stg_till__customers: 'table',
      int_order_payments: 'ephemeral',
      fct_orders: 'incremental',
      products: 'seed',
      snap_customers: 'snapshot',
    })
  })

  test('a schema rule of the project is obeyed', async () => {
    const profile = { database: 'dwh', schema: 'dbt' }
    const { nodes } = await readDbtProject(dbtProjectFolder('harbour'), { profile })
    expect(dotted(nodes.find(({ name }) => name === 'calls')?.relation)).toBe('dwh.core.calls')
  })

  test('versions: each has its table, and the latest the plain name', async () => {
    const { facts } = await readDbtProject(dbtProjectFolder('harbour'))
    expect(facts.refs['vessels']?.identifier).toBe('vessels_v2')
    expect(facts.refs['vessels.v1']?.identifier).toBe('vessels_old')
  })

  test('a model in Python is named, and told as not read', async () => {
    const { problems, facts } = await readDbtProject(dbtProjectFolder('clinic'))
    expect(problems).toEqual([
      { code: 'NOT_SQL', message: 'a model in Python has no SQL to read', file: 'models/marts/readmission_score.py' },
    ])
    expect(facts.refs['readmission_score']?.identifier).toBe('readmission_score')
  })
})

describe('single rules', () => {
  test('without a known target a custom schema stands alone', async () => {
    const { nodes } = await projectOf({
      'models/a.sql': "{{ config(schema='mart') }}select 1 as x",
      'models/b.sql': 'select 1 as x',
    })
    expect(nodes.map(({ relation }) => dotted(relation))).toEqual(['mart.a', 'b'])
  })

  test('the nearer configuration wins', async () => {
    const { nodes } = await projectOf({
      'dbt_project.yml':
        'name: shop\nmodels:\n  +schema: all\n  shop:\n    sub:\n      +schema: folder\n      deep: {+alias: x}\n',
      'models/a.sql': 'select 1',
      'models/sub/b.sql': 'select 1',
      'models/sub/c.sql': 'select 1',
      'models/sub/d.sql': "{{ config(schema='file') }}select 1",
      'models/sub/s.yml':
        'models:\n  - name: c\n    config: {schema: yaml}\n  - name: d\n    config: {schema: yaml, alias: e}\n',
    })
    expect(nodes.map(({ relation }) => dotted(relation))).toEqual(['all.a', 'folder.b', 'yaml.c', 'file.e'])
  })

  test('a model that is not enabled is no node', async () => {
    const { nodes } = await projectOf({
      'models/a.sql': '{{ config(enabled=false) }}select 1',
      'models/b.sql': "{{ config(enabled=var('b', true)) }}select 1",
      'models/c.sql': 'select 1',
      'models/c.yml': 'models: [{name: c, config: {enabled: false}}]',
    })
    expect(nodes.map(({ name }) => name)).toEqual(['b'])
  })

  test('a broken YAML file is a problem, and the models are read', async () => {
    const { nodes, problems } = await projectOf({ 'models/a.sql': 'select 1', 'models/a.yml': 'models: [{name: a' })
    expect(nodes).toHaveLength(1)
    expect(problems.map(({ code, file }) => [code, file])).toEqual([['YAML_INVALID', 'models/a.yml']])
  })

  test('a ref to nothing and a circle are problems', async () => {
    const { nodes, problems } = await projectOf({
      'models/a.sql': "select * from {{ ref('b') }} join {{ ref('gone') }}",
      'models/b.sql': "select * from {{ ref('a') }}",
    })
    expect(nodes).toHaveLength(2)
    expect(problems.map(({ code }) => code).toSorted()).toEqual(['REF_CYCLE', 'REF_UNKNOWN'])
  })

  test('installed packages bring models, macros and variables', async () => {
    const { nodes, facts } = await projectOf({
      'dbt_project.yml': 'name: shop\nvars:\n  src: {table: own}\n',
      'dbt_packages/src/dbt_project.yml': 'name: src\nvars: {table: theirs, other: x}\nmodels: {+schema: src}\n',
      'dbt_packages/src/models/stg.sql': "select * from {{ var('table') }}",
      'dbt_packages/src/macros/m.sql': '{% macro m() %}1{% endmacro %}',
      'models/a.sql': "select {{ src.m() }} as x from {{ ref('src', 'stg') }}",
    })
    expect(nodes.map(({ name, relation }) => `${name} ${dotted(relation)}`)).toEqual(['stg src.stg', 'a a'])
    expect(facts.variables?.['src']).toMatchObject({ table: 'own', other: 'x' })
  })

  test('several snapshots in one file', async () => {
    const { nodes } = await projectOf({ 'snapshots/all.sql': snapshot('x') + snapshot('y') })
    expect(nodes.map(({ relation }) => dotted(relation))).toEqual(['s.x', 's.y'])
    expect(nodes[1]!.text.indexOf('{% snapshot y')).toBe(snapshot('x').length)
  })

  test('a folder that is no project has no nodes', async () => {
    expect((await readDbtProject(join(dbtProjectFolder('bakery'), 'seeds'))).nodes).toEqual([])
  })
})
