import { describe, expect, test } from 'vitest'
import { submitRun } from '../../../src/runner/submit.ts'
import { waitForRun } from '../../../src/runner/wait.ts'
import { listAttempts, readRun } from '../../../src/store/ledger/runs.ts'
import type { RunRow } from '../../../src/store/ledger/types.ts'
import { eventually } from '../../support/eventually.ts'
import { QUEUE_BACKENDS } from '../../support/queues.ts'
import { killNow, startCluster, type Cluster } from './cluster.ts'

const PATIENCE = { timeout: 180_000 }

for (const { backend, skipped, reason } of QUEUE_BACKENDS) {
  describe.skipIf(skipped)(
    `workers that are killed, queue on ${backend} ${skipped ? `(skipped: ${reason})` : ''}`,
    () => {
      test('a run that loses its workers goes on where they were, and its sums hold', PATIENCE, async () => {
        await using cluster = await startCluster(backend, { seed: 1 })
        await cluster.fillUp(2)
        const ids: string[] = []
        for (let i = 0; i < 4; i++) {
          ids.push((await submitRun(cluster.parts, { job: 'batches', input: { batches: 150, members: 10 } })).id)
        }
        await eventually(async () => expect((await cluster.effects()).length).toBeGreaterThan(20))
        await killNow(cluster, 3, 300, 2)
        for (const id of ids) {
          const run = await ended(cluster, id)
          expect(run).toMatchObject({
            state: 'succeeded',
            balance: { records: { read: 1500, used: 1500 }, proposals: { made: 1500, written: 1500 } },
            unsettled: { records: 0, proposals: 0 },
          })
          const attempts = await listAttempts(cluster.parts.database, id)
          expect(attempts.filter(({ outcome }) => outcome === 'stalled')).toHaveLength(run.stalls)
          const sent = (await cluster.effects()).filter(({ runId }) => runId === id)
          // A batch is sent again only where a worker died between sending it and noting the answer.
          expect(new Set(sent.map(({ what }) => what)).size).toBe(150)
          expect(sent.length - 150).toBeLessThanOrEqual(run.stalls)
        }
        const runs = await Promise.all(ids.map((id) => readRun(cluster.parts.database, id)))
        expect(runs.reduce((sum, run) => sum + (run?.stalls ?? 0), 0)).toBeGreaterThan(0)
      })

      test('a queue that is flushed while runs wait loses none, and runs none twice', PATIENCE, async () => {
        await using cluster = await startCluster(backend, { seed: 2 })
        const ids: string[] = []
        for (let i = 0; i < 60; i++) ids.push((await submitRun(cluster.parts, { job: 'note', input: {} })).id)
        for (const queue of cluster.parts.queues.queues()) await queue.obliterate({ force: true })
        await cluster.fillUp(2)
        await killNow(cluster, 2, 200, 2)
        for (const id of ids) expect((await ended(cluster, id)).state).toBe('succeeded')
        const noted = await cluster.effects()
        expect(new Set(noted.map(({ runId }) => runId))).toEqual(new Set(ids))
        await expectOneEffectPerRun(cluster, ids)
      })
    },
  )
}

async function ended(cluster: Cluster, id: string): Promise<RunRow> {
  return (await waitForRun(cluster.parts, id, { signal: AbortSignal.timeout(90_000) })).run
}

/** A run's effect happens again only where its worker died in the middle; never after its end. */
async function expectOneEffectPerRun(cluster: Cluster, ids: readonly string[]): Promise<void> {
  const effects = await cluster.effects()
  for (const id of ids) {
    const run = await readRun(cluster.parts.database, id)
    expect(effects.filter(({ runId }) => runId === id).length).toBeLessThanOrEqual(1 + (run?.stalls ?? 0))
  }
}
