/**
 * Whether a catalog keeps whose an edge is. Some DataHubs leave out the properties of an edge; nothing tells so but the
 * edge itself, so one that was written is read back, once for an origin. Where they are left out, the ledger says which
 * edges are the origin's (`harvest-state.ts`).
 */
import { BARRIER, type Changes } from '../client/change.ts'
import { aspectId, type Sink } from '../client/sink.ts'
import { objectsAt } from '../model/json.ts'
import { upstreamsOf } from './lineage-aspect.ts'

/** @param changes that were carried out @returns undefined where none of them tells */
export async function keepsOrigins(
  changes: Changes,
  { sink, origin, signal }: { readonly sink: Sink; readonly origin: string; readonly signal: AbortSignal },
): Promise<boolean | undefined> {
  for await (const change of changes) {
    if (change === BARRIER || change.aspectName !== 'upstreamLineage') continue
    const wanted = objectsAt(change.intent, 'upstreams').map((edge) => edge['dataset'])
    if (wanted.length === 0) continue
    const aspect = (await sink.read([change], signal)).get(aspectId(change))?.value
    if (upstreamsOf(origin, aspect).length > 0) return true
    // All of them may have been there before, drawn by somebody else.
    const bare = objectsAt(aspect, 'upstreams').filter((edge) => wanted.includes(edge['dataset']))
    if (bare.some((edge) => edge['properties'] === undefined)) return false
  }
  return undefined
}
