/** Statements that move data between tables, queries and paths: COPY, UNLOAD, EXPORT, IMPORT. */

import type { Query, TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Core } from './core.ts'
import { command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { nameList } from './name-list.ts'
import { startsQuery } from './lookahead.ts'
import { columnsQuery, plainSelect, tableRelation } from './plain-query.ts'
import { parseSubscribe } from './reading-command.ts'
import { parseCopiedFields } from './copied-fields.ts'
import { parseTableName } from './name.ts'
import { textQuery } from './text-query.ts'
import { parseDb2Export, parseVerticaExport } from './utility.ts'

/** Whether FROM or TO stands before the end of the statement. */
function directionAhead(c: Cursor): boolean {
  for (let i = c.pos; ; i++) {
    const type = c.types[i]
    if (type === K.FROM || type === K.TO) return true
    if (type === T.SEMICOLON || type === T.EOF || type === T.BATCH) return false
  }
}

function stepToEnd(c: Cursor): void {
  while (!c.atEnd()) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
}

/** A table, path or stage; STDIN, STDOUT and PROGRAM are none. */
function endpoint(c: Cursor): TableName | undefined {
  if (c.at(K.STDIN) || c.isWord(c.pos, 'stdout') || c.at(K.PROGRAM)) {
    c.pos += c.at(K.PROGRAM) ? 2 : 1
    return undefined
  }
  if (c.at(K.LOCAL)) c.pos++
  const name = parseTableName(c)
  if (!name) c.missing('a table or a place')
  return asPath(name)
}

/** A string where data lies is a path, whatever it looks like. */
function asPath(name: TableName | undefined): TableName | undefined {
  return name && name.quoted === 1 && name.parts.length === 1 && name.parts[0]!.includes('://')
    ? { ...name, sort: 'path' }
    : name
}

/** COPY t FROM 'x'; COPY (query) TO 'x'; COPY INTO t FROM @stage; COPY INTO 'x' FROM t. */
export function parseCopy(c: Cursor): Core {
  c.pos++
  if (c.at(K.FROM) && c.peek(1) === K.DATABASE) {
    // DuckDB: COPY FROM DATABASE a TO b.
    stepToEnd(c)
    return command('copy')
  }
  const into = c.take(K.INTO)
  // Materialize: COPY (SUBSCRIBE v) TO STDOUT.
  if (c.at(T.LPAREN) && c.isWord(c.pos + 1, 'subscribe')) {
    c.pos++
    return parseSubscribe(c)
  }
  if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) {
    c.pos++
    const query = c.rules.query(c)
    c.closeParen()
    const outputs: TableName[] = []
    c.expect(K.TO, 'TO')
    if (c.types[c.pos - 1] === K.TO) pushPath(outputs, endpoint(c))
    stepToEnd(c)
    return { kind: 'copy', inputs: [], outputs, query, columns: undefined }
  }
  const first = asPath(parseTableName(c))
  let columns: readonly string[] | undefined
  const fields = c.dialect.name === 'vertica' && c.at(T.LPAREN) ? parseCopiedFields(c) : undefined
  if (fields) columns = fields.columns
  else if (c.at(T.LPAREN)) columns = c.isName(c.pos + 1) ? nameList(c, c.pos) : (c.stepOverParens(), undefined)
  if (!first) c.missing('a table')
  if (!directionAhead(c)) c.missing(into ? 'FROM' : 'FROM or TO')
  while (!c.atEnd() && !c.at(K.FROM) && !c.at(K.TO)) c.pos++
  if (c.take(K.TO)) {
    const outputs: TableName[] = []
    pushPath(outputs, endpoint(c))
    stepToEnd(c)
    return { kind: 'copy', inputs: first ? [first] : [], outputs, query: undefined, columns }
  }
  const inputs: TableName[] = []
  let query: Query | undefined
  if (c.take(K.FROM)) {
    // Vertica: COPY t FROM VERTICA db.u.
    if (c.isWord(c.pos, 'vertica') && c.isName(c.pos + 1)) c.pos++
    if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) {
      c.pos++
      query = c.rules.query(c)
      c.closeParen()
    } else {
      do {
        const source = endpoint(c)
        // Vertica: COPY t (a, b) FROM VERTICA db.u (x, y).
        if (source && columns && c.at(T.LPAREN) && c.dialect.name === 'vertica')
          query = columnsQuery(source, nameList(c, c.pos))
        else if (source)
          inputs.push(source.sort === 'table' && source.quoted === 1 && !into ? { ...source, sort: 'path' } : source)
      } while (c.take(T.COMMA))
    }
  }
  stepToEnd(c)
  if (fields?.computes && inputs.length > 0)
    query = inputs
      .map((file): Query => plainSelect(fields.items, [tableRelation(file)], file.start, file.end))
      .reduce((left, right) => unionAll(left, right))
  return { kind: 'copy', inputs, outputs: first ? [first] : [], query, columns }
}

/** Rows of both. */
function unionAll(left: Query, right: Query): Query {
  const { start, end } = left
  return { kind: 'set', operator: 'union', byName: false, left, right, uses: [], with: [], start, end }
}

/** A name in quotes alone is a path. */
export function pushPath(names: TableName[], name: TableName | undefined): void {
  if (name) names.push(name.quoted === 1 && name.parts.length === 1 ? { ...name, sort: 'path' } : name)
}

