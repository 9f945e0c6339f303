/** INSERT and REPLACE into one table. */

import type { Cte, TableName } from '../ir/query.ts'
import type { Assignment } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Core, CoreOf } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { nameList } from './name-list.ts'
import { startsQuery } from './lookahead.ts'
import { parseTableName } from './name.ts'
import { stepOverLocking } from './locking.ts'
import { neverTableAlias, startsStatement } from './words.ts'
import { NO_RETURNING, type Returning, laterOf, parseReturning } from './returning.ts'
import { UNKNOWN_TARGET, firstTable } from './changed-table.ts'
import { parseAssignments } from './set-list.ts'
import { atInclude, parseInclude, stepOverInsertWords, stepOverLogErrors } from './change-clauses.ts'
import { parseDirectory, parseInsertFiles, parseInsertFunction, stepOverSettings } from './insert-file.ts'
import { insertedQuery, startsInsertedQuery } from './inserted-query.ts'
import { atBareRow, parseBareRow } from './values.ts'
import { exceptedColumns, insertColumns, parsePartition } from './inserted-columns.ts'
import { parseInsertAll } from './insert-all.ts'

/** INSERT and REPLACE, `with` already read. */
export function parseInsert(c: Cursor, ctes: readonly Cte[]): Core {
  const verb = c.type
  c.pos++
  stepOverInsertWords(c)
  if (c.at(K.ALL) || c.at(K.FIRST) || (c.at(K.OVERWRITE) && (c.peek(1) === K.ALL || c.peek(1) === K.FIRST))) {
    if (isMultiTable(c)) return parseInsertAll(c)
  }
  const named = c.take(K.OVERWRITE) || c.at(K.INTO)
  c.take(K.INTO)
  // Databricks: INSERT INTO ONCE t, of a flow.
  if (c.isWord(c.pos, 'once') && c.isName(c.pos + 1) && c.dialect.name === 'databricks') c.pos++
  if (!named && (c.dialect.unnamed === 'postgres' || NEEDS_INTO.has(c.dialect.name))) c.missing('INTO')
  if (verb === K.INSERT && c.at(K.OVERWRITE)) c.pos++
  if (c.at(K.LOCAL) && c.peek(1) === K.DIRECTORY) c.pos++
  if (c.at(K.DIRECTORY)) return parseDirectory(c, ctes)
  if (c.at(K.TABLE) && (c.isName(c.pos + 1) || c.peek(1) === T.PARAM || c.peek(1) === T.HOLE) && c.peek(1) !== K.SELECT)
    c.pos++
  if (c.at(K.FUNCTION) && c.isName(c.pos + 1)) return parseInsertFunction(c, ctes)
  c.take2(K.IF, K.EXISTS)
  return parseInsertTarget(c, ctes)
}

/** Dialects in which the target's alias needs its AS, or there is none. */
const NEEDS_AS: ReadonlySet<string> = new Set([
  'postgres',
  'greenplum',
  'duckdb',
  'sqlite',
  'trino',
  'athena',
  'spark',
  'clickhouse',
])

/** Dialects without INSERT t. */
const NEEDS_INTO: ReadonlySet<string> = new Set([
  'oracle',
  'sqlite',
  'db2',
  'trino',
  'presto',
  'athena',
  'duckdb',
  'exasol',
])

function isMultiTable(c: Cursor): boolean {
  const at = c.at(K.OVERWRITE) ? 2 : 1
  return c.peek(at) === K.INTO || c.peek(at) === K.WHEN
}

const TARGET_ENDS: ReadonlySet<number> = new Set([
  K.VALUES,
  K.VALUE,
  K.SELECT,
  K.WITH,
  K.SET,
  K.DEFAULT,
  K.EXEC,
  K.EXECUTE,
  K.TABLE,
  K.PARTITION,
  K.OUTPUT,
  K.FROM,
  K.OVERRIDING,
  K.BY,
  K.REPLACE,
  K.FORMAT,
  K.SETTINGS,
  K.CALL,
])

