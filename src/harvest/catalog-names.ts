/**
 * Table names and the catalog. The rule of a platform says how names are written; the catalog may have a table in another
 * case. For each: exactly as ruled; else the only one that is the same but for its case; else, with several, a doubt and
 * the ruled name. The names of a platform are fetched only once something is not found, and then once a run.
 */
import type { Sink } from '../client/sink.ts'
import { nearest } from '../model/near.ts'
import { datasetParts, type DatasetUrn, type Urn } from '../model/urn.ts'
import { othersTurn } from '../observe/turns.ts'
import type { Namer } from './naming.ts'
import type { SchemaBook } from './schema-book.ts'

/** A catalog that can be asked for its datasets. */
export interface DatasetCatalog extends Sink {
  scrollDatasets(platforms: readonly string[], signal?: AbortSignal): AsyncIterable<readonly Urn[]>
}

export interface CatalogNamesOptions {
  readonly sink: DatasetCatalog
  readonly book: SchemaBook
  readonly namer: Namer
  readonly signal: AbortSignal
  /** Told of what cannot be settled. */
  readonly onDoubt: (code: 'AMBIGUOUS_TABLE_CASE' | 'CATALOG_TOO_LARGE', message: string) => void
}

/** A table that SQL names, and neither the catalog nor any DDL. */
export interface Ghost {
  readonly dataset: DatasetUrn
  /** Names that are there, nearest first. */
  readonly near: readonly string[]
}

/** Names that are held at once; a larger catalog is matched exactly only. */
const MAX_NAMES = 500_000
const NEAR_NAMES = 3
/** Names that are compared with one in one go: some milliseconds. */
const NAMES_A_TURN = 5_000

export class CatalogNames {
  readonly #options: CatalogNamesOptions
  readonly #loaded = new Set<string>()
  /** By the whole URN in lower case. */
  readonly #byFolded = new Map<string, readonly DatasetUrn[]>()
  #count = 0

  constructor(options: CatalogNamesOptions) {
    this.#options = options
  }

  /** Learns what the catalog has of the datasets, and from now on writes their names as it does. */
  async settle(datasets: Iterable<DatasetUrn>): Promise<void> {
    const { book, sink, signal, namer } = this.#options
    const missing = await book.ask(sink, datasets, signal)
    if (missing.length === 0) return
    await this.#load(new Set(missing.map((urn) => datasetParts(urn).platform)))
    const found: DatasetUrn[] = []
    for (const urn of missing) {
      const alike = this.#byFolded.get(urn.toLowerCase()) ?? []
      const [only] = alike
      if (alike.length > 1) this.#doubt(urn, alike)
      else if (only !== undefined && only !== urn) {
        namer.settle(urn, only)
        found.push(only)
      }
    }
    await book.ask(sink, found, signal)
  }

  /** Those of the datasets that nobody knows, the first `most` of them with names like theirs. */
  async ghosts(datasets: Iterable<DatasetUrn>, most: number): Promise<readonly Ghost[]> {
    const { book } = this.#options
    const unknown = [...datasets].filter((urn) => !book.exists(urn) && !book.taught.has(urn)).toSorted()
    const names = unknown.length === 0 ? new Map<string, Set<string>>() : await this.#namesByPlatform()
    const ghosts: Ghost[] = []
    for (const [at, dataset] of unknown.entries()) {
      const { platform, name } = datasetParts(dataset)
      ghosts.push({ dataset, near: at < most ? await nearestOf(name, [...(names.get(platform) ?? [])]) : [] })
    }
    return ghosts
  }

  /** What the catalog and the texts have. */
  async #namesByPlatform(): Promise<Map<string, Set<string>>> {
    const names = new Map<string, Set<string>>()
    const add = (urn: DatasetUrn): void => {
      const { platform, name } = datasetParts(urn)
      names.set(platform, (names.get(platform) ?? new Set()).add(name))
    }
    for (const urns of this.#byFolded.values()) {
      await othersTurn()
      urns.forEach(add)
    }
    for (const urn of this.#options.book.taught.keys()) add(urn)
    return names
  }

  async #load(platforms: ReadonlySet<string>): Promise<void> {
    const open = [...platforms].filter((platform) => !this.#loaded.has(platform))
    if (open.length === 0 || this.#count > MAX_NAMES) return
    for (const platform of open) this.#loaded.add(platform)
    const { sink, signal, onDoubt } = this.#options
    for await (const page of sink.scrollDatasets(open, signal)) {
      for (const urn of page as readonly DatasetUrn[]) {
        const folded = urn.toLowerCase()
        this.#byFolded.set(folded, [...(this.#byFolded.get(folded) ?? []), urn])
      }
      this.#count += page.length
      if (this.#count <= MAX_NAMES) continue
      onDoubt('CATALOG_TOO_LARGE', `the catalog has over ${MAX_NAMES} tables: names are matched exactly only`)
      this.#byFolded.clear()
      return
    }
  }

  #doubt(urn: DatasetUrn, alike: readonly DatasetUrn[]): void {
    const { name } = datasetParts(urn)
    const names = alike.map((one) => datasetParts(one).name).join(', ')
    this.#options.onDoubt('AMBIGUOUS_TABLE_CASE', `${name} may be any of ${names}, which differ in case only`)
  }
}

/** The best of the best of each part: a catalog's names are too many to be compared in one go. */
async function nearestOf(name: string, names: readonly string[]): Promise<readonly string[]> {
  let best: readonly string[] = []
  for (let start = 0; start < names.length; start += NAMES_A_TURN) {
    await othersTurn()
    best = nearest(name, [...best, ...names.slice(start, start + NAMES_A_TURN)], NEAR_NAMES)
  }
  return best.filter((candidate) => isLike(name, candidate))
}

/** Whether two names are alike besides the parts in which they are equal: a long common schema says nothing. */
function isLike(name: string, candidate: string): boolean {
  const [parts, others] = [name.toLowerCase().split('.'), candidate.toLowerCase().split('.')]
  const same = parts.findIndex((part, at) => part !== others[at])
  return nearest(parts.slice(same).join('.'), [others.slice(same).join('.')]).length > 0
}
