/**
 * One statement: its first word chooses the rule; what the rule leaves behind is stepped over, counted and reported.
 */

import type { Query, Relation, Use } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import { fingerprint } from '../lexer/fingerprint.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { isLineOfStatement } from './command-end.ts'
import { command, type Core } from './core.ts'
import { parseBulkInsert, parseCopy, parseExport, parseLoad, parseUnload } from './copy.ts'
import { parseDb2Load, parseExasolImport } from './utility.ts'
import type { Cursor } from './cursor.ts'
import { parseAlter } from './alter.ts'
import { parseCreate } from './ddl.ts'
import { parseDrop, parseExchange, parseRename, parseTruncate } from './drop.ts'
import { parseDelete } from './delete.ts'
import { parseInsert } from './insert.ts'
import { parseMultiInsert } from './multi-insert.ts'
import { parseUpdate } from './update.ts'
import { parseExpression } from './expression.ts'
import { parseMerge } from './merge.ts'
import { nameList } from './item.ts'
import { stepOverLocking } from './locking.ts'
import { parseTableName } from './name.ts'
import { parseSet } from './assignment.ts'
import { parseCall } from './call.ts'
import { parseDeclarations, parseDeclare, parseLet } from './declaration.ts'
import {
  parseBlock,
  parseCaseStatement,
  parseFor,
  parseIf,
  parseLoop,
  parseSmallCommand,
  parseWhile,
} from './procedural.ts'
import { parseQueryBody } from './query.ts'
import { parseWith } from './with.ts'
import { parseRelations } from './relation.ts'
import { parseRoutine } from './routine.ts'
import { startsQuery } from './lookahead.ts'
import { piecesOf, textPieces } from './text.ts'
import { variableList } from './variables.ts'
import { startsStatement } from './words.ts'

/** The statement at the cursor; afterwards the cursor is at what ends it. */
export function parseStatement(c: Cursor): Statement {
  const first = c.pos
  const start = c.start()
  const outerNotes = c.notes
  const outerSkipped = c.skipped
  c.notes = []
  c.skipped = 0
  const core = parseCore(c)
  if (c.types[first] !== T.LINE && !endsHere(c)) stepOverRest(c)
  if (c.pos === first && !c.atEnd()) c.skip()
  const statement = {
    ...core,
    start,
    end: Math.max(start, c.end()),
    skipped: c.skipped,
    notes: c.notes,
    fingerprint: fingerprint(c, first, c.pos),
  } as Statement
  c.notes = outerNotes
  c.skipped = outerSkipped
  return statement
}

/** Nothing of this statement is left: its end, the next statement, or the words that close a block around it. */
function endsHere(c: Cursor): boolean {
  const type = c.type
  if (c.atEnd() || type === T.RPAREN || type === T.LINE) return true
  // Declarations take their own semicolons.
  if (c.inBody && c.types[c.pos - 1] === T.SEMICOLON) return true
  if (c.dialect.looseStatements && (startsStatement(type) || isBulkInsert(c) || isCall(c))) return true
  return (
    c.inBody &&
    (type === K.END ||
      type === K.ELSE ||
      type === K.ELSEIF ||
      type === K.ELSIF ||
      type === K.WHEN ||
      type === K.EXCEPTION ||
      type === K.UNTIL ||
      type === K.LOOP ||
      type === K.DO ||
      type === K.THEN)
  )
}

function isBulkInsert(c: Cursor): boolean {
  return c.at(K.BULK) && c.peek(1) === K.INSERT
}

/** T-SQL at the start of a line: a name that is no clause begins the next statement (`sp_help x`, a label). */
function isCall(c: Cursor): boolean {
  return c.at(T.WORD) && c.peek(1) === T.COLON
}

function stepOverRest(c: Cursor): void {
  let depth = 0
  while (!c.atEnd()) {
    const type = c.type
    if (depth === 0 && (type === T.RPAREN || (c.dialect.looseStatements && startsStatement(type) && type !== K.WITH)))
      return
    if (type === T.LPAREN) depth++
    else if (type === T.RPAREN) depth--
    c.skip()
  }
}

