import { expect, test } from 'vitest'
import { hasRedis } from '../../support/redis.ts'
import { importUnderKills } from './under-kills.ts'
import { openWorld } from './world.ts'

const ROWS = 200_000
const KILLS = 42

test(
  `${KILLS} kills of worker, catalog, PostgreSQL${hasRedis ? ' and Redis' : ''} during ${ROWS} rows: nothing lost, nothing doubled`,
  { timeout: 900_000 },
  async () => {
    await using world = await openWorld()
    const { run, kills, stored, journal } = await importUnderKills(world, { rows: ROWS, kills: KILLS, seed: 20 })
    expect(run, `${run.error?.message}\n${world.said()}`).toMatchObject({
      state: 'succeeded',
      balance: {
        records: { read: ROWS, used: ROWS, duplicate: 0, noEffect: 0, rejected: 0 },
        proposals: { made: ROWS, written: ROWS, unchanged: 0, refused: 0, dead: 0 },
      },
    })
    expect(stored).toEqual({ aspects: ROWS, wrong: 0, mostVersions: 1 })
    expect(journal).toEqual({ members: ROWS, written: ROWS, open: 0 })
    const sum = Object.values(kills).reduce((all, count) => all + count, 0)
    expect(sum).toBe(KILLS)
    expect(run.attempt).toBeGreaterThan(kills.worker)
    expect(Math.min(kills.worker, kills.catalog, kills.postgres)).toBeGreaterThan(2)
  },
)
