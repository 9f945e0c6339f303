/**
 * Procedures, functions, triggers, packages, tasks: a header that carries no lineage, and a body of statements. Bodies
 * are written in place (BEGIN … END, a single statement) or in a string (`AS $$ … $$`), which is read as a text of its
 * own at the same offsets.
 */

import type { TableName } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { stepToEnd } from './command-end.ts'
import { type Core, type CoreOf, reading } from './core.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { Collector } from './collector.ts'
import { parseColumnDefinitions } from './columns.ts'
import { parseExpression } from './expression.ts'
import { foreignSql } from './foreign-body.ts'
import { startsQuery } from './lookahead.ts'
import { requiredName } from './ddl-steps.ts'
import { parseTableName } from './name.ts'
import { lastPart } from './record-type.ts'
import { scanType } from './type.ts'

type Sort = CoreOf<'routine'>['sort']

/** Which routine the word at the cursor creates. */
export function routineSort(c: Cursor): Sort | undefined {
  switch (c.type) {
    case K.PROCEDURE:
    case K.PROC:
      return 'procedure'
    case K.FUNCTION:
      // T-SQL: CREATE PARTITION FUNCTION.
      return c.types[c.pos - 1] === K.PARTITION ? undefined : 'function'
    case K.TRIGGER:
      return 'trigger'
    case K.PACKAGE:
      return 'package'
    case K.TASK:
    case K.EVENT:
      if (c.peek(1) === K.TABLE || c.peek(1) === K.SESSION || c.isWord(c.pos + 1, 'notification')) return undefined
      return c.peek(1) === K.TRIGGER ? undefined : 'task'
    case K.MACRO:
      return 'macro'
    default:
      // Doris: CREATE JOB j ON SCHEDULE … DO statement; Hive: CREATE SCHEDULED QUERY q CRON '…' AS statement.
      return (c.isWord(c.pos, 'job') && c.isName(c.pos + 1)) ||
        (c.isWord(c.pos, 'query') && c.isWord(c.pos - 1, 'scheduled'))
        ? 'task'
        : undefined
  }
}

const UNKNOWN: TableName = { parts: ['?'], start: 0, end: 0, sort: 'hole', quoted: 0 }

/** With the cursor at PROCEDURE, FUNCTION, …: header and body. */
export function parseRoutine(c: Cursor, sort: Sort, named?: TableName): Core {
  c.pos++
  if (sort === 'package' && !c.at(K.BODY)) return parseSpecification(c)
  c.take(K.BODY)
  if (c.at(K.IF)) c.pos += c.peek(1) === K.NOT ? 3 : 2
  const name = named ?? requiredName(c)
  if (c.at(K.IF)) c.pos += 3
  const { inBody, inBlock } = c
  c.inBlock = false
  const outs: string[] = []
  const parameters = c.at(T.LPAREN) ? parseParameters(c, outs) : []
  const header: Header = { sort, table: undefined, language: '', text: -1, parameters, rows: [] }
  const from = c.pos
  const inPlace = parseHeaderAndBody(c, header)
  const expanded = macroText(c, from)
  c.inBody = inBody
  c.inBlock = inBlock
  let statements = expanded ?? (header.text >= 0 ? parseTextBody(c, header) : inPlace)
  if (header.result) statements = [header.result, ...statements]
  const { rows, table, language, returnsType, returnsTrigger, returnsVariable, executes } = header
  // PostgreSQL: without RETURNS TABLE, what goes out is what a row has.
  const givesOuts = sort === 'function' && c.dialect.unnamed === 'postgres'
  const returns = header.returns ?? (givesOuts && outs.length > 0 ? outs : undefined)
  const given = { returns, returnsType, returnsTrigger, returnsVariable, givesOuts }
  return {
    kind: 'routine',
    name,
    sort,
    parameters,
    rows,
    body: statements,
    table,
    executes,
    language,
    ...given,
    ...(expanded && { expands: true as const }),
  }
}

