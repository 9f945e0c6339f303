/** Texts and lists as cells of the language that `cells.ts` reads: each is read back before it is given out. */
import { readListCell, readTextCell } from '../cells.ts'
import type { PropertyDefinition } from '../property-values.ts'

const DELIMITER = '|'

/** A cell that reads as this text; undefined where there is none. */
export function textCell(text: string): string | undefined {
  return [text, `\\${text}`].find((cell) => readTextCell(cell) === text)
}

/** A cell that reads as these items in this order; empty for none, undefined where there is none. */
export function listCell(items: readonly string[]): string | undefined {
  if (items.length === 0) return ''
  const bare = items.join(DELIMITER)
  if (readsAs(bare, items)) return bare
  const escaped = items.map((item) => `\\${item.replaceAll(DELIMITER, `\\${DELIMITER}`)}`).join(DELIMITER)
  return readsAs(escaped, items) ? escaped : undefined
}

/** A cell of a property, by its definition; undefined where no cell reads as these values. */
export function propertyCell(definition: PropertyDefinition, values: readonly string[]): string | undefined {
  const [only] = values
  if (definition.single) return only !== undefined && values.length === 1 ? textCell(only) : undefined
  // The sign of a number is its own, so lists of numbers have no others.
  return definition.valueType === 'number' ? values.join(DELIMITER) : listCell(values)
}

function readsAs(cell: string, items: readonly string[]): boolean {
  try {
    const read = readListCell(cell, DELIMITER, 'patch', 'cell')
    if (read === undefined || read.replace || read.remove.length > 0) return false
    return read.add.length === items.length && read.add.every((item, index) => item === items[index])
  } catch {
    return false
  }
}
