/**
 * Two questions with two answers. `live`: is this process worth keeping; only one that could never work again says no.
 * `ready`: can it do its part now; each part it needs is tried, with a bound, and named with its reason.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunnerParts } from '../runner/parts.ts'
import { requireFit } from '../store/migrate.ts'
import type { Ticking } from './gauges.ts'

export interface HealthOptions {
  readonly parts: RunnerParts
  /** Where this process ticks. */
  readonly ticking?: Ticking | undefined
  /** Where this process works: false once it takes nothing more. */
  readonly working?: (() => boolean) | undefined
}

export interface PartHealth {
  readonly ok: boolean
  /** What is wrong. */
  readonly reason?: string
}

export interface Readiness {
  readonly ready: boolean
  readonly parts: Readonly<Record<string, PartHealth>>
}

/** Longest wait for one part. */
const PATIENCE_MS = 2_000
/** It ticks every second; three times that is a miss, this is an outage. */
const TICK_MUST_BE_WITHIN_MS = 15_000

export async function readiness({ parts, ticking, working }: HealthOptions): Promise<Readiness> {
  const found = await Promise.all([
    tried('database', () => requireWritable(parts)),
    tried('queue', () => parts.queues.ping()),
    ...(ticking === undefined ? [] : [tried('scheduler', () => requireTick(parts, ticking))]),
    ...(working === undefined ? [] : [tried('worker', () => requireWorking(working))]),
  ])
  return { ready: found.every(([, { ok }]) => ok), parts: Object.fromEntries(found) }
}

/** Reachable, of a schema that this program knows, and no read-only copy. */
async function requireWritable({ database }: RunnerParts): Promise<void> {
  await requireFit(database)
  const [row] = await database.rows<{ replica: boolean }>('select pg_is_in_recovery() as replica')
  if (row?.replica === true) throw new Error('the database is a read-only replica')
}

function requireTick({ clock }: RunnerParts, ticking: Ticking): Promise<void> {
  const last = ticking.lastTickMs()
  if (last === undefined) throw new Error('it has not ticked yet')
  const agoMs = clock.now() - last
  if (agoMs > TICK_MUST_BE_WITHIN_MS) throw new Error(`its last tick was ${Math.round(agoMs / 1000)} s ago`)
  return Promise.resolve()
}

function requireWorking(working: () => boolean): Promise<void> {
  if (!working()) throw new Error('it takes no more runs')
  return Promise.resolve()
}

async function tried(name: string, look: () => Promise<void>): Promise<readonly [string, PartHealth]> {
  const over = new AbortController()
  const late = sleep(PATIENCE_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${PATIENCE_MS} ms`)
  })
  try {
    await Promise.race([Promise.resolve().then(look), late])
    return [name, { ok: true }]
  } catch (error) {
    return [name, { ok: false, reason: error instanceof Error ? error.message : String(error) }]
  } finally {
    over.abort()
    late.catch(() => undefined)
  }
}
