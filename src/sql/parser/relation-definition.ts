/** The definition of a table or view: columns, location, what it copies, the query it is made of. */

import type { Query, TableName } from '../ir/query.ts'
import type { ColumnDefinition } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { tableQuery } from './plain-query.ts'
import { parseColumnDefinitions } from './columns.ts'
import { isRunOn, isStatementAhead } from './command-end.ts'
import type { Core } from './core.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { ifNotExists, requiredName, isSessionName, stepOverStorage } from './ddl-steps.ts'
import { parseExpression } from './expression.ts'
import { stepOverLocking } from './locking.ts'
import { startsQuery } from './lookahead.ts'
import { parseTableName } from './name.ts'
import { parseVirtualTable } from './virtual-table.ts'

/** Behind TABLE or VIEW: name, columns, options, query, in whatever order the dialect has them. */
export function parseRelationDefinition(
  c: Cursor,
  created: 'table' | 'view' | 'materializedView',
  temporary: boolean,
): Core {
  const before = ifNotExists(c)
  const target = requiredName(c)
  if (c.atEnd() && (created === 'view' || !c.dialect.bareTables))
    c.missing(created === 'view' ? 'AS and a query' : 'columns or a query')
  const ifExists = before || ifNotExists(c)
  if (c.at(K.ON) && c.isWord(c.pos + 1, 'cluster')) c.pos += 3
  // Teradata: options stand between commas in front of the columns.
  if (c.at(T.COMMA)) while (!c.atEnd() && !c.at(T.LPAREN) && !c.at(K.AS)) c.pos++
  let columnsAt = c.pos
  let columns: ColumnDefinition[] | undefined
  let query: Query | undefined
  let to: TableName | undefined
  let comment: string | undefined
  let clones = false
  const like: TableName[] = []
  const locations: string[] = []
  while (!c.atEnd() && query === undefined) {
    switch (c.type) {
      case T.LPAREN:
        if (startsDefinedQuery(c) && !c.isWord(c.pos - 1, 'template')) query = c.rules.query(c)
        else if (columns === undefined && like.length === 0 && c.pos === columnsAt) {
          const read = parseColumnDefinitions(c)
          columns = read.columns
          like.push(...read.like)
        } else {
          // Snowflake: USING TEMPLATE (query) tells the columns when it runs.
          if (!c.isWord(c.pos - 1, 'template')) findLocations(c, locations)
          c.stepOverParens()
        }
        break
      case K.AS:
        c.pos++
        // CLONE t FOR SYSTEM_TIME AS OF …, VERSION AS OF 3.
        if (c.take(K.OF)) {
          parseExpression(c)
          break
        }
        // STORED AS PARQUET; LOB (x) STORE AS SECUREFILE.
        if (c.types[c.pos - 2] === K.STORED || c.isWord(c.pos - 2, 'store')) break
        stepOverLocking(c)
        // Vertica: AS AT EPOCH LATEST SELECT …, AS AT TIME '…' SELECT ….
        if (c.at(K.AT) && (c.isWord(c.pos + 1, 'epoch') || c.peek(1) === K.TIME)) c.pos += 3
        if (c.at(K.COPY)) {
          // Vertica: CREATE EXTERNAL TABLE t (…) AS COPY FROM 'path' PARQUET.
          for (; !c.atEnd(); c.pos++) if (c.at(T.STRING) && c.types[c.pos - 1] === K.FROM) pushLocation(c, locations)
          break
        }
        if (startsQuery(c, c.pos) || (c.at(T.LPAREN) && startsDefinedQuery(c))) query = c.rules.query(c)
        else if (created === 'table' && c.dialect.name === 'clickhouse' && isCopiedStructure(c)) pushName(c, like)
        else if (created === 'table' && (c.isName(c.pos) || c.at(T.LPAREN))) query = copiedTable(c)
        else if (c.at(T.STRING) || c.at(T.DOLLAR_STRING)) c.pos++
        else if (c.atEnd() || (created === 'view' && isSlip(c))) c.missing('a query')
        else if (c.at(T.HOLE) || c.at(T.PARAM)) query = c.rules.query(c)
        break
      case K.USING: {
        const isModule = c.dialect.name === 'sqlite' && c.isName(c.pos + 1) && c.peek(2) === T.LPAREN
        c.pos++
        if (!isModule) break
        const virtual = parseVirtualTable(c)
        columns = virtual.columns
        locations.push(...virtual.locations)
        break
      }
      case K.LIKE:
      case K.CLONE:
      case K.COPY:
        if (c.isWord(c.pos + 1, 'grants')) {
          c.pos += 2
          columnsAt = c.pos
          break
        }
        clones = clones || c.at(K.CLONE) || c.at(K.COPY)
        c.pos++
        c.take(K.AS)
        if (c.isName(c.pos) && c.peek(1) === T.STRING) {
          // Impala: LIKE PARQUET '/path'.
          c.pos++
          pushLocation(c, locations)
        } else pushName(c, like)
        break
      case K.PARTITIONED:
        c.pos++
        // Hive: partition columns are columns, defined here and nowhere else.
        if (c.take(K.BY) && c.at(T.LPAREN) && columns !== undefined && c.isName(c.pos + 2) && c.peek(2) !== K.COMMENT) {
          columns = [...columns, ...parseColumnDefinitions(c).columns]
        }
        break
      case K.FOR:
        // Oracle: FOR EXCHANGE WITH TABLE t.
        c.pos++
        if (c.at(K.EXCHANGE) && c.peek(1) === K.WITH && c.peek(2) === K.TABLE) {
          c.pos += 3
          pushName(c, like)
        }
        break
      case K.INHERITS:
        c.pos++
        if (c.take(T.LPAREN)) {
          do pushName(c, like)
          while (c.take(T.COMMA))
          c.closeParen()
        }
        break
      case K.PARTITION:
        c.pos++
        if (c.take(K.OF)) pushName(c, like)
        break
      case K.LOCATION:
        c.pos++
        c.take(T.EQUALS)
        pushLocation(c, locations)
        break
      case K.ENGINE:
        c.pos++
        c.take(T.EQUALS)
        pushRemoteTable(c, like)
        break
      case K.TO:
        c.pos++
        if (created !== 'table') {
          to = requiredName(c)
          columnsAt = c.pos
        }
        break
      case K.COMMENT:
        c.pos++
        c.take(T.EQUALS)
        if (c.at(T.STRING)) comment = stringValue(c.textAt(c.pos++))
        break
      case K.SELECT:
      case K.WITH:
      case K.VALUES:
      case K.FROM:
        if (created === 'view' && c.at(K.SELECT) && c.types[c.pos - 1] !== K.AS) c.missing('AS')
        if (startsDefinition(c)) query = c.rules.query(c)
        else c.pos++
        break
      default:
        if (c.dialect.looseStatements ? isStatementAhead(c) : isRunOn(c)) return finish()
        c.pos++
    }
  }
  if (query) stepOverStorage(c)
  return finish()

  function finish(): Core {
    const kind = created === 'table' && query ? 'ctas' : created
    return {
      kind,
      target,
      temporary: temporary || isSessionName(target),
      columns,
      query,
      like,
      clones,
      locations,
      to,
      comment,
      ifNotExists: ifExists,
    }
  }
}

