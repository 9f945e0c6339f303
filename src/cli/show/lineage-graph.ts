/** Lineage as the views need it: datasets with their tags, edges with the places they come from. Plain values. */
import type { DatasetUrn } from '../../model/urn.ts'

export interface ColumnPlace {
  readonly dataset: DatasetUrn
  readonly column: string
}

/** A dataset, and a column of it where columns are asked for. */
export interface Stop {
  readonly dataset: DatasetUrn
  readonly column?: string
}

/** Equal for equal places. */
export function keyOf({ dataset, column }: Stop): string {
  return `${dataset}\u0000${column ?? ''}`
}

/** An edge between two columns, or between two datasets where `column` is absent on both ends. */
export interface ColumnEdge {
  readonly from: ColumnPlace
  readonly to: ColumnPlace
  readonly evidence: Evidence
}

export interface TableEdge {
  readonly from: DatasetUrn
  readonly to: DatasetUrn
  readonly evidence: Evidence
}

/** Where an edge was read, as far as the catalog says. */
export interface Evidence {
  /** `file:line`, or another name of the query. */
  readonly place?: string
  /** Text of the expression; absent for a plain copy. */
  readonly expression?: string
  /** Between 0 and 1, for an edge of columns. */
  readonly confidence?: number
  /** Text of the statement, where the catalog keeps it. */
  readonly statement?: string
}

export interface DatasetFacts {
  readonly urn: DatasetUrn
  readonly platform: string
  /** Dotted, as in the URN. */
  readonly name: string
  /** Names of the tags on the dataset, without `urn:li:tag:`. */
  readonly tags: readonly string[]
  readonly columnTags: ReadonlyMap<string, readonly string[]>
}

export interface LineageGraph {
  readonly datasets: ReadonlyMap<string, DatasetFacts>
  readonly tableEdges: readonly TableEdge[]
  readonly columnEdges: readonly ColumnEdge[]
}

export type Direction = 'up' | 'down'