function parseCore(c: Cursor): Core {
  const next = c.peek(1)
  switch (c.type) {
    case K.VALUES:
      return parseValuesInto(c)
    case K.SELECT:
    case K.TABLE:
    case K.PIVOT:
    case K.UNPIVOT:
      return { kind: 'query', query: c.rules.query(c) }
    case T.LPAREN:
      return { kind: 'query', query: c.rules.query(c) }
    case K.WITH:
      return parseAfterWith(c)
    case K.FROM:
      return parseFromFirst(c, [])
    case K.INSERT:
    case K.UPSERT:
      return parseInsert(c, [])
    case K.REPLACE:
      if (next === K.VIEW || next === K.PROCEDURE || next === K.FUNCTION || next === K.MACRO || next === K.RECURSIVE)
        return parseCreate(c)
      return next === T.LPAREN ? other(c) : parseInsert(c, [])
    case K.UPDATE:
      if (next === K.STATISTICS) return stepOver(c)
      return parseUpsert(c)
    case K.USING:
      // Teradata: USING (a INT, b CHAR(3)) names the columns of an imported file.
      if (next !== T.LPAREN) return parseOther(c)
      c.pos++
      c.stepOverParens()
      return parseCore(c)
    case K.DELETE:
      return parseDelete(c, [])
    case K.MERGE:
      return parseMerge(c, [])
    case K.CREATE:
      return parseCreate(c)
    case K.ALTER:
      return parseAlter(c)
    case K.DROP:
      return parseDrop(c)
    case K.TRUNCATE:
      return parseTruncate(c)
    case K.RENAME:
      return parseRename(c)
    case K.EXCHANGE:
      return parseExchange(c)
    case K.COPY:
      return parseCopy(c)
    case K.UNLOAD:
      return parseUnload(c)
    case K.EXPORT:
      return parseExport(c)
    case K.LOAD:
      return parseLoad(c)
    case K.BULK:
      return next === K.INSERT ? parseBulkInsert(c) : other(c)
    case K.USE:
      return parseUse(c)
    case K.EXPLAIN:
    case K.DESCRIBE:
    case K.DESC:
      return parseExplain(c)
    case K.BEGIN:
      return isTransaction(c) ? stepOver(c) : parseBlock(c)
    case K.DECLARE:
      // Db2: DECLARE GLOBAL TEMPORARY TABLE.
      if (next === K.GLOBAL && c.peek(2) === K.TEMPORARY) return parseCreate(c)
      return parseDeclare(c)
    case K.SUMMARIZE:
      return parseSummarize(c)
    case K.IMPORT:
      if (next === K.FROM && c.dialect.name === 'db2') return parseDb2Load(c)
      return next === K.INTO ? parseExasolImport(c) : stepOver(c)
    case K.IF:
      return parseIf(c)
    case K.WHILE:
      return parseWhile(c)
    case K.LOOP:
    case K.REPEAT:
      return parseLoop(c)
    case K.FOR:
    case K.FORALL:
    case K.FOREACH:
      return parseFor(c)
    case K.CASE:
      return parseCaseStatement(c)
    case K.CALL:
    case K.EXEC:
    case K.EXECUTE:
      return parseCall(c)
    case K.LET:
      return parseLet(c)
    case K.SET:
      return parseSet(c)
    case K.DO:
      return parseDo(c)
    case K.PREPARE:
      return parsePrepare(c)
    case K.PROCEDURE:
    case K.FUNCTION:
      return c.inBody ? parseDeclarations(c) : other(c)
    case K.CURSOR:
    case K.PRAGMA:
    case K.TYPE:
    case K.SUBTYPE:
      if (c.inBody) return parseDeclarations(c)
      return stepOver(c)
    case K.CACHE:
      return parseCache(c)
    case K.RETURN:
    case K.OPEN:
    case K.FETCH:
    case K.CLOSE:
    case K.DEALLOCATE:
    case K.PRINT:
    case K.RAISERROR:
    case K.THROW:
    case K.RAISE:
    case K.GOTO:
    case K.BREAK:
    case K.CONTINUE:
    case K.LEAVE:
    case K.ITERATE:
    case K.EXIT:
    case K.WAITFOR:
    case K.COMMIT:
    case K.ROLLBACK:
    case K.SAVE:
    case K.SAVEPOINT:
    case K.SIGNAL:
    case K.RESIGNAL:
    case K.NULL:
    case K.PIPE:
    case K.ASSERT:
      return parseSmallCommand(c)
    case T.LINE:
      c.pos++
      return command('client')
    case T.OPERATOR:
    case T.LESS:
      return parseLabel(c)
    case T.HOLE:
      c.pos++
      if (!c.atEnd()) return parseCore(c)
      return command('template')
    case T.PARAM:
    case T.COLON:
      return parseAssignment(c)
    default:
      return parseOther(c)
  }
}

