/**
 * Which edges and relationships an aspect declares. Lineage edges carry a kind: the level (datasets and jobs, or columns)
 * and which part of which aspect declares them; other relationships carry the name that the registry gives.
 */
import { isJsonObject, objectsOf, type JsonObject, type JsonValue } from '../../model/json.ts'
import type { AspectType } from '../../model/registry/registry.ts'
import { parseUrn, type Urn } from '../../model/urn.ts'

/** Kinds below 100 connect entities, those from 100 on connect columns. */
export const COLUMN_KIND = 100

/** Kind of entity edges by the name of their relationship; 1 stands for any lineage relationship not listed. */
const KIND_OF_TYPE: Readonly<Record<string, number>> = {
  DownstreamOf: 2,
  Consumes: 3,
  Produces: 4,
  DerivedFrom: 5,
  Contains: 6,
}
const TYPE_OF_KIND = new Map(Object.entries(KIND_OF_TYPE).map(([type, kind]) => [kind, type]))

/** Name of the relationship that an entity edge stands for. */
export const relationshipOfKind = (kind: number): string => TYPE_OF_KIND.get(kind) ?? 'DownstreamOf'

export interface Edge {
  readonly kind: number
  readonly up: Urn
  readonly down: Urn
}

export interface Relationship {
  readonly type: string
  readonly dest: Urn
}

export interface Links {
  readonly edges: readonly Edge[]
  readonly relationships: readonly Relationship[]
}

const NONE: Links = { edges: [], relationships: [] }

/** What an aspect of `owner` declares; each edge and relationship once. */
export function linksOf(owner: Urn, aspect: AspectType, value: JsonObject | undefined): Links {
  if (value === undefined || (aspect.relationships.length === 0 && !('fineGrainedLineages' in value))) return NONE
  const edges = new Map<string, Edge>()
  const relationships = new Map<string, Relationship>()
  const addEdge = (kind: number, up: Urn, down: Urn) => edges.set(`${kind} ${up} ${down}`, { kind, up, down })
  for (const rule of aspect.relationships) {
    for (const dest of urnsAt(value, rule.path)) {
      const kind = KIND_OF_TYPE[rule.type] ?? 1
      if (rule.lineage === 'upstream') addEdge(kind, dest, owner)
      else if (rule.lineage === 'downstream') addEdge(kind, owner, dest)
      else if (rule.path[0] !== 'fineGrainedLineages') {
        relationships.set(`${rule.type} ${dest}`, { type: rule.type, dest })
      }
    }
  }
  for (const entry of objectsOf(value.fineGrainedLineages)) {
    for (const up of urnsAt(entry, ['upstreams', '*'])) {
      for (const down of urnsAt(entry, ['downstreams', '*'])) addEdge(COLUMN_KIND, up, down)
    }
  }
  return { edges: [...edges.values()], relationships: [...relationships.values()] }
}

/** The URNs that a value points to, for interning them before the write. */
export function urnsIn(owner: Urn, aspect: AspectType, value: JsonObject): readonly Urn[] {
  const links = linksOf(owner, aspect, value)
  return [...links.edges.flatMap((edge) => [edge.up, edge.down]), ...links.relationships.map((link) => link.dest)]
}

function urnsAt(value: JsonValue | undefined, path: readonly string[]): readonly Urn[] {
  const [segment, ...rest] = path
  if (segment === undefined) return typeof value === 'string' && isUrn(value) ? [value] : []
  if (segment === '*') {
    const items = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
    return items.flatMap((item: JsonValue) => urnsAt(item, rest))
  }
  return isJsonObject(value) ? urnsAt(value[segment], rest) : []
}

function isUrn(text: string): text is Urn {
  if (!text.isWellFormed()) return false
  try {
    parseUrn(text)
    return true
  } catch {
    return false
  }
}
