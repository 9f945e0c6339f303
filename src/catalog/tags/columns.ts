import { simpleFieldPath } from '../../model/field-path.ts'
import { didYouMean } from '../../model/near.ts'
import { objectsOf, textOf, type JsonObject } from '../../model/json.ts'
import type { Urn } from '../../model/urn.ts'
import { InvalidWriteError } from '../errors.ts'

/**
 * The field path under which a column's tags are kept: the schema's path that equals the name, else the one whose simple
 * form equals that of the name (interface §2.7). Without a schema the name stands as given.
 * @throws InvalidWriteError where there is a schema and it has no such column
 */
export function knownColumn(schema: JsonObject | undefined, column: string, dataset: Urn): string {
  if (schema === undefined) return column
  const paths = objectsOf(schema.fields).map((field) => textOf(field.fieldPath))
  if (paths.includes(column)) return column
  const simple = simpleFieldPath(column)
  const found = paths.find((path) => simpleFieldPath(path) === simple)
  if (found !== undefined) return found
  const near = didYouMean(simple, paths.map(simpleFieldPath))
  throw new InvalidWriteError(
    `Failed to update field ${column}: it does not exist in the datasets schema. ${dataset}${near}`,
  )
}

/**
 * The entry of a column in editableSchemaMetadata, compared as {@link knownColumn} does, and a function that gives the
 * list with that entry replaced (or appended).
 */
export function columnEntry(
  entries: readonly JsonObject[],
  fieldPath: string,
): { readonly entry: JsonObject | undefined; readonly replace: (entry: JsonObject) => readonly JsonObject[] } {
  const exact = entries.findIndex((entry) => entry.fieldPath === fieldPath)
  const simple = simpleFieldPath(fieldPath)
  const index = exact >= 0 ? exact : entries.findIndex((entry) => simpleFieldPath(textOf(entry.fieldPath)) === simple)
  return {
    entry: entries[index],
    replace: (entry) => (index < 0 ? [...entries, entry] : entries.toSpliced(index, 1, entry)),
  }
}