/** Oracle: SQL_MACRO … RETURN 'query': the query that stands where the function is called; undefined for others. */
function macroText(c: Cursor, from: number): Statement[] | undefined {
  if (c.dialect.name !== 'oracle') return undefined
  let isMacro = false
  for (let i = from; i < c.pos; i++) {
    isMacro ||= c.isWord(i, 'sql_macro')
    if (!isMacro || c.types[i] !== K.RETURN || c.types[i + 1] !== T.STRING) continue
    const isQuoted = /^n?q'/i.test(c.textAt(i + 1))
    const statements = c.subScript(i + 1, (text) => {
      const inner = isQuoted ? ` ${text.slice(1, -1)} ` : text
      return /^[\s(]*(?:select|with)\b/i.test(inner) ? inner : undefined
    })
    return statements.length > 0 ? statements : undefined
  }
  return undefined
}

interface Header {
  readonly sort: Sort
  readonly parameters: string[]
  readonly rows: string[]
  /** T-SQL: RETURNS @r TABLE (…) declares the table variable that the body fills. */
  result?: Statement
  returnsVariable?: string
  executes?: TableName | undefined
  returnsType?: string | undefined
  returnsTrigger?: boolean
  /** RETURNS TABLE (…): names of its columns. */
  returns?: readonly string[]
  table: TableName | undefined
  language: string
  /** PL/SQL: COMPOUND TRIGGER. */
  compound?: boolean
  /** Token of the string that holds the body. */
  text: number
}

/** A package's specification declares: types, cursors and variables that its body sees. */
function parseSpecification(c: Cursor): Core {
  const name = parseTableName(c) ?? UNKNOWN
  while (!c.atEnd() && !c.at(K.IS) && !c.at(K.AS)) c.pos++
  if (!c.atEnd()) c.pos++
  const { inBody, inBlock } = c
  c.inBody = true
  c.inBlock = false
  const declared = parsePackage(c).flatMap((one) => (one.kind === 'block' ? one.body : [one]))
  c.inBody = inBody
  c.inBlock = inBlock
  const declarations = declared.filter(({ kind }) => kind === 'declare')
  return { kind: 'routine', name, sort: 'package', parameters: [], rows: [], body: declarations }
}

/** `(p_id IN NUMBER, @x int = 1, OUT y text)`: the names; into `outs` go those that the routine gives back. */
export function parseParameters(c: Cursor, outs?: string[]): string[] {
  const names: string[] = []
  const closing = c.closing(c.pos)
  let depth = 0
  for (let i = c.pos; i < closing; i++) {
    const type = c.types[i]!
    if (type === T.LPAREN) depth++
    else if (type === T.RPAREN) depth--
    if (depth !== 1 || !(type === T.LPAREN || type === T.COMMA)) continue
    let at = i + 1
    while (c.types[at] === K.IN || c.types[at] === K.OUT || c.types[at] === K.INOUT || c.isWord(at, 'variadic')) at++
    if (!(c.isName(at) || c.types[at] === T.PARAM)) continue
    names.push(c.nameAt(at))
    if (outs && (isOut(c, at - 1) || isOut(c, at + 1))) outs.push(c.nameAt(at))
  }
  c.pos = closing + 1
  return names
}

function isOut(c: Cursor, index: number): boolean {
  return c.types[index] === K.OUT || c.types[index] === K.INOUT
}

/** Steps through the header; returns the body that stands in place. */
function parseHeaderAndBody(c: Cursor, header: Header): readonly Statement[] {
  const trigger = header.sort === 'trigger'
  while (!c.atEnd()) {
    const next = c.peek(1)
    switch (c.type) {
      case T.PARAM:
        // T-SQL parameters without parentheses.
        header.parameters.push(c.textAt(c.pos))
        c.pos++
        if (c.take(K.AS) || c.isName(c.pos)) scanType(c)
        break
      case K.EXECUTE:
        if (next === K.AS) {
          c.pos += 3
          break
        }
        if (trigger && (next === K.FUNCTION || next === K.PROCEDURE)) {
          c.pos += 2
          header.executes = parseTableName(c)
          while (!c.atEnd()) c.pos++
          return []
        }
        return body(c, header)
      case K.LANGUAGE:
        header.language = c.nameAt(c.pos + 1).toLowerCase()
        c.pos += 2
        break
      case K.AS:
      case K.IS: {
        c.pos++
        if (c.atEnd()) c.missing('a body')
        if (c.at(T.STRING) || c.at(T.DOLLAR_STRING)) {
          header.text = c.pos
          c.pos++
          if (c.at(T.COMMA)) c.pos += 2
          break
        }
        if (c.at(K.LANGUAGE) || c.at(K.EXTERNAL)) break
        // DuckDB: CREATE MACRO m(x) AS TABLE (query).
        if (header.sort === 'macro' && c.at(K.TABLE)) c.pos++
        return body(c, header)
      }
      case K.ON:
        c.pos++
        if (trigger && !header.table && (c.isName(c.pos) || c.at(T.QUOTED))) header.table = parseTableName(c)
        break
      case T.LPAREN:
        c.stepOverParens()
        break
      case K.RETURNS:
        c.pos++
        if (c.at(T.PARAM) && c.peek(1) === K.TABLE && c.peek(2) === T.LPAREN) {
          header.returnsVariable = c.textAt(c.pos)
          header.result = declaredResult(c)
        } else if (c.at(K.TABLE)) {
          c.pos++
          if (c.at(T.LPAREN)) header.returns = parseColumnDefinitions(c).columns.map((column) => column.name)
        } else {
          header.returnsTrigger = c.at(K.TRIGGER)
          scanType(c)
        }
        break
      case K.RETURN:
        if (c.dialect.client === 'sqlplus' || c.dialect.client === 'any' || c.dialect.name === 'exasol') {
          // Oracle: FUNCTION f RETURN type IS …; elsewhere RETURN begins the body.
          if (isReturnType(c)) {
            c.pos++
            const at = c.pos
            header.returnsType = lastPart(c)
            c.pos = at
            scanType(c)
            break
          }
        }
        return body(c, header)
      case K.WHEN:
        c.pos++
        if (trigger) c.rules.expression(c, new Collector())
        break
      case K.BEFORE:
      case K.AFTER:
      case K.INSTEAD:
      case K.FOR:
      case K.OR:
      case K.OF:
        c.pos++
        if (trigger) stepOverEvents(c)
        break
      case K.SET:
        if (c.dialect.unnamed === 'postgres' || header.sort === 'task') {
          c.pos += 2
          if (c.take(K.TO) || c.take(T.EQUALS)) c.pos++
          break
        }
        return body(c, header)
      case K.WITH:
        if (startsQuery(c, c.pos) && c.peek(2) === K.AS && isCteBody(c.peek(3))) return body(c, header)
        c.pos++
        break
      case K.BEGIN:
      case K.DECLARE:
      case K.SELECT:
      case K.INSERT:
      case K.UPDATE:
      case K.DELETE:
      case K.MERGE:
      case K.CALL:
      case K.IF:
      case K.WHILE:
      case K.TRUNCATE:
      case K.CREATE:
      case K.DROP:
      case K.COPY:
        return body(c, header)
      case K.DO:
        c.pos++
        return body(c, header)
      default:
        if (trigger && c.isWord(c.pos, 'referencing')) stepOverRowNames(c, header)
        // Hive: EXECUTED AS 'user'.
        else if (c.isWord(c.pos, 'executed') && next === K.AS) c.pos += 3
        else if (trigger && c.isWord(c.pos, 'compound') && next === K.TRIGGER) {
          c.pos += 2
          header.compound = true
          return body(c, header)
        } else c.pos++
    }
  }
  return []
}

/** What follows `WITH name AS` where that is a CTE, and no option of T-SQL: WITH SCHEMABINDING AS RETURN …. */
function isCteBody(type: number): boolean {
  return type === T.LPAREN || type === K.MATERIALIZED || type === K.NOT || type === T.HOLE
}

/** `@r TABLE (a int, b int)`. */
function declaredResult(c: Cursor): Statement {
  const start = c.start()
  const name = c.textAt(c.pos)
  c.pos += 2
  const table = { name, columns: parseColumnDefinitions(c).columns }
  const base = { start, end: c.end(), skipped: 0, notes: [], fingerprint: '' }
  return { kind: 'declare', names: [name], table, query: undefined, expressions: [], ...base }
}

/** REFERENCING NEW [ROW | TABLE] [AS] n OLD AS o. */
function stepOverRowNames(c: Cursor, header: Header): void {
  c.pos++
  while (c.at(K.NEW) || c.isWord(c.pos, 'old')) {
    c.pos++
    if (c.at(K.TABLE) || c.isWord(c.pos, 'new_table') || c.isWord(c.pos, 'old_table') || c.at(K.ROW)) c.pos++
    c.take(K.AS)
    c.take(T.EQUALS)
    if (c.isName(c.pos)) header.rows.push(c.nameAt(c.pos++))
    c.take(T.COMMA)
  }
}

/** INSERT OR UPDATE OF a, b of a trigger's header. */
function stepOverEvents(c: Cursor): void {
  while (
    c.at(K.INSERT) ||
    c.at(K.UPDATE) ||
    c.at(K.DELETE) ||
    c.at(K.TRUNCATE) ||
    c.at(K.OR) ||
    c.at(T.COMMA) ||
    c.at(K.OF) ||
    (c.isName(c.pos) && (c.types[c.pos - 1] === K.OF || (c.types[c.pos - 1] === T.COMMA && !c.at(K.ON))))
  ) {
    c.pos++
  }
}

function isReturnType(c: Cursor): boolean {
  for (let i = c.pos + 1; i < c.pos + 14; i++) {
    const type = c.types[i]!
    if (
      type === K.IS ||
      type === K.AS ||
      type === K.PIPELINED ||
      type === K.DETERMINISTIC ||
      type === K.AUTHID ||
      type === K.PARALLEL
    )
      return true
    if (type === T.SEMICOLON || type === T.EOF || type === K.SELECT) return false
  }
  return false
}

/** The body at the cursor. T-SQL's goes on to the end of the batch; others are one block or statement. */
function body(c: Cursor, header: Header): readonly Statement[] {
  c.inBody = true
  const statements: Statement[] = []
  if (c.dialect.looseStatements && header.sort !== 'task') {
    while (c.type !== T.EOF && !c.at(T.BATCH)) {
      const before = c.pos
      if (c.take(T.SEMICOLON)) continue
      statements.push(c.rules.statement(c))
      if (c.pos === before) c.skip()
    }
    return statements
  }
  if (c.at(T.LPAREN) && header.sort === 'function' && !startsQuery(c, c.pos + 1)) {
    // BigQuery: AS (expression); ClickHouse: AS (x, k) -> k * x.
    return [expressionBody(c, header)]
  }
  if (header.sort === 'package') return parsePackage(c)
  if (header.compound) return parseCompoundTrigger(c)
  if (header.sort === 'macro' && c.at(T.LPAREN) && c.dialect.name === 'teradata') return parseMacro(c)
  // DuckDB: CREATE MACRO f(x) AS TABLE SELECT ….
  if (header.sort === 'macro' && c.at(K.TABLE) && startsQuery(c, c.pos + 1)) c.pos++
  if (header.sort === 'macro' && !startsQuery(c, c.pos) && !c.at(T.LPAREN)) {
    // DuckDB: a macro that is an expression.
    return [expressionBody(c, header)]
  }
  statements.push(c.rules.statement(c))
  return statements
}

/** A body that is an expression: what its subqueries read counts. */
function expressionBody(c: Cursor, header: Header): Statement {
  const start = c.start()
  const expressions = [parseExpression(c)]
  // DuckDB: CREATE MACRO f(x) AS …, (x, y) AS ….
  while (c.at(T.COMMA) && c.peek(1) === T.LPAREN) {
    c.pos++
    header.parameters.push(...parseParameters(c))
    c.take(K.AS)
    expressions.push(parseExpression(c))
  }
  // BigQuery: OPTIONS (…).
  stepToEnd(c)
  return reading('return', expressions, start, c.end())
}

/** PL/SQL package: declarations and routines up to END. */
function parsePackage(c: Cursor): readonly Statement[] {
  const statements: Statement[] = []
  while (c.type !== T.EOF && !c.at(T.BATCH) && !c.at(K.END)) {
    const before = c.pos
    if (c.take(T.SEMICOLON)) continue
    statements.push(c.rules.statement(c))
    if (c.pos === before) c.skip()
  }
  if (c.take(K.END)) while (!c.atEnd()) c.pos++
  return statements
}

/** Teradata: CREATE MACRO m AS (statement; statement;). */
function parseMacro(c: Cursor): readonly Statement[] {
  const statements: Statement[] = []
  c.pos++
  while (c.type !== T.EOF && !c.at(T.BATCH) && !c.at(T.RPAREN)) {
    const before = c.pos
    if (c.take(T.SEMICOLON)) continue
    statements.push(c.rules.statement(c))
    if (c.pos === before) c.skip()
  }
  c.take(T.RPAREN)
  return statements
}

/** Declarations, then `BEFORE STATEMENT IS … BEGIN … END BEFORE STATEMENT;` for each moment, up to END. */
function parseCompoundTrigger(c: Cursor): readonly Statement[] {
  const statements: Statement[] = []
  while (c.type !== T.EOF && !c.at(T.BATCH) && !c.at(K.END)) {
    const before = c.pos
    if (c.take(T.SEMICOLON)) continue
    if (c.at(K.BEFORE) || c.at(K.AFTER) || c.at(K.INSTEAD)) {
      while (!c.atEnd() && !c.at(K.IS)) c.pos++
      c.take(K.IS)
    }
    statements.push(c.rules.statement(c))
    if (c.pos === before) c.skip()
  }
  if (c.take(K.END)) while (!c.atEnd()) c.pos++
  return statements
}

const SQL_LANGUAGES: ReadonlySet<string> = new Set(['', 'sql', 'plpgsql', 'plsql', 'plvsql', 'nzplsql'])

/** The statements inside AS $$ … $$. */
function parseTextBody(c: Cursor, header: Header): readonly Statement[] {
  if (!SQL_LANGUAGES.has(header.language)) {
    // A procedure may well run SQL of its own.
    const runsSql = header.sort === 'procedure' || header.language.startsWith('pl')
    c.note(runsSql ? 'DYNAMIC_SQL' : 'FOREIGN_BODY', c.starts[header.text]!, header.language)
    return runsSql ? c.subScript(header.text, foreignSql) : []
  }
  // `AS 'pi() * r * r'`: a function that is an expression.
  if (header.sort === 'function' && !beginsStatement(c, header.text)) return []
  return c.subScript(header.text)
}

const STATEMENT_TEXT =
  /^(?:--[^\n]*\n|#\w+[^\n]*\n|\/\*[^]*?\*\/|[\s('])*(?:select|with|insert|update|delete|merge|begin|declare|values|return|table|call|<<|create|from|$)/i

function beginsStatement(c: Cursor, index: number): boolean {
  const text = stringValue(c.textAt(index))
  return STATEMENT_TEXT.test(text)
}
