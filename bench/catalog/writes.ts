/**
 * Aspect writes by HTTP in batches, beside plain SQL that writes the same: new datasets, each with one aspect.
 *
 *   rows alone      URN, aspect; nothing that makes them found: what a store without a catalog would cost
 *   the same rows   URN, entity with search fields and words, aspect, line of the log: all that the catalog keeps
 *
 * Both baselines intern first and then write in one transaction, lists as text parameters, 200 rows a batch.
 */
import { Pool } from 'undici'
import { transaction, type Database } from '../../src/store/database.ts'
import { compare, line, type Line, type Setup } from './setup.ts'

const BATCH = 200
const ACTOR = 'urn:li:corpuser:bench'
const dataset = (n: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,bench.t${n},PROD)`
const body = (n: number) =>
  JSON.stringify({ name: `table ${n}`, description: 'x'.repeat(400), customProperties: { n: String(n) } })

export async function writes({ database, url }: Setup): Promise<readonly Line[]> {
  const client = new Pool(url, { connections: 4 })
  const numbers = numbering()
  const ours = () => post(client, numbers())
  const lines: Line[] = []
  for (const { what, baseline, aim } of [
    { what: 'rows alone', baseline: () => insertRows(database, numbers()), aim: 0.4 },
    { what: 'the same rows', baseline: () => insertAll(database, numbers()), aim: 0.4 },
  ]) {
    const { cpu, ...rates } = await compare(database, 4, { ours, baseline })
    process.stderr.write(`  ${what}: ${cpu}\n`)
    lines.push(
      line(`aspect writes by HTTP, batches of ${BATCH}, beside SQL for ${what}`, {
        ours: rates.ours * BATCH,
        baseline: rates.baseline * BATCH,
        unit: 'rows/s',
        aim,
      }),
    )
  }
  await client.close()
  return lines
}

/** Numbers of a batch, new ones at each call. */
function numbering(): () => readonly number[] {
  let next = 0
  return () => Array.from({ length: BATCH }, () => next++)
}

async function post(client: Pool, numbers: readonly number[]): Promise<void> {
  const proposals = numbers.map((n) => ({
    entityType: 'dataset',
    entityUrn: dataset(n),
    changeType: 'UPSERT',
    aspectName: 'datasetProperties',
    aspect: { contentType: 'application/json', value: body(n) },
  }))
  const headers = { 'content-type': 'application/json' }
  const path = '/aspects?action=ingestProposalBatch'
  const answer = await client.request({ method: 'POST', path, headers, body: JSON.stringify({ proposals }) })
  if (answer.statusCode !== 200) throw new Error(await answer.body.text())
  await answer.body.dump()
}

async function intern(database: Database, numbers: readonly number[]): Promise<readonly number[]> {
  const rows = await database.rows<{ id: number }>(
    {
      name: 'bench_intern',
      text: 'insert into catalog.urn (urn) select u from unnest($1::text[]) as u order by u returning id',
    },
    [numbers.map(dataset)],
  )
  return rows.map((row) => row.id)
}

/** What is skipped, kept as history and written anew, in one statement. */
const ASPECTS = {
  name: 'bench_aspects',
  text: `with wanted as (
      select * from unnest($1::int[], $2::text[], $3::text[]) as w (urn_id, name, body)),
    stored as (select a.* from catalog.aspect a join wanted using (urn_id, name)),
    old as (
      insert into catalog.aspect_history (urn_id, name, version, body, system_metadata, run_id, written_ms, written_by)
      select s.urn_id, s.name, s.version, s.body, s.system_metadata, s.run_id, s.written_ms, s.written_by
      from stored s join wanted w using (urn_id, name) where s.body <> w.body)
    insert into catalog.aspect as a (urn_id, name, version, body, system_metadata, run_id, written_ms, written_by, created_ms)
    select w.urn_id, w.name, coalesce(s.version, 0) + 1, w.body, '{}', null, 0, '${ACTOR}', 0
    from wanted w left join stored s using (urn_id, name) where s.body is distinct from w.body order by w.urn_id
    on conflict (urn_id, name) do update set version = excluded.version, body = excluded.body`,
}

async function insertRows(database: Database, numbers: readonly number[]): Promise<void> {
  const ids = await intern(database, numbers)
  await database.execute(ASPECTS, [ids, numbers.map(() => 'datasetProperties'), numbers.map(body)])
}

const ENTITIES = {
  name: 'bench_entities',
  text: `insert into catalog.entity (urn_id, entity_type, created_ms, created_by, fields, words, word_sources)
    select id, 'dataset', 0, '${ACTOR}', fields, words, sources
    from unnest($1::int[], $2::jsonb[], $3::tsvector[], $4::jsonb[]) as e (id, fields, words, sources)`,
}

/** As bytes of `lines` are packed by src/store/lineage-log.ts. */
const LOG = {
  name: 'bench_log',
  text: `insert into catalog.lineage_log (size, lines)
    select count(*), string_agg(int4send(0) || int4send(id) || int4send(id) || int4send(1), '')
    from unnest($1::int[]) as n (id)`,
}

async function insertAll(database: Database, numbers: readonly number[]): Promise<void> {
  const ids = await intern(database, numbers)
  await transaction(database, async (tx) => {
    const words = (n: number) => [
      'bench',
      `t${n}`,
      'urn',
      'li',
      'dataplatform',
      'hive',
      'table',
      `${n}`,
      'x'.repeat(64),
    ]
    await tx.execute(ENTITIES, [
      ids,
      numbers.map((n) =>
        JSON.stringify({
          id: [`bench.t${n}`],
          platform: ['urn:li:dataPlatform:hive'],
          origin: ['PROD'],
          'name.datasetProperties': [`table ${n}`],
          'customProperties.datasetProperties': [`n=${n}`],
        }),
      ),
      numbers.map((n) => words(n).join(' ')),
      numbers.map((n) =>
        JSON.stringify({ '_words.urn': words(n).slice(0, 6), '_words.datasetProperties': words(n).slice(6) }),
      ),
    ])
    await tx.execute(ASPECTS, [ids, numbers.map(() => 'datasetProperties'), numbers.map(body)])
    await tx.execute('select pg_advisory_xact_lock(4812002)')
    await tx.execute(LOG, [ids])
  })
}
