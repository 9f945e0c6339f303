/** CREATE TABLE, CREATE VIEW and kin, ALTER, DROP, TRUNCATE, RENAME. */

import type { TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { stepToEnd } from './command-end.ts'
import { type Core, command } from './core.ts'
import { creation } from './creation.ts'
import type { Cursor } from './cursor.ts'
import { UNKNOWN, ifNotExists, stepped } from './ddl-steps.ts'
import { startsQuery } from './lookahead.ts'
import { parseTableName } from './name.ts'
import { parseDictionary, parsePropertyGraph, parseSemanticView, parseSink } from './object-ddl.ts'
import { objectKind } from './object-kind.ts'
import { parseRecordType } from './record-type.ts'
import { parseRelationDefinition, pushLocation } from './relation-definition.ts'
import { parseRule } from './rule.ts'
import { luaSql } from './foreign-body.ts'
import { parseAnalytic } from './analytic-view.ts'
import { parseRoutine, routineSort } from './routine.ts'
import { parseAlert, parseKeptQuery } from './scheduled.ts'
import { parseSchemaDefinition } from './schema-elements.ts'

/** CREATE and everything that it creates. Also T-SQL's ALTER PROCEDURE and ALTER VIEW, which define anew. */
export function parseCreate(c: Cursor): Core {
  c.pos++
  if (c.atEnd()) c.missing('what is created')
  let known = false
  let temporary = false
  let materialized = false
  let dynamic = false
  let live = false
  for (;;) {
    const type = c.type
    const sort = routineSort(c)
    if (sort) return parseRoutine(c, sort)
    if (c.isWord(c.pos, 'flow') && c.isName(c.pos + 1)) return parseFlow(c)
    // Exasol: languages have the names that their installation gives them, CREATE PYTHON3_AB SET SCRIPT.
    if (c.dialect.name === 'exasol' && c.isWord(c.pos + 2, 'script') && c.at(T.WORD)) c.pos += 2
    if (c.dialect.name === 'exasol' && c.isWord(c.pos, 'script') && c.isName(c.pos + 1)) return parseScript(c)
    if (c.isWord(c.pos, 'routine') && c.peek(1) === K.LOAD) return parseRoutineLoad(c)
    // Db2: CREATE ALIAS a FOR t, CREATE NICKNAME n FOR server.schema.t.
    if ((c.isWord(c.pos, 'alias') || c.isWord(c.pos, 'nickname')) && c.isName(c.pos + 1)) {
      c.pos++
      return parseOtherDefinition(c, K.SYNONYM)
    }
    if (c.isWord(c.pos, 'property') && c.isWord(c.pos + 1, 'graph')) {
      c.pos += 2
      ifNotExists(c)
      return parsePropertyGraph(c)
    }
    if (c.isWord(c.pos, 'alert') && c.isName(c.pos + 1)) return parseAlert(c)
    if (c.isWord(c.pos, 'cortex') && c.isWord(c.pos + 1, 'search')) {
      c.pos += 3
      return parseKeptQuery(c)
    }
    if (type === K.JOIN && c.peek(1) === K.INDEX) {
      c.pos += 2
      return parseKeptQuery(c)
    }
    const analytic = c.dialect.name === 'oracle' ? parseAnalytic(c) : undefined
    if (analytic) return analytic
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
        if (c.isWord(c.pos - 3, 'writable')) return parseWritable(c)
        if (c.isWord(c.pos - 2, 'flex') || c.isWord(c.pos - 3, 'flex')) return parseFlexible(c, temporary)
        return parseRelationDefinition(c, dynamic || live ? 'materializedView' : 'table', temporary)
      case K.VIEW:
        c.pos++
        // Oracle: CREATE MATERIALIZED VIEW LOG ON t.
        if (c.isWord(c.pos, 'log') && c.peek(1) === K.ON) return stepped(c, command('create'))
        return parseRelationDefinition(c, materialized || live ? 'materializedView' : 'view', temporary)
      case K.PROJECTION:
        // Vertica: a copy of a table's columns that the database keeps.
        c.pos++
        return parseRelationDefinition(c, 'materializedView', false)
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
        if (type === K.STREAM && isDefinedStream(c)) return parseRelationDefinition(c, 'table', false)
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
      case K.SCHEMA:
        return parseSchemaDefinition(c)
      case K.TYPE:
        return hasFieldTypes(c) ? parseRecordType(c) : stepped(c, command('create'))
      case K.INDEX:
      case K.DATABASE:
      case K.SEQUENCE:
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
        if (!known) {
          const kind = objectKind(c)
          if (kind === 'unknown') return stepped(c, { kind: 'other', word: 'create', expressions: [] })
          if (kind === 'table' || kind === 'view') {
            c.pos++
            return parseRelationDefinition(c, kind, temporary)
          }
          known = kind === 'kind'
        }
    }
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
}

/** KSQL: CREATE STREAM s (columns), CREATE STREAM s [WITH (…)] AS query. */
function isDefinedStream(c: Cursor): boolean {
  const before = c.pos
  ifNotExists(c)
  parseTableName(c)
  const isDefined = c.at(T.LPAREN) || c.at(K.AS) || (c.at(K.WITH) && c.peek(1) === T.LPAREN)
  c.pos = before
  return isDefined
}

/** Oracle's objects and collections, T-SQL's table types. */
function hasFieldTypes(c: Cursor): boolean {
  const isComposite = c.dialect.unnamed === 'postgres' && hasCompositeBody(c)
  return isComposite || (c.dialect.name === 'oracle' && c.peek(1) !== K.BODY) || c.dialect.name === 'tsql'
}

/** PostgreSQL: TYPE name AS (…). */
function hasCompositeBody(c: Cursor): boolean {
  let at = c.pos + 1
  while (c.isName(at) && c.types[at + 1] === T.DOT) at += 2
  return c.types[at + 1] === K.AS && c.types[at + 2] === T.LPAREN
}

/** Exasol: CREATE LUA SCRIPT s() AS …, CREATE PYTHON3 SCALAR SCRIPT f(…) RETURNS … AS …, up to a `/` on its own line. */
function parseScript(c: Cursor): Core {
  const language = c
    .textAt(c.isWord(c.pos - 1, 'scalar') || c.types[c.pos - 1] === K.SET ? c.pos - 2 : c.pos - 1)
    .toLowerCase()
  const start = c.starts[c.pos]!
  // A script of no kind may run SQL; the others are functions.
  const isFunction = !c.isWord(c.pos - 1, language)
  const runsSql = !isFunction && !c.isWord(c.pos - 1, 'adapter')
  c.note(runsSql ? 'DYNAMIC_SQL' : 'FOREIGN_BODY', start, language)
  c.pos++
  const name = parseTableName(c) ?? UNKNOWN
  while (c.type !== T.EOF && !c.at(T.BATCH) && !c.at(K.AS)) c.pos++
  const from = c.end()
  while (c.type !== T.EOF && !c.at(T.BATCH)) c.pos++
  const sql = runsSql ? luaSql(c.text.slice(from, c.end())) : undefined
  if (sql === undefined) return command('create')
  return { kind: 'routine', name, sort: 'procedure', parameters: [], rows: [], body: c.rules.textAt(c, from, sql) }
}

/** Greenplum: CREATE WRITABLE EXTERNAL TABLE t (…) LOCATION ('…'): what is written to the table goes to that place. */
function parseWritable(c: Cursor): Core {
  const start = c.start()
  const table = parseRelationDefinition(c, 'table', false)
  if (table.kind !== 'table') return table
  const place = { start, end: c.end(), skipped: 0, notes: [], fingerprint: '' }
  const outputs = table.locations.map((text): TableName => ({
    parts: [text],
    start,
    end: start,
    sort: 'path',
    quoted: 0,
  }))
  const definition = { ...table, locations: [], ...place } as const
  const copy = {
    kind: 'copy',
    inputs: [table.target],
    outputs,
    query: undefined,
    columns: undefined,
    ...place,
  } as const
  return { kind: 'block', body: [definition, copy] }
}

/** Vertica: CREATE FLEX TABLE t (id INT): it has whatever columns its rows have beside those that it names. */
function parseFlexible(c: Cursor, temporary: boolean): Core {
  const table = parseRelationDefinition(c, 'table', temporary)
  if (table.kind !== 'table') return table
  return { ...table, columns: table.columns?.map((column) => ({ ...column, hidden: true as const })) }
}

/** Doris, StarRocks: CREATE ROUTINE LOAD job ON t … FROM KAFKA (…): a stream of messages fills the table. */
function parseRoutineLoad(c: Cursor): Core {
  while (!c.atEnd() && !c.at(K.ON)) c.pos++
  c.expect(K.ON, 'ON')
  const target = parseTableName(c)
  stepToEnd(c)
  return { kind: 'copy', inputs: [], outputs: target ? [target] : [], query: undefined, columns: undefined }
}

/** Databricks: CREATE FLOW f AS INSERT INTO …, AS AUTO CDC INTO …. */
function parseFlow(c: Cursor): Core {
  while (!c.atEnd() && !c.at(K.AS)) c.pos++
  return c.take(K.AS) ? c.rules.statement(c) : command('create')
}

/** Snowflake: what a stream tells of each change beside the row. */
const STREAM_COLUMNS = ['METADATA$ACTION', 'METADATA$ISUPDATE', 'METADATA$ROW_ID'].map((name) => ({ name }))

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
      c.expect(type === K.STREAM ? K.ON : K.FOR, type === K.STREAM ? 'ON' : 'FOR')
      while (c.at(K.TABLE) || c.at(K.VIEW) || c.at(K.STAGE) || c.at(K.DYNAMIC) || c.at(K.EXTERNAL)) c.pos++
      const name = parseTableName(c)
      if (!name) c.missing('a table')
      stepToEnd(c)
      const like = name ? [name] : []
      return creation('view', target, { like, clones: true, ...(type === K.STREAM && { columns: STREAM_COLUMNS }) })
    }
    case K.RULE:
      return parseRule(c, target)
    case K.DICTIONARY:
      return parseDictionary(c, target)
    case K.SINK:
    case K.SOURCE:
      return parseSink(c, target, type === K.SINK)
    case K.MODEL: {
      // Redshift says FROM (query), the others AS.
      const given = c.dialect.name === 'redshift' ? K.FROM : K.AS
      while (!c.atEnd() && !(c.at(given) && (startsQuery(c, c.pos + 1) || c.peek(1) === T.LPAREN))) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
      const query = c.take(given) ? c.rules.query(c) : undefined
      if (given === K.FROM) stepToEnd(c)
      return creation(query ? 'ctas' : 'table', target, { query })
    }
    default:
      return stepped(c, command('create'))
  }
}
