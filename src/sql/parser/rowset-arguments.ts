/** Arguments of a function that makes rows: values, tables, queries, models. */

import type { Expression } from '../ir/expression.ts'
import type { Relation } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST, plainSelect, queryRelation, tableRelation } from './plain-query.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { scanExpression } from './expression.ts'
import { nameList } from './name-list.ts'
import { startsQuery } from './lookahead.ts'
import { isRemote, parseTableName, remoteTable } from './name.ts'
import { FILE_READERS, readFiles } from './file-reader.ts'
import { ELEMENT_FUNCTIONS, knownColumns } from './rowset-columns.ts'
import { TEXT_QUERIES, readTextQuery } from './table-by-text.ts'

interface Arguments {
  readonly args: readonly Expression[]
  readonly relations: readonly Relation[]
}

/** Arguments one by one: tables (`TABLE t`, `(SELECT …)` of a table function), models, values. */
export function readArguments(c: Cursor, name: string): Arguments {
  const args: Expression[] = []
  const relations: Relation[] = []
  const described: string[] = []
  const start = c.start()
  c.pos++
  c.enter(1)
  let first = true
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    if (c.peek(1) === T.FAT_ARROW || (c.peek(1) === T.ASSIGN && c.isName(c.pos))) c.pos += 2
    // DuckDB: read_csv('x', header = true).
    if (FILE_READERS.has(name) && c.isName(c.pos) && c.peek(1) === T.EQUALS) c.pos += 2
    // ClickHouse: url('http://x', CSV) names a format.
    const format =
      !first && FILE_READERS.has(name) && c.isName(c.pos) && (c.peek(1) === T.COMMA || c.peek(1) === T.RPAREN)
    if (format) c.pos++
    else if (isDescriptor(c)) described.push(...nameList(c, c.pos + 1).map((column) => column.toLowerCase()))
    else if (!readRelationArgument(c, name, first, relations)) {
      const x = new Collector()
      x.start = c.start()
      scanOneArgument(c, x)
      x.end = c.end()
      if (!(name === 'openquery' && first)) args.push(x)
    }
    first = false
    if (c.take(T.COMMA)) continue
    if (c.pos === before) c.skip()
  }
  c.closeParen()
  c.leave(1)
  if (name === 'exclude_columns' && c.dialect.unnamed === 'trino')
    return { args: [], relations: [excluding(c, relations, described, start)] }
  if (WINDOWS.has(name) && relations.length === 1 && described.length > 0)
    return { args: [], relations: [windowed(c, relations, described, start)] }
  return { args, relations }
}

/** Flink: functions that cut rows into windows of time. */
const WINDOWS: ReadonlySet<string> = new Set(['tumble', 'hop', 'cumulate', 'session'])

/** TUMBLE(TABLE t, DESCRIPTOR(at), …) is SELECT *, at AS window_start, … FROM t. */
function windowed(c: Cursor, from: readonly Relation[], times: readonly string[], start: number): Relation {
  const end = c.end()
  const place = { start, end, queries: [], stars: [], windows: [] }
  const star = { except: [], replace: [], rename: undefined }
  const references = times.map((name) => ({ parts: [name], quoted: false, start, end, role: 0 }))
  const all = { expression: { ...place, references: [], form: 'other' }, star, start, end } as const
  const columns = ['window_start', 'window_end', 'window_time'].map(
    (alias) => ({ expression: { ...place, references, form: 'other' }, alias, start, end }) as const,
  )
  return queryRelation(plainSelect([all, ...columns], from, start, end), start, end)
}

/** Trino: DESCRIPTOR(a, b) names columns. */
function isDescriptor(c: Cursor): boolean {
  return c.isWord(c.pos, 'descriptor') && c.peek(1) === T.LPAREN
}

/** Trino: exclude_columns(TABLE(t), DESCRIPTOR(a, b)) is SELECT * EXCEPT (a, b) FROM t. */
function excluding(c: Cursor, from: readonly Relation[], except: readonly string[], start: number): Relation {
  const end = c.end()
  const expression = { start, end, references: [], queries: [], stars: [], windows: [], form: 'other' } as const
  const star = { except, replace: [], rename: undefined }
  return queryRelation(plainSelect([{ expression, star, start, end }], from, start, end), start, end)
}

/** One argument with all that functions may hang on it; read through a one-argument call. */
function scanOneArgument(c: Cursor, x: Collector): void {
  if (startsQuery(c, c.pos)) x.addQuery({ query: c.rules.query(c), role: 0, valueless: false })
  else scanExpression(c, x)
  while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else if (c.at(K.PASSING) || c.at(K.FROM) || c.at(K.FOR) || c.at(K.BY) || c.at(K.AS)) {
      c.pos++
      scanExpression(c, x)
    } else if (c.isName(c.pos)) c.pos++
    else return
  }
}

/** Functions whose first argument is a table by its bare name. */
const TABLE_READERS: ReadonlySet<string> = new Set([
  'stream',
  'snapshot',
  'changetable',
  'containstable',
  'freetexttable',
])

/** Oracle: CONTAINERS(t) and SHARDS(t), the table of every container. */
function isPluggable(c: Cursor, name: string): boolean {
  return c.dialect.name === 'oracle' && (name === 'containers' || name === 'shards')
}

/** Dialects in which a function may be given a query's rows in nothing but parentheses; elsewhere these hold one value. */
const TAKING_TABLES: ReadonlySet<string> = new Set(['bigquery', 'duckdb', 'trino', 'presto', 'athena', 'ansi'])

