/** Load, and what it costs. */
import { systemClock } from '../../src/observe/clock.ts'
import type { Database } from '../../src/store/database.ts'
import { cpuMeter, type Cpu } from './cpu.ts'

/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = systemClock.monotonic()
  await work()
  return systemClock.monotonic() - start
}

/** The median of the milliseconds that `work` took, so many times. */
export async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = []
  for (let i = 0; i < times; i++) all.push(await timed(work))
  return middle(all)
}

export function middle(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
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
  return {
    ours: rateOf(sums.ours),
    baseline: rateOf(sums.baseline),
    cpu: `CPU µs a call, node + PostgreSQL: ${costOf(sums.ours)}, baseline ${costOf(sums.baseline)}`,
  }
}

interface Sum extends Cpu {
  readonly calls: number
  readonly ms: number
}

const rateOf = ({ calls, ms }: Sum): number => (calls * 1000) / ms

const costOf = ({ calls, node, postgres }: Sum): string =>
  `${Math.round((node * 1000) / calls)} + ${Math.round((postgres * 1000) / calls)}`
