/** What a harvest changes among the dataset edges of its own origin: the diff that people read, and guards judge by. */
import { ABSENT, type Comparison } from '../client/change.ts'
import { objectsAt, textAt, type JsonObject } from '../model/json.ts'
import { datasetParts, type DatasetUrn } from '../model/urn.ts'
import { upstreamsOf } from './lineage-aspect.ts'

export interface EdgeCounts {
  readonly added: number
  readonly removed: number
  readonly kept: number
}

/** Datasets that the diff shows, and edges of each. */
const DATASETS_SHOWN = 40
const EDGES_SHOWN = 12

export class EdgeDiff {
  readonly #origin: string
  readonly #lines: string[] = []
  #datasets = 0
  #added = 0
  #removed = 0
  #kept = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  get counts(): EdgeCounts {
    return { added: this.#added, removed: this.#removed, kept: this.#kept }
  }

  /** A dataset a paragraph, only those that change. */
  get lines(): readonly string[] {
    const hidden = this.#datasets - DATASETS_SHOWN
    return hidden > 0 ? [...this.#lines, `… and ${hidden} more datasets; all stand in the plan's file`] : this.#lines
  }

  take(comparison: Comparison): void {
    if (comparison.change.aspectName !== 'upstreamLineage' || comparison.kind === 'refused') return
    const { change, before } = comparison
    const held = new Map(edgesOf(this.#origin, before?.value, change.intent))
    const wanted = comparison.kind === 'differs' ? comparison.after : before?.value
    const after = wanted === ABSENT ? undefined : wanted
    const next = new Map(edgesOf(this.#origin, after, change.intent))
    const added = [...next].filter(([urn]) => !held.has(urn))
    const removed = [...held].filter(([urn]) => !next.has(urn))
    this.#added += added.length
    this.#removed += removed.length
    this.#kept += held.size - removed.length
    if (comparison.kind === 'same') return
    this.#datasets++
    if (this.#datasets > DATASETS_SHOWN) return
    const kept = held.size - removed.length
    const edges = [
      ...added.map(([urn, at]) => `  + ${nameOf(urn)}  ${at}`),
      ...removed.map(([urn, at]) => `  - ${nameOf(urn)}  ${at}`),
    ]
    this.#lines.push(
      `${nameOf(change.urn)}: ${added.length} added, ${removed.length} removed, ${kept} kept${edges.length === 0 ? ', columns change' : ''}`,
      ...edges.slice(0, EDGES_SHOWN),
      ...(edges.length > EDGES_SHOWN ? [`  … and ${edges.length - EDGES_SHOWN} more`] : []),
    )
  }
}

/** Edges of an origin, each with the place of its statement. */
function edgesOf(
  origin: string,
  aspect: JsonObject | undefined,
  intent: JsonObject,
): readonly (readonly [string, string])[] {
  const own = new Set(upstreamsOf(origin, aspect, intent))
  return objectsAt(aspect, 'upstreams').flatMap((edge) => {
    const urn = textAt(edge, 'dataset') ?? ''
    if (!own.has(urn)) return []
    const said = textAt(edge['properties'], `headwater.${origin}`) ?? ''
    return [[urn, said.split(' ').slice(3).join(' ')] as const]
  })
}

function nameOf(urn: string): string {
  const { platform, name } = datasetParts(urn as DatasetUrn)
  return `${platform}:${name}`
}
