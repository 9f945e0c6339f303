/** Definitions of what is read like a table and is none: dictionaries, sinks, sources, graphs, semantic views. */

import type { Expression, Item, Reference } from '../ir/expression.ts'
import type { Join, Query, Relation, TableName } from '../ir/query.ts'
import type { ColumnDefinition } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST, plainSelect, tableRelation } from './plain-query.ts'
import { parseColumnDefinitions } from './columns.ts'
import type { Core } from './core.ts'
import { creation } from './creation.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { parseTableName, splitDotted } from './name.ts'
import { textQuery } from './text-query.ts'

const COMMA: Join = { kind: 'comma', natural: false, using: undefined }

/** ClickHouse: CREATE DICTIONARY d (columns) PRIMARY KEY k SOURCE(CLICKHOUSE(TABLE 't' DB 'd')) …, behind the name. */
export function parseDictionary(c: Cursor, target: TableName): Core {
  const start = c.start()
  if (c.at(K.ON) && c.isWord(c.pos + 1, 'cluster')) c.pos += 3
  const columns = c.at(T.LPAREN) ? parseColumnDefinitions(c).columns : []
  let query: Query | undefined
  const locations: string[] = []
  while (!c.atEnd()) {
    if (c.at(K.SOURCE) && c.peek(1) === T.LPAREN) {
      const source = readSource(c, locations)
      query = source && 'kind' in source ? source : source && namedColumns(columns, source.table, start, c.end())
    } else if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  return creation('view', target, { query, locations, ...(query ? {} : { columns }) })
}

/** SOURCE(KIND(TABLE 't' DB 'd' …)), SOURCE(KIND(QUERY 'SELECT …')), SOURCE(HTTP(URL 'http://…')). */
function readSource(c: Cursor, locations: string[]): Query | { readonly table: TableName } | undefined {
  const closing = c.closing(c.pos + 1)
  const start = c.start()
  const said = new Map<string, string>()
  let query: Query | undefined
  for (let i = c.pos + 2; i < closing; i++) {
    if (!c.isName(i) || !(c.types[i + 1] === T.STRING || c.isName(i + 1))) continue
    const key = c.textAt(i).toLowerCase()
    if (key === 'query' && c.types[i + 1] === T.STRING) {
      query = textQuery(c, i + 1) ?? query
    }
    said.set(key, c.nameAt(i + 1))
    i++
  }
  c.pos = closing + 1
  if (query) return query
  const place = said.get('url') ?? said.get('path')
  if (place !== undefined) locations.push(place)
  const table = said.get('table')
  if (table === undefined) return undefined
  const parts = splitDotted(table)
  const around = [said.get('db'), said.get('schema')].filter((part) => part !== undefined && part !== '')
  const whole = parts.length > 1 ? parts : [...around.map(String), ...parts]
  return { table: { parts: whole, start, end: c.end(), sort: 'table', quoted: 0 } }
}

function namedColumns(columns: readonly ColumnDefinition[], table: TableName, start: number, end: number): Query {
  const items = columns.map(({ name }) => {
    const reference: Reference = { parts: [name], quoted: false, start, end, role: 0 }
    return { expression: referring([reference], start, end, 'column'), alias: name, start, end }
  })
  return plainSelect(items, [tableRelation(table)], start, end)
}

function referring(references: readonly Reference[], start: number, end: number, form: Expression['form']): Expression {
  return { start, end, references, queries: [], stars: [], windows: [], form }
}

/** Materialize, RisingWave: CREATE SINK s FROM v INTO …, CREATE SINK s AS query, CREATE SOURCE s FROM …, behind the name. */
export function parseSink(c: Cursor, target: TableName, sink: boolean): Core {
  const like: TableName[] = []
  let query: Query | undefined
  while (!c.atEnd()) {
    if (sink && like.length === 0 && c.at(K.FROM)) {
      c.pos++
      const name = parseTableName(c)
      if (name) like.push(name)
    } else if (sink && c.at(K.AS) && startsQuery(c, c.pos + 1)) {
      c.pos++
      query = c.rules.query(c)
    } else if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  if (sink) return creation('view', target, { query, like, clones: true })
  return creation('table', target, {})
}

/** CREATE PROPERTY GRAPH g NODE TABLES (a …, b …) EDGE TABLES (e …): the graph reads its tables. */
export function parsePropertyGraph(c: Cursor): Core {
  const target = parseTableName(c) ?? { parts: ['?'], start: 0, end: 0, sort: 'hole', quoted: 0 }
  const like: TableName[] = []
  while (!c.atEnd()) {
    if (c.isWord(c.pos, 'tables') || c.at(K.TABLES)) {
      c.pos++
      if (c.at(T.LPAREN)) readGraphTables(c, like)
    } else c.pos++
  }
  return creation('view', target, { like })
}

function readGraphTables(c: Cursor, like: TableName[]): void {
  c.pos++
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const name = parseTableName(c)
    if (name) like.push(name)
    while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
      if (c.at(T.LPAREN)) c.stepOverParens()
      else c.pos++
    }
    if (!c.take(T.COMMA) && !name) c.pos++
  }
  c.closeParen()
}

