/**
 * `upstreamLineage` with origins. A harvest speaks for the edges of its own origin and no others: it replaces those, and
 * leaves what people and other tools wrote. Whose an edge is stands in the edge, so that every DataHub keeps it: in the
 * properties of a dataset edge, with the run that last changed it; in the query of a column edge.
 */
import type { Merge } from '../client/change.ts'
import { canonicalJson, isJsonObject, objectsAt, textAt, type JsonObject, type JsonValue } from '../model/json.ts'
import { schemaFieldParts, type Urn } from '../model/urn.ts'
import { QUERY_PREFIX, queryPrefix, type DatasetLineage, type Evidence } from './fold.ts'

/** Who changed something and when; used only when something changes. */
export interface AuditStamp extends JsonObject {
  readonly time: number
  readonly actor: string
}

/** On whose behalf edges are written. */
export interface Author {
  readonly origin: string
  readonly run: string
  readonly stamp: AuditStamp
}

/** How what is found and what is there come together. */
export interface LineageRules {
  /** True for a source that shows a window of time (a log): edges that are not in it stay. */
  readonly adds: boolean
  /** Upstreams that are not found any more and stay for now (grace). */
  readonly spared: readonly string[]
  /** Upstreams that this origin drew, as the ledger has it, for a catalog that does not keep whose an edge is. */
  readonly held?: readonly string[] | undefined
}

/** What `upstreamLineage` of a dataset shall say on behalf of one origin. */
export function lineageIntent(lineage: DatasetLineage, { adds, spared, held = [] }: LineageRules): JsonObject {
  const upstreams = [...lineage.upstreams.values()].map(({ dataset, type, evidence }) => ({
    dataset,
    type,
    query: evidence.query,
    at: evidence.at,
    ...ranOf(evidence),
  }))
  const fineGrainedLineages = [...lineage.fields.values()]
    .flat()
    .map(({ downstream, upstreams: fields, operation, confidence, evidence }) => ({
      upstreamType: 'FIELD_SET',
      upstreams: [...fields].toSorted(),
      downstreamType: 'FIELD',
      downstreams: [downstream],
      transformOperation: operation,
      confidenceScore: Math.round(confidence * 1000) / 1000,
      query: evidence.query,
    }))
  return {
    upstreams: sortedBy(upstreams, (edge) => edge.dataset),
    fineGrainedLineages: sortedBy(fineGrainedLineages, fieldKey),
    ...(adds ? { adds } : {}),
    ...(spared.length === 0 ? {} : { spared: [...spared].toSorted() }),
    ...(held.length === 0 ? {} : { held: [...held].toSorted() }),
  }
}

/** When a statement ran and who ran it, where its log says so; the author stands in for a user that is not told. */
export function ranOf({ timeMs, user }: Evidence): { readonly ran?: { readonly time: number; readonly actor?: Urn } } {
  if (timeMs === undefined) return {}
  return { ran: { time: timeMs, ...(user === undefined ? {} : { actor: user }) } }
}

/**
 * Edges of other authors stay as they are and where they are; an edge that somebody else drew is not drawn twice.
 * Harvested edges follow, sorted, so that it does not matter in which order several origins wrote.
 */
export function lineageMerge(author: Author): Merge {
  return (current, intent) => {
    const upstreams = mergeUpstreams(current, intent, author)
    const fields = mergeFields(current, intent, author.origin)
    if (current === undefined && upstreams.length + fields.length === 0) return undefined
    return { ...current, upstreams, fineGrainedLineages: fields }
  }
}

/** Whether an `upstreamLineage` has edges that a harvest of this origin wrote. */
export function holdsEdgesOf(origin: string, aspect: JsonObject): boolean {
  return (
    upstreamsOf(origin, aspect).length > 0 ||
    objectsAt(aspect, 'fineGrainedLineages').some((edge) => queryOf(edge).startsWith(queryPrefix(origin)))
  )
}

/**
 * The datasets that an origin says a dataset comes from.
 * @param intent what a harvest of it wants; tells what the ledger has of edges that do not say whose they are
 */
export function upstreamsOf(origin: string, aspect: JsonObject | undefined, intent?: JsonObject): readonly string[] {
  const held = new Set(textsAt(intent ?? {}, 'held'))
  return objectsAt(aspect, 'upstreams')
    .filter((edge) => sayingsOf(edge).has(origin) || (isBare(edge) && held.has(textAt(edge, 'dataset') ?? '')))
    .map((edge) => textAt(edge, 'dataset') ?? '')
}

