/**
 * How many requests are under way at once: p-limit, whose limit grows by one after as many successes as it allows at
 * once, and halves when the catalog asks for less or does not keep up (additive increase, multiplicative decrease).
 */
import pLimit, { type LimitFunction } from 'p-limit'
import { systemClock, type Clock } from '../observe/clock.ts'
import { pause } from './retry.ts'

export interface PaceOptions {
  readonly startConcurrency: number
  readonly maxConcurrency: number
  readonly clock?: Clock
  /** Told each time that the catalog asks for less, or does not keep up. */
  readonly onBackOff?: () => void
}

export class Pace {
  readonly #limit: LimitFunction
  readonly #max: number
  readonly #clock: Clock
  #successes = 0
  /** Nobody begins a request before this moment of the monotonic clock. */
  #notBefore = 0
  #backOffs = 0
  readonly #onBackOff: () => void
  /** Requests that began before the last halving say nothing about the new limit. */
  #halvedAt = 0

  constructor(options: PaceOptions) {
    this.#limit = pLimit(options.startConcurrency)
    this.#max = options.maxConcurrency
    this.#clock = options.clock ?? systemClock
    this.#onBackOff = options.onBackOff ?? (() => {})
  }

  /** How often the catalog asked for less, or did not keep up. */
  get backOffs(): number {
    return this.#backOffs
  }

  get concurrency(): number {
    return this.#limit.concurrency
  }

  /**
   * Runs a request when its turn has come.
   * @param request is handed what to tell failures to that it deals with itself
   * @param slowsDown whether a failure means that the catalog is overloaded, and how long it wants to be left alone
   */
  async run<T>(
    request: (onFailure: (failure: unknown) => void) => Promise<T>,
    slowsDown: (failure: unknown) => { readonly pauseMs: number } | undefined,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#limit(async () => {
      await this.#wait(signal)
      signal?.throwIfAborted()
      let begunAt = this.#clock.monotonic()
      const react = (failure: unknown): void => {
        const overload = slowsDown(failure)
        if (overload !== undefined) this.#slowDown(begunAt, overload.pauseMs)
        begunAt = this.#clock.monotonic()
      }
      try {
        const result = await request(react)
        this.#succeed(begunAt)
        return result
      } catch (failure) {
        react(failure)
        throw failure
      }
    })
  }

  #succeed(begunAt: number): void {
    if (begunAt < this.#halvedAt) return
    this.#successes++
    if (this.#successes < this.#limit.concurrency || this.#limit.concurrency >= this.#max) return
    this.#successes = 0
    this.#limit.concurrency++
  }

  #slowDown(begunAt: number, pauseMs: number): void {
    const now = this.#clock.monotonic()
    this.#notBefore = Math.max(this.#notBefore, now + pauseMs)
    if (begunAt >= this.#halvedAt) this.#halve(now)
    this.#backOffs++
    this.#onBackOff()
  }

  #halve(now: number): void {
    this.#halvedAt = now
    this.#successes = 0
    this.#limit.concurrency = Math.max(1, Math.floor(this.#limit.concurrency / 2))
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    for (let ms = this.#remaining(); ms > 0; ms = this.#remaining()) {
      await pause(ms, signal)
    }
  }

  #remaining(): number {
    return this.#notBefore - this.#clock.monotonic()
  }
}
