/** What the runner tells the process's metrics. */
import type { Metrics } from '../observe/metrics.ts'
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

/** A run has ended, and its row says so. */
export function measureEnd(
  { metrics, clock }: Pick<RunnerParts, 'metrics' | 'clock'>,
  { job, startedMs }: Pick<RunRow, 'job' | 'startedMs'>,
  state: FinishedRunState,
): void {
  metrics.runsEnded.inc({ job, state })
  if (startedMs !== null) metrics.runSeconds.observe({ job, state }, Math.max(0, clock.now() - startedMs) / 1000)
}
