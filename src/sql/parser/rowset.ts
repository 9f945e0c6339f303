/** Relations made by functions: UNNEST, FLATTEN, LATERAL VIEW, JSON_TABLE, OPENJSON, file readers and all others. */

import type { Dialect } from '../dialects/dialect.ts'
import type { Expression } from '../ir/expression.ts'
import type { FunctionRelation, Join, Relation, RowsetColumn, TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST } from './lone-table.ts'
import { Collector } from './collector.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { parseExpression, scanExpression } from './expression.ts'
import { nameList } from './item.ts'
import { startsQuery } from './lookahead.ts'
import { isRemote, parseTableName, remoteTable, splitDotted } from './name.ts'
import { neverTableAlias } from './words.ts'

/** Columns of functions whose schema is always the same. `+` marks what derives from the arguments. */
const KNOWN_COLUMNS: Readonly<Record<string, string>> = {
  flatten: 'seq,+key,+path,index,+value,+this',
  split_to_table: 'seq,index,+value',
  strtok_split_to_table: 'seq,index,+value',
  string_split: '+value,ordinal',
  openjson: '+key,+value,type',
  json_each: '+key,+value,+type,+atom,id,parent,+fullkey,+path',
  jsonb_each: '+key,+value',
  json_each_text: '+key,+value',
  jsonb_each_text: '+key,+value',
  json_tree: '+key,+value,+type,+atom,id,parent,+fullkey,+path',
  json_array_elements: '+value',
  jsonb_array_elements: '+value',
  json_array_elements_text: '+value',
  jsonb_array_elements_text: '+value',
  variant_explode: 'pos,+key,+value',
  variant_explode_outer: 'pos,+key,+value',
  posexplode: 'pos,+col',
  posexplode_outer: 'pos,+col',
  numbers: 'number',
  generator: '',
  containstable: 'key,rank',
  freetexttable: 'key,rank',
}

/** Functions whose rows are the elements of their arguments: one column named by the alias. */
const ELEMENT_FUNCTIONS = new Set(
  'unnest,explode,explode_outer,generate_series,range,regexp_split_to_table,string_to_table,generate_subscripts,jsonb_object_keys,json_object_keys,jsonb_path_query,generate_date_array,inline,inline_outer,stack,lateral_flatten,table_of,regexp_matches,xpath_table,arrayjoin'.split(
    ',',
  ),
)

/** Functions whose first literal argument is the file that they read. */
const FILE_READERS = new Set(
  'read_csv,read_csv_auto,read_parquet,parquet_scan,read_json,read_json_auto,read_json_objects,read_ndjson,read_ndjson_auto,read_ndjson_objects,read_text,read_blob,delta_scan,iceberg_scan,sniff_csv,read_xlsx,st_read,read_files,cloud_files,s3,s3cluster,gcs,hdfs,file,url,azureblobstorage,deltalake,iceberg,files,read_avro,read_kafka'.split(
    ',',
  ),
)

/** A call in the place of a table; undefined (and nothing consumed) when none stands here. */
export function parseFunctionRelation(c: Cursor, join: Join, start: number): FunctionRelation | undefined {
  if (c.at(K.TABLE)) return parseTableCall(c, join, start)
  if (c.at(K.ROWS) && c.peek(1) === K.FROM && c.peek(2) === T.LPAREN) return parseRowsFrom(c, join, start)
  if (c.at(K.IDENTIFIER)) return undefined
  let i = c.pos
  if (!c.isName(i)) return undefined
  while (c.types[i + 1] === T.DOT && c.isName(i + 2)) i += 2
  if (c.types[i + 1] !== T.LPAREN || isHint(c, i + 1)) return undefined
  const parts: string[] = []
  for (let part = c.pos; part <= i; part += 2) parts.push(c.nameAt(part))
  c.pos = i + 1
  return readCall(c, parts, join, start)
}

/** T-SQL: `t (NOLOCK)`. */
function isHint(c: Cursor, open: number): boolean {
  const word = c.textAt(open + 1).toLowerCase()
  return c.types[open + 2] === T.RPAREN ? HINTS.has(word) : HINTS.has(word) && c.types[open + 2] === T.COMMA
}

/** Functions whose first argument is a table by its bare name. */
const TABLE_READERS: ReadonlySet<string> = new Set([
  'stream',
  'snapshot',
  'changetable',
  'containstable',
  'freetexttable',
])

