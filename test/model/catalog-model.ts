/** What the catalog is supposed to remember, in a few lines: datasets with tags, upstreams and events. */
export interface ModelDataset {
  readonly tags: readonly string[]
  readonly upstreams: readonly string[]
  readonly removed: boolean
  readonly events: ReadonlySet<number>
}

export class Model {
  readonly #datasets = new Map<string, ModelDataset>()

  get(urn: string): ModelDataset | undefined {
    return this.#datasets.get(urn)
  }

  /** Changes a dataset, making it first where it is not there. */
  put(urn: string, change: Partial<ModelDataset>): void {
    const before = this.#datasets.get(urn) ?? { tags: [], upstreams: [], removed: false, events: new Set() }
    this.#datasets.set(urn, { ...before, ...change })
  }

  delete(urn: string): void {
    this.#datasets.delete(urn)
  }

  /** Everything upstream or downstream of a dataset that can be seen, with its distance. */
  reach(start: string, direction: 'upstream' | 'downstream'): Readonly<Record<string, number>> {
    const found = new Map([[start, 0]])
    let frontier = [start]
    for (let hop = 1; frontier.length > 0; hop++) {
      const next = [...new Set(frontier.flatMap((urn) => this.#neighbours(urn, direction)))].filter(
        (urn) => !found.has(urn),
      )
      for (const urn of next) found.set(urn, hop)
      frontier = next
    }
    found.delete(start)
    return Object.fromEntries([...found].filter(([urn]) => this.#datasets.get(urn)?.removed === false))
  }

  /** Events at or after the time stay. @returns how many went */
  truncate(cutoffMs: number): number {
    let gone = 0
    for (const [urn, dataset] of this.#datasets) {
      const kept = new Set([...dataset.events].filter((time) => time >= cutoffMs))
      gone += dataset.events.size - kept.size
      this.put(urn, { events: kept })
    }
    return gone
  }

  #neighbours(urn: string, direction: 'upstream' | 'downstream'): readonly string[] {
    if (direction === 'upstream') return this.#datasets.get(urn)?.upstreams ?? []
    return [...this.#datasets].filter(([, dataset]) => dataset.upstreams.includes(urn)).map(([other]) => other)
  }
}
