/** Relations made by functions: UNNEST, FLATTEN, TABLE(…), ROWS FROM and all others that stand where a table could. */

import { schemaColumns, structureColumns } from './structure.ts'
import type { Expression } from '../ir/expression.ts'
import type { FunctionRelation, Join, Query, Relation, TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST, queryRelation } from './plain-query.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { parseTableName } from './name.ts'
import { ELEMENT_FUNCTIONS, knownColumns } from './rowset-columns.ts'
import { FILE_READERS } from './file-reader.ts'
import { readArguments } from './rowset-arguments.ts'
import { changeTable, tableByText } from './table-by-text.ts'
import { definedColumns, readColumnsCall } from './json-table.ts'

/** A call in the place of a table; undefined (and nothing consumed) when none stands here. */
export function parseFunctionRelation(c: Cursor, join: Join, start: number): FunctionRelation | undefined {
  if (c.at(K.TABLE)) return parseTableCall(c, join, start)
  if (c.at(K.ROWS) && c.peek(1) === K.FROM && c.peek(2) === T.LPAREN) return parseRowsFrom(c, join, start)
  if (c.at(K.IDENTIFIER) || (c.dialect.name === 'sqlite' && !isEponymous(c))) return undefined
  let i = c.pos
  if (!c.isName(i)) return undefined
  while (c.types[i + 1] === T.DOT && c.isName(i + 2)) i += 2
  if (c.types[i + 1] !== T.LPAREN || isHint(c, i + 1)) return undefined
  const parts: string[] = []
  // BigQuery: the whole path of a function may stand in one pair of backticks.
  for (let part = c.pos; part <= i; part += 2)
    parts.push(...(c.types[part] === T.QUOTED && c.dialect.dotsInQuotes ? c.nameAt(part).split('.') : [c.nameAt(part)]))
  c.pos = i + 1
  return readCall(c, parts, join, start)
}

/** SQLite: tables that are there without CREATE VIRTUAL TABLE; any other call names a virtual table. */
function isEponymous(c: Cursor): boolean {
  const name = c.nameAt(c.pos).toLowerCase()
  return EPONYMOUS.has(name) || name.startsWith('pragma_') || knownColumns(name, c.dialect) !== undefined
}

const EPONYMOUS: ReadonlySet<string> = new Set(
  'generate_series,series,dbstat,carray,completion,wholenumber,bytecode,tables_used,sqlite_stmt,fsdir,zipfile,prefixes,regexp_extract,split,lines_read,html_each,path_segments,url_query_each,fts5vocab'.split(
    ',',
  ),
)

/** T-SQL: `t (NOLOCK)`. */
function isHint(c: Cursor, open: number): boolean {
  const word = c.textAt(open + 1).toLowerCase()
  return c.types[open + 2] === T.RPAREN ? HINTS.has(word) : HINTS.has(word) && c.types[open + 2] === T.COMMA
}

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
  const scanned = name === 'result_scan' ? scannedResult(c) : undefined
  if (scanned) {
    c.stepOverParens()
    const relations: Relation[] = [queryRelation(scanned, start, c.end())]
    return { ...base, args: [], relations, elements: false, columns: undefined, end: c.end() }
  }
  const named = tableByText(c, name, c.pos) ?? changeTable(parts, start, c.end())
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
  const open = c.pos
  const read = readArguments(c, name)
  const structure =
    c.dialect.name === 'clickhouse'
      ? structureColumns(c, name, open)
      : name === 'read_files'
        ? schemaColumns(c, open)
        : undefined
  if (structure) return { ...base, ...read, elements: false, columns: structure, end: c.end() }
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

/** Snowflake: (LAST_QUERY_ID()), (LAST_QUERY_ID(-2)), (LAST_QUERY_ID(1)): the query of that statement. */
function scannedResult(c: Cursor): Query | undefined {
  if (!c.isWord(c.pos + 1, 'last_query_id') || c.peek(2) !== T.LPAREN) return undefined
  const closing = c.closing(c.pos + 2)
  const at = Number(c.text.slice(c.ends[c.pos + 2], c.starts[closing]) || '-1')
  return at < 0 ? c.results.at(at) : c.results[at - 1]
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