const HINTS = new Set(
  'nolock,readuncommitted,updlock,readpast,rowlock,holdlock,tablock,tablockx,xlock,paglock,nowait,forceseek,noexpand'.split(
    ',',
  ),
)

/** With the cursor on `(`. */
function readCall(c: Cursor, parts: readonly string[], join: Join, start: number): FunctionRelation {
  const name = parts.at(-1)!.toLowerCase()
  const base = { kind: 'function', name, parts, join, pivots: [], start, ordinality: undefined } as const
  if (name === 'json_table' || name === 'xmltable') return readColumnsCall(c, base)
  const named = tableByText(c, name, c.pos)
  if (named) {
    c.stepOverParens()
    const relations: Relation[] = [{ kind: 'table', name: named, join: FIRST, pivots: [], start, end: c.end() }]
    return { ...base, args: [], relations, elements: false, columns: undefined, end: c.end() }
  }
  if (c.dialect.name === 'clickhouse' && c.isName(c.pos + 1) && c.peek(2) === T.EQUALS && !FILE_READERS.has(name)) {
    // A view with parameters: mart.sales(day = '2024-01-01').
    const end = c.starts[c.pos]!
    c.stepOverParens()
    const view: TableName = { parts, start, end, sort: 'table', quoted: 0 }
    const relations: Relation[] = [{ kind: 'table', name: view, join: FIRST, pivots: [], start, end }]
    return { ...base, args: [], relations, elements: false, columns: undefined, end: c.end() }
  }
  const read = readArguments(c, name)
  // T-SQL: OPENDATASOURCE('provider', 'connection').db.schema.table
  if (name === 'opendatasource' && c.take(T.DOT)) {
    const table = parseTableName(c)
    const relations: Relation[] = table
      ? [{ kind: 'table', name: table, join: FIRST, pivots: [], start, end: c.end() }]
      : []
    return { ...base, args: [], relations, elements: false, columns: undefined, end: c.end() }
  }
  if (name === 'nodes' && parts.length > 1) {
    // T-SQL: column.nodes('path') AS t(x).
    const reference = { parts: parts.slice(0, -1), quoted: false, start, end: c.end(), role: 0 }
    const column: Expression = {
      start,
      end: c.end(),
      references: [reference],
      queries: [],
      stars: [],
      windows: [],
      form: 'column',
    }
    return { ...base, args: [column], relations: [], elements: true, columns: undefined, end: c.end() }
  }
  if ((name === 'openjson' || name === 'openxml' || name === 'openrowset') && c.at(K.WITH) && c.peek(1) === T.LPAREN) {
    c.pos++
    return { ...base, ...read, elements: false, columns: definedColumns(c), end: c.end() }
  }
  return {
    ...base,
    ...read,
    elements: ELEMENT_FUNCTIONS.has(name),
    columns: knownColumns(name, c.dialect),
    end: c.end(),
  }
}

/** SQLite and DuckDB have functions of these names with more columns. */
const POSTGRES_COLUMNS: Readonly<Record<string, string>> = {
  json_each: '+key,+value',
  jsonb_each: '+key,+value',
}

function knownColumns(name: string, dialect: Dialect): readonly RowsetColumn[] | undefined {
  const known = (dialect.unnamed === 'postgres' ? POSTGRES_COLUMNS[name] : undefined) ?? KNOWN_COLUMNS[name]
  if (known === undefined) return undefined
  return known
    .split(',')
    .filter(Boolean)
    .map((text) => (text.startsWith('+') ? { name: text.slice(1), from: 'args' } : { name: text, from: 'none' }))
}

interface Arguments {
  readonly args: readonly Expression[]
  readonly relations: readonly Relation[]
}

