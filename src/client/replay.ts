/** Changes that send dead letters again, each only where its aspect still is as it was when the proposal was made. */
import { HeadwaterError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import { ABSENT, type AspectChange, type Wanted } from './change.ts'
import { aspectHash, sameAspect, type StoredAspect } from './sink.ts'

/** A dead letter that can be sent. */
export interface Letter {
  readonly proposal: Proposal
  /** Hash of the aspect for which the proposal was made; empty where there was none. */
  readonly base: string
}

/** Somebody wrote the aspect after the proposal was made; it is left as it is. */
class ChangedSinceLetterError extends HeadwaterError {
  readonly code = 'CHANGED_SINCE_LETTER'

  constructor({ entityUrn, aspectName }: Proposal) {
    super(`${aspectName} of ${entityUrn} changed after the proposal was made`, {
      remedy: 'run the job again: it merges with what is there now',
    })
  }
}

/** What a letter asks for, for the emitter. */
export function changeOfLetter({ proposal, base }: Letter): AspectChange {
  const { entityUrn: urn, aspectName, aspect } = proposal
  const intent: JsonObject = { base, ...(aspect === undefined ? {} : { aspect }) }
  return { urn, aspectName, intent, merge: (_current, _intent, stored) => sendAgain({ proposal, base }, stored) }
}

function sendAgain({ proposal, base }: Letter, stored: StoredAspect | undefined): Wanted | undefined {
  const { aspect } = proposal
  const isThere = stored === undefined ? aspect === undefined : aspect !== undefined && sameAspect(stored.value, aspect)
  if (isThere) return undefined
  if (base !== (stored === undefined ? '' : aspectHash(stored.value))) throw new ChangedSinceLetterError(proposal)
  return aspect ?? ABSENT
}
