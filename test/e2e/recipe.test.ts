import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hive, testCatalog } from '../support/catalog.ts'
import { headwater } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a csv-enricher recipe runs unchanged, into the catalog of its sink', async () => {
  await using catalog = await testCatalog({ token: 'let-me-in' })
  await using folder = await temporaryFolder()
  const at = { cwd: folder.path }
  const dataset = hive('db.t')
  await writeFile(
    join(folder.path, 'tags.csv'),
    `resource,subresource,glossary_terms,tags,owners,ownership_type,description,domain,source_system\n"${dataset}",,,[urn:li:tag:a|urn:li:tag:b],,,,,crm\n`,
  )
  await writeFile(
    join(folder.path, 'recipe.yaml'),
    [
      'source: { type: csv-enricher, config: { filename: tags.csv } }',
      `sink: { type: datahub-rest, config: { server: "${catalog.url}", token: "let-me-in" } }`,
    ].join('\n'),
  )
  const planned = await headwater(['recipe', 'run', 'recipe.yaml', '--dry-run'], at)
  expect(planned.code, planned.stderr).toBe(0)
  expect(planned.stdout).toContain('+ tags: urn:li:tag:a')

  const { code, stderr } = await headwater(['recipe', 'run', 'recipe.yaml'], at)
  expect(code, stderr).toBe(0)
  const authorization = { authorization: 'Bearer let-me-in' }
  const path = `/aspects/${encodeURIComponent(dataset)}?aspect=globalTags&version=0`
  const { json } = await catalog.call('GET', path, undefined, authorization)
  expect(Object.values(json.aspect)).toEqual([{ tags: [{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:tag:b' }] }])

  const again = await headwater(['recipe', 'run', 'recipe.yaml'], at)
  expect(again.stdout).toContain('nothing to write')
})

test('a recipe that cannot be read ends with 4 and says where', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'bad.yaml'), 'source:\n  type: csv-enricher\n  config: { filname: x }\n')
  const { code, stderr } = await headwater(['recipe', 'run', 'bad.yaml'], { cwd: folder.path })
  expect(code).toBe(4)
  expect(stderr).toContain('filname')
})