/** VALUES …; Db2: VALUES (a, b) INTO x, y sets variables. */
function parseValuesInto(c: Cursor): Core {
  const query = c.rules.query(c)
  if (!(c.at(K.INTO) && query.kind === 'values' && query.rows.length === 1)) return { kind: 'query', query }
  c.pos++
  return { kind: 'set', names: variableList(c), query: undefined, expressions: query.rows[0]! }
}

/** UPDATE; Teradata: UPDATE … ELSE INSERT …. */
function parseUpsert(c: Cursor): Core {
  const start = c.start()
  const update = parseUpdate(c, [])
  if (!(c.at(K.ELSE) && c.peek(1) === K.INSERT && c.dialect.name === 'teradata')) return update
  const first = { ...update, start, end: c.end(), skipped: 0, notes: [], fingerprint: '' } as Statement
  c.pos++
  return { kind: 'block', body: [first, c.rules.statement(c)] }
}

/** `<<label>>`. */
function parseLabel(c: Cursor): Core {
  while (c.at(T.LESS) || c.at(T.OPERATOR)) c.pos++
  if (c.isName(c.pos)) c.pos++
  while (c.at(T.GREATER) || c.at(T.OPERATOR)) c.pos++
  return c.atEnd() ? command('label') : parseCore(c)
}

function parseAfterWith(c: Cursor): Core {
  const start = c.start()
  // Snowflake: WITH p AS PROCEDURE (…) … CALL p().
  if (c.peek(2) === K.AS && c.peek(3) === K.PROCEDURE) {
    const named = c.simpleName(c.pos + 1)
    c.pos += 3
    return parseRoutine(c, 'procedure', named)
  }
  const ctes = parseWith(c)
  switch (c.type) {
    case K.INSERT:
    case K.REPLACE: {
      return parseInsert(c, ctes)
    }
    case K.UPDATE:
      return parseUpdate(c, ctes)
    case K.DELETE:
      return parseDelete(c, ctes)
    case K.MERGE:
      return parseMerge(c, ctes)
    case K.FROM:
      return parseFromFirst(c, ctes)
    default: {
      const query: Query = { ...parseQueryBody(c, ctes), start }
      return { kind: 'query', query }
    }
  }
}

/** FROM t SELECT …, FROM t INSERT … (Hive), FROM t |> … (BigQuery). */
function parseFromFirst(c: Cursor, ctes: Parameters<typeof parseInsert>[1]): Core {
  if (!hasInsertAhead(c)) return { kind: 'query', query: parseQueryBody(c, ctes) }
  c.pos++
  const uses: Use[] = []
  const from: Relation[] = parseRelations(c, uses)
  while (c.at(K.WHERE)) {
    c.pos++
    uses.push({ kind: 'FILTER', expression: parseExpression(c) })
  }
  return parseMultiInsert(c, ctes, from, uses)
}

function hasInsertAhead(c: Cursor): boolean {
  let depth = 0
  for (let i = c.pos; i < c.count; i++) {
    const type = c.types[i]!
    if (type === T.LPAREN) depth++
    else if (type === T.RPAREN) depth--
    else if (type === T.SEMICOLON || type === T.PIPE) return false
    else if (type === K.INSERT && depth === 0) return true
    else if (type === K.SELECT && depth === 0) return false
  }
  return false
}