/** Upstreams that a harvest finds and that somebody else drew before it. */
export function foreignUpstreams(aspect: JsonObject | undefined, intent: JsonObject): readonly string[] {
  const held = new Set(textsAt(intent, 'held'))
  const wanted = new Set(objectsAt(intent, 'upstreams').map((edge) => textAt(edge, 'dataset') ?? ''))
  return objectsAt(aspect, 'upstreams')
    .filter(isBare)
    .map((edge) => textAt(edge, 'dataset') ?? '')
    .filter((dataset) => wanted.has(dataset) && !held.has(dataset))
}

/** Whether nothing in the edge says that a harvest drew it. */
function isBare(edge: JsonObject): boolean {
  return sayingsOf(edge).size === 0
}

/** What an origin says of one dataset edge. */
interface Saying {
  readonly type: string
  readonly query: string
  /** The run that last changed it. */
  readonly run: string
  /** File and line. */
  readonly at: string
}

const ORIGIN_KEY = 'headwater.'

function readSaying(text: string): Saying {
  const [type = 'TRANSFORMED', query = '', run = '', ...at] = text.split(' ')
  return { type, query, run, at: at.join(' ') }
}

function writeSaying({ type, query, run, at }: Saying): string {
  return [type, query, run, at].join(' ')
}

/** By origin; empty where no harvest drew the edge. */
function sayingsOf(edge: JsonObject): Map<string, Saying> {
  const properties = isJsonObject(edge['properties']) ? edge['properties'] : {}
  const ours = Object.keys(properties).filter((key) => key.startsWith(ORIGIN_KEY))
  return new Map(ours.map((key) => [key.slice(ORIGIN_KEY.length), readSaying(textAt(properties, key) ?? '')]))
}

function mergeUpstreams(
  current: JsonObject | undefined,
  intent: JsonObject,
  { origin, run, stamp }: Author,
): readonly JsonObject[] {
  const there = objectsAt(current, 'upstreams')
  const held = new Set(textsAt(intent, 'held'))
  const isHarvested = (edge: JsonObject): boolean => !isBare(edge) || held.has(textAt(edge, 'dataset') ?? '')
  const foreign = there.filter((edge) => !isHarvested(edge))
  const foreignTo = new Set(foreign.map((edge) => edge['dataset']))
  const harvested = new Map(there.filter(isHarvested).map((edge) => [textAt(edge, 'dataset') ?? '', edge]))
  const wanted = new Map(objectsAt(intent, 'upstreams').map((edge) => [textAt(edge, 'dataset') ?? '', edge]))
  const edges = [...new Set([...harvested.keys(), ...wanted.keys()])].flatMap((dataset) => {
    const former = harvested.get(dataset)
    if (former !== undefined && isBare(former)) {
      if (staysBare(former, wanted.get(dataset), intent)) return [former]
      if (!wanted.has(dataset)) return []
    }
    const sayings = former === undefined ? new Map<string, Saying>() : sayingsOf(former)
    const said = sayings.get(origin)
    const found = foreignTo.has(dataset) ? undefined : wanted.get(dataset)
    sayings.delete(origin)
    if (found !== undefined) sayings.set(origin, nextSaying(said, found, intent['adds'] === true, run))
    else if (said !== undefined && staysWithout(dataset, intent)) sayings.set(origin, said)
    if (sayings.size === 0) return []
    const ran = isJsonObject(found?.['ran']) ? { actor: stamp.actor, ...found['ran'] } : stamp
    return [stamped(harvestedEdge(dataset, sayings), former, { changed: stamp, created: ran })]
  })
  return [...foreign, ...sortedBy(edges, (edge) => textAt(edge, 'dataset') ?? '')]
}

/** An own edge of a catalog that keeps no origins: as long as it says the same it is left as it is. */
function staysBare(former: JsonObject, found: JsonObject | undefined, intent: JsonObject): boolean {
  if (found === undefined) return staysWithout(textAt(former, 'dataset') ?? '', intent)
  return textAt(former, 'type') === textAt(found, 'type') || (intent['adds'] === true && former['type'] === 'VIEW')
}

/** Whether an own edge that was not found stays all the same. */
function staysWithout(dataset: string, intent: JsonObject): boolean {
  const { spared } = intent
  return intent['adds'] === true || (Array.isArray(spared) && spared.includes(dataset))
}

/** The former saying, with the run that made it, where nothing is new; of a log the first statement stays. */
function nextSaying(former: Saying | undefined, found: JsonObject, adds: boolean, run: string): Saying {
  const next = {
    type: textAt(found, 'type') ?? 'TRANSFORMED',
    query: textAt(found, 'query') ?? '',
    run,
    at: textAt(found, 'at') ?? '',
  }
  if (former === undefined) return next
  const says = adds
    ? former.type === next.type || former.type === 'VIEW'
    : writeSaying({ ...next, run: '' }) === writeSaying({ ...former, run: '' })
  return says ? former : next
}

/**
 * What each origin says of an edge stands in its properties: type, query, run and place. So several origins share an
 * edge, and it goes when the last of them no longer has it. The edge's own type and query are those of the first by name.
 */
