import type { Catalog } from '../../src/catalog/catalog.ts'
import type { Proposal } from '../../src/model/proposal.ts'
import { asUrn } from '../../src/model/urn.ts'
import { rebuildWithoutOlder } from '../../src/store/timeseries-rebuild.ts'
import { deleteOlder, ensureIndex } from '../../src/store/timeseries-store.ts'
import { dataset, TAGS } from './requests.ts'
import { fillGraph, graphDataset, startReaching } from './graph-fill.ts'
import { callsIn, compare, median, middle, timed } from './load.ts'
import { line, type Line, type Setup } from './setup.ts'

const ACTOR = asUrn('urn:li:corpuser:bench')

/** GraphQL mutations from 64 connections, beside one-row commits of as many connections on the same PostgreSQL. */
export async function addTags({ catalog, database, http }: Setup): Promise<readonly Line[]> {
  await prepare(catalog)
  await database.execute('create table public.bench (id bigint generated always as identity, body text)')
  const commit = () =>
    database.execute({ name: 'bench', text: 'insert into public.bench (body) values ($1)' }, ['x'.repeat(300)])
  const { cpu, ...rates } = await compare(database, 64, { ours: http('mutations'), baseline: callsIn(commit) })
  process.stderr.write(`  ${cpu}\n`)
  return [line('GraphQL tag mutations, 64 connections', { ...rates, unit: 'calls/s', aim: 0.5 })]
}

/** Dataset query with tags, beside the same route with a fixed answer: as many bytes in and out, and no store asked. */
export async function queries({ catalog, database, http }: Setup): Promise<readonly Line[]> {
  await prepare(catalog)
  const { cpu, ...rates } = await compare(database, 64, { ours: http('queries'), baseline: http('fixed') })
  process.stderr.write(`  ${cpu}\n`)
  return [line('dataset query with tags, 64 connections', { ...rates, unit: 'calls/s', aim: 0.5 })]
}

function entity(entityUrn: string, aspectName: string, aspect: object): Proposal {
  const entityType = entityUrn.split(':')[2] ?? ''
  return { entityType, entityUrn: asUrn(entityUrn), changeType: 'UPSERT', aspectName, aspect: { ...aspect } }
}

async function prepare(catalog: Catalog): Promise<void> {
  const tags = TAGS.map((tag) => entity(tag, 'tagProperties', { name: tag, description: 'a tag' }))
  const tables = Array.from({ length: 100 }, (_, n) =>
    entity(dataset(n), 'globalTags', { tags: TAGS.slice(0, 3).map((tag) => ({ tag })) }),
  )
  await catalog.ingest([...tags, ...tables], ACTOR)
}

/** A million edges between 200,000 datasets; the walk reaches about half of them. */
export async function lineage({ catalog, database }: Setup): Promise<readonly Line[]> {
  await fillGraph(database, 1_000_000)
  const [edges] = await database.rows<{ count: number }>('select count(*) from catalog.lineage_edge')
  const searchFrom = (n: number, more: object = {}) =>
    catalog.lineage.search(
      { urn: graphDataset(n), direction: 'downstream', query: '*', ...more },
      { start: 0, count: 10 },
    )
  const load = await timed(() => searchFrom(1))
  const start = await startReaching(200_000, 100_000, async (n) => (await searchFrom(n)).total)
  const search = (more: object = {}) => searchFrom(start, more)
  const recursive = () =>
    database.rows(
      `with recursive reached (id) as (
         select down_id from catalog.lineage_edge where up_id = $1 and kind < 100
         union select e.down_id from reached r join catalog.lineage_edge e on e.up_id = r.id and e.kind < 100)
       select count(*) from reached join catalog.entity e on e.urn_id = reached.id and not e.removed`,
      [start],
    )
  // In turns, so that both meet the same neighbours on the machine.
  const times = { ours: [] as number[], baseline: [] as number[] }
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 5; i++) times.ours.push(await timed(() => search()))
    times.baseline.push(await timed(recursive))
  }
  const ours = middle(times.ours)
  const cpu = await cpuOf(25, () => search())
  const platform = { field: 'platform', condition: 'EQUAL', negated: false, values: ['hive'] } as const
  const filtered = await median(3, () => search({ filter: [[platform]] }))
  const facets = await median(3, async () => (await search()).facets())
  const found = await search()
  process.stderr.write(
    `  ${edges?.count} edges, ${found.total} reached; loading the graph ${Math.round(load)} ms, ` +
      `a search ${cpu.toFixed(1)} ms of this process, with a filter ${Math.round(filtered)} ms, with facets ${Math.round(facets)} ms\n`,
  )
  const baseline = middle(times.baseline)
  return [
    line('lineage search, unfiltered, beside recursive SQL', {
      ours,
      baseline,
      unit: 'ms',
      aim: 30,
      lessIsBetter: true,
    }),
    line('lineage search, unfiltered, beside 10 ms', { ours, baseline: 10, unit: 'ms', aim: 1, lessIsBetter: true }),
  ]
}

/** Milliseconds of processor time that one of so many calls took of this process. */
async function cpuOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}

/** A rebuild that no task waits for. */
const ALONE = { mayBegin: async () => true, done: async () => undefined }

/** Truncation of 90 % of the rows by rebuilding, beside deleting them in batches; with a writer that measures its waits. */
export async function truncation({ database }: Setup): Promise<readonly Line[]> {
  const rows = Number(process.env['HEADWATER_BENCH_ROWS'] ?? 5_000_000)
  const index = { entityType: 'dataset', aspect: 'operation' }
  const table = 'catalog.ts_dataset_operation'
  const fill = async () => {
    await database.execute(`truncate ${table}`)
    await database.execute(
      `insert into ${table} (urn_id, ts, key, body)
       select i % 1000, i, '', repeat('x', 240) from generate_series(1, ${rows}) as i`,
    )
    await database.execute(`vacuum analyze ${table}`)
  }
  const size = async () =>
    (await database.rows<{ mb: number }>(`select pg_total_relation_size('${table}') / 1000000 as mb`))[0]?.mb ?? 0
  await ensureIndex(database, index)
  const cutoff = rows * 0.9
  await fill()
  const before = await size()
  let longest = 0
  let writing = rows
  const done = new AbortController()
  const writer = (async () => {
    while (!done.signal.aborted) {
      writing++
      longest = Math.max(
        longest,
        await timed(() =>
          database.execute(`insert into ${table} (urn_id, ts, key, body) values (1, $1, '', 'x')`, [writing]),
        ),
      )
    }
  })()
  const ours = await timed(() => rebuildWithoutOlder(database, index, cutoff, ALONE))
  done.abort()
  await writer
  const [kept] = await database.rows<{ count: number }>(`select count(*) from ${table} where ts > $1`, [rows])
  process.stderr.write(
    `  ${before} MB before, ${await size()} MB after; longest wait of a writer ${Math.round(longest)} ms; ${kept?.count} of ${writing - rows} rows written meanwhile are there\n`,
  )
  await fill()
  const baseline = await timed(async () => {
    while ((await deleteOlder(database, index, cutoff, 10_000)) === 10_000);
    await database.execute(`vacuum ${table}`)
  })
  return [
    line(`truncation of 90 % of ${rows.toLocaleString('en')} rows, beside batched delete`, {
      ours: ours / 1000,
      baseline: baseline / 1000,
      unit: 's',
      aim: 4,
      lessIsBetter: true,
    }),
  ]
}