function parseInsertTarget(c: Cursor, ctes: readonly Cte[]): Core {
  if (c.peek(1) === T.LPAREN && c.peek(2) === T.STRING && c.peek(3) === T.EQUALS) return parseInsertFiles(c, ctes)
  let target = insertTarget(c)
  let alias: string | undefined
  if (c.at(K.WITH) && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
  }
  stepOverLocking(c)
  if (c.take(K.AS)) alias = c.nameAt(c.pos++)
  else if (
    c.isName(c.pos) &&
    !atInclude(c) &&
    !TARGET_ENDS.has(c.type) &&
    !neverTableAlias(c.type) &&
    !startsStatement(c.type)
  ) {
    if (NEEDS_AS.has(c.dialect.name)) c.missing('AS')
    alias = c.nameAt(c.pos++)
  }
  let columns: readonly string[] | undefined
  const partition: string[] = []
  const dynamicPartition: string[] = []
  let byName = false
  let include: readonly string[] | undefined
  let returned: Returning = NO_RETURNING
  for (;;) {
    if (c.at(T.LPAREN) && c.peek(1) === T.STAR) partition.push(...exceptedColumns(c))
    else if (columns === undefined && (atBareRow(c) || assignsInParentheses(c))) break
    else if (c.at(T.LPAREN) && columns === undefined && !startsInsertedQuery(c)) columns = insertColumns(c)
    else if (c.at(K.PARTITION)) parsePartition(c, partition, dynamicPartition)
    else if (c.at(K.IF) && c.peek(1) === K.NOT) c.pos += 3
    else if (c.at(K.BY) && (c.peek(1) === K.NAME || c.peek(1) === K.POSITION)) {
      byName = c.peek(1) === K.NAME
      c.pos += 2
    } else if (c.at(K.OVERRIDING)) c.pos += 3
    else if (atInclude(c)) {
      include = parseInclude(c)
      dynamicPartition.push(...(include ?? []))
    } else if (c.at(K.OUTPUT)) returned = parseReturning(c)
    else if (c.at(K.REPLACE) && c.peek(1) === K.WHERE) {
      c.pos += 2
      parseExpression(c)
    } else if (c.at(K.REPLACE) && c.peek(1) === K.USING) {
      c.pos += 2
      if (c.at(T.LPAREN)) c.stepOverParens()
    } else if (c.at(K.REPLACE) && c.peek(1) === K.ON) {
      // Databricks: REPLACE ON t.a = s.a (query) AS s.
      c.pos += 2
      while (!c.atEnd() && !startsQuery(c, c.pos) && !(c.at(T.LPAREN) && startsInsertedQuery(c))) c.pos++
      break
    } else if (c.at(K.WITH) && c.isWord(c.pos + 1, 'label')) {
      c.pos += 3
    } else if (c.isWord(c.pos, 'properties') && c.peek(1) === T.LPAREN) {
      c.pos++
      c.stepOverParens()
    } else if (c.at(K.SETTINGS)) stepOverSettings(c)
    else if (c.at(T.LBRACKET)) c.stepOverParens()
    else break
  }
  if (target.sort === 'hole' && target.parts[0] === '(') target = UNKNOWN_TARGET
  if (assignsInParentheses(c)) return { ...insertedAssignments(c, target), alias }
  const base = { kind: 'insert', target, alias, columns, byName, partition, dynamicPartition, include } as const
  if (c.at(K.DEFAULT) && c.peek(1) === K.VALUES) {
    c.pos += 2
    return {
      ...base,
      query: undefined,
      assignments: [],
      onConflict: parseOnConflict(c),
      ...laterOf(returned, parseReturning(c)),
    }
  }
  if (c.at(K.SET)) {
    c.pos++
    const assignments = parseAssignments(c)
    return {
      ...base,
      query: undefined,
      assignments,
      rows: rowAlias(c),
      onConflict: parseOnConflict(c),
      ...laterOf(returned, parseReturning(c)),
    }
  }
  if (c.at(K.EXEC) || c.at(K.EXECUTE)) {
    const call = c.rules.statement(c)
    c.notes.push(...call.notes)
    if (call.kind === 'call')
      return { kind: 'call', name: call.name, args: call.args, dynamic: call.dynamic, into: target, columns }
    return { ...base, query: undefined, assignments: [], onConflict: [], ...returned }
  }
  if (c.at(K.FROM) && c.isWord(c.pos + 1, 'infile') && c.peek(2) === T.STRING) {
    // ClickHouse: the rows of a file.
    const file = c.pos + 2
    const name = {
      parts: [c.nameAt(file)],
      start: c.starts[file]!,
      end: c.ends[file]!,
      sort: 'path',
      quoted: 1,
    } as const
    while (!c.atEnd()) c.pos++
    return { kind: 'copy', inputs: [name], outputs: [target], query: undefined, columns }
  }
  if (c.at(K.FORMAT)) {
    // ClickHouse: data in a format, to the end of the text.
    while (!c.atEnd()) c.pos++
    return { ...base, query: undefined, assignments: [], onConflict: [], ...returned }
  }
  const query = columns === undefined && atBareRow(c) ? parseBareRow(c) : insertedQuery(c, ctes)
  if (!query || (query.kind === 'values' && query.rows.length === 0 && query.end === query.start && !c.at(T.HOLE)))
    return unfinished(c)
  const rows = rowAlias(c)
  const onConflict = parseOnConflict(c)
  const after = parseReturning(c)
  stepOverLogErrors(c)
  return { ...base, query, rows, assignments: [], onConflict, ...laterOf(returned, after) }
}

