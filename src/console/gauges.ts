/** Gauges that ask the ledger and the queue when they are read: the same in whichever process. */
import { Gauge, type Registry } from 'prom-client'
import { numberAt } from '../model/json.ts'
import { maskUrl } from '../observe/logger.ts'
import type { RunnerParts } from '../runner/parts.ts'
import {
  deadLetterFigures,
  indexFigures,
  openPlanFigures,
  openRunFigures,
  overdueSlotMs,
  sizeFigures,
} from '../store/ledger/figures.ts'

/** What the scheduler of this process knows; absent where another process ticks. */
export interface Ticking {
  lastTickMs(): number | undefined
}

/** Reads all gauges anew; a part that does not answer shows as `headwater_up 0`, and its gauges as empty. */
export interface Gauges {
  refresh(): Promise<void>
}

const BYTES_A_MB = 1_000_000

/** How old figures may be that cost a look at whole tables. */
const DEAR_FIGURES_MS = 30_000

export function openGauges(registry: Registry, parts: RunnerParts, ticking: Ticking | undefined): Gauges {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge<L>({ name, help, labelNames: [...labelNames], registers: [registry] })
  const up = gauge('headwater_up', '1 where a part that this process needs answers', ['part'])
  const runs = gauge('headwater_runs_open', 'Runs that have not ended', ['job', 'state'])
  const oldest = gauge('headwater_runs_oldest_waiting_seconds', 'Age of the run that waits longest', ['job'])
  const plans = gauge('headwater_plans_open', 'Plans that have not ended', ['job', 'state'])
  const overdue = gauge('headwater_schedule_overdue_seconds', 'For how long the most overdue slot has been due')
  const tickAge = gauge('headwater_scheduler_tick_age_seconds', 'Since the last tick of this process')
  const depth = gauge('headwater_queue_jobs', 'Jobs in the queue', ['queue', 'state'])
  const letters = gauge('headwater_dead_letters', 'Rejected records and dead letters that are kept', ['outcome'])
  const bytes = gauge('headwater_postgres_bytes', 'Size on disk by schema; (all) is the whole database', ['schema'])
  const byIndex = ['catalog', 'index'] as const
  const indexBytes = gauge('headwater_index_bytes', 'Size of a timeseries index when it was last looked at', byIndex)
  const indexGrowth = gauge('headwater_index_growth_bytes_per_day', 'How fast a timeseries index grows', byIndex)
  const budgetDays = gauge('headwater_index_budget_days', 'Days until a timeseries index reaches its budget', byIndex)
  let dearAtMs = -Infinity

  async function readLedger(): Promise<void> {
    const nowMs = parts.clock.now()
    const figures = await openRunFigures(parts.database)
    runs.reset()
    oldest.reset()
    for (const { job, state, count, oldestCreatedMs } of figures) {
      runs.set({ job, state }, count)
      if (state === 'queued') oldest.set({ job }, (nowMs - oldestCreatedMs) / 1000)
    }
    const openPlans = await openPlanFigures(parts.database)
    plans.reset()
    for (const { job, state, count } of openPlans) plans.set({ job, state }, count)
    overdue.set((await overdueSlotMs(parts.database, nowMs)) / 1000)
  }

  async function readIndexes(): Promise<void> {
    const figures = await indexFigures(parts.database)
    for (const each of [indexBytes, indexGrowth, budgetDays]) each.reset()
    for (const { target, index, facts } of figures) {
      const labels = { catalog: target === '' ? 'own' : maskUrl(target), index }
      setIfKnown(indexBytes, labels, numberAt(facts, 'sizeMb'), BYTES_A_MB)
      setIfKnown(indexGrowth, labels, numberAt(facts, 'mbPerDay'), BYTES_A_MB)
      setIfKnown(budgetDays, labels, numberAt(facts, 'daysLeft'), 1)
    }
  }

  async function readTables(): Promise<void> {
    const nowMs = parts.clock.monotonic()
    if (nowMs - dearAtMs < DEAR_FIGURES_MS) return
    const kept = await deadLetterFigures(parts.database)
    letters.reset()
    for (const { outcome, count } of kept) letters.set({ outcome }, count)
    for (const { schema, bytes: size } of await sizeFigures(parts.database)) bytes.set({ schema }, size)
    dearAtMs = nowMs
  }

  async function readQueue(): Promise<void> {
    for (const queue of parts.jobs.names) {
      const { waiting, delayed, active } = await parts.queues.depth(queue)
      depth.set({ queue, state: 'waiting' }, waiting)
      depth.set({ queue, state: 'delayed' }, delayed)
      depth.set({ queue, state: 'active' }, active)
    }
  }

  async function answers(part: string, read: () => Promise<void>): Promise<void> {
    try {
      await read()
      up.set({ part }, 1)
    } catch (err) {
      parts.logger.warn({ err, part }, 'figures not read')
      up.set({ part }, 0)
    }
  }

  return {
    refresh: async () => {
      const last = ticking?.lastTickMs()
      if (last !== undefined) tickAge.set((parts.clock.now() - last) / 1000)
      const ledger = answers('database', async () => {
        await readLedger()
        await readIndexes()
        await readTables()
      })
      await Promise.all([ledger, answers('queue', readQueue)])
    },
  }
}

function setIfKnown<L extends string>(
  gauge: Gauge<L>,
  labels: Readonly<Record<L, string>>,
  value: number | undefined,
  unit: number,
): void {
  if (value !== undefined) gauge.set(labels, value * unit)
}
