/** Comments, which leave no token, and the signs that begin them in some dialects and are operators in others. */

import { continuesName, startsName } from './chars.ts'
import { AT, GREATER, HASH, MINUS, NEWLINE, SLASH, STAR } from './codes.ts'
import { digitsEnd } from './number.ts'
import type { Scan } from './scan.ts'
import { T } from './tokens.ts'

/** `-- comment`, `->`, `->>` or a minus. */
export function readMinus(scan: Scan, at: number, next: number): void {
  const { text, dialect } = scan
  if (next === MINUS) {
    const after = text.charCodeAt(at + 2)
    if (after === 32 && isCellBorder(scan, at)) return scan.endStatement(T.SEMICOLON, CELL_BORDER.length)
    if (!dialect.spacedDashComments || at + 2 >= scan.length || after <= 32) return scan.skipLine(at + 2)
  }
  if (next === GREATER) {
    if (text.charCodeAt(at + 2) !== GREATER) return scan.push(T.ARROW, at + 2)
    // Snowflake: statement ->> statement; the next one reads the rows of the one before as $1.
    return scan.push(dialect.name === 'snowflake' ? T.SEMICOLON : T.LONG_ARROW, at + 3)
  }
  scan.push(T.MINUS, at + 1)
}

const CELL_BORDER = '-- COMMAND ----------'

/** Databricks: what stands between the cells of a notebook that was exported as SQL. */
function isCellBorder({ text, dialect }: Scan, at: number): boolean {
  const { name } = dialect
  return (name === 'databricks' || name === 'spark' || name === 'ansi') && text.startsWith(CELL_BORDER, at)
}

/** A comment, SQL*Plus's slash alone on its line, or a division. */
export function readSlash(scan: Scan, at: number, next: number): void {
  if (next === STAR) return skipBlockComment(scan, at)
  if (next === SLASH && scan.dialect.slashComments) return scan.skipLine(at + 2)
  if (scan.client?.endsBatch(at, at + 1)) return scan.endStatement(T.BATCH, 1)
  scan.push(T.SLASH, at + 1)
}

function skipBlockComment(scan: Scan, at: number): void {
  const { text, dialect } = scan
  if (text.charCodeAt(at + 2) === 33 && (dialect.client === 'mysql' || dialect.client === 'any')) {
    // MySQL runs what stands in /*! … */ and /*!40101 … */; MariaDB also /*M! … */.
    scan.conditional = true
    scan.at = digitsEnd(scan, at + 3)
    return
  }
  let depth = 1
  let i = at + 2
  while (depth > 0) {
    const close = text.indexOf('*/', i)
    if (close < 0) {
      scan.at = scan.unterminated(at, 'comment')
      return
    }
    if (dialect.nestedComments) {
      for (let open = text.indexOf('/*', i); open >= 0 && open < close; open = text.indexOf('/*', open + 2)) depth++
    }
    depth--
    i = close + 2
  }
  scan.at = i
}

/** A star, or the end of a conditional comment. */
export function readStar(scan: Scan, at: number, next: number): void {
  if (next === SLASH && scan.conditional) {
    scan.conditional = false
    scan.at = at + 2
  } else scan.push(T.STAR, at + 1)
}

/** A comment, T-SQL's `#temporary`, or an operator. */
export function readHash(scan: Scan, at: number, next: number): void {
  const { text, length, dialect } = scan
  if (dialect.hashComments) return scan.skipLine(at + 1)
  if (dialect.hashNames && (startsName(next) || next === HASH || next === AT)) {
    let end = at + 1
    // SqlRender: #@name.
    while (text.charCodeAt(end) === HASH || text.charCodeAt(end) === AT) end++
    while (end < length && (continuesName(text.charCodeAt(end)) || text.charCodeAt(end) === HASH)) end++
    return scan.push(T.WORD, end)
  }
  // ClickHouse and ansi: a hash and a space, or a shebang, begin a comment. No statement begins with the operator.
  const comments = dialect.name === 'clickhouse' || dialect.name === 'ansi' || scan.statementStart
  if (comments && (next === 32 || next === 33 || next === NEWLINE)) return scan.skipLine(at + 1)
  scan.push(T.OPERATOR, at + 1)
}
