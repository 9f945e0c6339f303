/** Changes of a statement's text that change nothing of its meaning. */

/** Pieces of SQL that must stay as they are, then words, then runs of white space, then anything else. */
const PIECES =
  /(--[^\n]*|\/\*[^]*?\*\/|\$\w*\$[^]*?\$\w*\$|'(?:[^']|'')*'|"[^"]*"|`[^`]*`|\[[\p{L}_][^\](),]*\]|\{\{[^]*?\}\}|\{%[^]*?%\})|([\p{L}_][\p{L}\p{N}_$#]*)|(\s+)|[^]/gu

interface Rewriting {
  readonly word?: (word: string) => string
  readonly space?: (space: string) => string
}

function rewrite(sql: string, { word = same, space = same }: Rewriting): string {
  return sql.replaceAll(PIECES, (piece: string, fixed?: string, aWord?: string, aSpace?: string) => {
    if (fixed !== undefined) return fixed
    if (aWord !== undefined) return word(aWord)
    return aSpace === undefined ? piece : space(aSpace)
  })
}

function same(text: string): string {
  return text
}

/** A comment in every gap. */
export function withComments(sql: string): string {
  return rewrite(sql, { space: (space) => `${space}/* FROM nowhere n; ' */ ` })
}

/** One word a line; a slash alone on its line ends a statement in some clients, so it gets none. */
export function oneWordALine(sql: string): string {
  return rewrite(sql, { space: () => '\n\t ' }).replaceAll(/\s+\/\s+/g, ' / ')
}

/** Everything on one line. */
export function oneLine(sql: string): string {
  return rewrite(sql, { space: () => ' ' })
}

/** Words in capitals in small letters: the golden cases write keywords in capitals. */
export function smallKeywords(sql: string): string {
  return rewrite(sql, { word: (word) => (word === word.toUpperCase() ? word.toLowerCase() : word) })
}

/** Names of tables in FROM that the generator made up, called otherwise. */
export function renameAliases(sql: string): string {
  return rewrite(sql, { word: (word) => (/^(?:t|d|r|u|cte|tmp)\d+$/.test(word) ? `zz_${word}_alias` : word) })
}

/** Line breaks mean something, or quotes do not pair up in every dialect: left alone by the laws of layout. */
export function isLayoutFree(sql: string): boolean {
  return !/^\s*(?:\.[A-Za-z]+|GO|DELIMITER|SET SERVEROUTPUT|WHENEVER|PROMPT|\/)\b|^\/$|--|#|\/\/|\\|"""|q'|\{[{%#]|<%|&|\$\{|^\s*EXIT/m.test(
    sql,
  )
}
