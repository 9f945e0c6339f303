/**
 * The catalog's speed, each figure beside its baseline in the same run: `npm run bench:catalog [name …]`.
 * Two cores carry client, server and PostgreSQL, so read the ratios, not the rates.
 */
import { Pool } from 'undici'
import { Resources } from '../src/observe/resources.ts'
import { addTags, lineage, truncation } from './catalog/cases.ts'
import { compare, line, setUp, timed, type Line, type Setup } from './catalog/setup.ts'
import { writes } from './catalog/writes.ts'

const CASES: Readonly<Record<string, (setup: Setup) => Promise<readonly Line[]>>> = {
  writes,
  mutations: addTags,
  queries,
  lineage,
  truncation,
}

const dataset = (n: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,bench.t${n},PROD)`

/** Dataset query with tags, beside the same server answering a fixed page. */
async function queries({ catalog, database, url }: Setup): Promise<readonly Line[]> {
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
  const { cpu, ...rates } = await compare(database, 64, { ours: ask, baseline: fixed })
  await client.close()
  process.stderr.write(`  ${cpu}\n`)
  return [line('dataset query with tags, 64 connections', { ...rates, unit: 'calls/s', aim: 0.5 })]
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
