/** What the runner tells the process's metrics. */
import type { Metrics } from '../observe/metrics.ts'
import type { Progress } from '../observe/progress.ts'
import type { FinishedRunState, RunRow } from '../store/ledger/types.ts'
import type { Balance } from './define-job.ts'
import type { RunnerParts } from './parts.ts'

/** Counts into the metrics what is counted into a balance. */
export function balanceMetrics({ records, proposals }: Metrics, job: string): Omit<Balance, 'snapshot'> {
  return {
    records: ({ read: _read, ...ended }) => {
      for (const [outcome, count] of Object.entries(ended)) records.inc({ job, outcome }, count)
    },
    proposals: ({ made: _made, ...ended }) => {
      for (const [outcome, count] of Object.entries(ended)) proposals.inc({ job, outcome }, count)
    },
  }
}

/** Tells how fast an emitter goes, by what it reports of its progress. */
export function paceMeter({ emitterConcurrency, emitterBackOffs }: Metrics, job: string): Progress {
  let told = 0
  return {
    report({ counts }) {
      const { concurrency, backOffs = 0 } = counts ?? {}
      if (concurrency === undefined) return
      emitterConcurrency.set({ job }, concurrency)
      // A job may send in several passes, each with an emitter that counts from nothing.
      emitterBackOffs.inc({ job }, backOffs < told ? backOffs : backOffs - told)
      told = backOffs
    },
  }
}

/** A run has ended, and its row says so. */
export function measureEnd(
  { metrics, clock }: Pick<RunnerParts, 'metrics' | 'clock'>,
  { job, startedMs }: Pick<RunRow, 'job' | 'startedMs'>,
  state: FinishedRunState,
): void {
  metrics.runsEnded.inc({ job, state })
  if (startedMs !== null) metrics.runSeconds.observe({ job, state }, Math.max(0, clock.now() - startedMs) / 1000)
}
