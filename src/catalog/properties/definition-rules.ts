/** Rules of structured-property definitions (contract §8): what an update may change, and what breaks stored values. */
import { canonicalJson, isJsonObject, objectsOf, stringsAt, textOf, type JsonObject } from '../../model/json.ts'
import { parseUrn, type Urn } from '../../model/urn.ts'
import { InvalidWriteError } from '../errors.ts'
import type { AspectRules } from '../write/rules.ts'

export const DEFINITION_RULES: AspectRules = {
  reads: () => [],
  async check({ urn, next, stored, view }) {
    if ((await view.aspect(urn, 'status'))?.value.removed === true) {
      throw new InvalidWriteError('Cannot mutate a soft deleted Structured Property Definition')
    }
    if (stored !== undefined && stored.value.qualifiedName !== next.qualifiedName) {
      throw new InvalidWriteError('Cannot change the fully qualified name of a Structured Property')
    }
    checkNames(urn, next)
    for (const type of stringsAt(next.typeQualifier ?? {}, 'allowedTypes')) {
      if (!type.startsWith('urn:li:entityType:')) {
        throw new InvalidWriteError(`Provided allowedType is not an entity type urn: ${type}`)
      }
    }
    if (stored !== undefined) checkUpdate(stored.value, next)
  },
}

function checkNames(urn: Urn, next: JsonObject): void {
  if (urn.includes(' ')) throw new InvalidWriteError('Urn ID cannot have spaces')
  const name = textOf(next.qualifiedName)
  if (name.includes(' ')) throw new InvalidWriteError('Qualified names cannot have spaces')
  // The interface makes the qualified name part of the URN (§2.8).
  if (name !== parseUrn(urn).key[0]) {
    throw new InvalidWriteError(`qualifiedName ${name} is not the name in the URN ${urn}`)
  }
  if (next.version !== undefined && !/^[0-9]{14}$/.test(textOf(next.version))) {
    throw new InvalidWriteError('Invalid version specified. Must match [0-9]{14}')
  }
}

function checkUpdate(before: JsonObject, next: JsonObject): void {
  // A greater version says that the author knows that stored values become unreadable.
  if (textOf(next.version).toLowerCase() > textOf(before.version).toLowerCase()) return
  if (before.valueType !== next.valueType) {
    throw new InvalidWriteError('Value type cannot be changed as this is a backwards incompatible change')
  }
  if (before.cardinality === 'MULTIPLE' && (next.cardinality ?? 'SINGLE') === 'SINGLE') {
    throw new InvalidWriteError('Property definition cardinality cannot be changed from MULTI to SINGLE')
  }
  if (restricts(before, next)) throw new InvalidWriteError('Cannot restrict values that were previously allowed')
}

function restricts(before: JsonObject, next: JsonObject): boolean {
  if (!Array.isArray(next.allowedValues)) return false
  if (!Array.isArray(before.allowedValues)) return true
  const allowed = new Set(objectsOf(next.allowedValues).map((entry) => canonicalJson(entry.value ?? null)))
  return objectsOf(before.allowedValues).some(
    (entry) => isJsonObject(entry) && !allowed.has(canonicalJson(entry.value ?? null)),
  )
}
