/**
 * Proposals (MCPs) become changes and events: URN and aspect are checked, the change type says what happens to what is
 * stored, and the rules of the aspect are applied to the result (contract §4.1).
 */
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import type { Proposal } from '../../model/proposal.ts'
import { aspectFaults } from '../../model/registry/aspect-schemas.ts'
import { aspectNamed, carries, type AspectType, type EntityType } from '../../model/registry/registry.ts'
import { unknownAspect } from '../../model/registry/unknown.ts'
import type { Urn } from '../../model/urn.ts'
import { InvalidWriteError } from '../errors.ts'
import { urnsIn } from '../lineage/edges.ts'
import { applyPatch, decodePatch, type PatchDocument } from '../patch/patch.ts'
import { aspectRules } from './aspect-rules.ts'
import { checkConditions } from './conditions.ts'
import { checkedUrn } from '../../model/registry/urn-rules.ts'
import type { AspectRef, Change, StoredAspect, TimeseriesEvent, Write } from './write.ts'

/**
 * One write that carries out all of the proposals or none.
 * @throws InvalidUrnError, InvalidWriteError naming the proposal's place where there are several
 */
export function writeOfProposals(proposals: readonly Proposal[], actor: Urn): Write {
  const changes: Change[] = []
  const events: TimeseriesEvent[] = []
  const mentions: Urn[] = []
  const reads: AspectRef[] = []
  for (const proposal of proposals) {
    const { urn, type } = checkedUrn(proposal.entityUrn)
    if (proposal.entityType.toLowerCase() !== type.name.toLowerCase()) {
      throw new InvalidWriteError(`Entity type ${proposal.entityType} does not match that of the urn ${urn}`)
    }
    const aspect = checkedAspect(type, proposal.aspectName)
    const value = proposal.aspect
    if (value === undefined)
      throw new InvalidWriteError(`The proposal for ${aspect.name} of ${urn} has no aspect value`)
    if (aspect.kind === 'timeseries') {
      events.push(eventOf(urn, aspect, value, proposal))
      continue
    }
    if (proposal.changeType !== 'PATCH') {
      checkValue(aspect, value)
      mentions.push(...urnsIn(urn, aspect, value))
    }
    reads.push(...aspectRules(aspect.name).reads(value))
    changes.push(changeOf(urn, type, aspect, value, proposal))
  }
  return { actor, changes, events, mentions, reads: { aspects: reads } }
}

/** The aspect of this name. @throws InvalidWriteError where the entity type does not carry it */
export function checkedAspect(type: EntityType, name: string): AspectType {
  const aspect = aspectNamed(name)
  if (aspect !== undefined && carries(type, name)) return aspect
  throw new InvalidWriteError(unknownAspect(type, name))
}

/** @throws InvalidWriteError with all faults, in the words that clients know */
export function checkValue(aspect: AspectType, value: JsonObject): void {
  const faults = aspectFaults(aspect.name, value, { timeseries: aspect.kind === 'timeseries' })
  if (faults.length === 0) return
  throw new InvalidWriteError(`Failed to validate record with class ${aspect.record}: ${faults.join('\n')}\n`)
}

function eventOf(urn: Urn, aspect: AspectType, value: JsonObject, proposal: Proposal): TimeseriesEvent {
  if (proposal.changeType !== 'UPSERT' && proposal.changeType !== 'CREATE' && proposal.changeType !== 'RESTATE') {
    throw new InvalidWriteError(`${proposal.changeType} is not possible on the timeseries aspect ${aspect.name}`)
  }
  checkValue(aspect, value)
  return { urn, aspect, value, systemMetadata: proposal.systemMetadata }
}

function changeOf(urn: Urn, type: EntityType, aspect: AspectType, value: JsonObject, proposal: Proposal): Change {
  const patch = proposal.changeType === 'PATCH' ? decodePatch(value) : undefined
  const rules = aspectRules(aspect.name)
  return {
    urn,
    aspect,
    systemMetadata: proposal.systemMetadata,
    async next(stored, view) {
      if (proposal.changeType === 'RESTATE') return value
      if ((await checkConditions(proposal, { urn, type, aspect, stored, view })) === 'drop') return stored?.value
      const next = patch === undefined ? value : patched(aspect, stored, patch)
      if (patch !== undefined) checkValue(aspect, next)
      await rules.check({ urn, type, next, stored, view })
      return next
    },
  }
}

function patched(aspect: AspectType, stored: StoredAspect | undefined, patch: PatchDocument): JsonObject {
  const next = applyPatch(aspect.name, stored?.value, patch)
  if (!isJsonObject(next)) throw new InvalidWriteError(`The patch of ${aspect.name} does not leave an object`)
  return next
}
