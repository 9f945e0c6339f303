/** Statements as query entities: what each reads and writes, dataset by dataset and column by column. */
import { schemaFieldUrn, type DatasetUrn, type SchemaFieldUrn, type Urn } from '../model/urn.ts'
import type { DatasetLineage, Evidence, FieldEdge, UpstreamEdge } from './fold.ts'

/** A statement with what it connects. */
export interface QueryFacts {
  readonly evidence: Evidence
  /** Datasets and their columns, sorted. */
  readonly subjects: readonly Urn[]
  /** `line:column` of the expressions in the statement's file, by the column that they fill. */
  readonly places: ReadonlyMap<string, string>
}

/** Columns that a statement is said to concern; of those that concern more, only the datasets are told. */
const MAX_FIELDS = 1000

type Reads = ReadonlyMap<DatasetUrn, readonly string[]>

interface Held {
  readonly evidence: Evidence
  /** What it reads and writes by itself: as it was told, since a log tells of very many. */
  reads: Reads
  writes: readonly DatasetUrn[]
  /** What the edges connect that it stands behind. */
  edges: Connected | undefined
}

interface Connected {
  readonly datasets: Set<DatasetUrn>
  readonly fields: Set<SchemaFieldUrn>
  readonly places: Map<string, string>
}

/**
 * The statements behind edges, one dataset's after the other's: of what is behind the edges of all of them at once there is
 * much. A statement that fills several tables comes last, as one.
 */
export class QueriesBehind {
  /** By how many datasets' edges a statement stands behind: one, or several. */
  readonly #several = new Map<Urn, boolean>()
  readonly #ofSeveral = new QueryBook()

  has(query: Urn): boolean {
    return this.#several.has(query)
  }

  /** Counts the statements of a dataset; to be called for all of them first. */
  count(lineage: DatasetLineage): void {
    for (const query of new Set(evidencesOf(lineage).map((evidence) => evidence.query))) {
      this.#several.set(query, this.#several.has(query))
    }
  }

  /** The statements behind the edges of a dataset and of no other one. */
  factsOf(downstream: DatasetUrn, lineage: DatasetLineage): Iterable<QueryFacts> {
    const own = new QueryBook()
    const bookOf = ({ query }: Evidence): QueryBook => (this.#several.get(query) === true ? this.#ofSeveral : own)
    for (const edge of lineage.upstreams.values()) bookOf(edge.evidence).addUpstream(downstream, edge)
    for (const edge of [...lineage.fields.values()].flat()) bookOf(edge.evidence).addField(downstream, edge)
    return own.facts()
  }

  /** Those behind the edges of several, once all of them were asked for. */
  factsOfSeveral(): Iterable<QueryFacts> {
    return this.#ofSeveral.facts()
  }
}

function evidencesOf({ upstreams, fields }: DatasetLineage): readonly Evidence[] {
  return [...upstreams.values(), ...[...fields.values()].flat()].map(({ evidence }) => evidence)
}

/** In the order in which statements are met; of equal ones the first stays. */
export class QueryBook {
  readonly #held = new Map<Urn, Held>()

  /** A statement by itself. @param reads field paths by dataset */
  add(evidence: Evidence, { reads, writes }: { readonly reads: Reads; readonly writes: readonly DatasetUrn[] }): void {
    const held = this.#of(evidence)
    held.reads = held.reads.size === 0 ? reads : bothReads(held.reads, reads)
    held.writes = held.writes.length === 0 ? writes : [...new Set([...held.writes, ...writes])]
  }

  addUpstream(downstream: DatasetUrn, { dataset, evidence }: UpstreamEdge): void {
    this.#behind(evidence).datasets.add(downstream).add(dataset)
  }

  addField(downstream: DatasetUrn, field: FieldEdge): void {
    const held = this.#behind(field.evidence)
    held.datasets.add(downstream)
    held.fields.add(field.downstream)
    for (const upstream of field.upstreams) {
      held.datasets.add(datasetOfField(upstream))
      held.fields.add(upstream)
    }
    if (field.place !== undefined) held.places.set(field.downstream, field.place)
  }

  *facts(): Generator<QueryFacts> {
    for (const { evidence, reads, writes, edges } of this.#held.values()) {
      const datasets = new Set([...(edges?.datasets ?? []), ...writes, ...reads.keys()])
      const fields = new Set(edges?.fields)
      for (const [dataset, columns] of reads) for (const column of columns) fields.add(schemaFieldUrn(dataset, column))
      const subjects = fields.size > MAX_FIELDS ? [...datasets] : [...datasets, ...fields]
      yield { evidence, subjects: subjects.toSorted(), places: edges?.places ?? new Map() }
    }
  }

  #behind(evidence: Evidence): Connected {
    const held = this.#of(evidence)
    return (held.edges ??= { datasets: new Set(), fields: new Set(), places: new Map() })
  }

  #of(evidence: Evidence): Held {
    const known = this.#held.get(evidence.query)
    if (known !== undefined) return known
    const made: Held = { evidence, reads: NOTHING, writes: [], edges: undefined }
    this.#held.set(evidence.query, made)
    return made
  }
}

const NOTHING: Reads = new Map()

/** The same map where it says nothing new. */
function bothReads(known: Reads, more: Reads): Reads {
  const isNew = ([dataset, columns]: readonly [DatasetUrn, readonly string[]]): boolean => {
    const before = known.get(dataset)
    return before === undefined || columns.some((column) => !before.includes(column))
  }
  const added = [...more].filter(isNew)
  if (added.length === 0) return known
  const all = added.map(
    ([dataset, columns]) => [dataset, [...new Set([...(known.get(dataset) ?? []), ...columns])]] as const,
  )
  return new Map([...known, ...all])
}

/** What a field path holds is encoded: the last comma is the one between dataset and field. */
function datasetOfField(field: SchemaFieldUrn): DatasetUrn {
  return field.slice('urn:li:schemaField:('.length, field.lastIndexOf(',')) as DatasetUrn
}