/** Arguments one by one: tables (`TABLE t`, `(SELECT …)` of a table function), models, values. */
function readArguments(c: Cursor, name: string): Arguments {
  const args: Expression[] = []
  const relations: Relation[] = []
  const open = c.pos
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
  void open
  return { args, relations }
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

function readRelationArgument(c: Cursor, name: string, first: boolean, relations: Relation[]): boolean {
  const next = c.peek(1)
  const start = c.start()
  // Teradata: f(ON t PARTITION BY x USING k('v')).
  if (c.at(K.ON) && c.dialect.name === 'teradata') return readOnClauses(c, relations)
  // Trino: DESCRIPTOR(a, b) names columns of what is made.
  if (c.isWord(c.pos, 'descriptor') && next === T.LPAREN) {
    c.pos++
    c.stepOverParens()
    return true
  }
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
    if (inside && startsQuery(c, c.pos))
      relations.push({
        kind: 'query',
        query: c.rules.query(c),
        lateral: false,
        join: FIRST,
        pivots: [],
        start,
        end: c.end(),
      })
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
  if (c.at(K.CURSOR) && next === T.LPAREN) c.pos++
  if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) {
    c.pos++
    relations.push({
      kind: 'query',
      query: c.rules.query(c),
      lateral: false,
      join: FIRST,
      pivots: [],
      start,
      end: c.end(),
    })
    c.closeParen()
    return true
  }
  // T-SQL: CHANGETABLE(CHANGES t, @version), CONTAINSTABLE(t, column, 'text').
  if (first && name === 'changetable' && (c.at(K.CHANGES) || c.at(K.VERSION))) c.pos++
  if (first && TABLE_READERS.has(name) && c.isName(c.pos)) {
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
  if (name === 'openrowset' && c.isWord(c.pos, 'bulk')) c.pos++
  // OPENROWSET(BULK 'x', FORMAT = 'CSV'): an option, no column.
  if (name === 'openrowset' && c.isName(c.pos) && next === T.EQUALS) {
    while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) stepOverOne(c)
    return true
  }
  if ((first || name === 'openrowset') && (FILE_READERS.has(name) || name === 'openrowset'))
    return readFiles(c, relations)
  return false
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

/** Functions that run a query given as text. */
const TEXT_QUERIES: ReadonlySet<string> = new Set([
  'openquery',
  'dblink',
  'external_query',
  'query',
  'remote_query',
  'postgres_query',
  'mysql_query',
])

/** Functions that name a table by literal arguments: the places of its parts. */
const TABLES_BY_TEXT: ReadonlyMap<string, readonly number[]> = new Map([
  ['postgres_scan', [1, 2]],
  ['postgres_scan_pushdown', [1, 2]],
  ['sqlite_scan', [1]],
  ['postgresql', [1, 5, 2]],
  ['mysql', [1, 2]],
  ['mongodb', [1, 2]],
  ['query_table', [0]],
  ['dictionary', [0]],
])

/** `postgresql('host', 'db', 'table', 'user', 'password', 'schema')`: the table db.schema.table, the call read whole. */
function tableByText(c: Cursor, name: string, open: number): TableName | undefined {
  const places = TABLES_BY_TEXT.get(name)
  if (!places) return undefined
  const closing = c.closing(open)
  const texts: string[] = []
  for (let at = open + 1; at < closing; at += 2) {
    if (c.types[at] !== T.STRING) return undefined
    texts.push(stringValue(c.textAt(at)))
  }
  const found = places.map((place) => texts[place]).filter((part) => part !== undefined)
  if (found.length === 0) return undefined
  const parts = found.length === 1 ? splitDotted(found[0]!) : found
  return { parts, start: c.starts[open]!, end: c.ends[closing]!, sort: 'table', quoted: 0 }
}

/** A query in a string, run elsewhere. */
function readTextQuery(c: Cursor, relations: Relation[]): boolean {
  const start = c.start()
  const statement = c.subScript(c.pos)[0]
  if (statement?.kind !== 'query' || statement.query.kind === 'values') return false
  c.pos++
  relations.push({
    kind: 'query',
    query: statement.query,
    lateral: false,
    join: FIRST,
    pivots: [],
    start,
    end: c.end(),
  })
  return true
}

/** StarRocks and Doris: FILES('path' = 's3://…', 'format' = 'csv'), S3('uri' = …). */
function readFileProperties(c: Cursor, relations: Relation[]): boolean {
  while (c.at(T.STRING) && c.peek(1) === T.EQUALS) {
    const start = c.start()
    const key = stringValue(c.textAt(c.pos)).toLowerCase()
    c.pos += 2
    if (PATH_PROPERTIES.has(key) && c.at(T.STRING)) {
      const parts = [stringValue(c.textAt(c.pos))]
      const name = { parts, start, end: c.ends[c.pos]!, sort: 'path', quoted: 1 } as const
      relations.push({ kind: 'table', name, join: FIRST, pivots: [], start, end: name.end })
    }
    c.pos++
    if (!c.take(T.COMMA)) break
  }
  return true
}

const PATH_PROPERTIES: ReadonlySet<string> = new Set(['path', 'uri', 'file_path'])

/** 'path', ['path', 'path']. */
function readFiles(c: Cursor, relations: Relation[]): boolean {
  const list = c.at(T.LBRACKET)
  if (!list && !c.at(T.STRING)) return false
  if (c.at(T.STRING) && c.peek(1) === T.EQUALS) return readFileProperties(c, relations)
  if (list) c.pos++
  do {
    if (!c.at(T.STRING)) break
    const start = c.start()
    const value = stringValue(c.textAt(c.pos))
    c.pos++
    relations.push({
      kind: 'table',
      name: { parts: [value], start, end: c.end(), sort: 'path', quoted: 1 },
      join: FIRST,
      pivots: [],
      start,
      end: c.end(),
    })
    if (!list) break
  } while (c.take(T.COMMA))
  if (list) c.take(T.RBRACKET)
  return true
}

/** TABLE(f(x)), TABLE(FLATTEN(x)), TABLE(name), TABLE(SELECT …). */
function parseTableCall(c: Cursor, join: Join, start: number): FunctionRelation | undefined {
  if (c.peek(1) !== T.LPAREN) return undefined
  c.pos += 2
  let result: FunctionRelation
  // Oracle: TABLE(CAST(collection AS type)).
  const cast = c.at(K.CAST) && c.peek(1) === T.LPAREN
  const inner = cast || startsQuery(c, c.pos) ? undefined : parseFunctionRelation(c, join, start)
  if (inner) result = inner
  else {
    const base = {
      kind: 'function',
      name: 'table',
      parts: ['table'],
      join,
      pivots: [],
      start,
      ordinality: undefined,
      elements: false,
      columns: undefined,
    } as const
    if (startsQuery(c, c.pos)) {
      const query = c.rules.query(c)
      result = {
        ...base,
        args: [],
        relations: [{ kind: 'query', query, lateral: true, join: FIRST, pivots: [], start, end: c.end() }],
        end: c.end(),
      }
    } else if (c.at(T.STRING) || ((c.isName(c.pos) || c.at(T.PARAM)) && isNameToClose(c))) {
      // TABLE('db.t') and TABLE(t) of Snowflake; a collection's column elsewhere.
      const table = parseTableName(c)!
      const collection = c.dialect.name === 'oracle'
      const parts = table.sort === 'table' && table.parts.length === 1 ? table.parts[0]!.split('.') : table.parts
      if (collection) {
        const reference = { parts, quoted: false, start: table.start, end: table.end, role: 0 }
        const expression: Expression = {
          start: table.start,
          end: table.end,
          references: [reference],
          queries: [],
          stars: [],
          windows: [],
          form: 'column',
        }
        result = { ...base, name: 'unnest', elements: true, args: [expression], relations: [], end: c.end() }
      } else
        result = {
          ...base,
          args: [],
          relations: [{ kind: 'table', name: { ...table, parts }, join: FIRST, pivots: [], start, end: c.end() }],
          end: c.end(),
        }
    } else {
      const args: Expression[] = []
      do args.push(parseExpression(c))
      while (c.take(T.COMMA))
      result = { ...base, args, relations: [], elements: true, end: c.end() }
    }
  }
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  c.closeParen()
  return { ...result, end: c.end() }
}

function isNameToClose(c: Cursor): boolean {
  let i = c.pos
  while (c.types[i + 1] === T.DOT && c.isName(i + 2)) i += 2
  return c.types[i + 1] === T.RPAREN
}

/** PostgreSQL: ROWS FROM (f(x), g(y)). */
function parseRowsFrom(c: Cursor, join: Join, start: number): FunctionRelation {
  c.pos += 2
  const args: Expression[] = []
  c.take(T.LPAREN)
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    args.push(parseExpression(c))
    // json_to_recordset(x) AS (a int, b text)
    if (c.take(K.AS) && c.at(T.LPAREN)) c.stepOverParens()
    if (!c.take(T.COMMA) && c.pos === before) c.skip()
  }
  c.closeParen()
  return {
    kind: 'function',
    name: 'rows',
    parts: ['rows'],
    args,
    relations: [],
    columns: undefined,
    elements: true,
    ordinality: undefined,
    join,
    pivots: [],
    start,
    end: c.end(),
  }
}