/** BEGIN; BEGIN TRAN; BEGIN WORK; BEGIN ISOLATION …. */
function isTransaction(c: Cursor): boolean {
  const next = c.peek(1)
  return (
    next === T.SEMICOLON ||
    next === T.EOF ||
    next === K.TRANSACTION ||
    next === K.TRAN ||
    c.isWord(c.pos + 1, 'conversation') ||
    c.isWord(c.pos + 1, 'dialog') ||
    next === K.WORK ||
    (next === K.WITH && c.isWord(c.pos + 2, 'label')) ||
    next === K.ISOLATION ||
    next === K.READ ||
    next === T.BATCH ||
    c.isWord(c.pos + 1, 'distributed') ||
    next === K.DEFERRED ||
    next === K.IMMEDIATE ||
    c.isWord(c.pos + 1, 'exclusive')
  )
}

/** USE [CATALOG | DATABASE | SCHEMA | WAREHOUSE | ROLE] name[.name]. */
function parseUse(c: Cursor): Core {
  c.pos++
  const type = c.type
  if ((type === K.WAREHOUSE || type === K.ROLE || type === K.SECONDARY) && c.isName(c.pos + 1)) return stepOver(c)
  const scoped =
    (type === K.CATALOG || type === K.DATABASE || type === K.SCHEMA) &&
    (c.isName(c.pos + 1) || c.peek(1) === T.PARAM || c.peek(1) === K.IDENTIFIER)
  if (scoped) c.pos++
  const name = parseTableName(c)
  if (!name || name.sort === 'hole') {
    if (!c.dialect.looseStatements) while (!c.atEnd()) c.pos++
    return command('use')
  }
  const [first, second] = name.parts
  if (second !== undefined) return { kind: 'use', database: first, schema: second }
  const schemaOnly = type === K.SCHEMA ? scoped : !scoped && usesSchema(c)
  return schemaOnly ? { kind: 'use', schema: first } : { kind: 'use', database: first }
}

/** Dialects whose USE names what stands right before the table. */
function usesSchema(c: Cursor): boolean {
  const name = c.dialect.name
  return !(name === 'snowflake' || name === 'tsql' || name === 'databricks' || name === 'ansi')
}

const DESCRIBED: ReadonlySet<number> = new Set([
  K.SELECT,
  K.WITH,
  K.INSERT,
  K.UPDATE,
  K.DELETE,
  K.MERGE,
  K.CREATE,
  K.FROM,
  K.VALUES,
  T.LPAREN,
  K.REPLACE,
  K.EXECUTE,
  K.TABLE,
])

/** EXPLAIN [options] statement. */
function parseExplain(c: Cursor): Core {
  c.pos++
  while (!c.atEnd() && !DESCRIBED.has(c.type)) {
    if (c.at(T.LPAREN)) break
    c.pos++
  }
  if (c.at(T.LPAREN) && !startsQuery(c, c.pos + 1)) c.stepOverParens()
  while (!c.atEnd() && !DESCRIBED.has(c.type)) c.pos++
  if (c.atEnd() || c.at(K.TABLE) || c.at(K.EXECUTE)) {
    while (!c.atEnd()) c.pos++
    return { kind: 'explain', statement: undefined }
  }
  return { kind: 'explain', statement: c.rules.statement(c) }
}

/** DuckDB: SUMMARIZE t; SUMMARIZE SELECT …. */
function parseSummarize(c: Cursor): Core {
  c.pos++
  return reading('summarize', startsQuery(c, c.pos) || c.at(T.LPAREN) ? c.rules.query(c) : relationQuery(c))
}

/** Materialize: SUBSCRIBE [TO] t; SUBSCRIBE (SELECT …). */
function parseSubscribe(c: Cursor): Core {
  c.pos++
  c.take(K.TO)
  const query = c.at(T.LPAREN) ? c.rules.query(c) : relationQuery(c)
  while (!c.atEnd()) c.pos++
  return reading('subscribe', query)
}