/**
 * Snowflake: CREATE SEMANTIC VIEW v TABLES (o AS db.orders …) … FACTS (…) DIMENSIONS (o.day AS order_date) METRICS (…).
 * Read as a SELECT of facts, dimensions and metrics from the tables; what names an earlier one takes its place.
 */
export function parseSemanticView(c: Cursor): Core {
  const start = c.start()
  const target = parseTableName(c) ?? { parts: ['?'], start: 0, end: 0, sort: 'hole', quoted: 0 }
  const from: Relation[] = []
  const items: Item[] = []
  const known = new Map<string, readonly Reference[]>()
  while (!c.atEnd()) {
    const word = c.isName(c.pos) && c.peek(1) === T.LPAREN ? c.textAt(c.pos).toLowerCase() : ''
    if (word === 'tables') readLogicalTables(c, from)
    else if (word === 'facts' || word === 'dimensions' || word === 'metrics') readSemanticItems(c, items, known)
    else if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  return creation('view', target, { query: plainSelect(items, from, start, c.end()) })
}

function readLogicalTables(c: Cursor, from: Relation[]): void {
  c.pos += 2
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    const alias = c.isName(c.pos) && c.peek(1) === K.AS ? c.nameAt(c.pos) : undefined
    if (alias !== undefined) c.pos += 2
    const name = parseTableName(c)
    if (name) from.push({ ...tableRelation(name), alias, join: from.length === 0 ? FIRST : COMMA })
    stepToComma(c)
    if (!c.take(T.COMMA) && c.pos === before) c.pos++
  }
  c.closeParen()
}

function readSemanticItems(c: Cursor, items: Item[], known: Map<string, readonly Reference[]>): void {
  c.pos += 2
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    const start = c.start()
    while (c.isName(c.pos) && c.isName(c.pos + 1) && c.peek(1) !== K.AS) c.pos++
    const parts: string[] = []
    while (c.isName(c.pos)) {
      parts.push(c.nameAt(c.pos++))
      if (!c.take(T.DOT)) break
    }
    if (c.take(K.AS)) items.push(semanticItem(parts, parseExpression(c), known, start, c.end()))
    stepToComma(c)
    if (!c.take(T.COMMA) && c.pos === before) c.pos++
  }
  c.closeParen()
}

function dotted(names: readonly string[]): string {
  return names.join('.').toLowerCase()
}

function semanticItem(
  parts: readonly string[],
  expression: Expression,
  known: Map<string, readonly Reference[]>,
  start: number,
  end: number,
): Item {
  const owner = parts.slice(0, -1)
  const references = expression.references.flatMap((reference) => {
    const whole = reference.parts.length === 1 ? [...owner, ...reference.parts] : reference.parts
    const earlier = dotted(whole) === dotted(parts) ? undefined : known.get(dotted(whole))
    return earlier
      ? earlier.map((one) => ({ ...one, role: one.role | reference.role }))
      : [{ ...reference, parts: whole }]
  })
  known.set(dotted(parts), references)
  const form = references.length === expression.references.length ? expression.form : 'other'
  return { expression: { ...expression, references, form }, alias: parts.at(-1) ?? '', start, end }
}

function stepToComma(c: Cursor): void {
  while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
}
