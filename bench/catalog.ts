/**
 * The catalog's speed, each figure beside its baseline in the same run: `npm run bench:catalog [name …]`.
 * Two cores carry client, server and PostgreSQL, so read the ratios, not the rates.
 */
import { Pool } from 'undici'
import { Resources } from '../src/observe/resources.ts'
import { lockEntities, readAspects, writeAspects } from '../src/store/aspect-store.ts'
import { transaction } from '../src/store/database.ts'
import { addTags, lineage, truncation } from './catalog/cases.ts'
import { line, rate, setUp, timed, type Line, type Setup } from './catalog/setup.ts'

const CASES: Readonly<Record<string, (setup: Setup) => Promise<readonly Line[]>>> = {
  writes,
  mutations: addTags,
  queries,
  lineage,
  truncation,
}

const BATCH = 200
const dataset = (n: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,bench.t${n},PROD)`
const value = (n: number) => ({ name: `table ${n}`, description: 'x'.repeat(400), customProperties: { n: String(n) } })

/** Aspect writes by HTTP in batches, beside the same rows written by the store's statements without anything around them. */
async function writes({ database, url }: Setup): Promise<readonly Line[]> {
  const client = new Pool(url, { connections: 2 })
  let next = 0
  const post = async () => {
    const proposals = Array.from({ length: BATCH }, () => {
      const n = next++
      const aspect = { contentType: 'application/json', value: JSON.stringify(value(n)) }
      return {
        entityType: 'dataset',
        entityUrn: dataset(n),
        changeType: 'UPSERT',
        aspectName: 'datasetProperties',
        aspect,
      }
    })
    const headers = { 'content-type': 'application/json' }
    const answer = await client.request({
      method: 'POST',
      path: '/aspects?action=ingestProposalBatch',
      headers,
      body: JSON.stringify({ proposals }),
    })
    if (answer.statusCode !== 200) throw new Error(await answer.body.text())
    await answer.body.dump()
  }
  let row = 0
  const raw = async () => {
    const rows = Array.from({ length: BATCH }, () => ({
      urnId: 0,
      name: 'datasetProperties',
      version: 1,
      body: JSON.stringify(value(row)),
      systemMetadata: '{}',
      runId: null,
      writtenMs: 0,
      writtenBy: 'urn:li:corpuser:bench',
      createdMs: 0,
      urn: `urn:li:tag:raw${row++}`,
    }))
    const ids = await database.rows<{ id: number }>(
      'insert into catalog.urn (urn) select u from unnest($1::text[]) as u order by u returning id',
      [rows.map((one) => one.urn)],
    )
    const keyed = rows.map((one, index) => ({ ...one, urnId: ids[index]?.id ?? 0 }))
    await transaction(database, async (tx) => {
      await lockEntities(
        tx,
        keyed.map((one) => one.urnId),
      )
      await readAspects(tx, keyed)
      await writeAspects(tx, keyed, [])
    })
  }
  await rate(2, 1, post)
  const ours = (await rate(2, 4, post)) * BATCH
  const baseline = (await rate(2, 4, raw)) * BATCH
  await client.close()
  return [line(`aspect writes by HTTP, batches of ${BATCH}`, { ours, baseline, unit: 'rows/s', aim: 0.4 })]
}

/** Dataset query with tags, beside the same server answering a fixed page. */
async function queries({ catalog, url }: Setup): Promise<readonly Line[]> {
  await addTags.prepare(catalog)
  const client = new Pool(url, { connections: 64 })
  const query =
    'query d($urn: String!) { dataset(urn: $urn) { tags { tags { tag { name urn properties { description colorHex } } } } } }'
  const headers = { 'content-type': 'application/json' }
  const ask = async (n: number) => {
    const body = JSON.stringify({ query, variables: { urn: dataset(n % 100) } })
    await (await client.request({ method: 'POST', path: '/api/graphql', headers, body })).body.dump()
  }
  const fixed = async () =>
    (
      await client.request({
        method: 'POST',
        path: '/api/graphql',
        headers,
        body: JSON.stringify({ query: '{ __typename }' }),
      })
    ).body.dump()
  await rate(64, 1, ask)
  const ours = await rate(64, 4, ask)
  const baseline = await rate(64, 4, fixed)
  await client.close()
  return [line('dataset query with tags, 64 connections', { ours, baseline, unit: 'calls/s', aim: 0.5 })]
}

const wanted = process.argv.slice(2)
const lines: Line[] = []
for (const [name, run] of Object.entries(CASES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  await using resources = new Resources()
  const setup = await setUp(resources)
  const took = await timed(async () => lines.push(...(await run(setup))))
  process.stderr.write(`${name}: ${(took / 1000).toFixed(1)} s\n`)
}
for (const { what, ours, baseline, ratio, aim } of lines) {
  process.stdout.write(
    `${ratio >= aim ? 'ok  ' : 'slow'} ${what}: ${ours}, baseline ${baseline}, ratio ${ratio.toFixed(2)} (aim ${aim})\n`,
  )
}
