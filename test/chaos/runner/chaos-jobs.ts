import { setTimeout as sleep } from 'node:timers/promises'
import { defineJob, Type, type JobDefinition } from '../../../src/runner/define-job.ts'
import type { Database } from '../../../src/store/database.ts'

/**
 * Jobs whose effects can be counted from outside, in a table that keeps every one of them: who, for which run, in which
 * attempt. Nothing in it is unique, so that what happens twice is seen twice.
 */
export const CREATE_EFFECTS = `create table if not exists public.effect (
  id bigint generated always as identity primary key,
  run_id text not null, attempt int not null, what text not null, at timestamptz not null default clock_timestamp())`

export function chaosJobs(database: Database): readonly JobDefinition[] {
  const effect = (runId: string, attempt: number, what: string) =>
    database.execute('insert into public.effect (run_id, attempt, what) values ($1, $2, $3)', [runId, attempt, what])

  /** Sends batches through the journal, as the emitter does. */
  const batches = defineJob({
    name: 'batches',
    summary: 'Sends batches, each with an effect',
    byHand: 'apply',
    input: Type.Object({ batches: Type.Integer(), members: Type.Integer() }),
    queue: { concurrency: 4 },
    async run({ input, runId, attempt, journal, balance, stop }) {
      for (let n = 0; n < input.batches; n++) {
        stop.throwIfAborted()
        const key = `batch-${n}`
        balance.records({ read: input.members, used: input.members })
        balance.proposals({ made: input.members })
        const earlier = await journal.find(key)
        if (earlier?.state === 'answered') {
          balance.proposals(earlier.counts)
          continue
        }
        await journal.sent({ key, members: input.members, unchanged: 0 })
        await effect(runId, attempt, key)
        await sleep(10)
        const counts = { written: input.members, unchanged: 0, refused: 0, dead: 0 }
        await journal.answered(key, counts, [])
        balance.proposals(counts)
      }
      return { report: { batches: input.batches }, lines: [] }
    },
  })

  /** Plans something that a person must allow. */
  const gated = defineJob({
    name: 'gated',
    summary: 'Has an effect only when approved',
    byHand: 'plan',
    input: Type.Object({ answer: Type.Boolean() }),
    queue: { concurrency: 4 },
    async plan({ clock, input }) {
      await sleep(20)
      return {
        counts: { rows: 1 },
        lines: ['one row goes'],
        body: {},
        // Those that nobody answers are to expire soon; the others shall not, however slow the machine is.
        expiresAtMs: clock.now() + (input.answer ? 600_000 : 3_000),
        nothingToDo: false,
      }
    },
    check: () => ({ decision: 'ask', reasons: ['always asks'] }),
    async run({ plan, runId, attempt }) {
      await effect(runId, attempt, `begin ${plan?.id}`)
      await sleep(40)
      await effect(runId, attempt, `end ${plan?.id}`)
      return { report: {}, lines: [] }
    },
  })

  /** Notes that it ran. */
  const note = defineJob({
    name: 'note',
    summary: 'Notes that it ran',
    byHand: 'apply',
    input: Type.Object({}),
    queue: { concurrency: 4 },
    async run({ runId, attempt, signal }) {
      await sleep(30, undefined, { signal })
      await effect(runId, attempt, 'note')
      return { report: {}, lines: [] }
    },
  })

  return [batches, gated, note]
}
