/** Commands of databases that move data in words of their own: Db2's EXPORT, IMPORT and LOAD, Exasol's IMPORT. */

import type { Query, TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { command, type Core, type CoreOf } from './core.ts'
import type { Cursor } from './cursor.ts'
import { nameList } from './name-list.ts'
import { startsQuery } from './lookahead.ts'
import { columnsQuery, queryRelation, tableQuery } from './plain-query.ts'
import { parseTableName } from './name.ts'
import { textQuery } from './text-query.ts'

/** Db2: EXPORT TO file OF DEL [MODIFIED BY …] [MESSAGES file] SELECT …. */
export function parseDb2Export(c: Cursor): Core {
  c.pos += 2
  const file = fileName(c)
  while (!c.atEnd() && !startsQuery(c, c.pos)) c.pos++
  const query = c.atEnd() ? undefined : c.rules.query(c)
  return { kind: 'copy', inputs: [], outputs: [file], query, columns: undefined }
}

/** Db2: IMPORT and LOAD FROM file[, file] OF type [METHOD …] INSERT | REPLACE | INSERT_UPDATE INTO t [(columns)]. */
export function parseDb2Load(c: Cursor): Core {
  const word = c.textAt(c.pos).toLowerCase()
  while (!c.atEnd() && !c.at(K.FROM)) c.pos++
  const inputs: TableName[] = []
  do {
    c.pos++
    inputs.push(fileName(c))
  } while (c.at(T.COMMA))
  const isCursor = c.at(K.OF) && c.peek(1) === K.CURSOR
  while (!c.atEnd() && !c.at(K.INTO)) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  const target = c.take(K.INTO) ? parseTableName(c) : undefined
  if (!target) c.missing('INTO and a table')
  const columns = c.at(T.LPAREN) ? nameList(c, c.pos) : undefined
  c.stepToEnd()
  if (!target) return command(word)
  if (!isCursor) return { kind: 'copy', inputs, outputs: [target], query: undefined, columns }
  return {
    kind: 'call',
    name: undefined,
    args: [],
    into: target,
    columns,
    rowsOf: inputs[0]!.parts[0]!,
  }
}

/** A file without quotes ends before its next space: /out/a.del. */
function fileName(c: Cursor): TableName {
  const start = c.start()
  if (c.at(T.STRING)) return { parts: [c.nameAt(c.pos++)], start, end: c.end(), sort: 'path', quoted: 1 }
  c.pos++
  while (!c.atEnd() && !c.at(T.COMMA) && c.touches(c.pos)) c.pos++
  return { parts: [c.text.slice(start, c.end())], start, end: c.end(), sort: 'path', quoted: 0 }
}

/**
 * Exasol: IMPORT INTO t [(columns)] FROM …: files, `TABLE s (columns)` or `STATEMENT '…'` of another database. In FROM,
 * `(IMPORT INTO (a INT, b INT) FROM …)` names the columns of its rows.
 */
export function parseExasolImport(c: Cursor): CoreOf<'copy'> {
  c.pos++
  c.take(K.INTO)
  const target = c.at(T.LPAREN) || c.at(K.FROM) ? undefined : parseTableName(c)
  if (!target && !c.at(T.LPAREN) && c.types[c.pos - 1] === K.INTO) c.missing('a table')
  const columns = c.at(T.LPAREN) ? nameList(c, c.pos) : undefined
  const inputs: TableName[] = []
  let query: Query | undefined
  while (!c.atEnd() && !c.at(T.RPAREN)) {
    if (c.at(K.FILE) && c.peek(1) === T.STRING) {
      const start = c.starts[c.pos + 1]!
      inputs.push({ parts: [c.nameAt(c.pos + 1)], start, end: c.ends[c.pos + 1]!, sort: 'path', quoted: 1 })
      c.pos += 2
    } else if (c.isWord(c.pos, 'statement') && c.peek(1) === T.STRING) {
      const right = textQuery(c, c.pos + 1)
      query = query && right ? bothOf(query, right) : (right ?? query)
      c.pos += 2
    } else if (c.at(K.TABLE) && c.isName(c.pos + 1) && inputs.length === 0) {
      c.pos++
      const name = parseTableName(c)
      const names = c.at(T.LPAREN) ? nameList(c, c.pos) : undefined
      if (name && names) query = columnsQuery(name, names)
      else if (name) inputs.push(name)
    } else if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  return { kind: 'copy', inputs, outputs: target ? [target] : [], query, columns }
}

/** Exasol: (IMPORT [INTO (a INT, b INT)] FROM …) in FROM: its rows as a query. */
export function parseImportedRows(c: Cursor): Query {
  const start = c.start()
  const { inputs, query, columns } = parseExasolImport(c)
  if (query) return columns ? namedByPosition(query, columns, start, c.end()) : query
  const [file] = inputs
  if (!file) return { kind: 'values', rows: [], uses: [], with: [], start, end: c.end() }
  return columns ? columnsQuery(file, columns) : tableQuery(file, start, c.end())
}

/** `SELECT * FROM (query) AS t (columns)`. */
function namedByPosition(query: Query, columns: readonly string[], start: number, end: number): Query {
  const relation = { ...queryRelation(query, start, end), columnAliases: columns }
  return { kind: 'table', from: [relation], uses: [], with: [], start, end }
}

/** One under the other. */
function bothOf(left: Query, right: Query): Query {
  const { start } = left
  return { kind: 'set', operator: 'union', byName: false, left, right, uses: [], with: [], start, end: right.end }
}

/** Vertica: EXPORT TO VERTICA t (columns) AS query | FROM s (columns). */
export function parseVerticaExport(c: Cursor): Core {
  c.pos += 3
  const target = parseTableName(c)
  const columns = c.at(T.LPAREN) ? nameList(c, c.pos) : undefined
  let query: Query | undefined
  if (c.take(K.AS)) query = c.rules.query(c)
  else if (c.take(K.FROM)) {
    const source = parseTableName(c)
    const names = c.at(T.LPAREN) ? nameList(c, c.pos) : undefined
    if (source && names) query = columnsQuery(source, names)
    else if (source) return { kind: 'copy', inputs: [source], outputs: target ? [target] : [], query, columns }
  }
  return { kind: 'copy', inputs: [], outputs: target ? [target] : [], query, columns }
}
