/**
 * Harvested lineage to changes. A harvest speaks for the edges of its own origin and no others: it replaces those, and
 * leaves what people and other tools wrote. Whose an edge is stands in the edge: in the properties of a dataset edge, in
 * the query of a column edge; every DataHub keeps both.
 */
import type { AspectChange, Merge } from '../client/change.ts'
import { canonicalJson, isJsonObject, objectsAt, textAt, type JsonObject } from '../model/json.ts'
import type { DatasetUrn, Urn } from '../model/urn.ts'
import type { Taught } from './analyse.ts'
import { QUERY_PREFIX, queryPrefix, type DatasetLineage, type Evidence } from './fold.ts'
import { fieldPathOf } from './naming.ts'
import { schemaMetadata } from './schema-metadata.ts'

/** Who changed something and when; used only when something changes. */
export interface AuditStamp extends JsonObject {
  readonly time: number
  readonly actor: string
}

/** A dataset that is spoken of must exist, or lineage does not show it (contract §13, trap 17). One that was deleted stays so. */
export function existenceChange(urn: DatasetUrn): AspectChange {
  return { urn, aspectName: 'status', intent: { removed: false }, merge: (current, intent) => current ?? intent }
}

/** The columns of a table, as its DDL or its query tells them. What another tool wrote knows more, and stays. */
export function schemaChange(urn: DatasetUrn, { schema, unit }: Taught): AspectChange {
  const columns = schema.columns.map((column) => ({ ...column, name: fieldPathOf(column.name, unit.rules) }))
  const value = schemaMetadata(urn, { ...schema, columns })
  const intent = { ...value, hash: `${SCHEMA_MARK}${textAt(value, 'hash') ?? ''}` }
  return { urn, aspectName: 'schemaMetadata', intent, merge: mergeSchema }
}

const SCHEMA_MARK = 'headwater-'

const mergeSchema: Merge = (current, intent) => {
  if (current !== undefined && !(textAt(current, 'hash') ?? '').startsWith(SCHEMA_MARK)) return undefined
  return { ...current, ...intent }
}

/** The table's comment from DDL; a description that is there already stays. */
export function commentChange(urn: DatasetUrn, comment: string): AspectChange {
  return {
    urn,
    aspectName: 'datasetProperties',
    intent: { description: comment },
    merge: (current, intent) => (textAt(current, 'description') === undefined ? { ...current, ...intent } : undefined),
  }
}

/** Where a dataset comes from. An empty lineage takes away what this origin said before. */
export function lineageChange(
  urn: DatasetUrn,
  lineage: DatasetLineage,
  origin: string,
  stamp: AuditStamp,
): AspectChange {
  const upstreams = [...lineage.upstreams.values()].map(({ dataset, type, evidence }) => ({
    dataset,
    says: [type, evidence.query, evidence.at].join(' '),
  }))
  const fineGrainedLineages = [...lineage.fields.values()].map(
    ({ downstream, upstreams: fields, operation, confidence, evidence }) => ({
      upstreamType: 'FIELD_SET',
      upstreams: [...fields].toSorted(),
      downstreamType: 'FIELD',
      downstreams: [downstream],
      transformOperation: operation,
      confidenceScore: Math.round(confidence * 1000) / 1000,
      query: evidence.query,
    }),
  )
  return {
    urn,
    aspectName: 'upstreamLineage',
    intent: {
      upstreams: upstreams.toSorted(by((edge) => edge.dataset)),
      fineGrainedLineages: fineGrainedLineages.toSorted(by((edge) => edge.downstreams[0] ?? '')),
    },
    merge: lineageMerge(origin, stamp),
  }
}

/** Whether an `upstreamLineage` has edges that a harvest of this origin wrote. */
export function holdsEdgesOf(origin: string, aspect: JsonObject): boolean {
  const prefix = queryPrefix(origin)
  return (
    objectsAt(aspect, 'upstreams').some((edge) => sayingsOf(edge).has(origin)) ||
    objectsAt(aspect, 'fineGrainedLineages').some((edge) => textAt(edge, 'query')?.startsWith(prefix) === true)
  )
}

/**
 * Edges of other authors stay as they are and where they are; an edge that somebody else drew is not drawn twice.
 * Harvested edges follow, sorted, so that it does not matter in which order several origins wrote.
 */
function lineageMerge(origin: string, stamp: AuditStamp): Merge {
  return (current, intent) => {
    const upstreams = mergeUpstreams(objectsAt(current, 'upstreams'), objectsAt(intent, 'upstreams'), origin, stamp)
    const fields = mergeFields(
      objectsAt(current, 'fineGrainedLineages'),
      objectsAt(intent, 'fineGrainedLineages'),
      origin,
    )
    if (current === undefined && upstreams.length + fields.length === 0) return undefined
    return { ...current, upstreams, fineGrainedLineages: fields }
  }
}

