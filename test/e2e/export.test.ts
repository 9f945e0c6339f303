import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { JOBS } from '../../jobs/index.ts'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { openExport, type ExportReport } from '../../src/import/export/export-csv.ts'
import { readFilters } from '../../src/import/export/filter.ts'
import type { ExportKind } from '../../src/import/export/rows.ts'
import { column, hive } from '../support/catalog.ts'
import { FaultProxy } from '../chaos/kit/fault-proxy.ts'
import { jobBench, type JobBench } from '../support/job-bench.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let bench: JobBench
let folder: TemporaryFolder

beforeEach(async () => {
  bench = await jobBench(JOBS)
  folder = await temporaryFolder()
}, 60_000)

afterEach(async () => {
  await bench[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

async function exported(
  kind: ExportKind,
  { url = bench.catalog.url, filters = [] as string[] } = {},
): Promise<{ readonly csv: string; readonly report: ExportReport }> {
  const client = new CatalogClient({ url })
  try {
    const { text, report } = await openExport({
      client,
      kind,
      filter: readFilters(filters),
      folder: join(folder.path, 'sort'),
    })
    let csv = ''
    for await (const piece of text) csv += piece
    return { csv, report }
  } finally {
    await client.close()
  }
}

async function imported(csv: string, on: JobBench = bench, more: object = {}) {
  const file = join(folder.path, 'exported.csv')
  await writeFile(file, csv)
  return on.run('import-csv', { file: [file], missing: 'create', ...more }, 'apply')
}

const tags = (...names: string[]) => ({ tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })) })
const PROPERTY = 'urn:li:structuredProperty'

function definition(id: string, valueType: string, cardinality: string) {
  const entityTypes = ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.schemaField']
  const type = `urn:li:dataType:datahub.${valueType}`
  return { propertyDefinition: { qualifiedName: id, valueType: type, cardinality, entityTypes } }
}

/** A catalog with what makes exports go wrong: signs, delimiters, quotes, line breaks, two types of owner. */
async function fill({ catalog }: JobBench): Promise<void> {
  await catalog.put(`${PROPERTY}:keep.days`, definition('keep.days', 'number', 'SINGLE'))
  await catalog.put(`${PROPERTY}:codes`, definition('codes', 'string', 'MULTIPLE'))
  await catalog.put(`${PROPERTY}:offsets`, definition('offsets', 'number', 'MULTIPLE'))
  await catalog.put(hive('z.last'), {
    globalTags: tags('b', 'a', '-minus', 'größe'),
    glossaryTerms: {
      terms: [{ urn: 'urn:li:glossaryTerm:Money' }],
      auditStamp: { time: 1, actor: 'urn:li:corpuser:x' },
    },
    editableDatasetProperties: { description: '=SUM(a,b)\r\nsays "hello"; one|two' },
    ownership: {
      owners: [
        { owner: 'urn:li:corpuser:ann', type: 'DATAOWNER' },
        { owner: 'urn:li:corpGroup:team', type: 'TECHNICAL_OWNER' },
        { owner: 'urn:li:corpuser:bob', type: 'DATAOWNER' },
      ],
      lastModified: { time: 1, actor: 'urn:li:corpuser:x' },
    },
    domains: { domains: ['urn:li:domain:sales'] },
    structuredProperties: {
      properties: [
        { propertyUrn: `${PROPERTY}:codes`, values: [{ string: '+49' }, { string: '-x' }, { string: '\\back' }] },
        { propertyUrn: `${PROPERTY}:keep.days`, values: [{ double: -1.5 }] },
        { propertyUrn: `${PROPERTY}:offsets`, values: [{ double: -2 }, { double: 30 }] },
      ],
    },
    editableSchemaMetadata: {
      created: { time: 1, actor: 'urn:li:corpuser:x' },
      lastModified: { time: 1, actor: 'urn:li:corpuser:x' },
      editableSchemaFieldInfo: [
        { fieldPath: 'mail', globalTags: tags('pii'), description: '\\ begins with a backslash' },
        { fieldPath: 'f(a,b)', globalTags: tags('odd') },
        { fieldPath: 'silent' },
      ],
    },
  })
  await catalog.put(column(hive('z.last'), 'mail'), {
    structuredProperties: { properties: [{ propertyUrn: `${PROPERTY}:keep.days`, values: [{ double: 30 }] }] },
  })
  await catalog.put(hive('a.first'), { globalTags: tags('b') })
  await catalog.put(hive('gone'), { globalTags: tags('b'), status: { removed: true } })
  await catalog.put('urn:li:chart:(looker,1)', { globalTags: tags('b') })
}

