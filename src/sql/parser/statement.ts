/**
 * One statement: its first word chooses the rule; what the rule leaves behind is stepped over, counted and reported.
 */

import { parseBulkInsert, parseHiveImport, parseLoad } from './load.ts'
import { parseLoadJob, startsLoadJob } from './load-job.ts'
import { parseJobCall } from './job-text.ts'
import { isPivotWord, startsQuery } from './lookahead.ts'
import type { Statement } from '../ir/statement.ts'
import { fingerprint } from '../lexer/fingerprint.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Core, command } from './core.ts'
import { parseCopy, parseExport, parseUnload } from './copy.ts'
import { parseDb2Load, parseExasolImport } from './utility.ts'
import type { Cursor } from './cursor.ts'
import { parseAlter } from './alter.ts'
import { parseCreate } from './ddl.ts'
import { parseDrop, parseExchange, parseRename, parseTruncate } from './drop.ts'
import { parseDelete } from './delete.ts'
import { parseInsert } from './insert.ts'
import { parseUpdate } from './update.ts'
import { parseExpression } from './expression.ts'
import { parseMerge } from './merge.ts'
import { stepOverTemporalQualifier } from './teradata.ts'
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
import { variableList } from './variables.ts'
import { startsStatement } from './words.ts'
import { checkNeighbours } from './neighbours.ts'
import { checkShape } from '../shape/check.ts'
import { endsHere, stepOverRest } from './statement-end.ts'
import { parseAfterWith, parseFromFirst } from './after-with.ts'
import { isTransaction } from './transaction.ts'
import { parseDefaultDatabase, parseUse } from './use.ts'
import { parseExplain } from './explain.ts'
import { parseSubscribe, parseSummarize, reading } from './reading-command.ts'
import { parseChangeFlow } from './change-flow.ts'
import { parsePrepare } from './prepare.ts'
import { parseCache } from './cache.ts'
import { parsePartitionMove } from './table-by-text.ts'
import { assignmentAhead, parseAssignment } from './variable-assignment.ts'
import { isKnownCommand, unknownStatement, stepOver } from './step-over-statement.ts'

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
  if (c.pos === first + 1 && c.atEnd() && NEEDS_MORE.has(c.textAt(first).toLowerCase())) c.missing('what it is about')
  if (c.notes.length === 0 && HAS_GRAMMAR.has(core.kind)) checkNeighbours(c, first, c.pos)
  if (c.notes.length === 0 && !c.inBody) checkShape(c, first, c.pos, 'query' in core ? core.query : undefined)
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

/** Statements that the rules read word by word. */
const HAS_GRAMMAR: ReadonlySet<string> = new Set(
  'query,insert,insertAll,multiInsert,ctas,view,materializedView,table,update,delete,merge'.split(','),
)

/** Commands that are none by themselves. */
const NEEDS_MORE: ReadonlySet<string> = new Set(
  'grant,revoke,call,use,exec,execute,explain,attach,detach,refresh,pragma,unset,submit,subscribe,summarize,comment,cache,system,collect,invalidate,merge,import,load,declare,pivot,unpivot,values'.split(
    ',',
  ),
)

function parseCore(c: Cursor): Core {
  const next = c.peek(1)
  switch (c.type) {
    case K.VALUES:
      return parseValuesInto(c)
    case K.SELECT:
      return movesPartitions(c) ?? { kind: 'query', query: c.rules.query(c) }
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
      return next === T.LPAREN ? unknownStatement(c) : parseInsert(c, [])
    case K.UPDATE:
      if (next === K.STATISTICS) return stepOver(c)
      return parseUpsert(c)
    case K.USING:
      // Teradata: USING (a INT, b CHAR(3)) names the columns of an imported file.
      if (next !== T.LPAREN || startsLoadJob(c)) return parseOther(c)
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
      return next === K.INSERT ? parseBulkInsert(c) : unknownStatement(c)
    case K.USE:
      return parseUse(c)
    case K.DATABASE:
      return parseDefaultDatabase(c)
    case K.PROFILE:
      return c.dialect.name === 'vertica' ? parseExplain(c) : stepOver(c)
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
      if (next === K.TABLE || (next === K.EXTERNAL && c.peek(2) === K.TABLE)) return parseHiveImport(c)
      if (c.dialect.name === 'exasol' && next !== K.INTO && !c.atEnd()) c.missing('INTO')
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
      // Flink: EXECUTE STATEMENT SET BEGIN … END.
      if (c.isWord(c.pos + 1, 'statement') && c.peek(2) === K.SET && c.peek(3) === K.BEGIN) {
        c.pos += 3
        return parseBlock(c)
      }
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
      return c.inBody ? parseDeclarations(c) : unknownStatement(c)
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

function movesPartitions(c: Cursor): Core | undefined {
  const { name } = c.dialect
  return name === 'vertica' || name === 'ansi' ? parsePartitionMove(c) : undefined
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

/** StarRocks: SUBMIT TASK [name] [SCHEDULE …] [PROPERTIES (…)] AS statement. */
function parseSubmittedTask(c: Cursor): Core {
  while (!c.atEnd() && !c.at(K.AS)) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  return c.take(K.AS) ? { kind: 'block', body: [c.rules.statement(c)] } : command('submit')
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

/** `name := expression`, `label:`, `name(args)`: procedural statements that begin with a name. */
function parseOther(c: Cursor): Core {
  if (isPivotWord(c, c.pos)) return { kind: 'query', query: c.rules.query(c) }
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
  if (stepOverTemporalQualifier(c)) return parseCore(c)
  if (startsLoadJob(c)) return parseLoadJob(c)
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
    const start = c.start()
    const name = parseTableName(c)
    const job = name && c.at(T.LPAREN) ? parseJobCall(c, name.parts, start) : undefined
    if (job) return job
    const args = c.at(T.LPAREN) ? [parseExpression(c)] : []
    if (c.atEnd()) return { kind: 'call', name, args }
    while (!c.atEnd() && !startsStatement(c.type)) c.skip()
    return command('call')
  }
  return isKnownCommand(c) ? stepOver(c) : unknownStatement(c)
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
