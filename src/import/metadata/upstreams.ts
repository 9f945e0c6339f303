/** The upstreams that a lineage file names, with those that the catalog has. */
import type { Merge } from '../../client/change.ts'
import { canonicalJson, objectsAt, textAt, type JsonObject } from '../../model/json.ts'
import type { AuditStamp } from '../aspects.ts'

/** Those that the catalog has besides stay. */
export function addUpstreams(stamp: AuditStamp): Merge {
  return (current, intent) => {
    const held = objectsAt(current, 'upstreams')
    const known = new Set(held.map((upstream) => textAt(upstream, 'dataset')))
    const added = objectsAt(intent, 'upstreams').filter((upstream) => !known.has(textAt(upstream, 'dataset')))
    const fine = objectsAt(current, 'fineGrainedLineages')
    const fineHeld = new Set(fine.map(edgeKey))
    const fineAdded = objectsAt(intent, 'fineGrainedLineages').filter((entry) => !fineHeld.has(edgeKey(entry)))
    if (added.length + fineAdded.length === 0) return undefined
    return withEdges(
      current,
      [...held, ...added.map((upstream) => ({ auditStamp: stamp, ...upstream }))],
      [...fine, ...fineAdded],
    )
  }
}

/** Others go. An upstream that stays keeps its stamp, so that a second run finds nothing to write. */
export function replaceUpstreams(stamp: AuditStamp): Merge {
  return (current, intent) => {
    const held = new Map(objectsAt(current, 'upstreams').map((upstream) => [textAt(upstream, 'dataset'), upstream]))
    const upstreams = objectsAt(intent, 'upstreams').map((upstream) => {
      const former = held.get(textAt(upstream, 'dataset'))
      return textAt(former, 'type') === textAt(upstream, 'type') && former !== undefined
        ? former
        : { auditStamp: stamp, ...upstream }
    })
    return withEdges(undefined, upstreams, objectsAt(intent, 'fineGrainedLineages'))
  }
}

function withEdges(
  current: JsonObject | undefined,
  upstreams: readonly JsonObject[],
  fineGrainedLineages: readonly JsonObject[],
): JsonObject {
  return { ...current, upstreams, ...(fineGrainedLineages.length === 0 ? {} : { fineGrainedLineages }) }
}

function edgeKey(entry: JsonObject): string {
  return canonicalJson([entry['upstreams'] ?? [], entry['downstreams'] ?? []])
}
