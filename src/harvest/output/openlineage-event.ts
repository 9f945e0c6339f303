/**
 * Harvested lineage as OpenLineage: for each dataset a run event of the job that fills it, with the column-lineage facet
 * on its output (spec 2-0-2, facet 1-2-0). Ids follow from what is said, so the same lineage is the same event.
 */
import { createHash } from 'node:crypto'
import { objectsAt, textAt, type JsonObject } from '../../model/json.ts'
import { asDatasetUrn, datasetParts, schemaFieldParts, type DatasetUrn } from '../../model/urn.ts'

const SPEC = 'https://openlineage.io/spec'
const RUN_EVENT = `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`
const COLUMN_LINEAGE = `${SPEC}/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet`

export interface EventOptions {
  /** Namespace of the jobs: whose lineage this is. */
  readonly jobNamespace: string
  /** URI of who says this. */
  readonly producer: string
  /** When it was said, milliseconds. */
  readonly timeMs: number
}

/** The event for one `upstreamLineage` aspect. */
export function openLineageEvent(dataset: DatasetUrn, lineage: JsonObject, options: EventOptions): JsonObject {
  const { jobNamespace, producer, timeMs } = options
  const inputs = objectsAt(lineage, 'upstreams').flatMap((edge) => textAt(edge, 'dataset') ?? [])
  const fields = fieldsOf(lineage)
  const facet = { _producer: producer, _schemaURL: COLUMN_LINEAGE, fields: Object.fromEntries(fields) }
  const job = { namespace: jobNamespace, name: datasetParts(dataset).name, facets: {} }
  return {
    eventType: 'COMPLETE',
    eventTime: new Date(timeMs).toISOString(),
    // Of what is said, and not of when and by which run it was.
    run: { runId: uuidOf(jobNamespace, dataset, JSON.stringify([inputs, [...fields]])), facets: {} },
    job,
    inputs: [...new Set(inputs)].map((urn) => identifierOf(asDatasetUrn(urn))),
    outputs: [{ ...identifierOf(dataset), facets: fields.size === 0 ? {} : { columnLineage: facet } }],
    producer,
    schemaURL: RUN_EVENT,
  }
}

/** Namespace by platform and instance, as the naming of OpenLineage has it where no host is known. */
function identifierOf(urn: DatasetUrn): { readonly namespace: string; readonly name: string } {
  const { platform, name } = datasetParts(urn)
  return { namespace: platform, name }
}

/** Input fields by output field. */
function fieldsOf(lineage: JsonObject): Map<string, JsonObject> {
  const inputs = new Map<string, JsonObject[]>()
  for (const edge of objectsAt(lineage, 'fineGrainedLineages')) {
    const operation = textAt(edge, 'transformOperation') ?? 'COPY'
    for (const downstream of urnsAt(edge, 'downstreams')) {
      const { fieldPath } = schemaFieldParts(downstream)
      const known = inputs.get(fieldPath) ?? []
      inputs.set(fieldPath, [...known, ...urnsAt(edge, 'upstreams').map((urn) => inputField(urn, operation))])
    }
  }
  return new Map([...inputs].map(([field, inputFields]) => [field, { inputFields }]))
}

function inputField(urn: string, operation: string): JsonObject {
  const { parent, fieldPath } = schemaFieldParts(urn)
  const copied = operation === 'COPY'
  return {
    ...identifierOf(asDatasetUrn(parent)),
    field: fieldPath,
    transformations: [
      {
        type: 'DIRECT',
        subtype: copied ? 'IDENTITY' : 'TRANSFORMATION',
        description: copied ? '' : operation,
        masking: false,
      },
    ],
  }
}

function urnsAt(edge: JsonObject, key: 'upstreams' | 'downstreams'): readonly string[] {
  const urns = edge[key]
  if (!Array.isArray(urns)) return []
  return urns.filter((urn): urn is string => typeof urn === 'string' && urn.startsWith('urn:li:schemaField:'))
}

/** A version 5 UUID in shape: equal for equal parts. */
function uuidOf(...parts: readonly string[]): string {
  const hash = createHash('sha256').update(parts.join('\u0000')).digest('hex')
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
