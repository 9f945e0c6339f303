/**
 * The statements behind edges, for as long as edges are gathered: there may be tens of thousands of them, and nobody reads
 * them before the end. So their texts go to disk, and what stays is small.
 */
import type { Urn } from '../model/urn.ts'
import type { Evidence } from './fold.ts'
import { ScratchFile, type ScratchPlace } from './scratch-file.ts'

export class HeldEvidence implements Disposable {
  readonly #texts: ScratchFile
  readonly #users = new Map<Urn, Urn>()
  /** By what it was made from, so that the edges of a statement share it. */
  readonly #held = new WeakMap<Evidence, Evidence>()

  /** @param folder where texts may lie meanwhile */
  constructor(folder: string) {
    this.#texts = new ScratchFile(folder)
  }

  /** The same evidence, small; what is held already is given back as it is. */
  hold(evidence: Evidence): Evidence {
    if (evidence instanceof OnDisk) return evidence
    const known = this.#held.get(evidence)
    if (known !== undefined) return known
    const made = new OnDisk(evidence, this.#texts, this.#only(evidence.user))
    this.#held.set(evidence, made)
    return made
  }

  #only(user: Urn | undefined): Urn | undefined {
    if (user === undefined) return undefined
    const known = this.#users.get(user)
    if (known === undefined) this.#users.set(user, user)
    return known ?? user
  }

  [Symbol.dispose](): void {
    this.#texts[Symbol.dispose]()
  }
}

class OnDisk implements Evidence {
  readonly query: Urn
  readonly at: string
  readonly platform: string
  readonly timeMs: number | undefined
  readonly user: Urn | undefined
  readonly #texts: ScratchFile
  readonly #start: number
  readonly #bytes: number

  constructor({ query, at, sql, platform, timeMs }: Evidence, texts: ScratchFile, user: Urn | undefined) {
    this.query = flat(query)
    this.at = flat(at)
    this.platform = platform
    this.timeMs = timeMs
    this.user = user
    const { start, bytes }: ScratchPlace = texts.write(sql)
    this.#texts = texts
    this.#start = start
    this.#bytes = bytes
  }

  get sql(): string {
    return this.#texts.read({ start: this.#start, bytes: this.#bytes })
  }
}

/** V8 keeps the pieces of which a text was put together, or the whole of which it is a part; a copy has neither. */
function flat<Text extends string>(text: Text): Text {
  return Buffer.from(text).toString() as Text
}
