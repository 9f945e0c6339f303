/** Proposals as rest.li carries them: the aspect is JSON text inside the JSON (contract §4.1). */
import { Type, type Static, type TSchema } from 'typebox'
import { DecodeError } from '../../model/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts'
import { CHANGE_TYPES, type ChangeType, type Proposal, type SystemMetadata } from '../../model/proposal.ts'
import { entityTypeNamed, urnOfKeyAspect } from '../../model/registry/registry.ts'
import { asUrn, type Urn } from '../../model/urn.ts'
import { decoder, parseJson, parseJsonObject } from '../decode.ts'

const optional = Type.Optional
const nullable = <T extends TSchema>(schema: T) => optional(Type.Union([schema, Type.Null()]))
const genericAspect = Type.Object({ value: Type.String(), contentType: optional(Type.String()) })

const proposalSchema = Type.Object({
  entityType: Type.String(),
  entityUrn: nullable(Type.String()),
  entityKeyAspect: nullable(genericAspect),
  changeType: optional(Type.String()),
  aspectName: nullable(Type.String()),
  aspect: nullable(genericAspect),
  systemMetadata: nullable(Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())])),
  headers: nullable(Type.Record(Type.String(), Type.String())),
})
type WireProposal = Static<typeof proposalSchema>

const decodeShape = decoder(proposalSchema, 'proposal')

/**
 * @param escapes the newest client escapes a second time in single proposals, so that `ö` arrives as `\u00f6` in the
 * URN (contract §13, trap 26)
 * @throws DecodeError, InvalidUrnError
 */
export function decodeProposal(value: unknown, escapes: 'plain' | 'doubled'): Proposal {
  const wire = decodeShape(value)
  const entityUrn = urnOf(wire, escapes)
  const changeType = changeTypeOf(wire.changeType ?? 'UPSERT')
  const aspectName = wire.aspectName ?? keyAspectName(wire)
  const aspect = wire.aspect ?? (aspectName === keyAspectName(wire) ? wire.entityKeyAspect : undefined)
  return {
    entityType: wire.entityType,
    entityUrn,
    changeType,
    aspectName,
    ...(aspect === undefined || aspect === null ? {} : { aspect: valueOf(aspect, changeType, aspectName) }),
    ...systemMetadataOf(wire.systemMetadata),
    ...(wire.headers === undefined || wire.headers === null ? {} : { headers: wire.headers }),
  }
}

function urnOf(wire: WireProposal, escapes: 'plain' | 'doubled'): Urn {
  if (typeof wire.entityUrn === 'string') {
    return asUrn(escapes === 'doubled' ? unescapeUnicode(wire.entityUrn) : wire.entityUrn)
  }
  const type = entityTypeNamed(wire.entityType)
  const key = wire.entityKeyAspect
  const urn =
    type === undefined || key === undefined || key === null
      ? undefined
      : urnOfKeyAspect(type, parseJsonObject(key.value, 'entityKeyAspect'))
  if (urn === undefined) {
    throw new DecodeError('proposal: entityUrn or a complete entityKeyAspect is required', { path: '/entityUrn' })
  }
  return asUrn(urn)
}

function keyAspectName(wire: WireProposal): string {
  return entityTypeNamed(wire.entityType)?.keyAspect ?? ''
}

function changeTypeOf(text: string): ChangeType {
  const found = CHANGE_TYPES.find((type) => type === text)
  if (found === undefined) {
    throw new DecodeError(`proposal: changeType is none of ${CHANGE_TYPES.join(', ')}`, { path: '/changeType' })
  }
  return found
}

function valueOf(aspect: { readonly value: string }, changeType: ChangeType, name: string): JsonObject {
  const value: JsonValue = parseJson(aspect.value, `aspect ${name}`)
  if (changeType === 'PATCH' && Array.isArray(value)) return { patch: value }
  if (!isJsonObject(value)) throw new DecodeError(`aspect ${name}: not a JSON object`, { path: '/aspect/value' })
  return withoutNulls(value)
}

/** Null is not absence, but clients that send it mean absence (contract §13, trap 22). */
export function withoutNulls(value: JsonObject): JsonObject {
  if (!Object.values(value).includes(null)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

/** An object, or the same as JSON text, which is what `datahub put --run-id` sends. */
export function systemMetadataOf(value: unknown): { readonly systemMetadata?: SystemMetadata } {
  if (value === undefined || value === null) return {}
  const metadata = typeof value === 'string' ? parseJson(value, 'systemMetadata') : value
  if (!isJsonObject(metadata)) throw new DecodeError('systemMetadata: not a JSON object', { path: '/systemMetadata' })
  const { lastObserved, runId, ...rest } = metadata
  return {
    systemMetadata: {
      ...withoutNulls(rest),
      ...(typeof lastObserved === 'number' ? { lastObserved } : {}),
      ...(typeof runId === 'string' ? { runId } : {}),
    },
  }
}

/** `\u00f6` as six characters becomes `ö`. */
function unescapeUnicode(text: string): string {
  return text.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
