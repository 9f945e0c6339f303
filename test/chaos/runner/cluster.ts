/** Some replicas of a runner on one ledger and one queue, and what they did, read from outside. */
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../../src/observe/clock.ts'
import { randomIds } from '../../../src/observe/ids.ts'
import { silentLogger } from '../../../src/observe/logger.ts'
import { createMetrics } from '../../../src/observe/metrics.ts'
import { Resources } from '../../../src/observe/resources.ts'
import { createJobRegistry } from '../../../src/runner/registry.ts'
import type { RunnerParts } from '../../../src/runner/parts.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { seededRandom } from '../../../src/cli/demo/random.ts'
import { testQueues, type QueueBackendName } from '../../support/queues.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { startPiece, type Piece } from '../kit/piece.ts'
import { chaosJobs, CREATE_EFFECTS } from './chaos-jobs.ts'
import type { PlantedBug } from './planted-bugs.ts'

export interface Effect {
  readonly runId: string
  readonly attempt: number
  readonly what: string
}

export interface Cluster extends AsyncDisposable {
  readonly parts: RunnerParts
  /** Kills so far. */
  readonly kills: number
  /** Starts replicas until there are so many, and waits until they work. */
  fillUp(count: number): Promise<void>
  /** Kills one of them, by chance, with SIGKILL. */
  killOne(): Promise<void>
  killAll(): Promise<void>
  effects(): Promise<readonly Effect[]>
}

export async function startCluster(
  backend: QueueBackendName,
  { scheduler = false, seed, bug }: { readonly scheduler?: boolean; readonly seed: number; readonly bug?: PlantedBug },
): Promise<Cluster> {
  const resources = new Resources()
  const queues = await testQueues(backend)
  resources.defer(async () => queues[Symbol.asyncDispose]())
  const { address } = queues.database
  const database = resources.use(openDatabase(address, { max: 8, applicationName: 'chaos', logger: silentLogger() }))
  await migrate(database)
  await database.execute(CREATE_EFFECTS)
  const folder = await temporaryFolder()
  resources.defer(async () => folder[Symbol.asyncDispose]())
  const random = seededRandom(seed)
  const replicas: Piece[] = []
  resources.defer(() => killAll())
  let kills = 0

  async function killAll(): Promise<void> {
    const dying = replicas.splice(0)
    kills += dying.length
    await Promise.all(dying.map((replica) => replica.kill('SIGKILL')))
  }

  const argument = JSON.stringify({ address, queueUrl: queues.queueUrl, scheduler, folder: folder.path, bug })
  return {
    parts: {
      database,
      queues: queues.kit,
      jobs: createJobRegistry(chaosJobs(database)),
      clock: systemClock,
      ids: randomIds,
      logger: silentLogger(),
      metrics: createMetrics(),
    },
    get kills() {
      return kills
    },
    fillUp: async (count) => {
      while (replicas.length < count)
        replicas.push(startPiece({ script: 'test/chaos/runner/replica.ts', args: [argument] }))
      await Promise.all(replicas.map((replica) => replica.line(/^ready$/)))
    },
    killOne: async () => {
      const [victim] = replicas.splice(Math.floor(random.next() * replicas.length), 1)
      if (victim === undefined) return
      kills++
      await victim.kill('SIGKILL')
    },
    killAll,
    effects: () => database.rows<Effect>('select run_id as "runId", attempt, what from public.effect order by id'),
    [Symbol.asyncDispose]: () => resources.close(),
  }
}

/** Kills a replica at random moments and starts another, so many times. */
export async function killNow(cluster: Cluster, times: number, everyMs: number, replicas: number): Promise<void> {
  for (let kill = 0; kill < times; kill++) {
    await sleep(everyMs)
    await cluster.killOne()
    await cluster.fillUp(replicas)
  }
}
