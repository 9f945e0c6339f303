/** What a picture is drawn from: plain values, names instead of URNs. */

export interface PictureDataset {
  /** Unique among the datasets; edges refer to it. */
  readonly id: string
  readonly platform: string
  /** Name with its qualifiers, dotted: `ops.raw.consignment`. */
  readonly name: string
  /** Layer that it belongs to, one of the picture's `groups`; a dataset of no layer is drawn like the first. */
  readonly group?: string
}

interface TableEdge {
  readonly from: string
  readonly to: string
}

export interface ColumnPlace {
  readonly dataset: string
  readonly column: string
}

export interface ColumnEdge {
  readonly from: ColumnPlace
  readonly to: ColumnPlace
}

/** Edges whose ends are not among the datasets are left out. */
export interface PictureGraph {
  readonly datasets: readonly PictureDataset[]
  readonly edges: readonly TableEdge[]
  readonly columnEdges: readonly ColumnEdge[]
}

export interface PictureOptions {
  /** Layers from the rawest to the most refined; a dataset's `group` is one of them. */
  readonly groups: readonly string[]
  /** Column whose way back is highlighted. */
  readonly focus?: ColumnPlace
  /** Headline; one about the focus, or the number of tables, when absent. */
  readonly title?: string
}
