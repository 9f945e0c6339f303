/**
 * `compat: strict` against what DataHub's own csv-enricher (acryl-datahub 1.7.0.17) leaves behind in a catalog. Where its
 * Python is present (HEADWATER_SDK_PYTHON) it is run again and the recording is held to it; UPDATE_GOLDEN=1 records anew.
 *
 * Not compared: times and who they are of, `status` (the original writes one for every entity and so brings back what
 * was deleted; we do not), browse paths and empty fields that its SDK fills in, and what it writes about its own run.
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isJsonObject, type JsonValue } from '../../src/model/json.ts'
import { readRecipe } from '../../src/recipe/recipe.ts'
import { testCatalog, type TestCatalog } from '../support/catalog.ts'
import { runImport } from '../support/import-run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { APART, DEFINITIONS, ENRICHER_CASES, type EnricherCase } from './csv-enricher/cases.ts'

const PYTHON = process.env['HEADWATER_SDK_PYTHON']
const RECORDED = join(import.meta.dirname, 'csv-enricher/recorded.json')
const ENTITIES = ['dataset', 'chart', 'container', 'tag', 'glossaryTerm']
const STAMPS = new Set(['created', 'lastModified', 'auditStamp', 'ownerTypes'])
const NOT_COMPARED = new Set(['status', 'browsePathsV2'])

type State = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>

test('a strict import leaves the catalog as csv-enricher does', async () => {
  await using catalog = await preparedCatalog()
  for (const { config, csv } of ENRICHER_CASES) {
    await runImport(catalog.url, inOneFile(csv), settingsOf(config))
  }
  expect(await stateOf(catalog)).toEqual(JSON.parse(readFileSync(RECORDED, 'utf8')))
})

test('a second strict import writes nothing', async () => {
  await using catalog = await preparedCatalog()
  const repeatable = ENRICHER_CASES.filter(({ name }) => !name.endsWith('.repeated'))
  for (const { config, csv } of repeatable) await runImport(catalog.url, inOneFile(csv), settingsOf(config))
  for (const { name, config, csv } of repeatable) {
    const { proposals } = await runImport(catalog.url, inOneFile(csv), settingsOf(config))
    expect({ name, ...proposals.counts }).toMatchObject({ name, written: 0, refused: 0 })
  }
})

test.skipIf(PYTHON === undefined)(
  'the recording is what csv-enricher does (skipped without HEADWATER_SDK_PYTHON)',
  { timeout: 300_000 },
  async () => {
    await using catalog = await preparedCatalog()
    await runOriginal(catalog.url, ENRICHER_CASES)
    const state = await stateOf(catalog)
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(RECORDED, `${JSON.stringify(state, undefined, 2)}\n`)
    expect(state).toEqual(JSON.parse(readFileSync(RECORDED, 'utf8')))
  },
)

async function preparedCatalog(): Promise<TestCatalog> {
  const catalog = await testCatalog()
  const before = [DEFINITIONS, ...ENRICHER_CASES.map((each) => each.before ?? {})]
  for (const [urn, aspects] of before.flatMap((entities) => Object.entries(entities))) await catalog.put(urn, aspects)
  return catalog
}

/** By way of the recipe, as a user would ask for it. */
function settingsOf(config: EnricherCase['config']): Parameters<typeof runImport>[2] {
  const source = { type: 'csv-enricher', config: { ...config, filename: 'x.csv', compat: 'strict' } }
  const { file: _, maxRemovals: __, ...settings } = readRecipe(JSON.stringify({ source }), 'r.yaml', {}).input
  return settings
}

/** Every aspect of the entities that the cases name, without what is not compared. */
async function stateOf({ database }: TestCatalog): Promise<State> {
  const rows = await database.rows<{ urn: string; name: string | null; body: string | null }>(
    `select u.urn, a.name, a.body from catalog.entity e join catalog.urn u on u.id = e.urn_id
     left join catalog.aspect a on a.urn_id = e.urn_id order by u.urn, a.name`,
  )
  const state: Record<string, Record<string, JsonValue>> = {}
  for (const { urn, name, body } of rows) {
    if (!ENTITIES.includes(urn.split(':')[2] ?? '')) continue
    const aspects = (state[urn] ??= {})
    if (name !== null && body !== null && !NOT_COMPARED.has(name))
      aspects[name] = withoutStamps(JSON.parse(body) as JsonValue)
  }
  return state
}

function withoutStamps(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutStamps(item))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).filter(([key]) => !STAMPS.has(key))
  return Object.fromEntries(members.map(([key, member]) => [key, withoutStamps(member)]))
}

function inOneFile(csv: string): string {
  return csv.replaceAll(`${APART}\n`, '')
}

function inRunsOfTheirOwn(csv: string): readonly string[] {
  const [head = ''] = csv.split('\n', 1)
  return csv.split(`${APART}\n`).map((part, index) => (index === 0 ? part : `${head}\n${part}`))
}

async function runOriginal(url: string, cases: readonly EnricherCase[]): Promise<void> {
  await using folder = await temporaryFolder()
  const lines: string[] = []
  for (const { name, config, csv } of cases) {
    for (const [index, text] of inRunsOfTheirOwn(csv).entries()) {
      const file = join(folder.path, `${name}.${index}.csv`)
      await writeFile(file, text)
      lines.push(JSON.stringify({ name, config, file }))
    }
  }
  const script = join(import.meta.dirname, 'csv-enricher/original.py')
  const child = spawn(PYTHON ?? 'python3', [script, url], { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stdin.end(`${lines.join('\n')}\n`)
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code, said.slice(-3000)).toBe(0)
}
