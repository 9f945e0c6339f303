/** Characters by which the engine tells names of a template from names that somebody wrote. They never leave the engine. */

/** A value that the text does not tell: the lexer knows it as a token of its own. */
export const VALUE_MARK = '\ue000'
/** Begins the name of the model's own table where nobody has said it. */
export const OWN_TABLE_MARK = '\ue001'
/** Begins a name that the text does not tell. */
export const UNKNOWN_NAME_MARK = '\ue002'
/** Begins the name of a table that only stands for "rows from somewhere" and is none. */
export const NO_TABLE_MARK = '\ue003'

const ANY_MARK = /[\ue000-\ue003]/
const NOT_A_TABLE = /[\ue001\ue003]/

/** Whether a star's qualifier stands for columns that nobody knows. */
export function isPlaceholder(qualifier: readonly string[]): boolean {
  return qualifier[0]!.startsWith(NO_TABLE_MARK)
}

/** Whether a name, or a text, holds anything that a template left open. */
export function hasMark(text: string): boolean {
  return ANY_MARK.test(text)
}

/** Whether a table's name stands for no table that can be named. */
export function isNoTable(name: string): boolean {
  return NOT_A_TABLE.test(name)
}

/** A text as a person may see it, of the same length. */
export function shown(text: string): string {
  return hasMark(text) ? text.replaceAll(VALUE_MARK, '…').replaceAll(/[\ue001-\ue003]/g, '_') : text
}
