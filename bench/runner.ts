/**
 * What the runner costs: `npm run bench:runner`. On the embedded PostgreSQL, and on Redis where there is one:
 *
 *   runs a second   from asking to the end of the row, a job that does nothing, 8 at once in one process
 *   overhead        from asking to the first line of the job, one after the other (median, p99)
 *   drift           how late the runs of 1,000 schedules are that are due at the same moment, and the tick's share of CPU
 *   loop            waits of a worker's event loop, idle and while a harvest of 12,000 statements runs: with the catalog in
 *                   a process of its own, and with both in one, as in `headwater up`
 *
 *     npm run bench:runner                 all of it
 *     npm run bench:runner -- runs loop    runs, overhead and drift on both stores; the loop
 *
 * The loop's own figure is the CPU of its thread between two turns: waits by the clock tell of other work on the machine,
 * too, and of the worker threads that read SQL wherever cores are few.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../src/config/load.ts'
import { openEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'
import { openHeadwater } from '../src/main.ts'
import { systemClock } from '../src/observe/clock.ts'
import { randomIds } from '../src/observe/ids.ts'
import { silentLogger } from '../src/observe/logger.ts'
import { createMetrics } from '../src/observe/metrics.ts'
import { Resources } from '../src/observe/resources.ts'
import { openQueues } from '../src/queue/open-queues.ts'
import { defineJob, Type } from '../src/runner/define-job.ts'
import type { RunnerParts } from '../src/runner/parts.ts'
import { createJobRegistry } from '../src/runner/registry.ts'
import { syncSchedules, tick } from '../src/runner/schedules.ts'
import { submitRun } from '../src/runner/submit.ts'
import { waitForRun } from '../src/runner/wait.ts'
import { openWorkers, WORKER_DEFAULTS } from '../src/runner/workers.ts'
import { openDatabase } from '../src/store/database.ts'
import { listRuns } from '../src/store/ledger/runs.ts'
import { migrate } from '../src/store/migrate.ts'
import { hasRedis, NO_REDIS, startRedis } from '../test/support/redis.ts'
import { startServer } from '../test/support/server-process.ts'
import { benchFolder, endWithBench } from './kit/bench-folder.ts'
import { answerHelp } from './usage.ts'

answerHelp(import.meta.url)
const wanted = process.argv.slice(2)
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)

const RUNS = 400
const ONE_BY_ONE = 100
const SCHEDULES = 1_000
const FILES = 60
const STATEMENTS = 200
const logger = silentLogger()

/** When the job of a run began. */
const begun = new Map<string, number>()

const noop = defineJob({
  name: 'noop',
  summary: 'Does nothing',
  byHand: 'apply',
  input: Type.Object({}),
  queue: { concurrency: 8 },
  run({ runId }) {
    begun.set(runId, performance.now())
    return Promise.resolve({ report: {}, lines: [] })
  },
})

await using resources = new Resources()
const work = await benchFolder()
resources.defer(async () => work[Symbol.asyncDispose]())
const folder = work.path
const server = resources.use(
  await openEmbeddedPostgres({ dataDir: join(folder, 'postgres'), logger, clock: systemClock }),
)
const database = resources.use(openDatabase(server.address, { max: 16, applicationName: 'bench', logger }))
await migrate(database)

if (isWanted('runs')) {
  await measure('postgres', undefined)
  if (hasRedis) {
    await using redis = await startRedis({ appendonly: 'yes' })
    const released = endWithBench(redis.pid)
    await measure('redis', redis.url)
    released()
  } else print(`redis     skipped: ${NO_REDIS}`)
}
if (isWanted('loop')) {
  const sources = await writeSources()
  await measureLoop('a worker', sources, { apart: true })
  await measureLoop('up', sources, { apart: false })
}

async function measure(name: string, url: string | undefined): Promise<void> {
  await using own = new Resources()
  const queues = own.use(await openQueues({ url, databaseAddress: server.address, logger, clock: systemClock }))
  const parts = {
    database,
    queues,
    jobs: createJobRegistry([noop]),
    clock: systemClock,
    ids: randomIds,
    logger,
    metrics: createMetrics(),
  }
  own.use(
    await openWorkers(parts, {
      ...WORKER_DEFAULTS,
      worker: 'bench',
      concurrency: 8,
      connectionsFor: () => ({
        catalog: () => {
          throw new Error('there is no catalog here')
        },
      }),
      artifactsFolder: join(folder, 'runs'),
      chance: Math.random,
    }),
  )
  print(`${name.padEnd(10)}${(await runsASecond(parts)).toFixed(0)} runs/s`)
  const waits = await overheads(parts)
  print(`${name.padEnd(10)}overhead median ${at(waits, 0.5).toFixed(1)} ms, p99 ${at(waits, 0.99).toFixed(1)} ms`)
  // The clock asks the ledger only: one store of the queue is enough.
  if (url !== undefined) return
  const { late, tickMs, cpuMs } = await drifts(parts)
  print(`drift     ${SCHEDULES} schedules: median ${at(late, 0.5)} ms, p99 ${at(late, 0.99)} ms`)
  print(`          the tick took ${tickMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of them on this process's CPU`)
}

