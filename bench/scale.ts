/**
 * How the catalog fares with a large graph: `npm run bench:scale [edges …]`, one million edges where none is named.
 * The figures of docs/scale.md come from here.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createSqlGraph } from '../src/store/graph.ts'
import { Resources } from '../src/observe/resources.ts'
import type { Proposal } from '../src/model/proposal.ts'
import { asUrn } from '../src/model/urn.ts'
import { fillGraph, graphDataset, startReaching } from './catalog/graph-fill.ts'
import { callsIn, median, timed } from './catalog/load.ts'
import { setUp, type Setup } from './catalog/setup.ts'
import { answerHelp } from './usage.ts'

const ACTOR = asUrn('urn:li:corpuser:bench')
const MEGA = 1_000_000

const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

type Figures = [what: string, value: string][]

async function measure(setup: Setup, edges: number): Promise<Figures> {
  const { catalog, database } = setup
  const figures: Figures = []
  const add = (what: string, value: string) => void figures.push([what, value])

  const filled = await timed(() => fillGraph(database, edges))
  const [rows] = await database.rows<{ edges: number; datasets: number }>(
    'select (select count(*) from catalog.lineage_edge) as edges, (select count(*) from catalog.entity) as datasets',
  )
  const datasets = rows?.datasets ?? 0
  add('edges, datasets', `${rows?.edges.toLocaleString('en')}, ${datasets.toLocaleString('en')}`)
  add('filling, by SQL', `${(filled / 1000).toFixed(0)} s`)
  for (const { name, mb } of await sizes(setup)) add(`on disk: ${name}`, `${mb.toLocaleString('en')} MB`)

  const search = (n: number, more: object = {}, direction: 'upstream' | 'downstream' = 'downstream') =>
    catalog.lineage.search({ urn: graphDataset(n), direction, query: '*', ...more }, { start: 0, count: 10 })
  const before = memory()
  add('loading the graph', ms(await timed(() => search(datasets))))
  add('memory of the graph', `${((memory() - before) / MEGA).toFixed(0)} MB`)

  const reach = async (n: number) => (await search(n)).total
  for (const wanted of [1000, 100_000, Infinity]) {
    const start = await startReaching(datasets, wanted, reach)
    const { total } = await search(start)
    const what = `answer, ${total.toLocaleString('en')} reached`
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    add(what, ms(await median(9, () => search(start))))
    delay.disable()
    add(`${what}: longest hold of the thread`, ms(delay.max / MEGA))
    if (total > 200_000) continue
    const platform = { field: 'platform', condition: 'EQUAL', negated: false, values: ['hive'] } as const
    add(`${what}: with a filter`, ms(await median(3, () => search(start, { filter: [[platform]] }))))
    add(`${what}: with facets`, ms(await median(3, async () => (await search(start)).facets())))
    const sql = createSqlGraph(database)
    const walk = { start, direction: 'downstream', level: 'entity', seenOnly: true } as const
    add(`${what}: by SQL, beyond memory`, ms(await median(3, () => sql.walk(walk))))
  }
  const near = { field: 'degree', condition: 'EQUAL', negated: false, values: ['1', '2'] } as const
  const middle = Math.round(datasets / 2)
  add('answer, two hops upstream', ms(await median(9, () => search(middle, { filter: [[near]] }, 'upstream'))))

  let edge = 0
  const addEdge = () =>
    catalog.lineage.update(
      { add: [{ upstreamUrn: graphDataset(1 + edge++), downstreamUrn: graphDataset(datasets - edge) }], remove: [] },
      ACTOR,
    )
  add('one edge added', ms(await median(15, addEdge)))
  add('one edge added and seen by a search', ms(await median(15, async () => (await addEdge(), search(middle)))))
  const written = await callsIn(() => catalog.ingest(newLineage(datasets), ACTOR))(4, 5)
  add(
    'datasets with six upstreams written, batches of 200',
    `${Math.round((written * 200) / 5).toLocaleString('en')}/s`,
  )
  return figures
}

let next = 0
/** 200 new datasets, each fed by six of those there are. */
function newLineage(datasets: number): Proposal[] {
  return Array.from({ length: 200 }, () => {
    const n = next++
    const upstreams = Array.from({ length: 6 }, (_, i) => ({
      dataset: graphDataset(1 + ((n * 7919 + i * 104_729) % datasets)),
      type: 'TRANSFORMED',
    }))
    return {
      entityType: 'dataset',
      entityUrn: asUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,new.t${n},PROD)`),
      changeType: 'UPSERT',
      aspectName: 'upstreamLineage',
      aspect: { upstreams },
    }
  })
}

async function sizes({ database }: Setup) {
  return database.rows<{ name: string; mb: number }>(
    `select c.relname as name, round(pg_total_relation_size(c.oid) / 1e6)::int as mb from pg_class c
     where c.relnamespace = 'catalog'::regnamespace and c.relkind = 'r' and pg_total_relation_size(c.oid) > 1e6
     order by 2 desc`,
  )
}

function memory(): number {
  ;(globalThis as { gc?: () => void }).gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

answerHelp(import.meta.url)
const wanted = process.argv.slice(2).map(Number)
for (const edges of wanted.length === 0 ? [MEGA] : wanted) {
  await using resources = new Resources()
  const figures = await measure(await setUp(resources), edges)
  for (const [what, value] of figures) process.stdout.write(`${what.padEnd(64)}${value}\n`)
}
