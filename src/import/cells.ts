/**
 * What a cell says:
 *
 *     (empty)      leaves things as they are
 *     a|b          merges or replaces, by the import's mode
 *     =a|b         replaces, whatever the mode
 *     +a|-b        adds a, removes b
 *     =            clears
 *     \text        the rest of the cell or item as it is, also `=`, `+`, `-` in front, and blanks at either end
 *     a\|b         one item, the delimiter in it
 *     [a|b]        the same as a|b (csv-enricher writes lists so)
 *
 * Outer blanks do not count. What replaces, replaces what the catalog has; rows of one file add up.
 */
import { RowError } from './errors.ts'

/** Items to be put and taken; `replace`: what the catalog has besides goes. */
export interface ListCell {
  readonly replace: boolean
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

export type ImportMode = 'patch' | 'override'

const CLEAR = '='

/**
 * A cell that holds a list. @returns undefined where it says nothing
 * @param column for messages
 * @throws RowError INVALID_VALUE for a sign without a name, and for `=` together with signs
 */
export function readListCell(
  cell: string,
  arrayDelimiter: string,
  mode: ImportMode,
  column: string,
): ListCell | undefined {
  const text = withoutBrackets(cell)
  if (text.trim() === '') return undefined
  const replaces = text.startsWith(CLEAR)
  const add: string[] = []
  const remove: string[] = []
  let signs = 0
  for (const item of splitItems(replaces ? text.slice(1) : text, arrayDelimiter)) {
    const sign = item[0]
    const name = sign === '\\' ? item.slice(1) : sign === '+' || sign === '-' ? item.slice(1).trim() : item
    if (name === '') throw new RowError('INVALID_VALUE', `${JSON.stringify(item)} names nothing`, column)
    if (sign === '+' || sign === '-') signs++
    if (sign === '-') remove.push(name)
    else add.push(name)
  }
  const both = remove.find((name) => add.includes(name))
  if (both !== undefined) {
    throw new RowError('INVALID_VALUE', `${JSON.stringify(both)} is both added and taken away`, column)
  }
  if (replaces && signs > 0) {
    throw new RowError('INVALID_VALUE', '= says all that shall be there, so no + or - goes with it', column)
  }
  // A cell with signs speaks of single items, so it replaces nothing else.
  return { replace: replaces || (mode === 'override' && signs === 0), add, remove }
}

/** A cell that holds one text: the text, `null` to clear. @returns undefined where it says nothing */
export function readTextCell(cell: string): string | null | undefined {
  const asItIs = cell.trimStart()
  if (asItIs.startsWith('\\')) return asItIs.slice(1)
  const text = asItIs.trimEnd()
  if (text === '') return undefined
  return text === CLEAR ? null : text
}

/** The items between delimiters, empty ones left out; a backslash before the delimiter makes it part of the item. */
function splitItems(text: string, arrayDelimiter: string): readonly string[] {
  const escaped = `\\${arrayDelimiter}`
  const items = !text.includes(escaped)
    ? text.split(arrayDelimiter)
    : text
        .split(escaped)
        .map((part) => part.split(arrayDelimiter))
        .reduce((joined, [first = '', ...rest]) => [
          ...joined.slice(0, -1),
          `${joined.at(-1) ?? ''}${arrayDelimiter}${first}`,
          ...rest,
        ])
  return items.map(trimmed).filter((item) => item !== '')
}

/** Without outer blanks, but for those behind a backslash. */
function trimmed(item: string): string {
  const begun = item.trimStart()
  return begun.startsWith('\\') ? begun : begun.trimEnd()
}

/** Blanks at the end stay: they may stand behind a backslash. */
function withoutBrackets(cell: string): string {
  const text = cell.trim()
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1).trimStart() : cell.trimStart()
}
