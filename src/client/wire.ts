/** How proposals, aspects and lineage look on the wire: pure, both directions. */
import { asciiJson, isJsonObject, numberAt, objectsAt, textAt, type JsonObject, type JsonValue } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import { asUrn, type Urn } from '../model/urn.ts'
import { aspectId, type AspectKey, type StoredAspect } from './sink.ts'

interface LineageHit {
  readonly urn: Urn
  readonly type: string
  readonly degree: number
}

export interface LineagePage {
  readonly total: number
  readonly hits: readonly LineageHit[]
}

/** Body of ingestProposalBatch: the aspect is JSON text in JSON, all of it ASCII (contract §13, trap 1). */
export function batchBody(proposals: readonly Proposal[]): string {
  return `{"proposals":[${proposals.map(wireProposal).join(',')}],"async":"false"}`
}

/** One member of a batch on the wire. */
export function wireProposal(proposal: Proposal): string {
  const { aspect, ...envelope } = proposal
  if (aspect === undefined) return asciiJson(envelope as unknown as JsonObject)
  const contentType = proposal.changeType === 'PATCH' ? 'application/json-patch+json' : 'application/json'
  return asciiJson({ ...envelope, aspect: { contentType, value: asciiJson(aspect) } } as unknown as JsonObject)
}

/** Body of OpenAPI v3 batchGet: one object an entity, an empty object an aspect wanted (contract §5.2). */
export function batchGetBody(keys: readonly AspectKey[]): JsonValue {
  const byUrn = Map.groupBy(keys, (key) => key.urn)
  return [...byUrn].map(([urn, group]) => ({
    urn,
    ...Object.fromEntries(group.map((key) => [key.aspectName, {}])),
  }))
}

/** An entity of OpenAPI v3: aspects stand beside `urn` (contract §5.2). */
export function collectAspects(entity: JsonObject, found: Map<string, StoredAspect>): void {
  const { urn, ...aspects } = entity
  if (typeof urn !== 'string') return
  for (const [aspectName, wrapped] of Object.entries(aspects)) {
    if (!isJsonObject(wrapped) || !isJsonObject(wrapped['value'])) continue
    const version = textAt(wrapped['systemMetadata'], 'version')
    const runId = textAt(wrapped['systemMetadata'], 'runId')
    found.set(aspectId({ urn: urn as Urn, aspectName }), {
      value: wrapped['value'],
      ...(version === undefined ? {} : { version }),
      ...(runId === undefined ? {} : { runId }),
    })
  }
}

/** An entity of OpenAPI v3 with the values of its aspects; undefined where it has no URN. */
export function decodeEntity(
  entity: JsonObject,
): { readonly urn: Urn; readonly aspects: Readonly<Record<string, JsonObject>> } | undefined {
  const { urn, ...rest } = entity
  if (typeof urn !== 'string') return undefined
  const aspects: Record<string, JsonObject> = {}
  for (const [name, wrapped] of Object.entries(rest)) {
    if (isJsonObject(wrapped) && isJsonObject(wrapped['value'])) aspects[name] = wrapped['value']
  }
  return { urn: asUrn(urn), aspects }
}

/** Reads the answer of searchAcrossLineage. */
export function decodeLineagePage(value: JsonValue): LineagePage {
  const hits = objectsAt(value, 'searchResults').flatMap((result) => {
    const urn = textAt(result['entity'], 'urn')
    if (urn === undefined) return []
    return [{ urn: asUrn(urn), type: textAt(result['entity'], 'type') ?? '', degree: numberAt(result, 'degree') ?? 0 }]
  })
  return { total: numberAt(value, 'total') ?? hits.length, hits }
}

/** Reads the answer of scrollAcrossEntities; `next` is null at the end. */
export function decodeScrollPage(value: JsonValue): { readonly urns: readonly Urn[]; readonly next: string | null } {
  const urns = objectsAt(value, 'searchResults').flatMap((result) => textAt(result['entity'], 'urn') ?? [])
  return { urns: urns.map(asUrn), next: textAt(value, 'nextScrollId') ?? null }
}