function harvestedEdge(dataset: string, sayings: ReadonlyMap<string, Saying>): JsonObject {
  const sorted = sortedBy([...sayings], ([origin]) => origin)
  const { type = 'TRANSFORMED', query = '' } = sorted[0]?.[1] ?? {}
  const properties = Object.fromEntries(sorted.map(([origin, said]) => [`${ORIGIN_KEY}${origin}`, writeSaying(said)]))
  return { dataset, type, query, properties }
}

/** Column edges are told by their query: each origin has entries of its own. */
function mergeFields(current: JsonObject | undefined, intent: JsonObject, origin: string): readonly JsonObject[] {
  const held = objectsAt(current, 'fineGrainedLineages')
  const foreign = held.filter((edge) => !queryOf(edge).startsWith(QUERY_PREFIX))
  const harvested = held.filter((edge) => queryOf(edge).startsWith(QUERY_PREFIX))
  const others = harvested.filter((edge) => !queryOf(edge).startsWith(queryPrefix(origin)))
  const own = harvested.filter((edge) => queryOf(edge).startsWith(queryPrefix(origin)) && fieldStays(edge, intent))
  // Of the oldest DataHubs, which keep no queries, all column edges look like somebody else's.
  const drawn = new Set(foreign.map(fieldContent))
  const asked = objectsAt(intent, 'fineGrainedLineages')
  const wanted = drawn.size === 0 ? asked : asked.filter((edge) => !drawn.has(fieldContent(edge)))
  const said = new Map(own.map((edge) => [fieldKey(edge), edge]))
  const fresh = wanted.filter((edge) => !own.some((before) => saysNoLess(before, edge)))
  const replaced = new Set(fresh.map(fieldKey))
  const joined = fresh.map((edge) => joinField(said.get(fieldKey(edge)), edge))
  const kept = own.filter((edge) => !replaced.has(fieldKey(edge)))
  return [...foreign, ...sortedBy([...others, ...kept, ...joined], fieldKey)]
}

/** An own column edge that is not found any more stays as long as the dataset edge that it belongs to. */
function fieldStays(edge: JsonObject, intent: JsonObject): boolean {
  if (intent['adds'] === true) return true
  const { spared } = intent
  if (!Array.isArray(spared)) return false
  return textsAt(edge, 'upstreams').some((field) => spared.includes(datasetOfField(field)))
}

/** What an earlier part of a log said of the column in the same words is not said again by another statement. */
function saysNoLess(before: JsonObject, edge: JsonObject): boolean {
  const same =
    before['transformOperation'] === edge['transformOperation'] &&
    canonicalJson(before['downstreams'] ?? null) === canonicalJson(edge['downstreams'] ?? null)
  if (!same) return false
  const sources = new Set(textsAt(before, 'upstreams'))
  return textsAt(edge, 'upstreams').every((field) => sources.has(field))
}

function joinField(before: JsonObject | undefined, edge: JsonObject): JsonObject {
  if (before === undefined) return edge
  const upstreams = new Set([...textsAt(before, 'upstreams'), ...textsAt(edge, 'upstreams')])
  const confidences = [before, edge].map((one) => Number(one['confidenceScore'] ?? 1))
  return { ...edge, upstreams: [...upstreams].toSorted(), confidenceScore: Math.min(...confidences) }
}

function fieldKey(edge: JsonObject): string {
  return [canonicalJson(edge['downstreams'] ?? null), queryOf(edge), textAt(edge, 'transformOperation') ?? ''].join(' ')
}

/** What a column edge says, whoever drew it. */
function fieldContent(edge: JsonObject): string {
  const { downstreams = null, transformOperation = null } = edge
  return canonicalJson([downstreams, transformOperation, [...textsAt(edge, 'upstreams')].toSorted()])
}

function datasetOfField(field: string): string {
  return field.startsWith('urn:li:schemaField:') ? schemaFieldParts(field).parent : ''
}

function textsAt(edge: JsonObject, key: string): readonly string[] {
  const value: JsonValue | undefined = edge[key]
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

function queryOf(edge: JsonObject): string {
  return textAt(edge, 'query') ?? ''
}

/** The edge with its stamps: the former ones where it says what it said, else new ones. */
function stamped(
  edge: JsonObject,
  former: JsonObject | undefined,
  stamps: { readonly changed: JsonObject; readonly created: JsonObject },
): JsonObject {
  const { auditStamp, created = stamps.created, ...said } = former ?? {}
  if (former !== undefined && auditStamp !== undefined && canonicalJson(said) === canonicalJson(edge)) return former
  return { ...edge, auditStamp: stamps.changed, created }
}

/** By code units, so that the order is the same everywhere; each key is made once. */
function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item)
}
