/** DataHub: one `upstreamLineage` aspect a downstream dataset, with its dataset edges and its fine-grained edges. */
import type { JsonObject } from '../../model/json.ts'
import type { Proposal } from '../../model/proposal.ts'
import { schemaFieldUrn, type DatasetUrn, type Urn } from '../../model/urn.ts'
import type { ColumnLineage, EdgeKind, ScriptLineage, StatementLineage } from '../types.ts'
import { sumByDownstream, uniqueUpstreams } from './columns.ts'
import { datasetEdges, type DatasetEdges } from './dataset-edges.ts'

export interface DataHubOptions {
  /** URN of a table as the SQL names it; undefined for one that shall not appear. */
  readonly urnOf: (table: string) => DatasetUrn | undefined
  /** Who is named as the edges' author. */
  readonly actor: Urn
  /** Time of the edges' stamps, milliseconds since the epoch. */
  readonly timeMillis: number
  /** The query entity of a statement, where the caller writes such entities. */
  readonly queryUrnOf?: (statement: StatementLineage) => Urn | undefined
}

/** The aspects of every table that the script writes and whose sources are known. */
export function encodeDataHub(lineage: ScriptLineage, options: DataHubOptions): Proposal[] {
  const columns = sumByDownstream(lineage.columns)
  return datasetEdges(lineage).flatMap((edges) => {
    const urn = options.urnOf(edges.downstream)
    const own = columns.filter((column) => column.downstream.table === edges.downstream)
    if (urn === undefined) return []
    const aspect = upstreamLineage(edges, own, options)
    if (aspect === undefined) return []
    return [{ entityType: 'dataset', entityUrn: urn, changeType: 'UPSERT', aspectName: 'upstreamLineage', aspect }]
  })
}

/** The aspect of one downstream (contract §3.2); undefined where it has no upstream. */
function upstreamLineage(
  edges: DatasetEdges,
  columns: readonly ColumnLineage[],
  options: DataHubOptions,
): JsonObject | undefined {
  const urns = [...new Set(edges.upstreams.flatMap((table) => options.urnOf(table) ?? []))]
  if (urns.length === 0) return undefined
  const query = lastQuery(edges, options)
  const auditStamp = { time: options.timeMillis, actor: options.actor }
  const type = edges.statements.some(isView) ? 'VIEW' : 'TRANSFORMED'
  const fineGrained = columns.flatMap((column) => fineGrainedLineage(column, options, query) ?? [])
  return {
    upstreams: urns.map((dataset) => ({ dataset, type, auditStamp, ...query })),
    ...(fineGrained.length === 0 ? {} : { fineGrainedLineages: fineGrained }),
  }
}

function isView({ kind }: StatementLineage): boolean {
  return kind === 'view' || kind === 'materializedView'
}

function lastQuery(edges: DatasetEdges, options: DataHubOptions): { readonly query?: Urn } {
  const last = edges.statements.at(-1)
  const query = last === undefined ? undefined : options.queryUrnOf?.(last)
  return query === undefined ? {} : { query }
}

/** A column that has no source, or stands for columns that are not known, has no edge. */
function fineGrainedLineage(
  column: ColumnLineage,
  options: DataHubOptions,
  query: { readonly query?: Urn },
): JsonObject | undefined {
  const { table, column: name } = column.downstream
  const downstream = table === null ? undefined : options.urnOf(table)
  if (downstream === undefined || name === '*') return undefined
  const upstreams = uniqueUpstreams(column.upstreams).flatMap((up) => {
    const urn = up.table === null || up.column === '*' ? undefined : options.urnOf(up.table)
    return urn === undefined ? [] : [schemaFieldUrn(urn, up.column)]
  })
  if (upstreams.length === 0) return undefined
  return {
    upstreamType: 'FIELD_SET',
    upstreams: [...new Set(upstreams)],
    downstreamType: 'FIELD',
    downstreams: [schemaFieldUrn(downstream, name)],
    transformOperation: transformOperation(column),
    confidenceScore: column.confidence,
    ...query,
  }
}

/** Longest expression text that an edge carries. */
const MAX_OPERATION_LENGTH = 1000

/** `COPY` for a column taken over as it is, else the expression's text. */
function transformOperation(column: ColumnLineage): string {
  const kinds = new Set<EdgeKind>(column.upstreams.map((up) => up.kind))
  if (kinds.size === 1 && kinds.has('IDENTITY')) return 'COPY'
  return (column.transformation ?? 'TRANSFORM').replaceAll(/\s+/g, ' ').slice(0, MAX_OPERATION_LENGTH)
}
