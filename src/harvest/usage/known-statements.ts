/**
 * What statements of a log read and write, by the statement: when one runs again, it is counted without being read again.
 * Bounded: what was not met for long is read once more when it comes again, which changes nothing but time.
 */
import type { DatasetUrn, Urn } from '../../model/urn.ts'
import { Recent } from '../../sql/workers/recent.ts'
import type { StatementKind } from '../../sql/types.ts'

/** What one statement does each time that it runs. */
export interface StatementUse {
  readonly kind: StatementKind
  /** Field paths by dataset, each once. */
  readonly reads: ReadonlyMap<DatasetUrn, readonly string[]>
  readonly writes: readonly DatasetUrn[]
  /** Its query entity. */
  readonly query: Urn
  /** Whether it is kept as one, and told of by operations and counts. */
  readonly isKept: boolean
  /** As reports show it: the first of those that differ in literals only. */
  readonly shown: string
}

interface KnownText {
  readonly uses: readonly StatementUse[]
  /** Versions of the columns of what is read, as they were. */
  readonly versions: ReadonlyMap<DatasetUrn, string>
}

/** Texts that are known at least; one takes about half a kilobyte. */
const KNOWN = 32_768

export class KnownStatements {
  readonly #known = new Recent<KnownText>(2 * KNOWN)
  readonly #versionOf: (dataset: DatasetUrn) => string

  /** @param versionOf changes with the columns of a dataset */
  constructor(versionOf: (dataset: DatasetUrn) => string) {
    this.#versionOf = versionOf
  }

  keep(statement: string, uses: readonly StatementUse[]): void {
    const datasets = new Set(uses.flatMap(({ reads }) => [...reads.keys()]))
    const versions = new Map([...datasets].map((dataset) => [dataset, this.#versionOf(dataset)] as const))
    this.#known.set(statement, { uses, versions })
  }

  /** Undefined where it must be read: it is not known, or columns of what it reads are other ones now. */
  find(statement: string): readonly StatementUse[] | undefined {
    const known = this.#known.get(statement)
    if (known === undefined) return undefined
    for (const [dataset, version] of known.versions) if (this.#versionOf(dataset) !== version) return undefined
    return known.uses
  }
}
