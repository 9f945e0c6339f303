/**
 * Composition: which parts a process has, opened in order and closed backwards. From here the way of a line of SQL is
 * four hops: `openHeadwater` → the runner's workers → `jobs/harvest-lineage.ts` → `parseLineage`.
 *
 *   database ─► catalog (served here, or that of a running instance) ─► clients
 *       └────► queue, ledger ─► workers, sweeper ─► jobs
 */
import { hostname } from 'node:os'
import { join } from 'node:path'
import { JOBS } from '../jobs/index.ts'
import type { Config } from './config/config.ts'
import type { Environment } from './config/load.ts'
import { openOwnCatalog } from './main/catalog-access.ts'
import type { CatalogConnection } from './client/catalog-client.ts'
import { CatalogClients } from './main/connections.ts'
import type { InstanceRole } from './main/instance-file.ts'
import { watchFit } from './main/fit-watch.ts'
import { noticeSettings } from './main/notices.ts'
import { pruneJob } from './main/prune-job.ts'
import { openConsole } from './main/open-console.ts'
import { openMigratedDatabase } from './main/open-database.ts'
import { schedulesOf } from './main/schedules.ts'
import type { DatabaseAddress } from './model/database-address.ts'
import { systemClock, type Clock } from './observe/clock.ts'
import { randomIds } from './observe/ids.ts'
import type { Logger } from './observe/logger.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import { Resources } from './observe/resources.ts'
import { openQueues } from './queue/open-queues.ts'
import { openNotices } from './runner/notices/notices.ts'
import type { RunnerParts } from './runner/parts.ts'
import { createJobRegistry, loadJobModules } from './runner/registry.ts'
import { openScheduler, type Scheduler } from './runner/scheduler.ts'
import { syncSchedules } from './runner/schedules.ts'
import { openSweeper, SWEEP_DEFAULTS } from './runner/sweeper.ts'
import { openFolderKeeper } from './runner/upkeep/run-folders.ts'
import { openWorkers, WORKER_DEFAULTS, type Workers } from './runner/workers.ts'
import type { Database } from './store/database.ts'

export interface HeadwaterOptions {
  readonly config: Config
  readonly environment: Environment
  readonly logger: Logger
  /**
   * Parts that this process has. `catalog` serves the data folder's catalog and owns the instance; without it the
   * running instance's catalog is used, or, where none runs, one on a free port for this process alone.
   */
  readonly roles: readonly InstanceRole[]
  /** By URL: catalogs that only this process knows how to reach, for example those of a recipe. */
  readonly connections?: Readonly<Record<string, CatalogConnection>> | undefined
  readonly clock?: Clock
  /** Whether this process answers over HTTP for runs, plans, metrics and health. */
  readonly console?: boolean
}

export interface Headwater extends AsyncDisposable {
  readonly parts: RunnerParts
  readonly clients: CatalogClients
  readonly catalogUrl: string
  /** Aborted once a newer version has changed the database so that this one no longer fits it. */
  readonly unfit: AbortSignal
  /** Undefined where this process has no console. */
  readonly consoleUrl: string | undefined
  /** Undefined where another process works. */
  readonly workers: Workers | undefined
  close(): Promise<void>
}

/** Opens what the roles ask for. Whatever fails, what was opened before is closed again. */
export async function openHeadwater(options: HeadwaterOptions): Promise<Headwater> {
  const resources = new Resources()
  try {
    return await compose(options, resources)
  } catch (error) {
    await resources.close()
    throw error
  }
}

async function compose(options: HeadwaterOptions, resources: Resources): Promise<Headwater> {
  const { config, environment, logger, roles, clock = systemClock } = options
  const { address, database } = await openMigratedDatabase(config, resources, { logger, clock })
  const { unfit } = resources.use(watchFit(database))
  const own = await openOwnCatalog({ config, logger, roles, clock }, database, resources)
  const metrics = createMetrics({ node: options.console === true })
  const clients = resources.use(
    new CatalogClients(config, own, environment, { metrics, connections: options.connections }),
  )
  const parts = await openRunnerParts(config, { address, database, logger, clock, metrics }, resources)
  const scheduler = roles.includes('scheduler') ? await startTicking(config, parts, resources) : undefined
  const workers = roles.includes('worker') ? await startWorking(config, parts, clients, resources) : undefined
  const answering =
    options.console === true ? resources.use(await openConsole(config, parts, { scheduler, workers })) : undefined
  if (answering !== undefined) own.announce?.(answering.url)
  return {
    parts,
    clients,
    catalogUrl: own.url,
    unfit,
    consoleUrl: answering?.url,
    workers,
    close: () => resources.close(),
    [Symbol.asyncDispose]: () => resources.close(),
  }
}

async function openRunnerParts(
  config: Config,
  from: {
    readonly address: DatabaseAddress
    readonly database: Database
    readonly logger: Logger
    readonly clock: Clock
    readonly metrics: Metrics
  },
  resources: Resources,
): Promise<RunnerParts> {
  const { address, database, logger, clock, metrics } = from
  const jobs = createJobRegistry([
    ...JOBS,
    pruneJob(database, config.keep),
    ...(await loadJobModules(config.jobModules)),
  ])
  const url = config.queueUrl?.reveal()
  const queues = resources.use(await openQueues({ url, databaseAddress: address, logger, clock }))
  return { database, queues, jobs, clock, ids: randomIds, logger, metrics }
}

async function startTicking(config: Config, parts: RunnerParts, resources: Resources): Promise<Scheduler> {
  await syncSchedules(parts, await schedulesOf(config, parts.jobs))
  const notices = noticeSettings(config, parts.logger)
  if (notices !== undefined) resources.use(openNotices(parts, notices))
  return resources.use(openScheduler(parts))
}

async function startWorking(
  config: Config,
  parts: RunnerParts,
  clients: CatalogClients,
  resources: Resources,
): Promise<Workers> {
  const { clock, logger } = parts
  const workers = resources.use(
    await openWorkers(parts, {
      ...WORKER_DEFAULTS,
      worker: `${hostname()}.${process.pid}`,
      concurrency: config.worker.concurrency,
      graceMs: config.worker.stopWithinSeconds * 1000,
      connectionsFor: (target, onWait) => clients.ofRun(target, onWait),
      artifactsFolder: join(config.dataFolder, 'runs'),
      keepsakesFolder: join(config.dataFolder, 'archive'),
      chance: Math.random,
    }),
  )
  resources.use(
    openFolderKeeper(parts, {
      runs: join(config.dataFolder, 'runs'),
      inputs: join(config.dataFolder, 'inputs'),
      runDays: config.keep.runDays,
    }),
  )
  resources.use(openSweeper(parts, { ...WORKER_DEFAULTS, ...SWEEP_DEFAULTS }))
  logger.debug({ at: clock.now(), concurrency: config.worker.concurrency }, 'working')
  return workers
}
