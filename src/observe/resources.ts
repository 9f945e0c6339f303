/** Something that was opened and must be closed. */
export interface Closable {
  close(): Promise<void> | void
}

/**
 * What a composition opened, closed backwards: `await using resources = new Resources()`. Stopping is the same code as
 * a failed start. Every member is closed, also after one fails; the failures come together in one AggregateError.
 */
export class Resources implements AsyncDisposable {
  readonly #opened: Closable[] = []

  /** Remembers a resource and gives it back. */
  use<T extends Closable>(resource: T): T {
    this.#opened.push(resource)
    return resource
  }

  /** Remembers an action for the end. */
  defer(close: () => Promise<void> | void): void {
    this.#opened.push({ close })
  }

  async close(): Promise<void> {
    const failures: unknown[] = []
    for (let resource = this.#opened.pop(); resource !== undefined; resource = this.#opened.pop()) {
      try {
        await resource.close()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length === 1) throw failures[0]
    if (failures.length > 1) throw new AggregateError(failures, `${failures.length} resources failed to close`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
