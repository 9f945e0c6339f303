import { join } from 'node:path'

import { Client } from 'pg'

import { openEmbeddedPostgres, type EmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'
import { systemClock } from '../src/observe/clock.ts'
import { silentLogger } from '../src/observe/logger.ts'
import { benchFolder } from './kit/bench-folder.ts'
import { answerHelp } from './usage.ts'

/**
 * How long the embedded server takes from nothing (cold), from its files (warm) and while it runs (attach) to the answer
 * of a first query, and to stop: `node bench/embedded.ts [rounds]`. Goals: cold below 3000 ms, warm below 500 ms.
 */
answerHelp(import.meta.url)

const rounds = Number(process.argv[2] ?? 5)
const GOALS: Readonly<Record<string, number>> = { cold: 3000, warm: 500 }
const times = new Map<string, number[]>()

for (let round = 0; round < rounds; round++) {
  await using folder = await benchFolder()
  const open = () =>
    openEmbeddedPostgres({ dataDir: join(folder.path, 'postgres'), logger: silentLogger(), clock: systemClock })
  const cold = await timed('cold', () => firstAnswer(open))
  await timed('stop', () => cold.close())
  const warm = await timed('warm', () => firstAnswer(open))
  const attached = await timed('attach', () => firstAnswer(open))
  await timed('leave', () => attached.close())
  await warm.close()
}

for (const [name, all] of times) {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  const goal = GOALS[name]
  if (goal !== undefined && at(0.5) > goal) process.exitCode = 1
  const aim = goal === undefined ? '' : `  goal ${goal}`
  process.stdout.write(`${name.padEnd(7)} best ${at(0)}  median ${at(0.5)}  worst ${at(1)} ms${aim}\n`)
}

async function firstAnswer(open: () => Promise<EmbeddedPostgres>): Promise<EmbeddedPostgres> {
  const server = await open()
  if (server.address.kind !== 'socket') throw new TypeError('the embedded server listens on a socket')
  const { folder, port, user, database } = server.address
  const client = new Client({ host: folder, port, user, database, password: 'none', ssl: false })
  await client.connect()
  await client.query('select 1')
  await client.end()
  return server
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  times.set(name, [...(times.get(name) ?? []), performance.now() - start])
  return result
}
