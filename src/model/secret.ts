/** A text that must not reach logs, job data or errors: prints as `***` everywhere; `reveal()` is the only way in. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '***'
  }

  toJSON(): string {
    return '***'
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return 'Secret(***)'
  }
}
