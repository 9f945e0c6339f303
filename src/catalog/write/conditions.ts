/** Conditions that a proposal names: its change type, and the headers of contract §6. */
import type { Proposal } from '../../model/proposal.ts'
import type { AspectType, EntityType } from '../../model/registry/registry.ts'
import type { Urn } from '../../model/urn.ts'
import { InvalidWriteError, PreconditionError } from '../errors.ts'
import type { StoredAspect, View } from './write.ts'

export interface Situation {
  readonly urn: Urn
  readonly type: EntityType
  readonly aspect: AspectType
  readonly stored: StoredAspect | undefined
  readonly view: View
}

/**
 * @returns `drop` where the proposal asks to be passed over in silence (`If-None-Match: *`)
 * @throws InvalidWriteError, PreconditionError where it must be refused
 */
export async function checkConditions(proposal: Proposal, situation: Situation): Promise<'go' | 'drop'> {
  const header = headersOf(proposal)
  const { urn, type, aspect, stored, view } = situation
  const present =
    proposal.changeType === 'CREATE_ENTITY' || aspect.kind === 'key' ? await view.exists(urn) : stored !== undefined
  const creates = proposal.changeType === 'CREATE' || proposal.changeType === 'CREATE_ENTITY'
  if (creates && present) {
    if (header('if-none-match') === '*') return 'drop'
    throw new InvalidWriteError(
      proposal.changeType === 'CREATE'
        ? `Cannot perform CREATE since the aspect already exists. ${aspect.name} of ${urn}`
        : `Cannot perform CREATE_ENTITY if not exists since the entity key already exists. ${urn} (${type.name})`,
    )
  }
  const wanted = header('if-version-match')
  const actual = String(stored?.version ?? -1)
  if (wanted !== undefined && wanted !== actual) {
    throw new PreconditionError(`Expected version ${wanted}, actual version ${actual}`)
  }
  const since = timeOf(header('if-modified-since'))
  if (since !== undefined && (stored?.writtenMs ?? 0) <= since) {
    throw new PreconditionError(`Item last modified ${time(stored)} <= ${new Date(since).toISOString()} (epoch ms)`)
  }
  const unmodified = timeOf(header('if-unmodified-since'))
  if (unmodified !== undefined && (stored?.writtenMs ?? 0) > unmodified) {
    throw new PreconditionError(`Item last modified ${time(stored)} > ${new Date(unmodified).toISOString()} (epoch ms)`)
  }
  return 'go'
}

function headersOf(proposal: Proposal): (name: string) => string | undefined {
  const entries = Object.entries(proposal.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  const headers = new Map(entries)
  return (name) => headers.get(name)
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new InvalidWriteError(`Not a time: ${text.slice(0, 50)}`)
  return ms
}

const time = (stored: StoredAspect | undefined): string => new Date(stored?.writtenMs ?? 0).toISOString()
