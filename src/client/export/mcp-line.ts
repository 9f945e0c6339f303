/** An MCP on a line of a file, as the neighbours' file source reads it: the aspect under `json`. */
import { DecodeError, type Place } from '../../model/errors.ts'
import { isJsonObject, textAt, type JsonObject, type JsonValue } from '../../model/json.ts'
import { CHANGE_TYPES, type Proposal } from '../../model/proposal.ts'
import { asUrn, entityTypeOf } from '../../model/urn.ts'

/** @throws DecodeError, InvalidUrnError */
export function decodeMcpLine(line: string, place: Place): Proposal {
  const mcp = objectOf(line, place)
  const entityUrn = asUrn(textAt(mcp, 'entityUrn') ?? '')
  const aspectName = textAt(mcp, 'aspectName')
  if (aspectName === undefined) throw new DecodeError('an MCP needs an aspectName', place)
  const changeType = textAt(mcp, 'changeType') ?? 'UPSERT'
  const known = CHANGE_TYPES.find((type) => type === changeType)
  if (known === undefined) throw new DecodeError(`changeType is one of ${CHANGE_TYPES.join(', ')}`, place)
  const aspect = aspectOf(mcp['aspect'], place)
  const { systemMetadata, headers } = mcp
  return {
    entityType: textAt(mcp, 'entityType') ?? entityTypeOf(entityUrn),
    entityUrn,
    changeType: known,
    aspectName,
    ...(aspect === undefined ? {} : { aspect }),
    ...(isJsonObject(systemMetadata) ? { systemMetadata } : {}),
    ...(isJsonObject(headers) ? { headers: headers as Readonly<Record<string, string>> } : {}),
  }
}

function objectOf(line: string, place: Place): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new DecodeError('not JSON', place, { cause })
  }
  if (isJsonObject(value)) return value
  throw new DecodeError('not an MCP: a JSON object with entityUrn, aspectName and aspect', place)
}

/** `{"json": …}`, or as rest.li has it `{"value": "<JSON text>"}`. */
function aspectOf(wrapped: JsonValue | undefined, place: Place): JsonObject | undefined {
  if (wrapped === undefined || wrapped === null) return undefined
  const text = textAt(wrapped, 'value')
  const value = text === undefined ? (isJsonObject(wrapped) ? wrapped['json'] : undefined) : objectOf(text, place)
  if (isJsonObject(value)) return value
  throw new DecodeError('the aspect is {"json": {…}}', place)
}
