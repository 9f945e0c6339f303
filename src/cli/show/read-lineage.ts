/** Lineage, tags and evidence from a catalog, in few calls: all datasets of the answer are read together. */
import type { CatalogClient } from '../../client/catalog-client.ts'
import { aspectId, type StoredAspect } from '../../client/sink.ts'
import { objectsAt, textAt, type JsonObject } from '../../model/json.ts'
import {
  asDatasetUrn,
  asUrn,
  datasetParts,
  schemaFieldParts,
  schemaFieldUrn,
  type DatasetUrn,
  type Urn,
} from '../../model/urn.ts'
import type { ColumnEdge, DatasetFacts, Direction, Evidence, LineageGraph, TableEdge } from './lineage-graph.ts'

const PAGE = 1000
/** More than a terminal can show; a hub of a large estate has more. */
const MOST_DATASETS = 5000
const DATASET_ASPECTS = ['upstreamLineage', 'globalTags', 'editableSchemaMetadata'] as const

/**
 * What lies up to `depth` hops from a dataset, itself included.
 * @returns also whether there is more than could be read
 */
export async function readLineageAround(
  client: CatalogClient,
  start: DatasetUrn,
  range: { readonly direction: Direction; readonly depth: number },
  signal?: AbortSignal,
): Promise<{ readonly graph: LineageGraph; readonly complete: boolean }> {
  const urns = new Set<DatasetUrn>([start])
  // Edges stand with their downstream end: one hop further down tells whether the way goes on.
  const farthest = range.direction === 'up' ? range.depth : range.depth + 1
  let total = Number.POSITIVE_INFINITY
  for (let from = 0; from < Math.min(total, MOST_DATASETS); from += PAGE) {
    const direction = range.direction === 'up' ? 'UPSTREAM' : 'DOWNSTREAM'
    const page = await client.searchLineage({ urn: start, direction, start: from, count: PAGE }, signal)
    for (const hit of page.hits) {
      if (hit.type.toUpperCase() === 'DATASET' && hit.degree <= farthest) urns.add(asDatasetUrn(hit.urn))
    }
    total = page.total
    if (page.hits.length === 0) break
  }
  return { graph: await readLineage(client, [...urns], signal), complete: total <= MOST_DATASETS }
}

/** The lineage between the given datasets. */
export async function readLineage(
  client: CatalogClient,
  urns: readonly DatasetUrn[],
  signal?: AbortSignal,
): Promise<LineageGraph> {
  const keys = urns.flatMap((urn) => DATASET_ASPECTS.map((aspectName) => ({ urn, aspectName })))
  const aspects = await client.read(keys, signal)
  const aspectOf = (urn: Urn, aspectName: string): JsonObject => aspects.get(aspectId({ urn, aspectName }))?.value ?? {}
  const lineages = urns.map((urn) => ({ urn, value: aspectOf(urn, 'upstreamLineage') }))
  const evidence = await readEvidence(
    client,
    lineages.flatMap(({ value }) => queriesOf(value)),
    signal,
  )
  return {
    datasets: new Map(urns.map((urn) => [urn, factsOf(urn, aspectOf)])),
    tableEdges: lineages.flatMap(({ urn, value }) => tableEdgesOf(urn, value, evidence)),
    columnEdges: lineages.flatMap(({ value }) => columnEdgesOf(value, evidence)),
  }
}

/** Every table that the catalog knows as the end of an edge is not needed here; a dataset without facts shows its name. */
function factsOf(urn: DatasetUrn, aspectOf: (urn: Urn, aspectName: string) => JsonObject): DatasetFacts {
  const { platform, name } = datasetParts(urn)
  const fields = objectsAt(aspectOf(urn, 'editableSchemaMetadata'), 'editableSchemaFieldInfo')
  const columnTags = fields.map((field) => [textAt(field, 'fieldPath') ?? '', tagsOf(field['globalTags'])] as const)
  return { urn, platform, name, tags: tagsOf(aspectOf(urn, 'globalTags')), columnTags: new Map(columnTags) }
}

