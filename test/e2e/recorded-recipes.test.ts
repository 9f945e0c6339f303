/**
 * Recipes of DataHub's own sources, run unchanged against our catalog, beside what the originals were recorded to write
 * (test/conformance/recordings). Each field that differs stands here and, argued, in docs/compat.md.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hive, testCatalog, type TestCatalog } from '../support/catalog.ts'
import { headwater, type CommandResult } from '../support/command.ts'
import {
  answeredSchema,
  differencesOf,
  recordedAspects,
  recordedRecipe,
  storedAspects,
} from '../support/recorded-recipe.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

/** Each command starts a database of its own. */
const PATIENCE = { timeout: 240_000 }

/** The log that was recorded: its statements, times, users and stated lineage stand in what was written. */
const LOG = [
  {
    query: 'create table sales.report as select id as rid, qty from sales.orders',
    timestamp: 1767225600,
    upstream_tables: ['sales.orders'],
    downstream_tables: ['sales.report'],
  },
  {
    query: 'insert into sales.report select id, sum(qty) from sales.orders group by id',
    timestamp: 1767225700,
    user: 'etl',
  },
  { query: 'select * from sales.orders where id = 4', timestamp: 1767225800, user: 'bo' },
]

const LINEAGE_FILE = `
version: 1
lineage:
  - entity: { name: sales.report, type: dataset, env: PROD, platform: hive }
    upstream:
      - entity: { name: sales.orders, type: dataset, env: PROD, platform: hive }
    fineGrainedLineages:
      - upstreams: ['urn:li:schemaField:(${hive('sales.orders')},id)']
        downstreams: ['urn:li:schemaField:(${hive('sales.report')},rid)']
        transformOperation: copy
`

/** Carries out the very recipe that was recorded, against another server. */
async function runRecorded(scenario: string, catalog: TestCatalog, folder: TemporaryFolder): Promise<CommandResult> {
  const recipe = recordedRecipe(scenario, { 'http://localhost:8080': catalog.url, 'DIR/': `${folder.path}/` })
  await writeFile(join(folder.path, 'recipe.yml'), recipe)
  return headwater(['recipe', 'run', 'recipe.yml'], { cwd: folder.path })
}

