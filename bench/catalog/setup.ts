import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCatalog, type Catalog } from '../../src/catalog/catalog.ts'
import { openEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import { startCatalogServer } from '../../src/http/server.ts'
import { systemClock } from '../../src/observe/clock.ts'
import { randomIds } from '../../src/observe/ids.ts'
import { silentLogger } from '../../src/observe/logger.ts'
import type { Resources } from '../../src/observe/resources.ts'
import { openDatabase, type Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { cpuMeter } from './cpu.ts'
import { httpClients } from './http-client.ts'
import type { RequestName } from './requests.ts'

export interface Setup {
  readonly catalog: Catalog
  readonly database: Database
  /** Load over HTTP, by the kind of its requests. */
  readonly http: (name: RequestName) => Load
}

/** A catalog over an embedded PostgreSQL of its own, in a folder that is removed at the end. */
export async function setUp(resources: Resources): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-bench-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const logger = silentLogger()
  const server = resources.use(
    await openEmbeddedPostgres({ dataDir: folder, logger, clock: systemClock, database: 'bench' }),
  )
  const database = resources.use(openDatabase(server.address, { max: 80, applicationName: 'bench', logger }))
  await migrate(database)
  const catalog = resources.use(createCatalog({ database, clock: systemClock, ids: randomIds, logger }))
  const http = resources.use(await startCatalogServer({ catalog, host: '127.0.0.1', port: 0, logger }))
  return { catalog, database, http: httpClients(resources, http.url) }
}

/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = systemClock.monotonic()
  await work()
  return systemClock.monotonic() - start
}

/** Makes calls for so many seconds, from so many clients at once; gives how many. */
export type Load = (clients: number, seconds: number) => Promise<number>

export function callsIn(call: () => Promise<unknown>): Load {
  return async (clients, seconds) => {
    const end = systemClock.monotonic() + seconds * 1000
    let calls = 0
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (systemClock.monotonic() < end) {
          await call()
          calls++
        }
      }),
    )
    return calls
  }
}

/** Seconds that each side runs at a time, and how often. */
const SLICE_SECONDS = 1
const SLICES = 5

/**
 * Calls a second of two sides, in turns, so that both meet the same neighbours on the machine; and the processor time
 * of a call, which does not depend on neighbours.
 * @param clients how many call at once
 */
export async function compare(
  database: Database,
  clients: number,
  sides: { readonly ours: Load; readonly baseline: Load },
): Promise<{ readonly ours: number; readonly baseline: number; readonly cpu: string }> {
  const meter = await cpuMeter(database)
  const sums = { ours: { calls: 0, ms: 0, node: 0, postgres: 0 }, baseline: { calls: 0, ms: 0, node: 0, postgres: 0 } }
  for (const side of ['ours', 'baseline'] as const) await sides[side](clients, SLICE_SECONDS)
  for (let i = 0; i < SLICES * 2; i++) {
    const side = i % 2 === 0 ? 'ours' : 'baseline'
    const before = meter()
    const sum = sums[side]
    sum.ms += await timed(async () => {
      sum.calls += await sides[side](clients, SLICE_SECONDS)
    })
    const after = meter()
    sum.node += after.node - before.node
    sum.postgres += after.postgres - before.postgres
  }
  const rateOf = ({ calls, ms }: { calls: number; ms: number }) => (calls * 1000) / ms
  const costOf = (sum: { calls: number; node: number; postgres: number }) =>
    `${Math.round((sum.node * 1000) / sum.calls)} + ${Math.round((sum.postgres * 1000) / sum.calls)}`
  return {
    ours: rateOf(sums.ours),
    baseline: rateOf(sums.baseline),
    cpu: `CPU µs a call, node + PostgreSQL: ${costOf(sums.ours)}, baseline ${costOf(sums.baseline)}`,
  }
}

export interface Line {
  readonly what: string
  readonly ours: string
  readonly baseline: string
  readonly ratio: number
  /** What the ratio should be at least. */
  readonly aim: number
}

export function line(
  what: string,
  figures: { ours: number; baseline: number; unit: string; aim: number; lessIsBetter?: boolean },
): Line {
  const { ours, baseline, unit, aim, lessIsBetter = false } = figures
  const shown = (value: number) => `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ${unit}`
  return {
    what,
    ours: shown(ours),
    baseline: shown(baseline),
    ratio: lessIsBetter ? baseline / ours : ours / baseline,
    aim,
  }
}