/** UNLOAD ('query' | (query)) TO 'path'. */
export function parseUnload(c: Cursor): Core {
  c.pos++
  let query: Query | undefined
  let inputs: TableName[] = []
  if (c.take(T.LPAREN)) {
    if (c.at(T.STRING) || c.at(T.DOLLAR_STRING)) {
      query = textQuery(c, c.pos)
      c.pos++
    } else if (startsQuery(c, c.pos)) query = c.rules.query(c)
    c.closeParen()
  } else {
    const name = parseTableName(c)
    if (!name) c.missing('a query')
    inputs = name ? [name] : []
  }
  const outputs: TableName[] = []
  if (c.take(K.TO)) pushPath(outputs, endpoint(c))
  else c.missing('TO')
  stepToEnd(c)
  return { kind: 'copy', inputs, outputs, query, columns: undefined }
}

/** EXPORT DATA OPTIONS (uri = 'gs://…') AS query; Hive EXPORT TABLE t TO 'x'; Exasol EXPORT t INTO …. */
export function parseExport(c: Cursor): Core {
  if (c.dialect.name === 'db2' && c.peek(1) === K.TO) return parseDb2Export(c)
  return exported(c)
}

/** Vertica: EXPORT TO PARQUET (directory = 's3://…') [OVER (…)] AS query. */
function parseExportTo(c: Cursor): Core {
  const outputs: TableName[] = []
  while (!c.atEnd() && !c.at(K.AS)) {
    if (c.isWord(c.pos, 'directory') && c.peek(1) === T.EQUALS && c.peek(2) === T.STRING)
      outputs.push({ parts: [c.nameAt(c.pos + 2)], start: c.start(), end: c.ends[c.pos + 2]!, sort: 'path', quoted: 1 })
    c.pos++
  }
  const query = c.take(K.AS) ? c.rules.query(c) : undefined
  return { kind: 'copy', inputs: [], outputs, query, columns: undefined }
}

function exported(c: Cursor): Core {
  c.pos++
  if (c.at(K.DATA) || c.isName(c.pos)) {
    if (c.take(K.TABLE)) {
      const name = parseTableName(c)
      const outputs: TableName[] = []
      while (!c.atEnd() && !c.at(K.TO)) c.pos++
      if (c.take(K.TO)) pushPath(outputs, endpoint(c))
      stepToEnd(c)
      return { kind: 'copy', inputs: name ? [name] : [], outputs, query: undefined, columns: undefined }
    }
  }
  // DuckDB: EXPORT DATABASE 'folder'. BigQuery: EXPORT MODEL.
  if ((c.at(K.DATABASE) || c.at(K.MODEL)) && (c.peek(1) === T.STRING || c.isName(c.pos + 1))) {
    stepToEnd(c)
    return command('export')
  }
  if (c.at(K.TO) && c.isWord(c.pos + 1, 'vertica')) {
    c.pos--
    return parseVerticaExport(c)
  }
  if (c.at(K.TO) && c.isName(c.pos + 1)) return parseExportTo(c)
  if (!c.at(K.DATA)) {
    const inputs: TableName[] = []
    let query: Query | undefined
    if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) {
      c.pos++
      query = c.rules.query(c)
      c.closeParen()
    } else {
      const name = parseTableName(c)
      if (!name) c.missing('a table')
      const names = c.at(T.LPAREN) ? nameList(c, c.pos) : undefined
      if (name && names) query = columnsQuery(name, names)
      else if (name) inputs.push(name)
    }
    const outputs: TableName[] = []
    const columns = c.take(K.INTO) ? readFiles(c, outputs) : undefined
    stepToEnd(c)
    return { kind: 'copy', inputs, outputs, query, columns }
  }
  const outputs: TableName[] = []
  // BigQuery: EXPORT DATA [WITH CONNECTION us.c] OPTIONS (uri = '…') AS query.
  if (c.at(K.DATA) && c.peek(1) === K.WITH) c.pos += 2
  while (!c.atEnd() && !(c.at(K.AS) && isQueryAhead(c, c.pos + 1)) && !isQueryAhead(c, c.pos)) {
    if (c.isWord(c.pos, 'uri') && c.peek(1) === T.EQUALS && c.peek(2) === T.STRING) {
      outputs.push({
        parts: [c.nameAt(c.pos + 2)],
        start: c.starts[c.pos + 2]!,
        end: c.ends[c.pos + 2]!,
        sort: 'path',
        quoted: 1,
      })
    }
    c.pos++
  }
  if (!c.take(K.AS)) c.missing('AS')
  const query = c.rules.query(c)
  return { kind: 'copy', inputs: [], outputs, query, columns: undefined }
}

function isQueryAhead(c: Cursor, at: number): boolean {
  return startsQuery(c, at) || (c.types[at] === T.LPAREN && startsQuery(c, at + 1))
}

/** Exasol: FILE 'a' FILE 'b', or a table of another database: its columns. */
function readFiles(c: Cursor, names: TableName[]): readonly string[] | undefined {
  while (!c.atEnd()) {
    if (c.at(K.FILE) && c.peek(1) === T.STRING) {
      c.pos++
      pushPath(names, parseTableName(c))
    } else if (c.at(K.TABLE) && c.isName(c.pos + 1)) {
      c.pos++
      const name = parseTableName(c)
      if (name) names.push(name)
      if (c.at(T.LPAREN)) return nameList(c, c.pos)
    } else if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  return undefined
}
