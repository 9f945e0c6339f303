/**
 * What a harvest writes, aspect by aspect: what each shall say (the intent, plain data), and how that comes together with
 * what is there (the merge). The two are apart, so that a plan can hold the intents and be carried out another day.
 */
import { replaceAspect, type AspectChange, type Merge } from '../client/change.ts'
import { canonicalJson, isJsonObject, objectsAt, textAt, type JsonObject } from '../model/json.ts'
import type { DatasetUrn } from '../model/urn.ts'
import type { Taught } from './schema-book.ts'
import type { DatasetLineage } from './fold.ts'
import { lineageIntent, lineageMerge, ranOf, type Author, type LineageRules } from './lineage-aspect.ts'
import { fieldPathOf } from './naming.ts'
import type { QueryFacts } from './query-book.ts'
import { schemaMetadata } from './schema-metadata.ts'

/** An aspect and what it shall say. */
export type Intent = Omit<AspectChange, 'merge'>

/** How the aspects of a harvest come together with what is there. */
const MERGES: Readonly<Record<string, (author: Author) => Merge>> = {
  status: () => (current, intent) => current ?? intent,
  schemaMetadata: () => mergeSchema,
  datasetProperties: () => (current, intent) =>
    textAt(current, 'description') === undefined ? { ...current, ...intent } : undefined,
  upstreamLineage: lineageMerge,
  queryProperties: mergeQuery,
  querySubjects: () => mergeSubjects,
  dataPlatformInstance: () => (current, intent) => current ?? intent,
  // Events: each has an id of its own, by which a second one takes its place.
  datasetUsageStatistics: () => replaceAspect,
  queryUsageStatistics: () => replaceAspect,
  operation: () => replaceAspect,
}

/** The intent as a change that an emitter can carry out. */
export function changeOf(intent: Intent, author: Author): AspectChange {
  const merge = MERGES[intent.aspectName]
  if (merge === undefined) throw new TypeError(`a harvest does not write ${intent.aspectName}`)
  return { ...intent, merge: merge(author) }
}

/** A dataset that is spoken of must exist, or lineage does not show it (contract §13, trap 17). One that was deleted stays so. */
export function existenceIntent(urn: DatasetUrn): Intent {
  return { urn, aspectName: 'status', intent: { removed: false } }
}

/** The columns of a table, as its DDL or its query tells them. What another tool wrote knows more, and stays. */
export function schemaIntent(urn: DatasetUrn, { schema, unit }: Taught): Intent {
  const columns = schema.columns.map((column) => ({ ...column, name: fieldPathOf(column.name, unit.rules) }))
  const value = schemaMetadata(urn, { ...schema, columns })
  const intent = { ...value, hash: `${SCHEMA_MARK}${textAt(value, 'hash') ?? ''}` }
  return { urn, aspectName: 'schemaMetadata', intent }
}

const SCHEMA_MARK = 'headwater-'

/** Whether a harvest wrote this `schemaMetadata`. */
export function isOwnSchema(aspect: JsonObject | undefined): boolean {
  return (textAt(aspect, 'hash') ?? '').startsWith(SCHEMA_MARK)
}

const mergeSchema: Merge = (current, intent) => {
  if (current !== undefined && !isOwnSchema(current)) return undefined
  return { ...current, ...intent }
}

/** The table's comment from DDL; a description that is there already stays. */
export function commentIntent(urn: DatasetUrn, comment: string): Intent {
  return { urn, aspectName: 'datasetProperties', intent: { description: comment } }
}

/** Where a dataset comes from. An empty lineage takes away what this origin said before. */
export function upstreamsIntent(urn: DatasetUrn, lineage: DatasetLineage, rules: LineageRules): Intent {
  return { urn, aspectName: 'upstreamLineage', intent: lineageIntent(lineage, rules) }
}

/** Columns of a statement whose places are kept. */
const MAX_PLACES = 200

/** A statement as an entity of its own: text, place, platform, who ran it when, and what it reads and writes. */
export function queryIntents(
  { evidence, subjects, places }: QueryFacts,
  { origin, adds }: { readonly origin: string; readonly adds: boolean },
): readonly Intent[] {
  const { query, sql, at, platform } = evidence
  const columns = [...places].slice(0, MAX_PLACES).map(([field, place]) => [`${PLACE_KEY}${field}`, place] as const)
  return [
    {
      urn: query,
      aspectName: 'queryProperties',
      intent: {
        statement: { value: sql, language: 'SQL' },
        source: 'SYSTEM',
        name: at,
        customProperties: { origin, ...Object.fromEntries(columns) },
        ...ranOf(evidence),
        ...(adds ? { adds } : {}),
      },
    },
    {
      urn: query,
      aspectName: 'querySubjects',
      intent: { subjects: subjects.map((entity) => ({ entity })), ...(adds ? { adds } : {}) },
    },
    {
      urn: query,
      aspectName: 'dataPlatformInstance',
      intent: { platform: `urn:li:dataPlatform:${platform}` },
    },
  ]
}

/** Beginning of the custom properties of a query that say where in its file a column's expression stands. */
export const PLACE_KEY = 'place.'

function mergeQuery({ stamp }: Author): Merge {
  return (current, { adds, ran, ...wanted }) => {
    const by = isJsonObject(ran) ? { actor: stamp.actor, ...ran } : stamp
    const { created, lastModified, ...said } = current ?? {}
    const stands = created !== undefined && lastModified !== undefined
    // Of the statements of a log that differ in literals only, the first stays.
    if (stands && adds === true) return undefined
    if (stands && canonicalJson({ ...said, ...wanted }) === canonicalJson(said)) return undefined
    return { ...current, ...wanted, created: created ?? by, lastModified: by }
  }
}

const mergeSubjects: Merge = (current, { adds, ...wanted }) => {
  if (adds !== true) return wanted
  const entities = [current, wanted].flatMap((one) =>
    objectsAt(one, 'subjects').flatMap((s) => textAt(s, 'entity') ?? []),
  )
  return { ...current, subjects: [...new Set(entities)].toSorted().map((entity) => ({ entity })) }
}