type Base = Omit<FunctionRelation, 'args' | 'relations' | 'columns' | 'elements' | 'end'>

/** JSON_TABLE(doc, path COLUMNS (…)) and XMLTABLE(path PASSING doc COLUMNS …). */
function readColumnsCall(c: Cursor, base: Base): FunctionRelation {
  c.pos++
  const x = new Collector()
  x.start = c.start()
  const columns: RowsetColumn[] = []
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    if (c.at(K.COLUMNS)) {
      c.pos++
      if (c.at(T.LPAREN)) {
        c.pos++
        readColumnDefinitions(c, columns)
        c.closeParen()
      } else readColumnDefinitions(c, columns)
      continue
    }
    if (c.peek(1) === K.ON && (c.at(K.NULL) || c.isWord(c.pos, 'error') || c.at(K.EMPTY))) c.pos += 3
    else if (c.at(K.XMLNAMESPACES)) {
      c.pos++
      if (c.at(T.LPAREN)) c.stepOverParens()
    } else if (c.at(K.PASSING)) {
      c.pos++
      if (c.at(K.BY)) c.pos += 2
    } else scanExpression(c, x)
    if (c.take(K.AS)) c.pos++
    if (c.pos === before) c.pos++
  }
  x.end = c.end()
  c.closeParen()
  return { ...base, args: [x], relations: [], columns, elements: false, end: c.end() }
}

