/**
 * `npm run chaos:harvest -- [--kills 100] [--files 10000] [--seed 1]`: the test's harvest under kills, as long as one
 * likes. Ends with 1 where what is left differs from what an undisturbed harvest leaves.
 */
import { parseArgs } from 'node:util'
import { systemClock } from '../../../src/observe/clock.ts'
import { openWorld } from '../import/world.ts'
import { harvestUnderKills } from './under-kills.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    files: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
  },
})
const [kills, files, seed] = [Number(values.kills), Number(values.files), Number(values.seed)]
const begun = systemClock.monotonic()
await using world = await openWorld()
let done = 0
const result = await harvestUnderKills(world, {
  files,
  kills,
  seed,
  onKill: (victim, stage) => process.stderr.write(`kill ${++done} of ${kills}: ${victim}, ${stage}\n`),
})
const { run, differences, doubled } = result
const { written, unchanged, refused, dead } = run.balance.proposals
const by = (key: 'victim' | 'stage'): string =>
  [...Map.groupBy(result.kills, (kill) => kill[key])].map(([name, list]) => `${name} ${list.length}`).join(', ')
process.stdout.write(
  `${[
    `${files} files, ${result.kills.length} kills (${by('victim')}; ${by('stage')}) in ${((systemClock.monotonic() - begun) / 1000).toFixed(0)} s, seed ${seed}`,
    `run        ${run.state} after ${run.attempt} attempts${run.error === null ? '' : `: ${run.error.message}`}`,
    `ledger     written ${written}, unchanged ${unchanged}, refused ${refused}, dead ${dead}`,
    `left       ${result.aspects} aspects, ${result.facts} facts; ${differences.length} differ from the undisturbed twin's, ${doubled} written twice`,
    ...differences.slice(0, 10),
  ].join('\n')}\n`,
)
if (run.state !== 'succeeded' || differences.length + doubled > 0) process.exitCode = 1
