/**
 * Harvested lineage to changes. A harvest speaks for the edges of its own origin and no others: it replaces those, and
 * leaves what people and other tools wrote. Its edges are known by the query that they name, which every DataHub keeps.
 */
import type { AspectChange, Merge } from '../client/change.ts'
import { canonicalJson, isJsonObject, objectsAt, textAt, type JsonObject } from '../model/json.ts'
import type { DatasetUrn, Urn } from '../model/urn.ts'
import type { Taught } from './analyse.ts'
import { queryPrefix, type DatasetLineage, type Evidence } from './fold.ts'
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
  const upstreams = [...lineage.upstreams.values()]
    .map(({ dataset, type, evidence }) => ({
      dataset,
      type,
      query: evidence.query,
      properties: { source: 'headwater', origin, at: evidence.at },
    }))
    .toSorted((a, b) => (a.dataset < b.dataset ? -1 : 1))
  const fineGrainedLineages = [...lineage.fields.values()]
    .map(({ downstream, upstreams: fields, operation, confidence, evidence }) => ({
      upstreamType: 'FIELD_SET',
      upstreams: [...fields].toSorted(),
      downstreamType: 'FIELD',
      downstreams: [downstream],
      transformOperation: operation,
      confidenceScore: Math.round(confidence * 1000) / 1000,
      query: evidence.query,
    }))
    .toSorted((a, b) => ((a.downstreams[0] ?? '') < (b.downstreams[0] ?? '') ? -1 : 1))
  return {
    urn,
    aspectName: 'upstreamLineage',
    intent: { upstreams, fineGrainedLineages },
    merge: lineageMerge(origin, stamp),
  }
}

/** Whether an `upstreamLineage` has edges that a harvest of this origin wrote. */
export function holdsEdgesOf(origin: string, aspect: JsonObject): boolean {
  const isOurs = edgesOf(origin)
  return [...objectsAt(aspect, 'upstreams'), ...objectsAt(aspect, 'fineGrainedLineages')].some(isOurs)
}

function edgesOf(origin: string): (edge: JsonObject) => boolean {
  const prefix = queryPrefix(origin)
  return (edge) => {
    if (textAt(edge, 'query')?.startsWith(prefix) === true) return true
    const properties = edge['properties']
    return isJsonObject(properties) && properties['source'] === 'headwater' && properties['origin'] === origin
  }
}

function lineageMerge(origin: string, stamp: AuditStamp): Merge {
  const isOurs = edgesOf(origin)
  return (current, intent) => {
    const held = objectsAt(current, 'upstreams')
    const theirs = held.filter((edge) => !isOurs(edge))
    const known = new Set(theirs.map((edge) => edge['dataset']))
    const former = new Map(held.filter(isOurs).map((edge) => [edge['dataset'], edge]))
    const upstreams = objectsAt(intent, 'upstreams')
      // An edge that somebody else wrote is there already, and stays theirs.
      .filter((edge) => !known.has(edge['dataset']))
      .map((edge) => stamped(edge, former.get(edge['dataset']), stamp))
    const fields = objectsAt(current, 'fineGrainedLineages')
    const theirFields = fields.filter((edge) => !isOurs(edge))
    const next = {
      ...current,
      upstreams: [...theirs, ...upstreams],
      fineGrainedLineages: [...theirFields, ...objectsAt(intent, 'fineGrainedLineages')],
    }
    const nothing = current === undefined && next.upstreams.length + next.fineGrainedLineages.length === 0
    return nothing ? undefined : next
  }
}

/** The edge with its stamps: the former ones where it says what it said, else new ones. */
function stamped(edge: JsonObject, former: JsonObject | undefined, stamp: AuditStamp): JsonObject {
  if (former === undefined) return { ...edge, auditStamp: stamp, created: stamp }
  const { auditStamp, created, ...said } = former
  if (auditStamp !== undefined && canonicalJson(said) === canonicalJson(edge)) return former
  return { ...edge, auditStamp: stamp, created: created ?? stamp }
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
