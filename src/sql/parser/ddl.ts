/** CREATE TABLE, CREATE VIEW and kin, ALTER, DROP, TRUNCATE, RENAME. */

import type { Query, TableName, Use } from '../ir/query.ts'
import type { ColumnDefinition } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { parseColumnDefinitions, parseColumnDefinition } from './columns.ts'
import { isStatementAhead, stepToEnd } from './command-end.ts'
import { command, type Core } from './core.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { parseAssignments } from './dml.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { stepOverLocking } from './locking.ts'
import { parseTableName } from './name.ts'
import { parseDictionary, parsePropertyGraph, parseSemanticView, parseSink, viewOf } from './object-ddl.ts'
import { parseRoutine, routineSort } from './routine.ts'

const UNKNOWN: TableName = { parts: ['?'], start: 0, end: 0, sort: 'hole', quoted: 0 }

/** CREATE and everything that it creates. Also T-SQL's ALTER PROCEDURE and ALTER VIEW, which define anew. */
export function parseCreate(c: Cursor): Core {
  c.pos++
  let temporary = false
  let materialized = false
  let dynamic = false
  let live = false
  for (;;) {
    const type = c.type
    const sort = routineSort(c)
    if (sort) return parseRoutine(c, sort)
    if (c.isWord(c.pos, 'flow') && c.isName(c.pos + 1)) return parseFlow(c)
    // Db2: CREATE ALIAS a FOR t.
    if (c.isWord(c.pos, 'alias') && c.isName(c.pos + 1)) {
      c.pos++
      return parseOtherDefinition(c, K.SYNONYM)
    }
    if (c.isWord(c.pos, 'property') && c.isWord(c.pos + 1, 'graph')) {
      c.pos += 2
      ifNotExists(c)
      return parsePropertyGraph(c)
    }
    if (c.isWord(c.pos, 'semantic') && c.peek(1) === K.VIEW) {
      c.pos += 2
      ifNotExists(c)
      return parseSemanticView(c)
    }
    switch (type) {
      case K.TABLE:
        if (c.peek(1) === K.FUNCTION) {
          c.pos++
          continue
        }
        c.pos++
        return parseRelationDefinition(c, dynamic || live ? 'materializedView' : 'table', temporary)
      case K.VIEW:
        c.pos++
        // Oracle: CREATE MATERIALIZED VIEW LOG ON t.
        if (c.isWord(c.pos, 'log') && c.peek(1) === K.ON) return stepped(c, command('create'))
        return parseRelationDefinition(c, materialized || live ? 'materializedView' : 'view', temporary)
      case K.STAGE:
      case K.PIPE:
      case K.STREAM:
      case K.DICTIONARY:
      case K.MODEL:
      case K.SYNONYM:
      case K.SOURCE:
      case K.SINK:
      case K.RULE:
      case K.SUBSCRIPTION:
        if (c.peek(1) === K.TABLE && type === K.STREAM) {
          c.pos++
          continue
        }
        c.pos++
        return parseOtherDefinition(c, type)
      case K.TEMP:
      case K.TEMPORARY:
      case K.VOLATILE:
        temporary = true
        break
      case K.MATERIALIZED:
        materialized = true
        break
      case K.DYNAMIC:
        dynamic = true
        break
      case K.LIVE:
      case K.STREAMING:
        live = true
        break
      case K.INDEX:
      case K.SCHEMA:
      case K.DATABASE:
      case K.SEQUENCE:
      case K.TYPE:
      case K.ROLE:
      case K.USER:
      case K.WAREHOUSE:
      case K.EXTENSION:
      case K.SERVER:
      case K.POLICY:
      case K.TAG:
      case K.TABLESPACE:
      case K.STATISTICS:
      case K.SECRET:
      case K.AGGREGATE:
      case K.OPERATOR:
      case K.CAST:
      case K.LOGIN:
      case K.SHARE:
      case K.CATALOG:
        return stepped(c, command('create'))
      default:
        if (
          c.atEnd() ||
          !(
            c.isName(c.pos) ||
            c.at(T.EQUALS) ||
            c.at(T.STRING) ||
            c.at(T.AT) ||
            c.at(T.PARAM) ||
            c.at(T.LPAREN) ||
            c.at(T.HOLE)
          )
        )
          return stepped(c, command('create'))
    }
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
}

/** Databricks: CREATE FLOW f AS INSERT INTO …, AS AUTO CDC INTO …. */
function parseFlow(c: Cursor): Core {
  while (!c.atEnd() && !c.at(K.AS)) c.pos++
  return c.take(K.AS) ? c.rules.statement(c) : command('create')
}

function stepped(c: Cursor, core: Core): Core {
  stepToEnd(c)
  return core
}

const STORAGE_WORDS = new Set(
  'with,on,primary,unique,partition,partitioned,segmented,unsegmented,distributed,distribute,ksafe,comment,organize,index,in,tablespace,lifecycle,nologging,logging,parallel,compress,nocompress,stored,location,tblproperties,properties,cluster,clustered,no,data,sortkey,distkey,diststyle,encoded,duplicate,engine,as,not,logged,definition,using,backup'.split(
    ',',
  ),
)

/** How and where the rows are kept, said behind the query. */
function stepOverStorage(c: Cursor): void {
  if (!c.isName(c.pos) || !STORAGE_WORDS.has(c.textAt(c.pos).toLowerCase())) return
  while (!c.atEnd() && !c.at(T.RPAREN) && !(c.dialect.looseStatements && isStatementAhead(c))) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
}

/** T-SQL's `#t` lives as long as its session. */
function isSessionName(name: TableName): boolean {
  return name.parts.at(-1)!.startsWith('#')
}

/** Behind TABLE or VIEW: name, columns, options, query, in whatever order the dialect has them. */
function parseRelationDefinition(c: Cursor, created: 'table' | 'view' | 'materializedView', temporary: boolean): Core {
  const before = ifNotExists(c)
  const target = parseTableName(c) ?? UNKNOWN
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
        if (c.at(K.COPY)) {
          // Vertica: CREATE EXTERNAL TABLE t (…) AS COPY FROM 'path' PARQUET.
          for (; !c.atEnd(); c.pos++) if (c.at(T.STRING) && c.types[c.pos - 1] === K.FROM) pushLocation(c, locations)
          break
        }
        if (startsQuery(c, c.pos) || (c.at(T.LPAREN) && startsDefinedQuery(c))) query = c.rules.query(c)
        else if (created === 'table' && c.dialect.name === 'clickhouse' && isCopiedStructure(c)) pushName(c, like)
        else if (created === 'table' && (c.isName(c.pos) || c.at(T.LPAREN))) query = copiedTable(c)
        else if (c.at(T.STRING) || c.at(T.DOLLAR_STRING)) c.pos++
        else if (c.at(T.HOLE) || c.at(T.PARAM)) query = c.rules.query(c)
        break
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
          to = parseTableName(c)
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
        if (startsDefinition(c)) query = c.rules.query(c)
        else c.pos++
        break
      default:
        if (c.dialect.looseStatements && isStatementAhead(c)) return finish()
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
  return {
    kind: 'table',
    with: [],
    uses: [],
    start,
    end: c.end(),
    from: [
      {
        kind: 'table',
        name,
        join: { kind: 'first', natural: false, using: undefined },
        pivots: [],
        start,
        end: c.end(),
      },
    ],
  }
}

function pushName(c: Cursor, names: TableName[]): void {
  if (c.at(K.TABLE)) c.pos++
  const name = parseTableName(c)
  if (name) names.push(name)
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

function pushLocation(c: Cursor, locations: string[]): void {
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

export function ifNotExists(c: Cursor): boolean {
  if (c.at(K.IF) && c.peek(1) === K.NOT) {
    c.pos += 3
    return true
  }
  if (c.at(K.IF) && c.peek(1) === K.EXISTS) {
    c.pos += 2
    return true
  }
  return false
}

/** Stages, pipes, streams, dictionaries, models, synonyms. */
function parseOtherDefinition(c: Cursor, type: number): Core {
  ifNotExists(c)
  const target = parseTableName(c) ?? UNKNOWN
  ifNotExists(c)
  switch (type) {
    case K.STAGE: {
      const locations: string[] = []
      while (!c.atEnd()) {
        if (c.isWord(c.pos, 'url') && c.peek(1) === T.EQUALS) {
          c.pos += 2
          pushLocation(c, locations)
        } else if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
      return {
        kind: 'copy',
        inputs: locations.map((text) => ({
          parts: [text],
          start: target.start,
          end: target.end,
          sort: 'path',
          quoted: 0,
        })),
        outputs: [target],
        query: undefined,
        columns: undefined,
      }
    }
    case K.PIPE: {
      while (!c.atEnd() && !c.at(K.AS)) c.pos++
      c.take(K.AS)
      const statement = c.rules.statement(c)
      return { kind: 'block', body: [statement] }
    }
    case K.STREAM:
    case K.SYNONYM: {
      while (!c.atEnd() && !c.at(K.ON) && !c.at(K.FOR)) c.pos++
      c.pos++
      while (c.at(K.TABLE) || c.at(K.VIEW) || c.at(K.STAGE) || c.at(K.DYNAMIC) || c.at(K.EXTERNAL)) c.pos++
      const name = parseTableName(c)
      stepToEnd(c)
      return viewOf(target, { like: name ? [name] : [], clones: true })
    }
    case K.DICTIONARY:
      return parseDictionary(c, target)
    case K.SINK:
    case K.SOURCE:
      return parseSink(c, target, type === K.SINK)
    case K.MODEL: {
      while (!c.atEnd() && !(c.at(K.AS) && (startsQuery(c, c.pos + 1) || c.peek(1) === T.LPAREN))) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
      const query = c.take(K.AS) ? c.rules.query(c) : undefined
      return {
        kind: query ? 'ctas' : 'table',
        target,
        temporary: false,
        columns: undefined,
        query,
        like: [],
        clones: false,
        locations: [],
        to: undefined,
        comment: undefined,
        ifNotExists: false,
      }
    }
    default:
      return stepped(c, command('create'))
  }
}

/** ALTER, with its many forms. */
export function parseAlter(c: Cursor): Core {
  const next = c.peek(1)
  if (next === K.PROCEDURE || next === K.PROC || next === K.FUNCTION || next === K.TRIGGER) {
    if (c.dialect.name === 'tsql' || c.dialect.name === 'ansi') {
      if (definesBody(c)) return parseCreate(c)
    }
    return stepped(c, command('alter'))
  }
  if (next === K.VIEW && isRedefinition(c)) return parseCreate(c)
  if (next === K.SESSION) {
    for (let i = c.pos; c.types[i] !== T.EOF && c.types[i] !== T.SEMICOLON; i++) {
      if (c.isWord(i, 'current_schema') && c.types[i + 1] === T.EQUALS) {
        const schema = c.nameAt(i + 2)
        stepToEnd(c)
        return { kind: 'use', schema }
      }
    }
    return stepped(c, command('alter'))
  }
  c.pos++
  while (
    c.at(K.MATERIALIZED) ||
    c.at(K.EXTERNAL) ||
    c.at(K.DYNAMIC) ||
    c.at(K.FOREIGN) ||
    c.isWord(c.pos, 'iceberg') ||
    c.at(K.LIVE) ||
    c.at(K.STREAMING)
  )
    c.pos++
  const object = c.at(K.TABLE) ? 'table' : c.at(K.VIEW) ? 'view' : undefined
  if (!object) return stepped(c, command('alter'))
  c.pos++
  ifNotExists(c)
  if (c.take(K.ONLY)) c.take(T.LPAREN)
  const target = parseTableName(c) ?? UNKNOWN
  c.take(T.STAR)
  if (c.at(K.ON) && c.isWord(c.pos + 1, 'cluster')) c.pos += 3
  return parseAlterActions(c, object, target)
}

function definesBody(c: Cursor): boolean {
  for (let i = c.pos + 2; c.types[i] !== T.EOF && c.types[i] !== T.BATCH; i++) {
    if (c.types[i] === K.AS) return true
    if (c.types[i] === T.SEMICOLON) return false
  }
  return false
}

function isRedefinition(c: Cursor): boolean {
  let i = c.pos + 2
  while (c.isName(i) && (c.types[i + 1] === T.DOT || c.types[i] === K.IF || c.types[i] === K.EXISTS))
    i += c.types[i + 1] === T.DOT ? 2 : 1
  i++
  if (c.types[i] === T.LPAREN) i = c.closing(i) + 1
  for (; c.types[i] === K.WITH || c.isName(i); i++) {
    if (c.types[i] === K.AS) return startsQuery(c, i + 1) || c.types[i + 1] === T.LPAREN
    if (c.types[i] === K.RENAME || c.types[i] === K.SET || c.types[i] === K.OWNER) return false
  }
  return false
}

function parseAlterActions(c: Cursor, object: string, target: TableName): Core {
  const added: ColumnDefinition[] = []
  const dropped: string[] = []
  const renamed: (readonly [string, string])[] = []
  while (!c.atEnd() && !(c.dialect.looseStatements && isNextAlteration(c))) {
    const next = c.peek(1)
    if (c.at(K.RENAME)) {
      if (
        next === K.TO ||
        next === K.AS ||
        (c.isName(c.pos + 1) &&
          next !== K.COLUMN &&
          c.peek(2) !== K.TO &&
          next !== K.INDEX &&
          next !== K.KEY &&
          next !== K.CONSTRAINT &&
          next !== K.PARTITION)
      ) {
        c.pos += next === K.TO || next === K.AS ? 2 : 1
        const to = parseTableName(c) ?? UNKNOWN
        stepToEnd(c)
        return { kind: 'rename', pairs: [[target, siblingOf(target, to)]] }
      }
      c.pos++
      if (c.take(K.COLUMN) || c.peek(1) === K.TO) {
        ifNotExists(c)
        const from = c.nameAt(c.pos++)
        c.take(K.TO)
        if (c.isName(c.pos)) renamed.push([from, c.nameAt(c.pos++)])
      } else c.pos++
    } else if (c.at(K.SWAP) && next === K.WITH) {
      c.pos += 2
      const other = parseTableName(c) ?? UNKNOWN
      return { kind: 'swap', pairs: [[target, siblingOf(target, other)]] }
    } else if (c.at(K.APPEND) && next === K.FROM) {
      c.pos += 2
      const source = parseTableName(c) ?? UNKNOWN
      stepToEnd(c)
      return { kind: 'append', pairs: [[source, target]] }
    } else if (c.isWord(c.pos, 'switch')) {
      c.pos++
      while (!c.atEnd() && !c.at(K.TO)) c.pos++
      c.take(K.TO)
      const other = parseTableName(c) ?? UNKNOWN
      stepToEnd(c)
      return { kind: 'append', pairs: [[target, other]] }
    } else if (c.at(K.EXCHANGE)) {
      c.pos++
      while (!c.atEnd() && !(c.at(K.WITH) && c.peek(1) === K.TABLE)) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
      c.take2(K.WITH, K.TABLE)
      const other = parseTableName(c) ?? UNKNOWN
      stepToEnd(c)
      return { kind: 'exchange', pairs: [[target, other]] }
    } else if (c.at(K.REPLACE) && next === K.PARTITION) return movePartition(c, target, K.FROM)
    else if (c.at(K.MOVE) && next === K.PARTITION) return movePartition(c, target, K.TO)
    else if (c.isWord(c.pos, 'attach') || c.at(K.ATTACH)) return attachPartition(c, target, object)
    else if (c.at(K.UPDATE) && c.isName(c.pos + 1)) {
      c.pos++
      const assignments = parseAssignments(c)
      const uses = parseAlterCondition(c)
      stepToEnd(c)
      return {
        kind: 'update',
        target,
        relations: [tableRelation(target)],
        assignments,
        uses,
        with: [],
        returning: [],
      }
    } else if (c.at(K.DELETE) && next === K.WHERE) {
      c.pos++
      const uses = parseAlterCondition(c)
      stepToEnd(c)
      return {
        kind: 'delete',
        targets: [target],
        relations: [tableRelation(target)],
        uses,
        with: [],
        returning: [],
      }
    } else if (c.at(K.ADD)) {
      c.pos++
      if (c.take(K.COLUMN) || c.take(K.COLUMNS) || isColumnAhead(c)) {
        ifNotExists(c)
        if (c.at(T.LPAREN)) added.push(...parseColumnDefinitions(c).columns)
        else {
          const column = parseColumnDefinition(c)
          if (column) added.push(column)
        }
      }
    } else if (c.at(K.DROP)) {
      c.pos++
      if (c.take(K.COLUMN) || c.take(K.COLUMNS)) {
        ifNotExists(c)
        if (c.at(T.LPAREN)) c.stepOverParens()
        else if (c.isName(c.pos)) dropped.push(c.nameAt(c.pos++))
      }
    } else if (c.at(T.LPAREN)) c.stepOverParens()
    else if (
      c.dialect.looseStatements &&
      isStatementAhead(c) &&
      c.types[c.pos] !== K.ALTER &&
      c.types[c.pos] !== K.DROP
    )
      break
    else c.pos++
  }
  return { kind: 'alter', object, names: [target], added, dropped, renamed }
}

const DROPPED_OBJECTS: ReadonlySet<number> = new Set([
  K.TABLE,
  K.VIEW,
  K.PROCEDURE,
  K.PROC,
  K.FUNCTION,
  K.INDEX,
  K.TYPE,
])

/** T-SQL: ALTER and DROP also begin actions of ALTER TABLE. */
function isNextAlteration(c: Cursor): boolean {
  const next = c.peek(1)
  return (c.at(K.ALTER) && next !== K.COLUMN) || (c.at(K.DROP) && DROPPED_OBJECTS.has(next))
}

/** ClickHouse: ALTER TABLE t UPDATE … [IN PARTITION p] WHERE …. */
function parseAlterCondition(c: Cursor): Use[] {
  while (!c.atEnd() && !c.at(K.WHERE)) c.pos++
  return c.take(K.WHERE) ? [{ kind: 'FILTER', expression: parseExpression(c) }] : []
}

function isColumnAhead(c: Cursor): boolean {
  if (c.at(T.LPAREN)) return true
  const type = c.type
  if (
    type === K.CONSTRAINT ||
    type === K.PRIMARY ||
    type === K.FOREIGN ||
    type === K.UNIQUE ||
    type === K.CHECK ||
    type === K.INDEX ||
    type === K.KEY ||
    type === K.PARTITION ||
    type === K.FULLTEXT ||
    type === K.SPATIAL
  )
    return false
  return c.isName(c.pos) && c.isName(c.pos + 1)
}

/** ClickHouse: REPLACE PARTITION p FROM other; MOVE PARTITION p TO TABLE other. */
function movePartition(c: Cursor, target: TableName, word: number): Core {
  while (!c.atEnd() && !c.at(word)) c.pos++
  c.pos++
  c.take(K.TABLE)
  const other = parseTableName(c) ?? UNKNOWN
  return { kind: 'append', pairs: [word === K.FROM ? [other, target] : [target, other]] }
}

function attachPartition(c: Cursor, target: TableName, object: string): Core {
  c.pos++
  c.take(K.PARTITION)
  const from = c.pos
  while (!c.atEnd() && !c.at(K.FROM)) c.pos++
  if (c.take(K.FROM) && c.isName(c.pos) && c.dialect.name === 'clickhouse')
    return { kind: 'append', pairs: [[parseTableName(c) ?? UNKNOWN, target]] }
  c.pos = from
  stepToEnd(c)
  return { kind: 'alter', object, names: [target], added: [], dropped: [], renamed: [] }
}

function tableRelation(name: TableName) {
  return {
    kind: 'table',
    name,
    join: { kind: 'first', natural: false, using: undefined },
    pivots: [],
    start: name.start,
    end: name.end,
  } as const
}

/** RENAME TO b keeps the schema of a when b is written without one. */
function siblingOf(table: TableName, other: TableName): TableName {
  if (other.parts.length >= table.parts.length || other.sort !== 'table') return other
  return { ...other, parts: [...table.parts.slice(0, table.parts.length - other.parts.length), ...other.parts] }
}

/** RENAME TABLE a TO b, c TO d; RENAME a TO b. */
export function parseRename(c: Cursor): Core {
  c.pos++
  if (c.at(K.TABLE) || c.at(K.VIEW) || c.at(K.OBJECT)) c.pos++
  else if (!c.isName(c.pos)) return stepped(c, command('rename'))
  else if (c.isWord(c.pos, 'user') || c.at(K.COLUMN) || c.at(K.INDEX) || c.at(K.SCHEMA) || c.at(K.DATABASE))
    return stepped(c, command('rename'))
  ifNotExists(c)
  const pairs: (readonly [TableName, TableName])[] = []
  do {
    const from = parseTableName(c)
    if (!from || !(c.take(K.TO) || c.take(K.AS))) break
    const to = parseTableName(c) ?? UNKNOWN
    pairs.push([
      from,
      c.dialect.name === 'mysql' || c.dialect.name === 'mariadb' || c.dialect.name === 'clickhouse'
        ? to
        : siblingOf(from, to),
    ])
  } while (c.take(T.COMMA))
  stepToEnd(c)
  return { kind: 'rename', pairs }
}

/** ClickHouse: EXCHANGE TABLES a AND b. */
export function parseExchange(c: Cursor): Core {
  c.pos += 2
  const left = parseTableName(c) ?? UNKNOWN
  c.take(K.AND)
  const right = parseTableName(c) ?? UNKNOWN
  stepToEnd(c)
  return { kind: 'swap', pairs: [[left, right]] }
}

const DROPPED_RELATIONS: ReadonlySet<number> = new Set([K.TABLE, K.VIEW, K.TABLES, K.DICTIONARY])

/** DROP TABLE a, b. */
export function parseDrop(c: Cursor): Core {
  c.pos++
  while (
    c.at(K.TEMPORARY) ||
    c.at(K.TEMP) ||
    c.at(K.MATERIALIZED) ||
    c.at(K.EXTERNAL) ||
    c.at(K.DYNAMIC) ||
    c.at(K.FOREIGN) ||
    c.at(K.STREAMING) ||
    c.isWord(c.pos, 'iceberg') ||
    c.isWord(c.pos, 'snapshot')
  )
    c.pos++
  if (!DROPPED_RELATIONS.has(c.type)) {
    stepToEnd(c)
    return command('drop')
  }
  const object = c.at(K.VIEW) ? 'view' : 'table'
  c.pos++
  if (c.at(K.FUNCTION)) {
    stepToEnd(c)
    return command('drop')
  }
  ifNotExists(c)
  return { kind: 'drop', object, names: nameSequence(c), added: [], dropped: [], renamed: [] }
}

function nameSequence(c: Cursor): TableName[] {
  const names: TableName[] = []
  do {
    c.take(K.ONLY)
    const name = parseTableName(c)
    if (name) names.push(name)
    c.take(T.STAR)
  } while (c.take(T.COMMA))
  while (!c.atEnd() && !(c.dialect.looseStatements && isStatementAhead(c))) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else if (isDropWord(c)) c.pos++
    else break
  }
  return names
}

function isDropWord(c: Cursor): boolean {
  return (
    c.at(K.CASCADE) ||
    c.at(K.RESTRICT) ||
    c.at(K.PURGE) ||
    c.isWord(c.pos, 'constraints') ||
    c.isWord(c.pos, 'sync') ||
    c.at(K.CONTINUE) ||
    c.at(K.IDENTITY) ||
    c.isWord(c.pos, 'restart') ||
    c.at(K.DROP) ||
    c.at(K.STORED) ||
    c.isWord(c.pos, 'storage') ||
    c.isWord(c.pos, 'reuse') ||
    c.at(K.NO) ||
    c.isWord(c.pos, 'delay') ||
    c.at(K.ON) ||
    c.isWord(c.pos, 'cluster') ||
    c.isName(c.pos) ||
    c.at(T.STRING) ||
    c.at(T.EQUALS)
  )
}

/** TRUNCATE [TABLE] a, b. */
export function parseTruncate(c: Cursor): Core {
  c.pos++
  if (c.at(K.TABLE) || (c.at(K.MATERIALIZED) && c.peek(1) === K.VIEW)) c.pos += c.at(K.TABLE) ? 1 : 2
  ifNotExists(c)
  return { kind: 'truncate', object: 'table', names: nameSequence(c), added: [], dropped: [], renamed: [] }
}
