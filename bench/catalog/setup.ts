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
import { benchFolder } from '../kit/bench-folder.ts'
import { httpClients } from './http-client.ts'
import type { Load } from './load.ts'
import type { RequestName } from './requests.ts'

export interface Setup {
  readonly catalog: Catalog
  readonly database: Database
  /** Load over HTTP, by the kind of its requests. */
  readonly http: (name: RequestName) => Load
}

/** A catalog over an embedded PostgreSQL of its own, in a folder that is removed at the end. */
export async function setUp(resources: Resources): Promise<Setup> {
  const folder = await benchFolder()
  resources.defer(async () => folder[Symbol.asyncDispose]())
  const logger = silentLogger()
  const server = resources.use(
    await openEmbeddedPostgres({
      dataDir: join(folder.path, 'postgres'),
      logger,
      clock: systemClock,
      database: 'bench',
    }),
  )
  const database = resources.use(openDatabase(server.address, { max: 80, applicationName: 'bench', logger }))
  await migrate(database)
  const catalog = resources.use(createCatalog({ database, clock: systemClock, ids: randomIds, logger }))
  const http = resources.use(await startCatalogServer({ catalog, host: '127.0.0.1', port: 0, logger }))
  return { catalog, database, http: httpClients(resources, http.url) }
}

export interface Line {
  readonly what: string
  readonly ours: string
  readonly baseline: string
  readonly ratio: number
  /** What the ratio should be at least; undefined where it is only told. */
  readonly aim: number | undefined
}

export function line(
  what: string,
  figures: { ours: number; baseline: number; unit: string; aim: number | undefined; lessIsBetter?: boolean },
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