function takesTable(c: Cursor, name: string): boolean {
  return (
    TAKING_TABLES.has(c.dialect.name) && !ELEMENT_FUNCTIONS.has(name) && knownColumns(name, c.dialect) === undefined
  )
}

function readRelationArgument(c: Cursor, name: string, first: boolean, relations: Relation[]): boolean {
  const next = c.peek(1)
  const start = c.start()
  // Teradata: f(ON t PARTITION BY x USING k('v')).
  if (c.at(K.ON) && c.dialect.name === 'teradata') return readOnClauses(c, relations)
  if (c.at(K.MODEL) && (c.isName(c.pos + 1) || next === T.QUOTED)) {
    c.pos++
    parseTableName(c)
    return true
  }
  if (c.isWord(c.pos, 'connection') && c.isName(c.pos + 1)) {
    c.pos++
    parseTableName(c)
    return true
  }
  if (c.at(K.TABLE) && (c.isName(c.pos + 1) || (next === T.LPAREN && c.isName(c.pos + 2)))) {
    c.pos++
    const inside = c.take(T.LPAREN)
    if (inside && startsQuery(c, c.pos)) relations.push(queryRelation(c.rules.query(c), start, c.end()))
    else {
      const table = parseTableName(c)
      if (table) relations.push({ kind: 'table', name: table, join: FIRST, pivots: [], start, end: c.end() })
    }
    if (inside) c.closeParen()
    while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
      if (c.at(T.LPAREN)) c.stepOverParens()
      else c.pos++
      if (c.at(T.COMMA) && c.isName(c.pos + 1) && c.types[c.pos - 2] === K.BY) c.pos++
    }
    return true
  }
  const cursor = c.at(K.CURSOR) && next === T.LPAREN
  if (cursor) c.pos++
  // ClickHouse: view(SELECT …).
  if (name === 'view' && c.dialect.name === 'clickhouse' && startsQuery(c, c.pos)) {
    relations.push(queryRelation(c.rules.query(c), start, c.end()))
    return true
  }
  if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1) && (cursor || takesTable(c, name))) {
    c.pos++
    relations.push(queryRelation(c.rules.query(c), start, c.end()))
    c.closeParen()
    return true
  }
  // T-SQL: CHANGETABLE(CHANGES t, @version), CONTAINSTABLE(t, column, 'text').
  if (first && name === 'changetable' && (c.at(K.CHANGES) || c.at(K.VERSION))) c.pos++
  if (first && (TABLE_READERS.has(name) || isPluggable(c, name)) && c.isName(c.pos)) {
    const table = parseTableName(c)
    if (table) relations.push({ kind: 'table', name: table, join: FIRST, pivots: [], start, end: c.end() })
    // What is searched, by columns of that table.
    if (name.endsWith('texttable') || name === 'containstable') while (!c.at(T.RPAREN) && !c.atEnd()) stepOverOne(c)
    return true
  }
  if (TEXT_QUERIES.has(name) && (c.at(T.STRING) || c.at(T.DOLLAR_STRING)) && readTextQuery(c, relations)) return true
  if (first && isRemote(name)) {
    c.pos--
    const table = remoteTable(c)
    c.pos = c.closing(c.pos)
    if (table) relations.push({ kind: 'table', name: table, join: FIRST, pivots: [], start, end: c.end() })
    return true
  }
  if (first && name === 'openrowset' && c.at(T.STRING)) return readProvider(c, relations)
  if (name === 'openrowset' && c.isWord(c.pos, 'bulk')) c.pos++
  // OPENROWSET(BULK 'x', FORMAT = 'CSV', SINGLE_CLOB): an option, no column.
  if (name === 'openrowset' && c.isName(c.pos) && (next === T.EQUALS || isSingle(c))) {
    while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) stepOverOne(c)
    return true
  }
  if ((first || name === 'openrowset') && (FILE_READERS.has(name) || name === 'openrowset'))
    return readFiles(c, relations)
  return false
}

/**
 * T-SQL: OPENROWSET('provider', 'connection', db.schema.t), the query as text in the third place, the connection also
 * as 'source'; 'user'; 'password'. Read up to the closing parenthesis.
 */
function readProvider(c: Cursor, relations: Relation[]): boolean {
  let place = 0
  while (!c.at(T.RPAREN)) {
    if (c.take(T.COMMA)) place++
    else if (place === 2 && c.isName(c.pos)) {
      const table = parseTableName(c)
      if (table) relations.push(tableRelation(table, table.start, c.end()))
    } else if (place < 2 || !c.at(T.STRING) || !readTextQuery(c, relations)) {
      if (c.at(T.SEMICOLON) ? c.peek(1) !== T.STRING : c.atEnd()) return true
      c.pos++
    }
  }
  return true
}

function isSingle(c: Cursor): boolean {
  return c.isWord(c.pos, 'single_clob') || c.isWord(c.pos, 'single_blob') || c.isWord(c.pos, 'single_nclob')
}

function readOnClauses(c: Cursor, relations: Relation[]): boolean {
  while (c.take(K.ON)) {
    const start = c.start()
    if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) {
      c.pos++
      const query = c.rules.query(c)
      c.closeParen()
      relations.push({ kind: 'query', query, lateral: false, join: FIRST, pivots: [], start, end: c.end() })
    } else {
      const name = parseTableName(c)
      if (name) relations.push({ kind: 'table', name, join: FIRST, pivots: [], start, end: c.end() })
    }
    while (!c.at(K.ON) && !c.at(T.RPAREN) && !c.atEnd()) stepOverOne(c)
  }
  return true
}

function stepOverOne(c: Cursor): void {
  if (c.at(T.LPAREN)) c.stepOverParens()
  else c.pos++
}
