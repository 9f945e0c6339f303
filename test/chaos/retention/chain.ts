/**
 * The steps of the retention chain as a proxy in front of the catalog sees them, and the faults that each may meet.
 * A planning run asks `/config` first, and so does the run that carries the plan out: from then on counting means
 * something else.
 */
import type { SeenRequest } from '../kit/faults.ts'

export const STEPS = [
  'sizes',
  'dry run',
  'second look',
  'count',
  'samples',
  'archive',
  'last count',
  'truncate',
  'task',
  'count again',
  'samples again',
  'sizes again',
] as const
export type ChainStep = (typeof STEPS)[number]

/** How far the chain had come when somebody began to watch. */
export interface Beginning {
  readonly planned: boolean
  /** The rows that go were counted, which is remembered: no second look any more. */
  readonly counted: boolean
  readonly truncated: boolean
}

/** Says which step of the chain each request belongs to; undefined for requests of none. */
export function stepReader(
  beginning: Beginning = { planned: false, counted: false, truncated: false },
): (request: SeenRequest) => ChainStep | undefined {
  let runs = beginning.planned ? 1 : 0
  let looks = beginning.counted ? 2 : 0
  let { truncated } = beginning
  return ({ path, body = '' }) => {
    if (path === '/config') runs++
    if (path.includes('action=getIndexSizes')) return runs < 2 ? 'sizes' : truncated ? 'sizes again' : undefined
    if (path.includes('action=getEsTaskStatus')) return 'task'
    if (path.includes('action=getTimeseriesAspectValues')) return truncated ? 'samples again' : 'samples'
    if (path.includes('/operations/timeseries/')) return path.includes('startTimeMillis=0&') ? 'archive' : 'samples'
    if (!path.includes('action=truncateTimeseriesAspect')) return undefined
    if (body.includes('"dryRun":false')) {
      truncated = true
      return 'truncate'
    }
    if (runs < 2) return 'dry run'
    if (truncated) return 'count again'
    looks++
    if (looks === 1) return 'second look'
    return looks === 2 ? 'count' : 'last count'
  }
}
