/**
 * Statements that were not understood, as a query log: with their dialect, names, place and reason, so that a person can
 * look at them and `retry-failed` can harvest them once the engine, or the SQL, is better.
 */
import { TextFile } from '../client/text-file.ts'
import type { Place } from '../model/errors.ts'
import type { StatementReject } from './account.ts'

/** A line of the file: an entry of a query log, and why it is here. */
interface Failure {
  readonly query: string
  readonly timestamp?: number
  readonly user?: string
  readonly dialect: string
  readonly platform: string
  readonly instance?: string | undefined
  readonly env: string
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly code: string
  readonly message: string
  readonly place: Place
}

export class FailuresFile {
  readonly #path: string
  #out: TextFile | undefined
  /** Statements in the file; there is none without them. */
  count = 0

  constructor(path: string) {
    this.#path = path
  }

  async add({ code, message, place, statement }: StatementReject): Promise<void> {
    if (statement === undefined) return
    const { sql, rules, timeMs, user } = statement
    const { casing: _, ...names } = rules
    const failure: Failure = {
      query: sql,
      ...(timeMs === undefined ? {} : { timestamp: timeMs / 1000 }),
      ...(user === undefined ? {} : { user }),
      ...names,
      code,
      message,
      place,
    }
    this.#out ??= new TextFile(this.#path)
    this.count++
    await this.#out.write(`${JSON.stringify(failure)}\n`)
  }

  async close(): Promise<void> {
    await this.#out?.close()
  }
}
