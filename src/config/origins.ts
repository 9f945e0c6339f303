/** Remembers where each value of the configuration came from, so that `config show` can tell. */
export class Origins {
  readonly byKey: Record<string, string> = {}

  /** The first value that is given, noted under `key`; the last source is the file's or the safe value. */
  pick<T>(key: string, given: readonly (readonly [origin: string, value: T | undefined])[], otherwise: T): T {
    for (const [origin, value] of given) {
      if (value === undefined) continue
      this.byKey[key] = origin
      return value
    }
    return otherwise
  }

  /** Notes for every leaf of a file's content that it came from there. */
  noteFile(value: unknown, file: string, prefix = ''): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.byKey[prefix] = file
      return
    }
    for (const [key, member] of Object.entries(value)) {
      this.noteFile(member, file, prefix === '' ? key : `${prefix}.${key}`)
    }
  }
}