function mergeUpstreams(
  held: readonly JsonObject[],
  wanted: readonly JsonObject[],
  origin: string,
  stamp: AuditStamp,
): readonly JsonObject[] {
  const foreign = held.filter((edge) => sayingsOf(edge).size === 0)
  const foreignTo = new Set(foreign.map((edge) => edge['dataset']))
  const harvested = new Map(
    held.filter((edge) => sayingsOf(edge).size > 0).map((edge) => [textAt(edge, 'dataset') ?? '', edge]),
  )
  const says = new Map(wanted.map((edge) => [textAt(edge, 'dataset') ?? '', textAt(edge, 'says') ?? '']))
  const edges = [...new Set([...harvested.keys(), ...says.keys()])].flatMap((dataset) => {
    const former = harvested.get(dataset)
    const sayings = former === undefined ? new Map<string, string>() : sayingsOf(former)
    const said = says.get(dataset)
    sayings.delete(origin)
    if (said !== undefined && !foreignTo.has(dataset)) sayings.set(origin, said)
    return sayings.size === 0 ? [] : [stamped(harvestedEdge(dataset, sayings), former, stamp)]
  })
  return [...foreign, ...edges.toSorted(by((edge) => textAt(edge, 'dataset') ?? ''))]
}

/**
 * What each origin says of an edge stands in its properties: type, query and place. So several origins share an edge,
 * and it goes when the last of them no longer has it. The edge's own type and query are those of the first by name.
 */
function harvestedEdge(dataset: string, sayings: ReadonlyMap<string, string>): JsonObject {
  const sorted = [...sayings].toSorted(by(([origin]) => origin))
  const [type = 'TRANSFORMED', query = ''] = sorted[0]?.[1].split(' ') ?? []
  const properties = Object.fromEntries(sorted.map(([origin, said]) => [`${ORIGIN_KEY}${origin}`, said]))
  return { dataset, type, query, properties }
}

const ORIGIN_KEY = 'headwater.'

/** By origin; empty where no harvest drew the edge. */
function sayingsOf(edge: JsonObject): Map<string, string> {
  const properties = isJsonObject(edge['properties']) ? edge['properties'] : {}
  const ours = Object.keys(properties).filter((key) => key.startsWith(ORIGIN_KEY))
  return new Map(ours.map((key) => [key.slice(ORIGIN_KEY.length), textAt(properties, key) ?? '']))
}

/** Column edges are told by their query: each origin has entries of its own. */
function mergeFields(
  held: readonly JsonObject[],
  wanted: readonly JsonObject[],
  origin: string,
): readonly JsonObject[] {
  const foreign = held.filter((edge) => !queryOf(edge).startsWith(QUERY_PREFIX))
  const others = held.filter(
    (edge) => queryOf(edge).startsWith(QUERY_PREFIX) && !queryOf(edge).startsWith(queryPrefix(origin)),
  )
  const sorted = [...others, ...wanted].toSorted(
    by((edge) => `${canonicalJson(edge['downstreams'] ?? null)} ${queryOf(edge)}`),
  )
  return [...foreign, ...sorted]
}

function queryOf(edge: JsonObject): string {
  return textAt(edge, 'query') ?? ''
}

/** The edge with its stamps: the former ones where it says what it said, else new ones. */
function stamped(edge: JsonObject, former: JsonObject | undefined, stamp: AuditStamp): JsonObject {
  if (former === undefined) return { ...edge, auditStamp: stamp, created: stamp }
  const { auditStamp, created, ...said } = former
  if (auditStamp !== undefined && canonicalJson(said) === canonicalJson(edge)) return former
  return { ...edge, auditStamp: stamp, created: created ?? stamp }
}

/** Compares by code units, so that the order is the same everywhere. */
function by<T>(keyOf: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)]
    return left < right ? -1 : left > right ? 1 : 0
  }
}

/** The statement behind edges, as an entity of its own: text, place, and what it reads and writes. */
export function queryChanges(
  evidence: Evidence,
  subjects: readonly DatasetUrn[],
  stamp: AuditStamp,
): readonly AspectChange[] {
  const { query, sql, at } = evidence
  return [
    {
      urn: query,
      aspectName: 'queryProperties',
      intent: { statement: { value: sql, language: 'SQL' }, source: 'SYSTEM', name: at },
      merge: (current, intent) => {
        const { created, lastModified, ...said } = current ?? {}
        if (
          created !== undefined &&
          lastModified !== undefined &&
          canonicalJson({ ...said, ...intent }) === canonicalJson(said)
        ) {
          return undefined
        }
        return { ...current, ...intent, created: created ?? stamp, lastModified: stamp }
      },
    },
    {
      urn: query,
      aspectName: 'querySubjects',
      intent: { subjects: subjects.map((entity) => ({ entity })) },
      merge: (_, intent) => intent,
    },
  ]
}

/** Statements with the datasets that they connect, in the order in which they are met. */
export function queriesOf(
  datasets: ReadonlyMap<DatasetUrn, DatasetLineage>,
): ReadonlyMap<Urn, { readonly evidence: Evidence; readonly subjects: readonly DatasetUrn[] }> {
  const queries = new Map<Urn, { evidence: Evidence; subjects: Set<DatasetUrn> }>()
  for (const [downstream, { upstreams }] of datasets) {
    for (const { dataset, evidence } of upstreams.values()) {
      const known = queries.get(evidence.query) ?? { evidence, subjects: new Set() }
      known.subjects.add(downstream).add(dataset)
      queries.set(evidence.query, known)
    }
  }
  return new Map(
    [...queries].map(([urn, { evidence, subjects }]) => [urn, { evidence, subjects: [...subjects].toSorted() }]),
  )
}
