import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readDbtProject } from '../../../../src/harvest/dbt/read-project.ts'
import { textsOf } from '../../../../src/harvest/dbt/texts.ts'
import { createSession } from '../../../../src/sql/index.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

async function statementsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await using folder = await temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true })
    await writeFile(join(folder.path, path), text)
  }
  const project = await readDbtProject(folder.path)
  const session = createSession({ project: project.facts })
  for (const { sql, file, model } of textsOf(project)) session.add(sql, { file, ...(model ? { model } : {}) })
  return session
    .lineage()
    .statements.map(
      ({ kind, outputs, inputs, file, span }) =>
        `${kind} ${outputs.join(',')} <- ${inputs.join(',')} ${file}:${span.line}:${span.column}`,
    )
}

test('hooks of folders and of the model run before and after it, each once, where they are written', async () => {
  const statements = await statementsOf({
    'dbt_project.yml': [
      'name: shop',
      'models:',
      '  +post-hook: "insert into audit.log select count(*) from {{ this }}"',
      '  shop:',
      '    marts: { +pre-hook: [{ sql: "delete from {{ this }}", transaction: false }] }',
    ].join('\n'),
    'models/orders.sql': 'select id from raw.orders',
    'models/marts/fct.sql':
      "{{ config(\n  post_hook=['insert into mart.seen select id from {{ this }}']\n) }}\nselect id from {{ ref('orders') }}",
  })
  expect(statements).toEqual([
    'view orders <- raw.orders models/orders.sql:1:1',
    'insert audit.log <- orders models/orders.sql:1:1',
    'delete fct <-  models/marts/fct.sql:1:1',
    'view fct <- orders models/marts/fct.sql:4:1',
    'insert audit.log <- fct models/marts/fct.sql:1:1',
    'insert mart.seen <- fct models/marts/fct.sql:2:15',
  ])
})

test('statements around a run stand at its begin and end; a hook that is a macro of the project is what it writes', async () => {
  const statements = await statementsOf({
    'dbt_project.yml':
      'name: shop\non-run-start: create table if not exists audit.runs (at timestamp)\non-run-end: ["{{ note_run(ref(\'a\')) }}"]\n',
    'macros/note.sql': '{% macro note_run(of) %}insert into audit.runs select max(at) from {{ of }}{% endmacro %}',
    'models/a.sql': 'select at from raw.a',
  })
  expect(statements).toEqual([
    'table audit.runs <-  dbt_project.yml:1:1',
    'view a <- raw.a models/a.sql:1:1',
    'insert audit.runs <- a dbt_project.yml:1:1',
  ])
})

test('a target falls back on what env_var does', async () => {
  const statements = await statementsOf({
    'dbt_project.yml': 'name: shop\nprofile: p\n',
    'profiles.yml': `p: { target: dev, outputs: { dev: { type: postgres, schema: "{{ env_var('SCHEMA', 'core') }}", dbname: "{{ env_var('DB') }}" } } }`,
    'models/a.sql': 'select at from raw.a',
  })
  expect(statements).toEqual(['view core.a <- raw.a models/a.sql:1:1'])
})
