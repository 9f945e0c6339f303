import { createContext, Script } from 'node:vm'
import { parseLineage } from '../index.ts'
import type { ScriptLineage } from '../types.ts'
import { requestOptions, type LineageRequest } from './request.ts'

/** Longest text that is read in a slice, characters. */
const MAX_TEXT = 8192
/** Characters of a slice: some ten milliseconds. */
const CHARS_A_SLICE = 96 * 1024
/** After so long a slice is broken off, milliseconds. */
const LIMIT_MS = 100

/** Whether a request may be read in a slice: one text, and no session of several. */
export function isSmall({ sql, files }: LineageRequest): boolean {
  return typeof sql === 'string' && files === undefined && sql.length <= MAX_TEXT
}

export interface Slice {
  /** Of the first requests. */
  readonly read: readonly ScriptLineage[]
  /** Whether the request behind them took too long, or failed. */
  readonly held: boolean
}

/**
 * Reads small requests in this thread, as long as others can do without the loop. What takes too long is broken off by V8
 * itself, wherever it stands, also inside one long loop: a short text can have lineage without end (CTEs that double their
 * columns, loops of a template). Its `finally` blocks are left out then; the engine holds nothing that only they give back.
 */
export class SliceReader {
  readonly #door = createContext({ work: (): void => {} })
  readonly #script = new Script('work()')

  /** Until the slice is full, or `isOver` says so after a request. */
  read(requests: readonly LineageRequest[], isOver: () => boolean): Slice {
    const read: ScriptLineage[] = []
    let chars = 0
    this.#door['work'] = (): void => {
      for (const request of requests) {
        read.push(parseLineage(request.sql, requestOptions(request)))
        chars += request.sql.length
        if (chars >= CHARS_A_SLICE || isOver()) return
      }
    }
    try {
      this.#script.runInContext(this.#door, { timeout: LIMIT_MS })
      return { read, held: false }
    } catch {
      // Whatever it was: a worker has limits, and answers for what happens there.
      return { read, held: read.length < requests.length }
    }
  }
}
