/**
 * What metadata files hold, to changes: MCPs (both spellings of the aspect), and MCEs, whose snapshot is as many changes
 * as it has aspects (input formats of the neighbours' file source and sink).
 */
import type { AspectChange } from '../../client/change.ts'
import { isJsonObject, textAt, type JsonObject, type JsonValue } from '../../model/json.ts'
import { didYouMean } from '../../model/near.ts'
import { CHANGE_TYPES, type ChangeType } from '../../model/proposal.ts'
import { aspectFaults } from '../../model/registry/aspect-schemas.ts'
import {
  aspectNamed,
  aspectOfRecord,
  entityTypeNamed,
  urnOfKeyAspect,
  type EntityType,
} from '../../model/registry/registry.ts'
import { checkedUrn } from '../../model/registry/urn-rules.ts'
import type { Urn } from '../../model/urn.ts'
import { RowError } from '../errors.ts'
import { metadataRules } from './rules.ts'

/** None of the rules for records writes a stamp: what a record says is all there is. */
const ruled = metadataRules({ time: 0, actor: 'urn:li:corpuser:unknown' })

/** @throws RowError RECORD_INVALID, INVALID_URN, NOT_APPLICABLE, INVALID_VALUE */
export function changesOfRecord(record: unknown): readonly AspectChange[] {
  if (!isJsonObject(record)) throw new RowError('RECORD_INVALID', 'it is not a JSON object')
  if (isJsonObject(record['proposedSnapshot'])) return changesOfSnapshot(record['proposedSnapshot'])
  // The body of a call: `{"proposal": MCP}`.
  const { proposal } = record
  return [changeOfProposal(isJsonObject(proposal) ? proposal : record)]
}

function changeOfProposal(mcp: JsonObject): AspectChange {
  const aspectName = textAt(mcp, 'aspectName')
  if (aspectName === undefined) {
    throw new RowError(
      'RECORD_INVALID',
      'it is neither an MCP (aspectName, entityUrn, aspect) nor an MCE (proposedSnapshot)',
    )
  }
  const changeType = changeTypeOf(mcp['changeType'])
  const { urn, type } = urnOf(mcp)
  const entityType = textAt(mcp, 'entityType')
  if (entityType !== undefined && entityType.toLowerCase() !== type.name.toLowerCase()) {
    throw new RowError('RECORD_INVALID', `entityType ${entityType} is not that of ${urn}`)
  }
  if (changeType === 'DELETE') return removal(urn, type, aspectName)
  const value = aspectValue(mcp['aspect'])
  if (changeType === 'PATCH') return patchChange(urn, aspectName, value)
  if (!isJsonObject(value)) throw new RowError('RECORD_INVALID', 'its aspect is not a JSON object')
  return valueChange(urn, type, aspectName, value, changeType)
}

function changesOfSnapshot(snapshot: JsonObject): readonly AspectChange[] {
  const [held] = Object.values(snapshot)
  const aspects = isJsonObject(held) ? held['aspects'] : undefined
  if (!isJsonObject(held) || !Array.isArray(aspects)) {
    throw new RowError('RECORD_INVALID', 'its snapshot holds no list of aspects')
  }
  const { urn, type } = checked(textAt(held, 'urn') ?? '')
  return aspects.map((wrapped: JsonValue) => {
    const [record, value] = isJsonObject(wrapped) ? (Object.entries(wrapped)[0] ?? []) : []
    const aspect = record === undefined ? undefined : aspectOfRecord(record)
    if (aspect === undefined || !isJsonObject(value)) {
      throw new RowError('RECORD_INVALID', `no aspect is known by the record ${String(record)}`)
    }
    return valueChange(urn, type, aspect.name, withWireNames(value) as JsonObject, 'UPSERT')
  })
}

