import type { Catalog } from '../../src/catalog/catalog.ts'
import type { Proposal } from '../../src/model/proposal.ts'
import { asUrn } from '../../src/model/urn.ts'
import { rebuildWithoutOlder } from '../../src/store/timeseries-rebuild.ts'
import { deleteOlder, ensureIndex } from '../../src/store/timeseries-store.ts'
import { dataset, TAGS } from './requests.ts'
import { callsIn, compare, timed } from './load.ts'
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

/** Dataset query with tags, beside the same server answering a fixed page. */
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

/** A million edges between 200,000 datasets in ten layers; the walk reaches about half of them. */
export async function lineage({ catalog, database }: Setup): Promise<readonly Line[]> {
  await database.execute(`insert into catalog.urn (urn)
    select format('urn:li:dataset:(urn:li:dataPlatform:hive,graph.t%s,PROD)', n) from generate_series(1, 200000) as n order by n`)
  await database.execute(`insert into catalog.entity (urn_id, entity_type, created_ms, created_by, fields)
    select id, 'dataset', 0, '', jsonb_build_object('platform', jsonb_build_array('urn:li:dataPlatform:hive')) from catalog.urn`)
  await database.execute(`insert into catalog.lineage_edge (owner_id, kind, up_id, down_id)
    select down, 2, up, down from (
      select distinct up, least(200000, up + 20000 * (1 + floor(random() * 1.2))::int - floor(random() * 20000)::int) as down
      from generate_series(1, 180000) as up, generate_series(1, 6)) as e where down > up`)
  await database.execute('vacuum analyze catalog.lineage_edge, catalog.entity, catalog.urn')
  const [edges] = await database.rows<{ count: number }>('select count(*) from catalog.lineage_edge')
  const urn = asUrn('urn:li:dataset:(urn:li:dataPlatform:hive,graph.t1000,PROD)')
  const search = (more: object = {}) =>
    catalog.lineage.search({ urn, direction: 'downstream', query: '*', ...more }, { start: 0, count: 10 })
  const load = await timed(() => search())
  const ours = await median(9, () => search())
  const found = await search()
  const platform = { field: 'platform', condition: 'EQUAL', negated: false, values: ['hive'] } as const
  const filtered = await median(3, () => search({ filter: [[platform]] }))
  const facets = await median(3, async () => (await search()).facets())
  const [start] = await database.rows<{ id: number }>('select id from catalog.urn where urn = $1', [urn])
  const baseline = await median(3, () =>
    database.rows(
      `with recursive reached (id) as (
         select down_id from catalog.lineage_edge where up_id = $1 and kind < 100
         union select e.down_id from reached r join catalog.lineage_edge e on e.up_id = r.id and e.kind < 100)
       select count(*) from reached join catalog.entity e on e.urn_id = reached.id and not e.removed`,
      [start?.id],
    ),
  )
  process.stderr.write(
    `  ${edges?.count} edges, ${found.total} reached; loading the graph ${Math.round(load)} ms, ` +
      `with a filter ${Math.round(filtered)} ms, with facets ${Math.round(facets)} ms\n`,
  )
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
  const ours = await timed(() => rebuildWithoutOlder(database, index, cutoff, async () => true))
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

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = []
  for (let i = 0; i < times; i++) all.push(await timed(work))
  return all.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0
}
