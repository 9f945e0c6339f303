/** Names like the one that the catalog does not have: from the catalog itself, read once a platform and only so far. */
import { nearest } from '../model/near.ts'
import { asDatasetUrn, datasetParts, entityTypeOf, type Urn } from '../model/urn.ts'

/** Pages of the URNs of a platform's datasets. */
export type ScrollDatasets = (platforms: readonly string[], signal?: AbortSignal) => AsyncIterable<readonly Urn[]>

/** Enough for the catalogs in which a person looks for a typing error; a hint is not worth more. */
const MOST_NAMES = 20_000
const MOST_HINTS = 50

export class NearEntities {
  readonly #scroll: ScrollDatasets | undefined
  /** For each platform, names of datasets with their environment. */
  readonly #byPlatform = new Map<string, ReadonlyMap<string, string>>()
  #hints = 0

  /** @param scroll undefined where the sink cannot be asked */
  constructor(scroll: ScrollDatasets | undefined) {
    this.#scroll = scroll
  }

  /** `, did you mean "shop.orders"?`, or an empty text. */
  async hint(urn: Urn, signal: AbortSignal): Promise<string> {
    if (this.#scroll === undefined || entityTypeOf(urn) !== 'dataset' || ++this.#hints > MOST_HINTS) return ''
    const { platform, name, env } = datasetParts(asDatasetUrn(urn))
    const known = this.#byPlatform.get(platform) ?? (await this.#load(platform, this.#scroll, signal))
    const [near] = nearest(name, known.keys())
    if (near !== undefined && near !== name) return `, did you mean ${JSON.stringify(near)}?`
    const found = known.get(name)
    return found === undefined || found === env ? '' : `, but it has ${name} in ${found}`
  }

  async #load(platform: string, scroll: ScrollDatasets, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>()
    try {
      for await (const page of scroll([platform], signal)) {
        for (const urn of page) {
          const { name, env } = datasetParts(asDatasetUrn(urn))
          names.set(name, env)
        }
        if (names.size >= MOST_NAMES) break
      }
    } catch {
      // A catalog that cannot be searched gives no hints; the row is rejected all the same.
      signal.throwIfAborted()
    }
    this.#byPlatform.set(platform, names)
    return names
  }
}
