/**
 * The catalog's speed, each figure beside its baseline in the same run: `npm run bench:catalog [name …]`.
 * Two cores carry client, server and PostgreSQL, so read the ratios, not the rates.
 */
import { Resources } from '../src/observe/resources.ts'
import { addTags, lineage, queries, truncation } from './catalog/cases.ts'
import { timed } from './catalog/load.ts'
import { setUp, type Line, type Setup } from './catalog/setup.ts'
import { writes } from './catalog/writes.ts'
import { answerHelp } from './usage.ts'

answerHelp(import.meta.url)

const CASES: Readonly<Record<string, (setup: Setup) => Promise<readonly Line[]>>> = {
  writes,
  mutations: addTags,
  queries,
  lineage,
  truncation,
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
  const verdict = aim === undefined ? '    ' : ratio >= aim ? 'ok  ' : 'slow'
  const wantedRatio = aim === undefined ? '' : ` (aim ${aim})`
  process.stdout.write(`${verdict} ${what}: ${ours}, baseline ${baseline}, ratio ${ratio.toFixed(2)}${wantedRatio}\n`)
}
