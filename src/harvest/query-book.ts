/** Statements as query entities: what each reads and writes, dataset by dataset and column by column. */
import { schemaFieldUrn, type DatasetUrn, type SchemaFieldUrn, type Urn } from '../model/urn.ts'
import type { DatasetLineage, Evidence } from './fold.ts'

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

interface Held {
  readonly evidence: Evidence
  readonly datasets: Set<DatasetUrn>
  readonly fields: Set<SchemaFieldUrn>
  readonly places: Map<string, string>
}

/** In the order in which statements are met; of equal ones the first stays. */
export class QueryBook {
  readonly #held = new Map<Urn, Held>()

  has(query: Urn): boolean {
    return this.#held.has(query)
  }

  /** A statement by itself. @param reads field paths by dataset */
  add(
    evidence: Evidence,
    {
      reads,
      writes,
    }: { readonly reads: ReadonlyMap<DatasetUrn, readonly string[]>; readonly writes: readonly DatasetUrn[] },
  ): void {
    const { datasets, fields } = this.#of(evidence)
    for (const dataset of writes) datasets.add(dataset)
    for (const [dataset, columns] of reads) {
      datasets.add(dataset)
      for (const column of columns) fields.add(schemaFieldUrn(dataset, column))
    }
  }

  /** The statements behind the edges of a dataset. */
  addEdges(downstream: DatasetUrn, { upstreams, fields }: DatasetLineage): void {
    for (const { dataset, evidence } of upstreams.values()) this.#of(evidence).datasets.add(downstream).add(dataset)
    for (const field of [...fields.values()].flat()) {
      const held = this.#of(field.evidence)
      held.datasets.add(downstream)
      held.fields.add(field.downstream)
      for (const upstream of field.upstreams) {
        held.datasets.add(datasetOfField(upstream))
        held.fields.add(upstream)
      }
      if (field.place !== undefined) held.places.set(field.downstream, field.place)
    }
  }

  *facts(): Generator<QueryFacts> {
    for (const { evidence, datasets, fields, places } of this.#held.values()) {
      const subjects = fields.size > MAX_FIELDS ? [...datasets] : [...datasets, ...fields]
      yield { evidence, subjects: subjects.toSorted(), places }
    }
  }

  #of(evidence: Evidence): Held {
    const known = this.#held.get(evidence.query)
    if (known !== undefined) return known
    const made = { evidence, datasets: new Set<DatasetUrn>(), fields: new Set<SchemaFieldUrn>(), places: new Map() }
    this.#held.set(evidence.query, made)
    return made
  }
}

/** What a field path holds is encoded: the last comma is the one between dataset and field. */
function datasetOfField(field: SchemaFieldUrn): DatasetUrn {
  return field.slice('urn:li:schemaField:('.length, field.lastIndexOf(',')) as DatasetUrn
}
