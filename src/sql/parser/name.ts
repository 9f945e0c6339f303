/** Names of tables: dotted parts, paths, stages, variables, IDENTIFIER('…'). */

import type { TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { piecesOf } from './text.ts'

/** The name at the cursor; undefined (and nothing consumed) when none stands there. */
export function parseTableName(c: Cursor): TableName | undefined {
  const start = c.start()
  switch (c.type) {
    case T.STAGE:
      c.pos++
      return path(c, c.textAt(c.pos - 1), start)
    case T.STRING:
    case T.DOLLAR_STRING:
      return stringName(c, start)
    case T.PARAM:
    case T.HOLE:
      return variableName(c, start)
    case T.COLON:
      if (!c.touches(c.pos + 1)) return undefined
      c.pos += 2
      if (c.at(T.DOT) && c.isName(c.pos + 1)) {
        const first = c.text.slice(start, c.end())
        c.pos++
        return dottedName(c, start, [first], 0)
      }
      return { parts: [c.text.slice(start, c.end())], start, end: c.end(), sort: 'hole', quoted: 0 }
    case T.QUESTION:
      c.pos++
      return { parts: ['?'], start, end: c.end(), sort: 'hole', quoted: 0 }
    case K.IDENTIFIER:
      if (c.peek(1) === T.LPAREN) return identifierCall(c, start)
      break
    case T.DOT:
      // T-SQL tolerates a leading dot: `.table`.
      if (c.dialect.name !== 'tsql' && c.dialect.name !== 'ansi') c.missing('a name')
      if (c.isName(c.pos + 1)) c.pos++
      break
    default:
  }
  if (!c.isName(c.pos) || isReserved(c)) return undefined
  return dottedName(c, start, [], 0)
}

/** Words that no dialect lets a table have for a name without quotes. */
const RESERVED: ReadonlySet<number> = new Set([
  K.FROM,
  K.INTO,
  K.WHERE,
  K.SELECT,
  K.HAVING,
  K.UNION,
  K.AS,
  K.AND,
  K.OR,
  K.ON,
  K.USING,
  K.SET,
])

function isReserved(c: Cursor): boolean {
  const next = c.peek(1)
  return RESERVED.has(c.type) && next !== T.DOT && next !== T.EOF && next !== T.SEMICOLON
}

function path(c: Cursor, text: string, start: number): TableName {
  return { parts: [text.replaceAll('"', '')], start, end: c.end(), sort: 'path', quoted: 0 }
}

function stringName(c: Cursor, start: number): TableName {
  const value = stringValue(c.textAt(c.pos))
  c.pos++
  if (c.at(T.DOT)) {
    // 'schema'.'table': quotes of a careless hand.
    c.pos++
    if (c.at(T.STRING)) {
      const rest = stringName(c, start)
      return { ...rest, parts: [value, ...rest.parts], sort: 'table' }
    }
    return dottedName(c, start, [value], 1)
  }
  return { parts: [value], start, end: c.end(), sort: isPath(value) ? 'path' : 'table', quoted: 1 }
}

/** Whether a quoted name is a file or location. */
export function isPath(text: string): boolean {
  return (
    text.includes('://') ||
    text.includes('/') ||
    text.startsWith('@') ||
    /\.(csv|tsv|json|jsonl|ndjson|parquet|orc|avro|txt|xlsx|arrow|db|duckdb|gz|zst)$/i.test(text)
  )
}

function variableName(c: Cursor, start: number): TableName {
  const raw = c.textAt(c.pos)
  const text = raw.startsWith('&') && raw.endsWith('.') ? raw.slice(0, -1) : raw
  c.pos++
  if (c.at(T.DOT) && (c.isName(c.pos + 1) || c.peek(1) === T.PARAM || c.peek(1) === T.HOLE)) {
    c.pos++
    return dottedName(c, start, [text], 0)
  }
  return { parts: [text], start, end: c.end(), sort: 'hole', quoted: 0 }
}

/** IDENTIFIER('db.t') and IDENTIFIER(t) name a table; IDENTIFIER($x) does not. */
function identifierCall(c: Cursor, start: number): TableName {
  const closing = c.closing(c.pos + 1)
  const only = closing === c.pos + 3
  const at = c.pos + 2
  const type = c.types[at]!
  c.pos = closing + 1
  if (only && type === T.STRING)
    return { parts: splitDotted(stringValue(c.textAt(at))), start, end: c.end(), sort: 'table', quoted: 0 }
  // Databricks: IDENTIFIER('a' || '.b').
  const whole = concatenated(c, at, closing)
  if (whole !== undefined) return { parts: splitDotted(whole), start, end: c.end(), sort: 'table', quoted: 0 }
  const parts: string[] = []
  for (let i = at; i < closing; i += 2) {
    if (!c.isName(i) || (i + 1 < closing && c.types[i + 1] !== T.DOT))
      return {
        parts: [c.text.slice(start, c.end())],
        start,
        end: c.end(),
        sort: 'hole',
        quoted: 0,
        pieces: piecesOf(c, at, closing),
      }
    parts.push(c.nameAt(i))
  }
  return { parts, start, end: c.end(), sort: parts.length > 0 ? 'table' : 'hole', quoted: 0 }
}

/** The text of literals put together by `||`. */
function concatenated(c: Cursor, from: number, to: number): string | undefined {
  let text = ''
  for (let i = from; i < to; i += 2) {
    if (c.types[i] !== T.STRING || (i + 1 < to && c.types[i + 1] !== T.CONCAT)) return undefined
    text += stringValue(c.textAt(i))
  }
  return text === '' ? undefined : text
}

const REMOTE: ReadonlySet<string> = new Set(['remote', 'remotesecure', 'cluster', 'clusterallreplicas'])

/** ClickHouse: functions that read or write a table of another server. */
export function isRemote(name: string): boolean {
  return REMOTE.has(name.toLowerCase())
}

/** `('host', db.t, …)` or `('host', 'db', 't', …)`, the cursor on the parenthesis, which stays. */
export function remoteTable(c: Cursor): TableName | undefined {
  const open = c.pos
  const closing = c.closing(open)
  let at = open + 1
  while (at < closing && c.types[at] !== T.COMMA) at++
  c.pos = at + 1
  const first = c.at(T.STRING)
    ? splitDotted(c.nameAt(c.pos))
    : c.isName(c.pos) &&
        c.peek(1) === T.COMMA &&
        c.isName(c.pos + 2) &&
        (c.peek(3) === T.COMMA || c.peek(3) === T.RPAREN)
      ? [c.nameAt(c.pos)]
      : undefined
  const start = c.start()
  let table: TableName | undefined
  if (!first) table = parseTableName(c)
  else {
    const second =
      c.peek(1) === T.COMMA && (c.peek(2) === T.STRING || c.isName(c.pos + 2)) && first.length === 1
        ? c.nameAt(c.pos + 2)
        : undefined
    const parts = second === undefined ? first : [...first, second]
    table = { parts, start, end: c.ends[c.pos]!, sort: 'table', quoted: 0 }
  }
  c.pos = open
  return table
}

/** Splits `db.schema."a.b"` at the dots outside of quotes, and drops the quotes. */
export function splitDotted(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let quote = ''
  for (const char of text) {
    if (quote) {
      if (char === quote) quote = ''
      else part += char
    } else if (char === '"' || char === '`') quote = char
    else if (char === '.') {
      parts.push(part)
      part = ''
    } else part += char
  }
  parts.push(part)
  return parts
}

function dottedName(c: Cursor, start: number, parts: string[], quotedBits: number): TableName {
  let quoted = quotedBits
  for (;;) {
    const type = c.type
    if (type === T.QUOTED) {
      const text = c.nameAt(c.pos)
      c.pos++
      if (c.dialect.dotsInQuotes && text.includes('.') && !text.includes('/')) parts.push(...text.split('.'))
      else {
        if (parts.length === 0 && isLocation(text))
          return { parts: [text], start, end: c.end(), sort: 'path', quoted: 1 }
        // delta.`/path`, parquet.`s3://…`
        if (parts.length === 1 && isPath(text)) return { parts: [text], start, end: c.end(), sort: 'path', quoted: 1 }
        quoted |= 1 << parts.length
        parts.push(text)
      }
    } else if (c.isName(c.pos) || type === T.PARAM || type === T.HOLE || type === T.NUMBER) {
      let text = c.textAt(c.pos)
      c.pos++
      if (c.dialect.dashedNames) {
        const end = dashedEnd(c)
        if (end > c.pos) {
          text = c.text.slice(c.starts[c.pos - 1], c.ends[end - 1])
          c.pos = end
        }
      }
      parts.push(text)
    } else break
    if (!c.at(T.DOT)) break
    if (c.peek(1) === T.DOT && (c.isName(c.pos + 2) || c.peek(2) === T.PARAM)) {
      // db..table: the default schema in between.
      parts.push('')
      c.pos += 2
      continue
    }
    if (!(
      c.isName(c.pos + 1) ||
      c.peek(1) === T.PARAM ||
      c.peek(1) === T.HOLE ||
      c.peek(1) === T.NUMBER ||
      c.peek(1) === T.STAR
    ))
      break
    if (c.peek(1) === T.STAR) {
      // BigQuery: dataset.* of a wildcard.
      if (!c.dialect.shardedTables) break
      c.pos += 2
      parts.push('*')
      break
    }
    c.pos++
  }
  if (c.dialect.shardedTables) wildcard(c, parts)
  // Databricks: the pipeline's own tables, and t@v3, a version of a table.
  if (c.dialect.name === 'databricks') {
    if (parts.length === 2 && parts[0]!.toLowerCase() === 'live') parts.shift()
  }
  if ((c.dialect.name === 'databricks' || c.dialect.name === 'spark') && c.at(T.AT) && c.touches(c.pos)) {
    if (c.touches(c.pos + 1)) c.pos += 2
  }
  // Oracle: table@link.
  if (c.at(T.AT) && c.touches(c.pos) && c.isName(c.pos + 1) && c.dialect.name === 'oracle') {
    c.pos += 2
    while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
    parts.push(parts.pop()! + c.text.slice(c.text.lastIndexOf('@', c.end()), c.end()))
  }
  return { parts, start, end: c.end(), sort: 'table', quoted }
}

function isLocation(text: string): boolean {
  return text.includes('://') || text.startsWith('/') || /\.(csv|parquet|json)$/i.test(text)
}

/** End index of `-word-word` that goes on the word before without space. */
function dashedEnd(c: Cursor): number {
  let end = c.pos
  while (
    c.types[end] === T.MINUS &&
    c.touches(end) &&
    c.touches(end + 1) &&
    (c.isName(end + 1) || c.types[end + 1] === T.NUMBER)
  ) {
    end += 2
    while (c.touches(end) && (c.isName(end) || c.types[end] === T.NUMBER)) end++
  }
  return end
}

/** BigQuery outside of quotes: events_* . */
function wildcard(c: Cursor, parts: string[]): void {
  if (c.at(T.STAR) && c.touches(c.pos) && parts.length > 0) {
    c.pos++
    parts.push(`${parts.pop()!}*`)
  } else if (c.at(T.PARAM) && c.touches(c.pos) && parts.length > 0) {
    parts.push(parts.pop()! + c.textAt(c.pos))
    c.pos++
  }
}