function tagsOf(globalTags: unknown): readonly string[] {
  return objectsAt(globalTags, 'tags').map((item) => (textAt(item, 'tag') ?? '').replace(/^urn:li:tag:/, ''))
}

function queriesOf(lineage: JsonObject): readonly string[] {
  const edges = [...objectsAt(lineage, 'upstreams'), ...objectsAt(lineage, 'fineGrainedLineages')]
  return edges.flatMap((edge) => textAt(edge, 'query') ?? [])
}

async function readEvidence(
  client: CatalogClient,
  queries: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Reading>> {
  const aspectName = 'queryProperties'
  const urns = [...new Set(queries)].map(asUrn)
  const stored = await client.read(
    urns.map((urn) => ({ urn, aspectName })),
    signal,
  )
  return new Map(urns.map((urn) => [urn, readingOf(stored.get(aspectId({ urn, aspectName })))]))
}

/**
 * A query as the catalog keeps it. The harvest names it by the place where it read it, and keeps the places of its
 * columns' expressions beside.
 */
interface Reading {
  readonly statement: Pick<Evidence, 'place' | 'statement'>
  readonly placeOf: (column: ColumnEdge['to']) => string | undefined
}

function readingOf(query: StoredAspect | undefined): Reading {
  const place = query && textAt(query.value, 'name')
  const statement = query && textAt(query.value['statement'], 'value')
  const file = (place ?? '').replace(/:\d+$/, '')
  return {
    statement: { ...(place === undefined ? {} : { place }), ...(statement === undefined ? {} : { statement }) },
    placeOf: ({ dataset, column }) => {
      const known = textAt(query?.value['customProperties'], `place.${schemaFieldUrn(dataset, column)}`)
      return known === undefined ? undefined : `${file}:${known.replace(/:\d+$/, '')}`
    },
  }
}

function tableEdgesOf(
  to: DatasetUrn,
  lineage: JsonObject,
  readings: ReadonlyMap<string, Reading>,
): readonly TableEdge[] {
  return objectsAt(lineage, 'upstreams').map((upstream) => ({
    from: asDatasetUrn(textAt(upstream, 'dataset') ?? ''),
    to,
    evidence: evidenceOf(upstream, readings),
  }))
}

function columnEdgesOf(lineage: JsonObject, readings: ReadonlyMap<string, Reading>): readonly ColumnEdge[] {
  return objectsAt(lineage, 'fineGrainedLineages').flatMap((entry) =>
    columnsAt(entry, 'downstreams').flatMap((to) =>
      columnsAt(entry, 'upstreams').map((from) => ({ from, to, evidence: evidenceOf(entry, readings, to) })),
    ),
  )
}

/** @param column that the edge fills; its expression's place is nearer than the statement's */
function evidenceOf(edge: JsonObject, readings: ReadonlyMap<string, Reading>, column?: ColumnEdge['to']): Evidence {
  const reading = readings.get(textAt(edge, 'query') ?? '')
  const place = column === undefined ? undefined : reading?.placeOf(column)
  const expression = textAt(edge, 'transformOperation')
  const confidence = edge['confidenceScore']
  return {
    ...reading?.statement,
    ...(place === undefined ? {} : { place }),
    ...(expression === undefined ? {} : { expression }),
    ...(typeof confidence === 'number' ? { confidence } : {}),
  }
}

function columnsAt(entry: JsonObject, key: 'upstreams' | 'downstreams'): readonly ColumnEdge['from'][] {
  const urns = entry[key]
  if (!Array.isArray(urns)) return []
  return urns.flatMap((urn) => {
    if (typeof urn !== 'string' || !urn.startsWith('urn:li:schemaField:')) return []
    const { parent, fieldPath } = schemaFieldParts(urn)
    return [{ dataset: asDatasetUrn(parent), column: fieldPath }]
  })
}
