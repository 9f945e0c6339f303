import { expect, test } from 'vitest'
import { openWorld } from '../import/world.ts'
import { FaultProxy } from '../kit/fault-proxy.ts'
import { byChance, onlyFor } from '../kit/faults.ts'
import { harvestUnderKills } from './under-kills.ts'

const FILES = 1500
const KILLS = 20

test(
  `${KILLS} kills of worker, catalog and PostgreSQL while a harvest plans, writes and saves: its end is an undisturbed one's`,
  { timeout: 600_000 },
  async () => {
    let proxy: FaultProxy | undefined
    await using world = await openWorld(async (catalogUrl) => {
      proxy = await FaultProxy.open(catalogUrl)
      // The catalog has bad moments, too: writes that are carried out and their answers lost.
      const badMoments = byChance(11, 0.05, { kind: 'lost-answer' }, { kind: 'status', status: 429, retryAfter: 0 })
      proxy.plan = onlyFor(({ path }) => path.includes('ingestProposal'), badMoments)
      return proxy.url
    })
    try {
      const { run, kills, differences, aspects, facts, doubled } = await harvestUnderKills(world, {
        files: FILES,
        kills: KILLS,
        seed: 8,
      })
      expect(run, `${run.error?.message}\n${world.said()}`).toMatchObject({
        state: 'succeeded',
        balance: {
          records: { read: FILES, used: FILES, rejected: 0 },
          proposals: { unchanged: 0, refused: 0, dead: 0, written: aspects },
        },
      })
      expect(differences).toEqual([])
      // Each table but the last has status, columns and lineage, each statement two aspects of its query entity.
      expect(aspects).toBeGreaterThanOrEqual(5 * FILES)
      expect(facts).toBeGreaterThan(2 * FILES)
      expect(doubled).toBe(0)
      const stages = Map.groupBy(kills, ({ stage }) => stage)
      expect(stages.get('planning')?.length, 'kills while it planned').toBeGreaterThan(1)
      expect(stages.get('writing')?.length, 'kills while it wrote').toBeGreaterThan(KILLS / 2)
      expect(kills.length).toBeGreaterThanOrEqual(KILLS - 2)
    } finally {
      await proxy?.close()
    }
  },
)