/** Databricks: APPLY CHANGES INTO t FROM s KEYS (…) … [COLUMNS list | COLUMNS * EXCEPT (…)]; AUTO CDC INTO likewise. */
function parseChangeFlow(c: Cursor): Core {
  c.pos += 2
  c.take(K.INTO)
  const target = parseTableName(c)
  if (!target || !c.take(K.FROM)) return other(c)
  const start = c.start()
  const relation = changedRelation(c)
  let names: readonly string[] | undefined
  let except: readonly string[] = []
  while (!c.atEnd()) {
    if (c.take(K.COLUMNS)) {
      if (c.at(T.LPAREN)) names = nameList(c, c.pos)
      else if (c.take(T.STAR) && c.take(K.EXCEPT)) except = nameList(c, c.pos).map((name) => name.toLowerCase())
    } else if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  const end = c.end()
  const none = { start, end, queries: [], stars: [], windows: [] }
  const items = names
    ? names.map((name) => ({
        expression: {
          ...none,
          references: [{ parts: [name], quoted: false, start, end, role: 0 }],
          form: 'column' as const,
          name,
        },
        start,
        end,
      }))
    : [
        {
          expression: { ...none, references: [], form: 'other' as const },
          star: { except, replace: [], rename: undefined },
          start,
          end,
        },
      ]
  const query: Query = {
    kind: 'select',
    items,
    from: relation ? [relation] : [],
    uses: [],
    windows: [],
    into: undefined,
    intoTemporary: false,
    variables: [],
    with: [],
    start,
    end,
  }
  return {
    kind: 'insert',
    target,
    columns: undefined,
    query,
    assignments: [],
    onConflict: [],
    byName: true,
    partition: [],
    dynamicPartition: [],
    returning: [],
  }
}

/** `s`, `STREAM s`, `STREAM(s)`. */
function changedRelation(c: Cursor): Relation | undefined {
  c.take(K.STREAM)
  const inside = c.take(T.LPAREN)
  const start = c.start()
  const name = parseTableName(c)
  if (inside) c.closeParen()
  const join = { kind: 'first', natural: false, using: undefined } as const
  return name && { kind: 'table', name, join, pivots: [], start, end: c.end() }
}

/** StarRocks: SUBMIT TASK [name] [SCHEDULE …] [PROPERTIES (…)] AS statement. */
function parseSubmittedTask(c: Cursor): Core {
  while (!c.atEnd() && !c.at(K.AS)) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  return c.take(K.AS) ? { kind: 'block', body: [c.rules.statement(c)] } : command('submit')
}

/** A command that reads a query's tables and gives none of its columns. */
function reading(word: string, query: Query): Core {
  const { start, end } = query
  const uses = [{ query, role: 0, valueless: true }]
  return {
    kind: 'command',
    word,
    expressions: [{ start, end, references: [], queries: uses, stars: [], windows: [], form: 'other' }],
  }
}

/** The relation at the cursor, read whole. */
function relationQuery(c: Cursor): Query {
  const start = c.start()
  const uses: Use[] = []
  const from = parseRelations(c, uses)
  return { kind: 'table', from, uses, with: [], start, end: c.end() }
}

/** PostgreSQL: DO $$ … $$; MySQL: DO expression. */
function parseDo(c: Cursor): Core {
  c.pos++
  if (c.at(K.LANGUAGE)) c.pos += 2
  if (c.at(T.DOLLAR_STRING) || c.at(T.STRING)) {
    const body = c.subScript(c.pos)
    c.pos++
    if (c.at(K.LANGUAGE)) c.pos += 2
    return { kind: 'block', body }
  }
  if (c.at(K.BEGIN)) return parseBlock(c)
  return { kind: 'command', word: 'do', expressions: [parseExpression(c)] }
}

/** PREPARE p AS statement; PREPARE p FROM '…'. */
function parsePrepare(c: Cursor): Core {
  c.pos++
  const prepares = c.isName(c.pos) ? c.nameAt(c.pos) : undefined
  while (!c.atEnd() && !c.at(K.AS) && !c.at(K.FROM)) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  if (c.take(K.AS)) return { kind: 'block', body: [c.rules.statement(c)] }
  if (c.take(K.FROM)) {
    // Trino: PREPARE p FROM SELECT ….
    if (startsQuery(c, c.pos) && c.type !== K.FROM) return { kind: 'block', body: [c.rules.statement(c)] }
    const start = c.start()
    const at = c.pos
    parseExpression(c)
    const pieces = piecesOf(c, at, c.pos)
    while (!c.atEnd()) c.pos++
    return { kind: 'call', name: undefined, args: [], dynamic: { pieces, start }, prepares }
  }
  return command('prepare')
}

/** Spark: CACHE [LAZY] TABLE name [OPTIONS (…)] [AS] query. */
function parseCache(c: Cursor): Core {
  c.pos++
  if (c.isWord(c.pos, 'lazy')) c.pos++
  if (!c.take(K.TABLE)) return stepOver(c)
  const target = parseTableName(c)
  while (!c.atEnd() && !startsQuery(c, c.pos)) {
    if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) break
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  if (c.atEnd() || !target) return command('cache')
  return {
    kind: 'ctas',
    target,
    temporary: true,
    columns: undefined,
    query: c.rules.query(c),
    like: [],
    clones: false,
    locations: [],
    to: undefined,
    comment: undefined,
    ifNotExists: false,
  }
}

/** `name := expression`, `label:`, `name(args)`: procedural statements that begin with a name. */
function parseOther(c: Cursor): Core {
  const assigned = assignmentAhead(c)
  if (assigned > 0) return parseAssignment(c)
  if (stepOverLocking(c)) return parseCore(c)
  if (c.isWord(c.pos, 'sel') && c.dialect.name === 'teradata') return { kind: 'query', query: c.rules.query(c) }
  // PL/pgSQL: PERFORM f(x) FROM t reads like SELECT and gives no rows.
  // Vertica: PERFORM before any other statement.
  const performed = c.isWord(c.pos, 'perform') && startsStatement(c.peek(1)) && c.peek(1) !== K.SELECT
  if (c.inBody && performed) {
    c.pos++
    return parseCore(c)
  }
  if (c.inBody && c.isWord(c.pos, 'perform') && c.peek(1) !== T.DOT) return reading('perform', c.rules.query(c))
  if (c.isWord(c.pos, 'subscribe')) return parseSubscribe(c)
  if (c.isWord(c.pos, 'submit') && c.isWord(c.pos + 1, 'task')) return parseSubmittedTask(c)
  // Athena: USING EXTERNAL FUNCTION f(x VARCHAR) RETURNS VARCHAR LAMBDA 'l' SELECT ….
  if (c.at(K.USING) && c.peek(1) === K.EXTERNAL) {
    while (!c.atEnd() && !startsQuery(c, c.pos)) c.pos++
    if (!c.atEnd()) return parseCore(c)
  }
  // Vertica: AT EPOCH LATEST SELECT …; AT TIME '…' SELECT ….
  if (c.at(K.AT) && (c.isWord(c.pos + 1, 'epoch') || c.peek(1) === K.TIME)) {
    c.pos += 3
    return parseCore(c)
  }
  if ((c.at(K.APPLY) && c.peek(1) === K.CHANGES) || (c.isWord(c.pos, 'auto') && c.isWord(c.pos + 1, 'cdc')))
    return parseChangeFlow(c)
  if (c.isName(c.pos) && c.peek(1) === T.COLON && c.peek(2) !== T.COLON) {
    c.pos += 2
    return c.atEnd() ? command('label') : parseCore(c)
  }
  if (c.inBody && c.isName(c.pos)) {
    if (c.inBlock ? isKnownCommand(c) && !isCallAhead(c) : isDeclarationAhead(c))
      return c.inBlock ? stepOver(c) : parseDeclarations(c)
    const name = parseTableName(c)
    const args = c.at(T.LPAREN) ? [parseExpression(c)] : []
    if (c.atEnd()) return { kind: 'call', name, args }
    while (!c.atEnd() && !startsStatement(c.type)) c.skip()
    return command('call')
  }
  return isKnownCommand(c) ? stepOver(c) : other(c)
}

/** `refresh(x);` is a procedure of the user's. */
function isCallAhead(c: Cursor): boolean {
  const next = c.peek(1)
  return next === T.LPAREN || next === T.DOT || next === T.SEMICOLON
}

/** Inside a PL/SQL routine before its BEGIN: `v_total number := 0;`. */
function isDeclarationAhead(c: Cursor): boolean {
  if (!(c.isName(c.pos + 1) || c.at(K.CURSOR))) return false
  for (let i = c.pos; i < c.count; i++) {
    const type = c.types[i]!
    if (type === T.EOF || type === T.BATCH) return false
    if (type === T.SEMICOLON) return true
  }
  return false
}

/** Index of `:=` or `=` when a variable is assigned at the cursor; 0 otherwise. */
function assignmentAhead(c: Cursor): number {
  let i = c.pos
  if (!c.isName(i)) return 0
  i++
  for (;;) {
    if (c.types[i] === T.DOT && c.isName(i + 1)) i += 2
    else if (c.types[i] === T.LPAREN || c.types[i] === T.LBRACKET) i = c.closing(i) + 1
    else break
  }
  if (c.types[i] === T.ASSIGN) return i
  return c.inBody && c.types[i] === T.EQUALS ? i : 0
}

function parseAssignment(c: Cursor): Core {
  const names = variableList(c)
  while (!c.atEnd() && !c.at(T.ASSIGN) && !c.at(T.EQUALS)) {
    if (c.at(T.LPAREN) || c.at(T.LBRACKET)) c.stepOverParens()
    else c.pos++
  }
  if (c.atEnd()) return command('parameter')
  c.pos++
  const at = c.pos
  const expression = parseExpression(c)
  return { kind: 'set', names, query: undefined, expressions: [expression], texts: [textPieces(c, at, c.pos)] }
}

const COMMANDS = new Set(
  (
    'grant,revoke,deny,commit,rollback,start,end,set,reset,show,comment,analyze,analyse,vacuum,optimize,refresh,lock,unlock,kill,flush,purge,install,uninstall,attach,detach,pragma,reindex,cluster,checkpoint,listen,notify,unlisten,discard,' +
    'security,reassign,import,undrop,list,ls,put,get,remove,rm,suspend,resume,msck,repair,add,dfs,reload,abort,release,help,fsck,convert,generate,summary,profile,check,checksum,xa,modify,give,warm,recompress,reorganize,preload,source,setuser,describe,collect,diagnostic,database,stop,handler,change,system,exists,watch,clear,uncache,validate,invalidate,compute,' +
    'audit,noaudit,flashback,associate,disassociate,administer,dbcc,backup,restore,reconfigure,shutdown,enable,disable,move,revert,receive,send,savepoint,subscribe,sync,admin,cancel,submit,recover,delimiter,use,fetch,inspect,export,block,get_ddl,summarize,execute,go,quit,exit,connect,disconnect,print,unset,assert,force,bt,et,bteq,logon,logoff,run,sleep,title,width,pause,stats,quiesce,runstats,reorg,values,label,terminate,prompt,host,echo,spool,whenever,impersonate,open,close,deallocate,unload,load,alter_session,script,hint,replay,merge_all,explain_plan,switch,migrate,track,untrack'
  ).split(','),
)

function isKnownCommand(c: Cursor): boolean {
  return c.isName(c.pos) && COMMANDS.has(c.textAt(c.pos).toLowerCase())
}

/** A command without lineage, to its end. */
function stepOver(c: Cursor): Core {
  const word = c.textAt(c.pos).toLowerCase()
  c.pos++
  while (!c.atEnd() && !(c.dialect.looseStatements && isLineOfStatement(c))) c.pos++
  return command(word)
}

/** Not recognised: every token counts as stepped over. */
function other(c: Cursor): Core {
  const word = c.textAt(c.pos)
  c.note('UNKNOWN_STATEMENT', c.start(), word)
  const notes = c.notes.length
  while (!c.atEnd() && !(c.dialect.looseStatements && c.pos > 0 && isLineOfStatement(c))) {
    c.skipped++
    c.pos++
  }
  c.notes.length = notes
  return { kind: 'other', word, expressions: [] }
}
