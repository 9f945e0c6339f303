/** The nightly upkeep as a job like any other: it has a schedule of its own, a row for each night, and can be planned. */
import type { Config } from '../config/config.ts'
import { defineJob, Type, type JobDefinition } from '../runner/define-job.ts'
import { keepLimits, prunable, prune, type PruneCounts } from '../runner/upkeep/prune.ts'
import type { Database } from '../store/database.ts'
import { PRUNED, type Pruned } from '../store/ledger/prune.ts'
import type { ScheduleDefinition } from '../store/ledger/types.ts'

export const PRUNE = 'prune'
/** Id of the schedule that comes with the program. */
const NIGHTLY = 'headwater-prune'
const PLAN_LIVES_MS = 24 * 3_600_000

const NAMES: Readonly<Record<Pruned, string>> = {
  runs: 'runs that ended, with plans and checkpoints',
  journal: 'journal entries of runs that ended',
  deadLetters: 'dead letters and rejected records',
  notices: 'notices',
  history: 'earlier versions of aspects',
}

export function pruneJob(database: Database, keep: Config['keep']): JobDefinition {
  return defineJob({
    name: PRUNE,
    summary: 'Forget old runs, journals, dead letters and aspect versions, by keep: of config/headwater.yaml',
    examples: [
      ['--plan', 'how much would go'],
      ['', 'forget it'],
    ],
    input: Type.Object({}, { additionalProperties: false }),
    byHand: 'apply',
    quietWhenEmpty: true,
    resources: () => [PRUNE],
    async plan({ clock }) {
      const counts = await prunable(database, keepLimits(keep, clock.now()))
      return {
        counts,
        lines: linesOf(counts, 'would go'),
        body: {},
        expiresAtMs: clock.now() + PLAN_LIVES_MS,
        nothingToDo: PRUNED.every((what) => counts[what] === 0),
      }
    },
    async run({ clock, balance, progress, stop }) {
      const counts: Record<Pruned, number> = { runs: 0, journal: 0, deadLetters: 0, notices: 0, history: 0 }
      await prune(database, keepLimits(keep, clock.now()), (what, count) => {
        counts[what] += count
        balance.records({ read: count, used: count })
        progress.report({ phase: what, done: counts[what], unit: 'rows' })
        stop.throwIfAborted()
      })
      return { report: { pruned: counts }, lines: linesOf(counts, 'forgotten') }
    },
  })
}

/** The schedule that comes with the program; undefined where the configuration switches it off. */
export function pruneSchedule({ cron, timeZone }: Config['keep']): ScheduleDefinition | undefined {
  if (cron === '') return undefined
  return {
    id: NIGHTLY,
    cron,
    timeZone,
    job: PRUNE,
    input: {},
    apply: true,
    catchUp: 'latest',
    catchUpMax: 1,
    overlap: 'skip',
    resources: [],
    enabled: true,
  }
}

function linesOf(counts: PruneCounts, end: string): readonly string[] {
  return PRUNED.map((what) => `${counts[what].toLocaleString('en')} ${NAMES[what]} ${end}`)
}