async function writeSources(): Promise<string> {
  const sources = join(folder, 'sql')
  await mkdir(sources)
  for (let file = 0; file < FILES; file++) {
    const statements = Array.from({ length: STATEMENTS }, (_, n) => statement(file, n))
    await writeFile(join(sources, `load-${file}.sql`), statements.join('\n'))
  }
  return sources
}

/** A harvest that begins with nothing, its queue in the database. @param apart the catalog in a process of its own */
async function measureLoop(who: string, sources: string, { apart }: { readonly apart: boolean }): Promise<void> {
  const data = join(folder, apart ? 'apart' : 'together')
  await using own = new Resources()
  if (apart) {
    const catalog = startServer(['catalog', 'serve', '--data', data, '--port', '0'], { cwd: folder })
    const released = endWithBench(catalog.pid)
    own.defer(async () => {
      await catalog[Symbol.asyncDispose]()
      released()
    })
    await catalog.waitFor(/listening on/)
  }
  const config = loadConfig({ workingFolder: folder, environment: {}, flags: { data } })
  const headwater = own.use(await openHeadwater({ config, environment: {}, logger, roles: ['worker'] }))
  const idle = watchLoop()
  await sleep(5_000)
  print(`loop      ${who}, idle: ${idle.end()}`)
  const busy = watchLoop()
  const input = { source: sources, platform: 'postgres' }
  const { id } = await submitRun(headwater.parts, { job: 'harvest-lineage', input, mode: 'apply' })
  const { run } = await waitForRun(headwater.parts, id, { signal: AbortSignal.timeout(600_000) })
  print(`loop      ${who}, harvest of ${run.balance.records.read} statements (${run.state}): ${busy.end()}`)
}

/**
 * Waits of the loop by Node's own histogram (a timer of 10 ms), and the CPU that this thread used between two turns of a
 * timer: the part of the wait that is ours, whatever else the machine does.
 */
function watchLoop(): { end(): string } {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  const own: number[] = []
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    own.push((user + system) / 1000)
  }, 5)
  delay.enable()
  return {
    end: () => {
      delay.disable()
      clearInterval(timer)
      const [median, p99] = [50, 99].map((share) => (delay.percentile(share) / 1e6).toFixed(0))
      const cpu = `p99 ${at(own, 0.99).toFixed(1)} ms, most ${Math.max(...own).toFixed(0)} ms`
      return `delay median ${median} ms, p99 ${p99} ms; own CPU between turns ${cpu}`
    },
  }
}

function statement(file: number, n: number): string {
  return `insert into mart.daily_${file}_${n} (day, total, customer)
    select o.day, sum(o.amount * r.rate) as total, c.name from raw.orders_${file} o
    join raw.rates_${n % 7} r on r.currency = o.currency left join raw.customers c on c.id = o.customer_id
    where o.day >= current_date - ${n} group by o.day, c.name;`
}

async function runsASecond(parts: RunnerParts): Promise<number> {
  const started = performance.now()
  const runs = await Promise.all(Array.from({ length: RUNS }, () => submitRun(parts, { job: 'noop', input: {} })))
  for (const { id } of runs) await waitForRun(parts, id, { signal: AbortSignal.timeout(120_000) })
  return (RUNS / (performance.now() - started)) * 1000
}

async function overheads(parts: RunnerParts): Promise<readonly number[]> {
  const waits: number[] = []
  for (let n = 0; n < ONE_BY_ONE; n++) {
    const asked = performance.now()
    const { id } = await submitRun(parts, { job: 'noop', input: {} })
    await waitForRun(parts, id, { signal: AbortSignal.timeout(60_000) })
    waits.push((begun.get(id) ?? asked) - asked)
  }
  return waits
}

/** How late each slot's run was in the ledger, in milliseconds. */
async function drifts(
  parts: RunnerParts,
): Promise<{ readonly late: readonly number[]; readonly tickMs: number; readonly cpuMs: number }> {
  await syncSchedules(
    parts,
    Array.from({ length: SCHEDULES }, (_, n) => ({
      id: `schedule-${n}`,
      cron: '* * * * *',
      timeZone: 'UTC',
      job: 'noop',
      input: {},
      apply: true,
      catchUp: 'latest' as const,
      catchUpMax: 1,
      overlap: 'allow' as const,
      resources: [],
      enabled: true,
    })),
  )
  // Due now, all of them, as at the beginning of a minute.
  const nowMs = systemClock.now()
  await database.execute('update ledger.schedule set next_run_ms = $1', [nowMs - (nowMs % 60_000)])
  const before = systemClock.now()
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  const { fired } = await tick(parts)
  const tickMs = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  const runs = await listRuns(database, { limit: fired.length })
  await syncSchedules(parts, [])
  const late = runs.map(({ createdMs }) => Math.max(0, createdMs - before))
  return { late, tickMs, cpuMs: (user + system) / 1000 }
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
