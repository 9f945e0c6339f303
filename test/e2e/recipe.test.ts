import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hive, testCatalog } from '../support/catalog.ts'
import { headwater } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Each command starts a database of its own. */
const PATIENCE = { timeout: 240_000 }

test('a csv-enricher recipe runs unchanged, into the catalog of its sink', PATIENCE, async () => {
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

test(
  'a file source copies a dump into a file sink, and onto the terminal, without touching a catalog',
  PATIENCE,
  async () => {
    await using folder = await temporaryFolder()
    const at = { cwd: folder.path }
    const mcp = {
      entityType: 'dataset',
      entityUrn: hive('db.t'),
      changeType: 'UPSERT',
      aspectName: 'globalTags',
      aspect: { json: { tags: [{ tag: 'urn:li:tag:a' }] } },
    }
    await mkdir(join(folder.path, 'dump'))
    await writeFile(join(folder.path, 'dump/a.json'), JSON.stringify([mcp, { ...mcp, entityUrn: hive('db.u') }]))
    await writeFile(join(folder.path, 'copy.yaml'), copyInto('{ type: file, config: { filename: out.json } }'))
    const dry = await headwater(['recipe', 'run', 'copy.yaml', '--preview'], at)
    expect(dry.code, dry.stderr).toBe(0)
    expect(existsSync(join(folder.path, 'out.json'))).toBe(false)

    const copied = await headwater(['recipe', 'run', 'copy.yaml', '--report-to', 'report.json', '--no-progress'], at)
    expect(copied.code, copied.stderr).toBe(0)
    expect(copied.stderr).not.toContain('"phase"')
    const out = JSON.parse(await readFile(join(folder.path, 'out.json'), 'utf8')) as readonly object[]
    expect(out).toMatchObject([mcp, { entityUrn: hive('db.u') }])
    expect(JSON.parse(await readFile(join(folder.path, 'report.json'), 'utf8'))).toMatchObject({
      state: 'succeeded',
      balance: { proposals: { made: 2, written: 2 } },
    })

    await writeFile(join(folder.path, 'show.yaml'), copyInto('{ type: console }'))
    const shown = await headwater(['recipe', 'run', 'show.yaml'], at)
    expect(shown.stdout).toContain(`"entityUrn":"${hive('db.u')}"`)
  },
)

function copyInto(sink: string): string {
  return `source: { type: file, config: { path: dump } }\nsink: ${sink}\n`
}
