/**
 * What a cell says:
 *
 *     (empty)      leaves things as they are
 *     a|b          merges or replaces, by the import's mode
 *     =a|b         replaces, whatever the mode
 *     +a|-b        adds a, removes b
 *     =            clears
 *     \text        the rest of the cell or item as it is, also `=`, `+`, `-` in front
 *     [a|b]        the same as a|b (csv-enricher writes lists so)
 *
 * Outer blanks do not count. What replaces, replaces what the catalog has; rows of one file add up.
 */

/** Items to be put and taken; `replace`: what the catalog has besides goes. */
export interface ListCell {
  readonly replace: boolean
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

export type ImportMode = 'patch' | 'override'

const CLEAR = '='

/** A cell that holds a list. @returns undefined where it says nothing */
export function readListCell(cell: string, arrayDelimiter: string, mode: ImportMode): ListCell | undefined {
  const text = withoutBrackets(cell.trim())
  if (text === '') return undefined
  const replaces = text.startsWith(CLEAR)
  const items = (replaces ? text.slice(1) : text)
    .split(arrayDelimiter)
    .map((item) => item.trim())
    .filter((item) => item !== '')
  const add: string[] = []
  const remove: string[] = []
  let signs = 0
  for (const item of items) {
    const sign = item[0]
    if (sign === '+' || sign === '-') signs++
    if (sign === '-') remove.push(item.slice(1).trim())
    else add.push(sign === '+' || sign === '\\' ? item.slice(1).trim() : item)
  }
  // A cell with signs speaks of single items, so it replaces nothing else.
  return { replace: replaces || (mode === 'override' && signs === 0), add, remove }
}

/** A cell that holds one text: the text, `null` to clear. @returns undefined where it says nothing */
export function readTextCell(cell: string): string | null | undefined {
  const text = cell.trim()
  if (text === '') return undefined
  if (text === CLEAR) return null
  return text.startsWith('\\') ? text.slice(1) : text
}

function withoutBrackets(text: string): string {
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1).trim() : text
}