test('a sql-queries recipe writes what the original writes, but for what is argued', PATIENCE, async () => {
  const scenario = 'recipe_sql_queries_lazy'
  await using catalog = await testCatalog()
  await using folder = await temporaryFolder()
  await catalog.put(hive('sales.orders'), { schemaMetadata: answeredSchema(scenario) })
  await writeFile(join(folder.path, 'q.ndjson'), LOG.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  const ran = await runRecorded(scenario, catalog, folder)
  expect(ran.code, ran.stderr).toBe(0)
  const { onlyTheirs, onlyOurs, fields } = differencesOf(recordedAspects(scenario), await storedAspects(catalog))
  expect(onlyTheirs).toEqual([])
  expect(onlyOurs).toMatchInlineSnapshot(`
    [
      "<create table> queryUsageStatistics",
      "<insert into> queryUsageStatistics",
      "<select *> queryUsageStatistics",
      "sales.orders schemaMetadata",
      "sales.orders status",
      "sales.report status",
    ]
  `)
  expect(fields.toSorted()).toMatchInlineSnapshot(`
    [
      "<create table> queryProperties customProperties.origin: - | q.ndjson",
      "<create table> queryProperties name: - | q.ndjson:1",
      "<insert into> queryProperties customProperties.origin: - | q.ndjson",
      "<insert into> queryProperties name: - | q.ndjson:2",
      "<insert into> querySubjects subjects[4].entity: urn:li:schemaField:((sales.report,PROD),SUM%28\`orders\`.\`qty\`%29) | urn:li:schemaField:((sales.report,PROD),qty)",
      "<insert into> querySubjects subjects[5].entity: urn:li:schemaField:((sales.report,PROD),id) | urn:li:schemaField:((sales.report,PROD),rid)",
      "<select *> queryProperties customProperties.origin: - | q.ndjson",
      "<select *> queryProperties name: - | q.ndjson:3",
      "sales.orders datasetUsageStatistics messageId: - | headwater:q.ndjson",
      "sales.orders datasetUsageStatistics topSqlQueries[0]: insert into sales.report select id, sum(qty) from sales.orders group by id | create table sales.report as select id as rid, qty from sales.orders",
      "sales.orders datasetUsageStatistics topSqlQueries[1]: select * from sales.orders where id = 4 | insert into sales.report select id, sum(qty) from sales.orders group by id",
      "sales.orders datasetUsageStatistics topSqlQueries[2]: - | select * from sales.orders where id = 4",
      "sales.orders datasetUsageStatistics totalSqlQueries: 2 | 3",
      "sales.report operation 2 messageId: - | headwater:q.ndjson:-ql5FH473BF2Skc4da3bKp",
      "sales.report operation 2 timestampMillis: 1795253351493 | 1767225700000",
      "sales.report operation messageId: - | headwater:q.ndjson:5fFd5PSI0qf6Fbr0T0HOYA",
      "sales.report operation operationType: UNKNOWN | CREATE",
      "sales.report operation timestampMillis: 1795253351487 | 1767225600000",
      "sales.report upstreamLineage fineGrainedLineages[0].confidenceScore: 0.35 | 1",
      "sales.report upstreamLineage fineGrainedLineages[0].downstreams[0]: urn:li:schemaField:((sales.report,PROD),id) | urn:li:schemaField:((sales.report,PROD),rid)",
      "sales.report upstreamLineage fineGrainedLineages[0].transformOperation: COPY: \`orders\`.\`id\` AS \`id\` | COPY",
      "sales.report upstreamLineage fineGrainedLineages[1].confidenceScore: 0.35 | 1",
      "sales.report upstreamLineage fineGrainedLineages[1].downstreams[0]: urn:li:schemaField:((sales.report,PROD),SUM%28\`orders\`.\`qty\`%29) | urn:li:schemaField:((sales.report,PROD),qty)",
      "sales.report upstreamLineage fineGrainedLineages[1].transformOperation: SQL: SUM(\`orders\`.\`qty\`) AS \`_col_1\` | sum(qty)",
      "sales.report upstreamLineage upstreams[0].properties.headwater.q.ndjson: - | TRANSFORMED <create table> <run> q.ndjson:1",
      "sales.report upstreamLineage upstreams[0].query: <insert into> | <create table>",
    ]
  `)
})

test.each(['recipe_lineage_file', 'recipe_lineage_file_replace'])(
  '%s: a lineage file writes what the original writes, but for what is argued',
  PATIENCE,
  async (scenario) => {
    await using catalog = await testCatalog()
    await using folder = await temporaryFolder()
    const edge = { dataset: 'urn:li:dataset:(urn:li:dataPlatform:snowflake,mart.kpi,DEV)', type: 'TRANSFORMED' }
    const auditStamp = { time: 0, actor: 'urn:li:corpuser:unknown' }
    await catalog.put(hive('sales.report'), { upstreamLineage: { upstreams: [{ ...edge, auditStamp }] } })
    await writeFile(join(folder.path, 'lin.yml'), LINEAGE_FILE)
    const ran = await runRecorded(scenario, catalog, folder)
    expect(ran.code, ran.stderr).toBe(0)
    const { onlyTheirs, onlyOurs, fields } = differencesOf(recordedAspects(scenario), await storedAspects(catalog))
    expect(onlyOurs).toEqual([])
    // A patch that would bring a dataset back which somebody deleted.
    expect(onlyTheirs).toEqual(['sales.report status'])
    expect(fields).toEqual([
      'sales.report upstreamLineage upstreams[0].auditStamp.actor: urn:li:corpUser:ingestion | urn:li:corpuser:ingestion',
    ])
  },
)