/** A word where the query of a view should stand. */
function isSlip(c: Cursor): boolean {
  return c.at(T.WORD) || c.at(K.FROM)
}

function startsDefinition(c: Cursor): boolean {
  if (c.at(K.WITH))
    return (
      c.isName(c.pos + 1) &&
      ((c.peek(2) === K.AS && (c.peek(3) === T.LPAREN || c.peek(3) === K.NOT || c.peek(3) === K.MATERIALIZED)) ||
        (c.peek(2) === T.LPAREN && c.types[c.pos - 1] === K.AS)) &&
      !isViewOption(c)
    )
  if (c.at(K.FROM)) return false
  return startsQuery(c, c.pos)
}

/** Snowflake: WITH TAG (…), WITH ROW ACCESS POLICY …, WITH MASKING POLICY …. */
function isViewOption(c: Cursor): boolean {
  return c.peek(1) === K.TAG || c.peek(1) === K.ROW || c.peek(1) === K.MASKING
}

/** `( … SELECT`: the parenthesis holds a query. */
function startsDefinedQuery(c: Cursor): boolean {
  let i = c.pos
  while (c.types[i] === T.LPAREN) i++
  return (
    (startsQuery(c, i) && c.types[i] !== K.TABLE && c.types[i] !== K.FROM) ||
    (c.types[i] === K.FROM && c.types[i - 1] === T.LPAREN && c.dialect.name !== 'ansi')
  )
}