/** `a int PATH '$.a', n FOR ORDINALITY, NESTED PATH '$.b[*]' COLUMNS (…)`. */
function readColumnDefinitions(c: Cursor, columns: RowsetColumn[]): void {
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    if (c.isWord(c.pos, 'nested')) {
      while (!c.at(K.COLUMNS) && !c.at(T.RPAREN) && !c.atEnd()) c.pos++
      if (c.take(K.COLUMNS)) {
        const inside = c.take(T.LPAREN)
        readColumnDefinitions(c, columns)
        if (inside) c.closeParen()
      }
    } else if (c.isName(c.pos)) {
      const name = c.nameAt(c.pos)
      const counts = c.peek(1) === K.FOR && c.peek(2) === K.ORDINALITY
      columns.push({ name, from: counts ? 'none' : 'args' })
      while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
    }
    if (c.take(T.COMMA)) continue
    if (c.pos === before) c.pos++
  }
}

/** `(a int '$.a', b nvarchar(max) '$.b' AS JSON)` of OPENJSON … WITH. */
function definedColumns(c: Cursor): RowsetColumn[] {
  return nameList(c, c.pos).map((name) => ({ name, from: 'args' }))
}

/** Hive: LATERAL VIEW [OUTER] f(args) alias [AS c1, c2], the words before f already read. */
export function parseLateralView(c: Cursor, join: Join): FunctionRelation | undefined {
  const start = c.start()
  const call = parseFunctionRelation(c, join, start)
  if (!call) return undefined
  let alias: string | undefined
  if (c.isName(c.pos) && !c.at(K.AS) && !neverTableAlias(c.type)) {
    alias = c.nameAt(c.pos)
    c.pos++
  }
  const names: string[] = []
  if (c.take(K.AS)) {
    if (c.at(T.LPAREN)) names.push(...nameList(c, c.pos))
    else {
      do names.push(c.nameAt(c.pos++))
      while (c.at(T.COMMA) && c.isName(c.pos + 1) && c.take(T.COMMA))
    }
  }
  const columns = lateralColumns(call.name, names)
  return { ...call, columns, elements: false, ...(alias === undefined ? {} : { alias }), end: c.end() }
}

function lateralColumns(name: string, names: readonly string[]): readonly RowsetColumn[] {
  const counted = name.startsWith('posexplode')
  const defaults = counted ? ['pos', 'col'] : ['col', 'key', 'value']
  return (names.length > 0 ? names : defaults).map((column, index) => ({
    name: column,
    from: counted && index === 0 ? 'none' : 'args',
  }))
}

/** ClickHouse: [LEFT] ARRAY JOIN a AS x, b AS y. */
export function parseArrayJoin(c: Cursor, join: Join): Relation[] {
  c.pos += 2
  const relations: Relation[] = []
  do {
    const start = c.start()
    const expression = parseExpression(c)
    let name = expression.references.at(-1)?.parts.at(-1) ?? 'arrayJoin'
    if (c.take(K.AS) || (c.isName(c.pos) && !neverTableAlias(c.type))) name = c.nameAt(c.pos++)
    relations.push({
      kind: 'function',
      name: 'arrayjoin',
      parts: ['arrayJoin'],
      args: [expression],
      relations: [],
      columns: [{ name, from: 'args' }],
      elements: false,
      ordinality: undefined,
      join,
      pivots: [],
      start,
      end: c.end(),
    })
  } while (c.take(T.COMMA))
  return relations
}
