import { InvalidUrnError } from '../errors.ts'
import { encodedUrnBytes, FABRICS, MAX_URN_BYTES, parseUrn, type Urn } from '../urn.ts'
import { entityTypeNamed, type EntityType } from './registry.ts'
import { unknownEntityType } from './unknown.ts'

/**
 * Checks a URN that is to be written to (contract §2.5): grammar, known entity type, number of key parts, environment,
 * white space at the ends, `␟`, and the length. Columns are exempt from the length.
 * @returns the URN and its entity type
 * @throws InvalidUrnError
 */
export function checkedUrn(text: string): { readonly urn: Urn; readonly type: EntityType } {
  if (text !== text.trim()) throw new InvalidUrnError(text, 'white space at its ends')
  if (!text.isWellFormed()) throw new InvalidUrnError(text, 'half a surrogate pair in it')
  if (text.includes('␟')) throw new InvalidUrnError(text, 'the reserved character ␟ in it')
  const { urn, entityType, key } = parseUrn(text)
  const type = entityTypeNamed(entityType)
  if (type === undefined) throw new InvalidUrnError(text, unknownEntityType(entityType))
  if (type.keyFields.length > 1 && key.length !== type.keyFields.length) {
    throw new InvalidUrnError(text, `a ${type.name} has ${type.keyFields.length} parts: ${type.keyFields.join(', ')}`)
  }
  if (type.name === 'dataset' && !(FABRICS as readonly string[]).includes(key[2] ?? '')) {
    throw new InvalidUrnError(text, `its environment is none of ${FABRICS.join(', ')}`)
  }
  if (type.name !== 'schemaField' && encodedUrnBytes(text) > MAX_URN_BYTES) {
    throw new InvalidUrnError(text, `longer than ${MAX_URN_BYTES} bytes URL-encoded`)
  }
  return { urn, type }
}