/** A name, or the first table of `(SELECT …)`, or a table function. */
function insertTarget(c: Cursor): TableName {
  if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) {
    c.pos++
    const query = c.rules.query(c)
    c.closeParen()
    return firstTable(query) ?? UNKNOWN_TARGET
  }
  if (c.at(T.LPAREN)) return UNKNOWN_TARGET
  const name = parseTableName(c)
  if (!name) c.missing('a table')
  return name ?? UNKNOWN_TARGET
}

/** Teradata: INSERT t (a = 1, b = :x). */
function assignsInParentheses(c: Cursor): boolean {
  return c.at(T.LPAREN) && c.dialect.name === 'teradata' && c.isName(c.pos + 1) && c.peek(2) === T.EQUALS
}

function insertedAssignments(c: Cursor, target: TableName): CoreOf<'insert'> {
  const start = c.start()
  c.pos++
  const assigned = parseAssignments(c)
  c.closeParen()
  const columns = assigned.map(({ targets }) => targets[0]?.at(-1) ?? '')
  const rows = [assigned.map(({ expression }) => expression)]
  const query = { kind: 'values', rows, uses: [], with: [], start, end: c.end() } as const
  const none = { assignments: [], onConflict: [], byName: false, partition: [], dynamicPartition: [] }
  return { kind: 'insert', target, columns, query, ...none, ...NO_RETURNING }
}

/** MySQL: VALUES (…) AS new (a, b). */
function rowAlias(c: Cursor): { alias: string; columns: readonly string[] | undefined } | undefined {
  if (!c.at(K.AS) || !c.isName(c.pos + 1)) return undefined
  const alias = c.nameAt(c.pos + 1)
  c.pos += 2
  return { alias, columns: c.at(T.LPAREN) ? nameList(c, c.pos) : undefined }
}

/** INSERT INTO and no rows behind it: nothing is known to be written. */
function unfinished(c: Cursor): Core {
  c.missing('VALUES or a query')
  while (!c.atEnd() && !c.at(T.RPAREN) && !(c.dialect.looseStatements && startsStatement(c.type))) c.skip()
  return { kind: 'other', word: 'INSERT', expressions: [] }
}

/** ON CONFLICT … DO UPDATE SET …, ON DUPLICATE KEY UPDATE …. */
function parseOnConflict(c: Cursor): readonly Assignment[] {
  const assignments: Assignment[] = []
  while (c.at(K.ON)) {
    if (c.peek(1) === K.DUPLICATE) {
      c.pos += 2
      c.expect(K.KEY, 'KEY')
      c.expect(K.UPDATE, 'UPDATE')
      assignments.push(...parseAssignments(c))
    } else if (c.peek(1) === K.CONFLICT) {
      c.pos += 2
      while (!c.atEnd() && !c.at(K.DO)) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
      c.expect(K.DO, 'DO')
      if (c.take(K.UPDATE)) {
        c.expect(K.SET, 'SET')
        assignments.push(...parseAssignments(c))
        if (c.take(K.WHERE)) parseExpression(c)
      } else c.expect(K.NOTHING, 'UPDATE or NOTHING')
    } else break
  }
  return assignments
}
