/**
 * `npm run chaos:import -- [--kills 200] [--rows 200000] [--seed 1]`: the test's import under kills, as long as one likes.
 * Prints what was counted; ends with 1 where anything is lost, doubled or does not add up.
 */
import { parseArgs } from 'node:util'
import { systemClock } from '../../../src/observe/clock.ts'
import { importUnderKills } from './under-kills.ts'
import { openWorld } from './world.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    rows: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
  },
})
const [kills, rows, seed] = [Number(values.kills), Number(values.rows), Number(values.seed)]
const begun = systemClock.monotonic()
await using world = await openWorld()
let done = 0
const result = await importUnderKills(world, {
  rows,
  kills,
  seed,
  onKill: (victim, answered) =>
    process.stderr.write(`kill ${++done} of ${kills}: ${victim}, ${answered} batches answered\n`),
})
const { run, stored, journal } = result
const { written, unchanged, refused, dead } = run.balance.proposals
const seconds = (systemClock.monotonic() - begun) / 1000
const lost = rows - stored.aspects
const whole = written + unchanged === rows && journal.members === rows && journal.open === 0 && refused + dead === 0
const faultless = run.state === 'succeeded' && lost === 0 && stored.wrong === 0 && stored.mostVersions === 1 && whole
process.stdout.write(
  `${[
    `${rows} rows, ${done} kills (${Object.entries(result.kills)
      .map(([victim, count]) => `${victim} ${count}`)
      .join(', ')}) in ${seconds.toFixed(0)} s, seed ${seed}`,
    `run        ${run.state} after ${run.attempt} attempts${run.error === null ? '' : `: ${run.error.message}`}`,
    `lost       ${lost}`,
    `wrong      ${stored.wrong}`,
    `doubled    ${stored.mostVersions > 1 ? `an aspect has ${stored.mostVersions} versions` : '0'}`,
    `ledger     ${whole ? 'adds up' : 'does not add up'}: written ${written}, unchanged ${unchanged}, refused ${refused}, dead ${dead}; journal ${JSON.stringify(journal)}`,
  ].join('\n')}\n`,
)
if (!faultless) process.exitCode = 1
