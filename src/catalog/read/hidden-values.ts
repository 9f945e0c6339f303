/**
 * Values of soft-deleted structured properties are kept and not shown (contract §8): their property may come back, and
 * the values with it. Exports carry them, and writes see them.
 */
import { objectsOf, stringsAt, type JsonObject } from '../../model/json.ts'
import type { Urn } from '../../model/urn.ts'
import { readEntities } from '../../store/aspect-store.ts'
import type { Ports } from '../ports.ts'

/** The aspect that carries values. */
export const VALUES_ASPECT = 'structuredProperties'

/**
 * Asks the database once which properties of these values are soft-deleted.
 * @returns gives each of these values as it is shown
 */
export async function hidingValues(
  { database, urnIds }: Pick<Ports, 'database' | 'urnIds'>,
  values: readonly JsonObject[],
): Promise<(value: JsonObject) => JsonObject> {
  const used = new Set(values.flatMap((value) => stringsAt(value, 'properties', 'propertyUrn') as readonly Urn[]))
  const ids = used.size === 0 ? new Map<Urn, number>() : await urnIds.find(used)
  const rows = await readEntities(database, [...ids.values()])
  const removed = new Set(rows.filter((row) => row.removed).map((row) => row.urnId))
  if (removed.size === 0) return (value) => value
  const isShown = (property: JsonObject) => !removed.has(ids.get(property.propertyUrn as Urn) ?? 0)
  return (value) => ({ ...value, properties: objectsOf(value.properties).filter(isShown) })
}
