/**
 * SQL in Python: strings that are a statement, as they are handed to operators, cursors and `spark.sql`. What braces of an
 * f-string or of `format` stand for is a hole, unless the file says it in a constant. Also Databricks' exports of
 * notebooks, whose cells of SQL stand in comments.
 */
import { eachAlone } from './carrier.ts'
import { blank } from './line-writer.ts'

export const python = eachAlone(
  (path) => /\.py$/i.test(path),
  (text) => pythonSql(text),
)

const STRING = /([rbfut]{0,2})("""|'''|"|')/iy
const WORD = /\w+/y
/** What a statement begins with. In one case throughout: "Select a file from the list" is none. */
const STATEMENT =
  /^\s*(?:(?:--[^\n]*\n|\/\*[^]*?\*\/|\{[%#][^]*?[%#]\})\s*)*(?:select\b(?=[^]*\bfrom\b)|with\s+(?:recursive\s+)?[\w"`{}]+\s*(?:\([^)]*\)\s*)?as\s*(?:not\s+)?(?:materialized\s*)?\(|insert\s+(?:into|overwrite)\s|replace\s+into\s|create\s+(?:or\s+(?:replace|refresh)\s+)?(?:(?:global|local|transient|temporary|temp|external|unlogged|materialized|live|streaming|dynamic|secure)\s+)*(?:table|view)\s|merge\s+into\s|update\s+[^\s]+\s+set\s|delete\s+from\s|truncate\s+table\s|alter\s+table\s|drop\s+(?:table|view)\s|copy\s+(?:into\s)?[^\s]+\s+(?:from|\()|unload\s*\(|export\s+data\s|call\s+[\w.]+\s*\(|declare\s|begin\s)/
/** Calls whose strings people read. */
const SPOKEN =
  /(?:\blog\w*(?:\.\w+)*|\bprint|\b\w*(?:Error|Exception|Warning)|\bwarn|\b(?:help|description|doc_md|doc|title|label)\s*=)\s*\(?\s*$/
const MAGIC = /^# MAGIC ?/gm

/** The SQL of a Python file, at its places, all else blank; undefined where it has none. */
export function pythonSql(text: string): string | undefined {
  const constants = constantsOf(text)
  const pieces = /^# MAGIC %sql/m.test(text) ? [...magicCells(text)] : []
  for (const group of literalGroups(text)) {
    const sql = group.map((literal) => contentOf(text, literal, constants))
    const whole = sql.join('')
    if (!isStatement(whole) || isSpoken(text, group[0]!)) continue
    for (const [at, literal] of group.entries()) {
      const isLast = at === group.length - 1
      pieces.push({ start: literal.open, end: literal.close, sql: sql[at]!, ends: isLast })
    }
  }
  return pieces.length === 0 ? undefined : placed(text, pieces)
}

interface Piece {
  readonly start: number
  readonly end: number
  readonly sql: string
  /** Whether the statement ends with it. */
  readonly ends: boolean
}

function placed(text: string, pieces: readonly Piece[]): string {
  let sql = ''
  let at = 0
  for (const { start, end, sql: piece, ends } of pieces.toSorted((a, b) => a.start - b.start)) {
    sql += blank(text.slice(at, start)) + piece
    at = end
    if (!ends || /;\s*$/.test(piece)) continue
    // A comment at the end would swallow the mark, which else takes the place of the closing quote.
    sql += /--[^\n]*$/.test(piece) ? '\n;' : ';'
    if (text[end] !== '\n') at++
  }
  return sql
}

function isStatement(sql: string): boolean {
  const code = sql.replaceAll(/\{\{?[^{}]*\}\}?/g, '{}')
  return STATEMENT.test(code) || (STATEMENT.test(code.toLowerCase()) && !/^\s*[A-Z][a-z]/.test(code))
}

/** Docstrings, and what is said to people. */
function isSpoken(text: string, literal: Literal): boolean {
  const before = text.slice(Math.max(0, literal.start - 200), literal.start)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (line.trim() === '' && /(?:^|:|"""|''')\s*(?:#[^\n]*)?$/.test(before.trimEnd()) && literal.isLong) return true
  return SPOKEN.test(before)
}

interface Literal {
  readonly start: number
  /** Where its text begins and ends. */
  readonly open: number
  readonly close: number
  readonly end: number
  readonly isLong: boolean
  readonly isRaw: boolean
  /** Braces are expressions. */
  readonly isFormat: boolean
}

/** String literals; those that stand beside each other are one. */
function literalGroups(text: string): readonly (readonly Literal[])[] {
  const groups: Literal[][] = []
  let previous: Literal | undefined
  for (const literal of literals(text)) {
    const between = previous ? text.slice(previous.end, literal.start) : 'none'
    const joins = previous !== undefined && /^(?:\s|\\\n|#[^\n]*\n|\+(?=\s*$))*$/.test(between)
    if (joins && isJoined(between, text, groups.at(-1)!)) groups.at(-1)!.push(literal)
    else groups.push([literal])
    previous = literal
  }
  return groups
}

/** Two strings on lines of their own are joined inside of brackets only. */
function isJoined(between: string, text: string, group: readonly Literal[]): boolean {
  if (!between.includes('\n') || between.includes('\\\n') || between.includes('+')) return true
  return /[([{,=]\s*$/.test(text.slice(Math.max(0, group[0]!.start - 200), group[0]!.start))
}

function* literals(text: string): Generator<Literal> {
  for (let at = 0; at < text.length;) {
    const char = text[at]!
    if (char === '#') {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
      continue
    }
    STRING.lastIndex = at
    const found = STRING.exec(text)
    if (found) {
      const literal = literalAt(text, at, found)
      yield literal
      at = literal.end
      continue
    }
    WORD.lastIndex = at
    at = WORD.test(text) ? WORD.lastIndex : at + 1
  }
}

function literalAt(text: string, start: number, [whole, prefix = '', quote = '']: RegExpExecArray): Literal {
  const open = start + whole.length
  let close = open
  while (close < text.length && !text.startsWith(quote, close)) {
    if (quote.length === 1 && text[close] === '\n') break
    close += text[close] === '\\' ? 2 : 1
  }
  close = Math.min(close, text.length)
  const end = Math.min(text.length, close + quote.length)
  const isFormat = /f/i.test(prefix) || /^\s*\)*\s*\.format\s*\(/.test(text.slice(end, end + 40))
  return { start, open, close, end, isLong: quote.length === 3, isRaw: /r/i.test(prefix), isFormat }
}

/** The text of a literal as SQL, as long as it is written where that can be. */
function contentOf(text: string, literal: Literal, constants: ReadonlyMap<string, string>): string {
  const written = text.slice(literal.open, literal.close)
  const plain = literal.isRaw ? written : written.replaceAll(/\\([^])/g, unescaped)
  return literal.isFormat
    ? plain.replaceAll(/\{\{|\}\}|\{([^{}]*)\}/g, (mark, inner?: string) => hole(mark, inner, constants))
    : plain
}

function unescaped(mark: string, char: string): string {
  if (char === '\n') return ' \n'
  if (char === 'n' || char === 't' || char === 'r') return '  '
  return char === "'" || char === '"' || char === '\\' ? char : mark
}

/** What braces stand for: a constant's text, else a hole of the name that is read. */
function hole(mark: string, inner: string | undefined, constants: ReadonlyMap<string, string>): string {
  if (inner === undefined) return ` ${mark[0]}`
  const expression = inner.replace(/(?:![rsa])?(?::[^:'"]*)?$/, '').trim()
  const known = constants.get(expression)
  if (known !== undefined) return known
  const table = /\b(?:resolve_table|table|ref)\(\s*(['"])([\w.]+)\1\s*\)$/.exec(expression)?.[2]
  if (table !== undefined) return table
  const name = /(\w+)\W*$/.exec(expression.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, ''))?.[1] ?? 'value'
  return `{{${/^\d/.test(name) ? `_${name}` : name}}}`.padEnd(mark.length)
}

/** `TABLE = "raw.orders"` at the margin. */
function constantsOf(text: string): ReadonlyMap<string, string> {
  const constants = new Map<string, string | undefined>()
  for (const [, name, , value] of text.matchAll(
    /^(\w+)[ \t]*(?::[ \t]*\w+[ \t]*)?=[ \t]*(["'])([\w.$:/-]*)\2[ \t]*(?:#.*)?$/gm,
  )) {
    constants.set(name!, constants.has(name!) ? undefined : value)
  }
  return new Map([...constants].filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Cells of SQL in a notebook that Databricks exported. */
function* magicCells(text: string): Generator<Piece> {
  const command = /^# COMMAND -+.*$/gm
  let start = 0
  for (;;) {
    const next = command.exec(text)
    const end = next ? next.index : text.length
    const cell = text.slice(start, end)
    const magic = /^# MAGIC %sql\b/m.exec(cell)
    if (magic) {
      const sql = cell.slice(magic.index).replaceAll(MAGIC, blank).replace('%sql', '    ')
      const written = sql.trimEnd()
      const from = start + magic.index
      yield { start: from, end: from + written.length, sql: written, ends: true }
    }
    if (!next) return
    start = end
  }
}
