/**
 * OpenLineage: a run event a script, with the column-lineage facet on each output. `DIRECT` is the value itself,
 * `INDIRECT` shapes rows; indirect uses stand at the dataset, where they hold for every field (facet 1-2-0).
 */
import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { EdgeKind, ScriptLineage, StatementLineage } from '../types.ts'
import { columnName, sumByDownstream } from './columns.ts'
import { datasetEdges } from './dataset-edges.ts'

export interface OpenLineageOptions {
  /** Namespace of the datasets, for example `snowflake://org-account`. */
  readonly namespace: string
  readonly job: { readonly namespace: string; readonly name: string }
  /** UUID of the run. */
  readonly runId: string
  /** ISO 8601. */
  readonly eventTime: string
  /** URI of who says this. */
  readonly producer: string
  /** The script's text, for the job's SQL facet. */
  readonly sql?: string
  readonly dialect?: string
}

const SPEC = 'https://openlineage.io/spec'
const RUN_EVENT = `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`
const COLUMN_LINEAGE = `${SPEC}/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet`
const SQL_JOB = `${SPEC}/facets/1-1-0/SQLJobFacet.json#/$defs/SQLJobFacet`

const DIRECT_SUBTYPE: Readonly<Record<EdgeKind, string>> = {
  IDENTITY: 'IDENTITY',
  TRANSFORMED: 'TRANSFORMATION',
  AGGREGATED: 'AGGREGATION',
}

export function encodeOpenLineage(lineage: ScriptLineage, options: OpenLineageOptions): JsonObject {
  const dataset = (name: string): JsonObject => ({ namespace: options.namespace, name })
  const facets = columnLineageFacets(lineage, options)
  return {
    eventType: 'COMPLETE',
    eventTime: options.eventTime,
    run: { runId: options.runId, facets: {} },
    job: { ...options.job, facets: sqlFacet(options) },
    inputs: lineage.tables.inputs.map(dataset),
    outputs: [...lineage.tables.outputs, ...lineage.tables.intermediates].map((name) => {
      const facet = facets.get(name)
      return { ...dataset(name), facets: facet === undefined ? {} : { columnLineage: facet } }
    }),
    producer: options.producer,
    schemaURL: RUN_EVENT,
  }
}

function sqlFacet({ sql, dialect, producer }: OpenLineageOptions): JsonObject {
  if (sql === undefined) return {}
  const base = { _producer: producer, _schemaURL: SQL_JOB, query: sql }
  return { sql: dialect === undefined ? base : { ...base, dialect } }
}

/** The column-lineage facet of each output that has one. */
export function columnLineageFacets(
  lineage: ScriptLineage,
  options: Pick<OpenLineageOptions, 'namespace' | 'producer'>,
): Map<string, JsonObject> {
  const facets = new Map<string, JsonObject>()
  const columns = sumByDownstream(lineage.columns)
  for (const { downstream, statements } of datasetEdges(lineage)) {
    const own = columns.filter((column) => column.downstream.table === downstream && column.downstream.column !== '*')
    const fields = own.map((column): [string, JsonValue] => {
      const upstreams = column.upstreams.filter((up) => up.table !== null && up.column !== '*')
      const inputFields = upstreams.map((up) => ({
        namespace: options.namespace,
        name: up.table,
        field: up.column,
        transformations: [
          {
            type: 'DIRECT',
            subtype: DIRECT_SUBTYPE[up.kind],
            description: up.kind === 'IDENTITY' ? '' : (column.transformation ?? ''),
            masking: false,
          },
        ],
      }))
      return [column.downstream.column, { inputFields }]
    })
    const indirect = indirectFields(statements, options.namespace)
    if (fields.length === 0 && indirect.length === 0) continue
    facets.set(downstream, {
      _producer: options.producer,
      _schemaURL: COLUMN_LINEAGE,
      fields: Object.fromEntries(fields),
      dataset: indirect,
    })
  }
  return facets
}

function indirectFields(statements: readonly StatementLineage[], namespace: string): JsonValue[] {
  const uses = new Map<string, { table: string; column: string; subtypes: Set<string> }>()
  for (const use of statements.flatMap((statement) => statement.indirect)) {
    if (use.table === null || use.column === '*') continue
    const known = uses.get(columnName(use)) ?? { table: use.table, column: use.column, subtypes: new Set() }
    known.subtypes.add(use.kind)
    uses.set(columnName(use), known)
  }
  return [...uses.values()].map(({ table, column, subtypes }) => ({
    namespace,
    name: table,
    field: column,
    transformations: [...subtypes].map((subtype) => ({ type: 'INDIRECT', subtype, description: '', masking: false })),
  }))
}