function valueChange(
  urn: Urn,
  type: EntityType,
  aspectName: string,
  value: JsonObject,
  changeType: ChangeType,
): AspectChange {
  const aspect = aspectNamed(aspectName)
  if (aspect === undefined) {
    const hint = didYouMean(aspectName, [type.keyAspect, ...type.aspects])
    throw new RowError('RECORD_INVALID', `there is no aspect ${JSON.stringify(aspectName)}${hint}`)
  }
  const faults = aspectFaults(aspect.name, value, { timeseries: aspect.kind === 'timeseries' })
  if (faults.length > 0) throw new RowError('INVALID_VALUE', `${aspectName}: ${faults.join('; ')}`)
  const creates = changeType === 'CREATE' || changeType === 'CREATE_ENTITY'
  return ruled(creates ? 'create' : 'replace', { urn, aspectName, intent: value })
}

/** The aspect shall not be there. The key aspect is the entity itself, and whole entities no import deletes. */
function removal(urn: Urn, type: EntityType, aspectName: string): AspectChange {
  if (aspectName === type.keyAspect) {
    throw new RowError('NOT_APPLICABLE', `without ${aspectName} the entity is gone, and an import deletes no entity`)
  }
  const aspect = aspectNamed(aspectName)
  if (aspect === undefined || aspect.kind === 'timeseries') {
    throw new RowError('NOT_APPLICABLE', `${JSON.stringify(aspectName)} is no aspect that can be removed`)
  }
  return ruled('remove', { urn, aspectName, intent: { removed: true } })
}

/** Sent as it is: only the catalog knows what it makes of it. */
function patchChange(urn: Urn, aspectName: string, value: JsonValue): AspectChange {
  const patch = Array.isArray(value) ? { patch: value } : value
  if (!isJsonObject(patch) || !Array.isArray(patch['patch'])) {
    throw new RowError('RECORD_INVALID', 'a PATCH holds a list of operations, or an object with `patch`')
  }
  return ruled('patch', { urn, aspectName, intent: patch })
}

function changeTypeOf(value: JsonValue | undefined): ChangeType {
  const name = value ?? 'UPSERT'
  const known = CHANGE_TYPES.find((type) => type === name)
  if (known !== undefined) return known
  const hint = typeof name === 'string' ? didYouMean(name, CHANGE_TYPES) : ''
  throw new RowError('RECORD_INVALID', `there is no changeType ${JSON.stringify(name)}${hint}`)
}

function urnOf(mcp: JsonObject): { readonly urn: Urn; readonly type: EntityType } {
  const text = textAt(mcp, 'entityUrn')
  if (text !== undefined) return checked(text)
  const type = entityTypeNamed(textAt(mcp, 'entityType') ?? '')
  const key = mcp['entityKeyAspect'] === undefined ? undefined : aspectValue(mcp['entityKeyAspect'])
  const made = type !== undefined && isJsonObject(key) ? urnOfKeyAspect(type, key) : undefined
  if (made === undefined)
    throw new RowError('RECORD_INVALID', 'it names no entity: entityUrn, or entityType and entityKeyAspect')
  return checked(made)
}

function checked(text: string): { readonly urn: Urn; readonly type: EntityType } {
  try {
    return checkedUrn(text)
  } catch (error) {
    throw new RowError('INVALID_URN', (error as Error).message)
  }
}

/** `{"json": {…}}`, or `{"value": "<JSON text>", "contentType": …}`. */
function aspectValue(aspect: JsonValue | undefined): JsonValue {
  if (!isJsonObject(aspect)) throw new RowError('RECORD_INVALID', 'it has no aspect')
  if (aspect['json'] !== undefined) return aspect['json']
  const text = textAt(aspect, 'value')
  if (text === undefined) throw new RowError('RECORD_INVALID', 'its aspect has neither `json` nor `value`')
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    throw new RowError('RECORD_INVALID', 'the value of its aspect is not JSON text')
  }
}

/** Union members in MCEs are named in the Python namespace; on the wire they are not. */
function withWireNames(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withWireNames(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key.replace('com.linkedin.pegasus2avro.', 'com.linkedin.'), withWireNames(member)]),
  )
}