/** ClickHouse: CREATE TABLE a AS b ENGINE = … takes the columns and no rows. */
function isCopiedStructure(c: Cursor): boolean {
  let i = c.pos
  if (!c.isName(i)) return false
  while (c.types[i + 1] === T.DOT && c.isName(i + 2)) i += 2
  return c.types[i + 1] !== T.LPAREN
}

/** CREATE TABLE a AS b [WITH DATA] (Teradata), CREATE TABLE a AS f(x). */
function copiedTable(c: Cursor): Query | undefined {
  if (c.at(T.LPAREN)) return c.rules.query(c)
  const start = c.start()
  const name = parseTableName(c)
  if (!name) return undefined
  if (c.at(T.LPAREN)) {
    c.stepOverParens()
    return undefined
  }
  return tableQuery(name, start, c.end())
}

function pushName(c: Cursor, names: TableName[]): void {
  if (c.at(K.TABLE)) c.pos++
  const name = parseTableName(c)
  if (name) names.push(name)
  else c.missing('a table')
}

/** ClickHouse: ENGINE = Distributed(cluster, db, table) and Buffer(db, table) read a table of that name. */
function pushRemoteTable(c: Cursor, like: TableName[]): void {
  const first = c.isWord(c.pos, 'distributed') ? 1 : c.isWord(c.pos, 'buffer') ? 0 : undefined
  if (first === undefined || c.peek(1) !== T.LPAREN) return
  const places = c.pos + 2 + 2 * first
  const parts = [places, places + 2].filter((i) => c.types[i] === T.STRING || c.isName(i)).map((i) => c.nameAt(i))
  if (parts.length === 2)
    like.push({ parts, start: c.starts[places]!, end: c.ends[places + 2]!, sort: 'table', quoted: 0 })
}

export function pushLocation(c: Cursor, locations: string[]): void {
  const inside = c.take(T.LPAREN)
  while (c.at(T.STRING) || c.at(T.STAGE)) {
    locations.push(c.at(T.STAGE) ? c.textAt(c.pos) : stringValue(c.textAt(c.pos)))
    c.pos++
    if (!(inside && c.take(T.COMMA))) return
  }
}

const LOCATION_OPTIONS: ReadonlySet<string> = new Set(['path', 'location', 'uris', 'uri', 'external_location', 'url'])

/** Options that tell where the data lies: OPTIONS (path 's3://…', uris = ['gs://…']). */
function findLocations(c: Cursor, locations: string[]): void {
  const closing = c.closing(c.pos)
  for (let i = c.pos + 1; i < closing; i++) {
    if (!c.isName(i) || !LOCATION_OPTIONS.has(c.nameAt(i).toLowerCase())) continue
    for (let j = i + 1; j < closing && c.types[j] !== T.COMMA; j++) {
      if (c.types[j] === T.LBRACKET) {
        const end = c.closing(j)
        for (; j < end; j++) if (c.types[j] === T.STRING) locations.push(stringValue(c.textAt(j)))
      } else if (c.types[j] === T.STRING) locations.push(stringValue(c.textAt(j)))
    }
  }
}