describe('export', () => {
  test('importing an export changes nothing, by patch and by override', async () => {
    await fill(bench)
    const { csv, report } = await exported('all')
    expect(report).toMatchObject({ source: 'export stream', leftOut: 0 })
    expect(csv).not.toContain('gone')
    for (const mode of ['patch', 'override']) {
      const { run, plan } = await imported(csv, bench, { mode })
      expect(run).toMatchObject({ state: 'succeeded', balance: { records: { rejected: 0, read: report.rows } } })
      expect(plan).toMatchObject({ state: 'empty', counts: { change: 0, create: 0, refused: 0 } })
      expect(plan?.counts['unchanged']).toBeGreaterThan(8)
    }
  })

  test('an export imported into an empty catalog gives the same bytes when exported from there', async () => {
    await fill(bench)
    const { csv } = await exported('all')
    await using other = await jobBench(JOBS)
    for (const [id, type, cardinality] of [
      ['offsets', 'number', 'MULTIPLE'],
      ['codes', 'string', 'MULTIPLE'],
      ['keep.days', 'number', 'SINGLE'],
    ] as const) {
      await other.catalog.put(`${PROPERTY}:${id}`, definition(id, type, cardinality))
    }
    expect((await imported(csv, other)).applied?.state).toBe('succeeded')
    expect((await exported('all', { url: other.catalog.url })).csv).toBe(csv)
  })

  test('a catalog without the stream is scrolled, with the same bytes', async () => {
    await fill(bench)
    const streamed = await exported('all')
    await using proxy = await FaultProxy.open(bench.catalog.url)
    const body = JSON.stringify({ noCode: 'true', patchCapable: true })
    proxy.plan = ({ path }) => (path === '/config' ? { kind: 'status', status: 200, body } : { kind: 'pass' })
    const scrolled = await exported('all', { url: proxy.url })
    expect(scrolled.report.source).toBe('scroll')
    expect(scrolled.csv).toBe(streamed.csv)
  })

  test('kinds and filters narrow it', async () => {
    await fill(bench)
    expect((await exported('tags', { filters: ['type=dataset', 'name=a.*'] })).csv).toBe(
      `resource,subresource,tags\n"${hive('a.first')}",,urn:li:tag:b\n`,
    )
    const properties = await exported('properties', { filters: ['platform=hive'] })
    expect(properties.csv.split('\n')).toEqual([
      `resource,subresource,${PROPERTY}:codes,${PROPERTY}:keep.days,${PROPERTY}:offsets`,
      expect.stringMatching(/z\.last.*-1\.5.*-2\|30/),
      expect.stringMatching(/z\.last,PROD\)",mail,,30,$/),
      '',
    ])
    expect((await exported('all', { filters: ['platform=nobody'] })).csv.trim().split('\n')).toHaveLength(1)
    expect(() => readFilters(['platfrom=hive'])).toThrow(/did you mean "?platform/)
  })

  test('what a cell cannot say is left out and told', async () => {
    await bench.catalog.put(hive('odd'), {
      globalTags: tags('fine'),
      domains: { domains: ['urn:li:domain:a', 'urn:li:domain:b'] },
      ownership: {
        owners: [{ owner: 'urn:li:corpuser:ann', type: 'DATAOWNER', typeUrn: 'urn:li:ownershipType:x' }],
        lastModified: { time: 1, actor: 'urn:li:corpuser:x' },
      },
    })
    const { csv, report } = await exported('all')
    expect(csv).toContain('urn:li:tag:fine')
    expect(report).toMatchObject({ rows: 1, leftOut: 2 })
    expect(report.examples.join('\n')).toMatch(/more than one domain[^]*type URN/)
  })
})
