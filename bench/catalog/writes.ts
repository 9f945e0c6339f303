/**
 * Aspect writes by HTTP in batches, beside plain SQL that writes the same: new datasets, each with one aspect.
 *
 *   the same rows   URN, entity with search fields and words, aspect, line of the log: all that the catalog keeps
 *   rows alone      URN, aspect; nothing that makes them found: what a store without a catalog would cost, for comparison
 *
 * Both baselines intern first and then write in one transaction, lists as text parameters, 200 rows a batch.
 */
import { transaction, type Database } from '../../src/store/database.ts'
import { callsIn, compare } from './load.ts'
import { ACTOR, aspectOf, BATCH, dataset } from './requests.ts'
import { line, type Line, type Setup } from './setup.ts'

export async function writes({ database, http }: Setup): Promise<readonly Line[]> {
  const numbers = numbering()
  const lines: Line[] = []
  for (const [what, insert, aim] of [
    ['the same rows', insertAll, 0.4],
    ['rows alone', insertRows, undefined],
  ] as const) {
    const baseline = callsIn(() => insert(database, numbers()))
    const { cpu, ...rates } = await compare(database, 4, { ours: http('writes'), baseline })
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
  return lines
}

/** Numbers of a batch, new ones at each call. */
function numbering(): () => readonly number[] {
  // Far from the datasets that come by HTTP.
  let next = 1_000_000_000
  return () => Array.from({ length: BATCH }, () => next++)
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
  await database.execute(ASPECTS, [ids, numbers.map(() => 'datasetProperties'), numbers.map(aspectOf)])
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

/** The words of the URN, then those of the aspect. */
const wordsOf = (n: number) => ['bench', `t${n}`, 'urn', 'li', 'dataplatform', 'hive', 'table', `${n}`, 'x'.repeat(64)]

async function insertAll(database: Database, numbers: readonly number[]): Promise<void> {
  const ids = await intern(database, numbers)
  await transaction(database, async (tx) => {
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
      numbers.map((n) => wordsOf(n).join(' ')),
      numbers.map((n) =>
        JSON.stringify({ '_words.urn': wordsOf(n).slice(0, 6), '_words.datasetProperties': wordsOf(n).slice(6) }),
      ),
    ])
    await tx.execute(ASPECTS, [ids, numbers.map(() => 'datasetProperties'), numbers.map(aspectOf)])
    await tx.execute('select pg_advisory_xact_lock(4812002)')
    await tx.execute(LOG, [ids])
  })
}
