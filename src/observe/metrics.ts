/**
 * What a process counts and measures, for Prometheus (`/metrics` of the console). Counters and histograms tell of this
 * process alone; gauges that ask the ledger or the queue (`src/console/gauges.ts`) tell the same in every process.
 *
 * Names end with their unit; labels have few values: jobs, states, outcomes, never ids.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  /** Ends of runs, by job and state. */
  readonly runsEnded: Counter<'job' | 'state'>
  /** From the first attempt's beginning to the run's end. */
  readonly runSeconds: Histogram<'job' | 'state'>
  /** Attempts that failed and are followed by another, by job and error code. */
  readonly attemptsFailed: Counter<'job' | 'code'>
  /** Runs that lost their worker. */
  readonly runsStalled: Counter<'job'>
  /** From a slot to the row of its run. */
  readonly scheduleDriftSeconds: Histogram
  readonly proposals: Counter<'job' | 'outcome'>
  readonly records: Counter<'job' | 'outcome'>
  /** Batches that the emitter has on their way at most, as the catalog bears it. */
  readonly emitterConcurrency: Gauge<'job'>
  readonly emitterBackOffs: Counter<'job'>
  /** Calls to a catalog, from the first byte out to the last one in. */
  readonly catalogSeconds: Histogram<'method' | 'status'>
  readonly notices: Counter<'webhook' | 'outcome'>
}

const SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 4 * 3600]
const DRIFT_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600]
const LATENCY_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Metrics of one process, with those of Node (memory, CPU, garbage collection, delay of the event loop). */
export function createMetrics({ node = false }: { readonly node?: boolean } = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (node) collectDefaultMetrics({ register: registry })
  return {
    registry,
    runsEnded: new Counter({
      name: 'headwater_runs_ended_total',
      help: 'Runs that ended in this process, by job and state',
      labelNames: ['job', 'state'],
      registers,
    }),
    runSeconds: new Histogram({
      name: 'headwater_run_duration_seconds',
      help: 'From the beginning of a run to its end',
      labelNames: ['job', 'state'],
      buckets: SECONDS,
      registers,
    }),
    attemptsFailed: new Counter({
      name: 'headwater_attempts_failed_total',
      help: 'Attempts that failed and are followed by another, by job and error code',
      labelNames: ['job', 'code'],
      registers,
    }),
    runsStalled: new Counter({
      name: 'headwater_runs_stalled_total',
      help: 'Runs that were found without their worker',
      labelNames: ['job'],
      registers,
    }),
    scheduleDriftSeconds: new Histogram({
      name: 'headwater_schedule_drift_seconds',
      help: 'From a slot of a schedule to the row of its run',
      buckets: DRIFT_SECONDS,
      registers,
    }),
    proposals: new Counter({
      name: 'headwater_emitter_proposals_total',
      help: 'Proposals that ended in this process: written, unchanged, refused or dead',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    records: new Counter({
      name: 'headwater_records_total',
      help: 'Records of the input: used, duplicate, noEffect or rejected',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    emitterConcurrency: new Gauge({
      name: 'headwater_emitter_concurrency',
      help: 'Batches that the emitter of a job may have on their way',
      labelNames: ['job'],
      registers,
    }),
    emitterBackOffs: new Counter({
      name: 'headwater_emitter_back_offs_total',
      help: 'Times that a catalog asked the emitter of a job for less, or did not keep up: 429, 503, timeouts',
      labelNames: ['job'],
      registers,
    }),
    catalogSeconds: new Histogram({
      name: 'headwater_catalog_request_seconds',
      help: 'Calls to a catalog, as the client sees them; status 0 is no answer',
      labelNames: ['method', 'status'],
      buckets: LATENCY_SECONDS,
      registers,
    }),
    notices: new Counter({
      name: 'headwater_notices_total',
      help: 'Notices to webhooks: sent, folded or dead',
      labelNames: ['webhook', 'outcome'],
      registers,
    }),
  }
}
