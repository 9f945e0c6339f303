/**
 * A made-up estate for benchmarks: datasets in ten layers, each feeding about six of the layers after it, with the rows
 * that the catalog would keep had they been written through it: URN, entity with search fields, aspect, edges.
 */
import { asUrn, type Urn } from '../../src/model/urn.ts'
import type { Database } from '../../src/store/database.ts'

/** The URN of the n-th dataset, from 1; its id is n. */
export const graphDataset = (n: number): Urn => asUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,graph.t${n},PROD)`)

const URN = `'urn:li:dataset:(urn:li:dataPlatform:hive,graph.t' || n || ',PROD)'`

/**
 * Fills an empty catalog.
 * @param edges about so many, between a fifth as many datasets
 */
export async function fillGraph(database: Database, edges: number): Promise<void> {
  const datasets = Math.round(edges / 5)
  const layer = Math.round(datasets / 10)
  await database.execute(`insert into catalog.urn (urn) select ${URN} from generate_series(1, ${datasets}) as n`)
  await withoutIndexes(database, 'entity', () =>
    database.execute(`insert into catalog.entity (urn_id, entity_type, created_ms, created_by, fields, words)
      select n, 'dataset', 0, 'urn:li:corpuser:bench',
        jsonb_build_object('id', jsonb_build_array('graph.t' || n), 'origin', '["PROD"]'::jsonb,
          'platform', '["urn:li:dataPlatform:hive"]'::jsonb),
        array_to_tsvector(array['graph', 't' || n, 'hive'])
      from generate_series(1, ${datasets}) as n`),
  )
  await withoutIndexes(database, 'lineage_edge', () =>
    database.execute(`insert into catalog.lineage_edge (owner_id, kind, up_id, down_id)
      select down, 2, up, down from (
        select distinct up, least(${datasets}, up + ${layer} * (1 + floor(random() * 1.2))::int - floor(random() * ${layer})::int) as down
        from generate_series(1, ${datasets - layer}) as up, generate_series(1, 6)) as e where down > up order by down, up`),
  )
  await database.execute(`insert into catalog.aspect
      (urn_id, name, version, body, system_metadata, written_ms, written_by, created_ms)
    select down_id, 'upstreamLineage', 1, '{"upstreams":[' || string_agg(
        '{"dataset":"urn:li:dataset:(urn:li:dataPlatform:hive,graph.t' || up_id || ',PROD)","type":"TRANSFORMED","auditStamp":{"time":0,"actor":"urn:li:corpuser:bench"}}', ',') || ']}',
      '{}', 0, 'urn:li:corpuser:bench', 0
    from catalog.lineage_edge group by down_id`)
  await database.execute('vacuum analyze catalog.lineage_edge, catalog.entity, catalog.urn, catalog.aspect')
}

/** Indexes that are not keys are made anew after filling: a tenth of the time. */
async function withoutIndexes(database: Database, table: string, fill: () => Promise<unknown>): Promise<void> {
  const indexes = await database.rows<{ name: string; sql: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as sql from pg_index i
     where i.indrelid = $1::regclass and not i.indisprimary`,
    [`catalog.${table}`],
  )
  for (const { name } of indexes) await database.execute(`drop index ${name}`)
  await fill()
  for (const { sql } of indexes) await database.execute(sql)
}

/** The dataset among some whose downstream closure is nearest to so many. */
export async function startReaching(
  datasets: number,
  nodes: number,
  reach: (n: number) => Promise<number>,
): Promise<number> {
  const candidates = Array.from({ length: 40 }, (_, i) => Math.max(1, Math.round((datasets * 0.95 * i) / 40)))
  let best = { n: 1, off: Infinity }
  for (const n of candidates) {
    const off = Math.abs((await reach(n)) - nodes)
    if (off < best.off) best = { n, off }
  }
  return best.n
}
