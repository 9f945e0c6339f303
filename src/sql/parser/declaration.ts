/** Variables, cursors and handlers that a block declares. */

import type { Expression } from '../ir/expression.ts'
import type { Query } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import type { TextPiece } from '../ir/text.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { parseColumnDefinitions } from './columns.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { parseBlock, parseHandler, wrap } from './procedural.ts'
import { parseParameters, parseRoutine, routineSort } from './routine.ts'
import { lastPart, parseRecordType } from './record-type.ts'
import { textPieces } from './text.ts'
import { scanType } from './type.ts'
import { startsStatement } from './words.ts'

/** DECLARE: one or several variables, cursors, table variables, handlers; in PL/SQL all up to BEGIN. */
export function parseDeclare(c: Cursor): Core {
  c.pos++
  if (c.at(K.BEGIN)) return parseBlock(c)
  const section = hasDeclareSection(c)
  const first = parseDeclaration(c)
  if (!section) return first
  const body: Statement[] = [wrap(c, first)]
  while (!c.at(K.BEGIN) && c.type !== T.EOF && !c.at(T.BATCH)) {
    if (c.take(T.SEMICOLON)) continue
    if (c.at(K.END)) break
    const before = c.pos
    body.push(wrap(c, parseDeclaration(c)))
    if (c.pos === before) c.skip()
  }
  return withBlock(c, body)
}

/** Snowflake: LET x := 1; LET c CURSOR FOR …. */
export function parseLet(c: Cursor): Core {
  c.pos++
  return parseDeclaration(c)
}

/** Whether declarations go on behind the semicolon until a BEGIN, as in PL/SQL. */
function hasDeclareSection(c: Cursor): boolean {
  const name = c.dialect.name
  if (
    name === 'tsql' ||
    name === 'mysql' ||
    name === 'mariadb' ||
    name === 'bigquery' ||
    name === 'db2' ||
    name === 'teradata' ||
    name === 'databricks' ||
    name === 'spark'
  )
    return false
  let i = c.pos
  while (c.types[i] !== T.SEMICOLON && c.types[i] !== T.EOF) i++
  for (;;) {
    const type = c.types[i + 1]!
    if (type === K.BEGIN) return true
    if (type === T.EOF || type === T.BATCH || !c.isName(i + 1) || startsStatement(type) || type === K.LET) return false
    if (type === K.DECLARE || type === K.CALL) return false
    if (type === K.PROCEDURE || type === K.FUNCTION) return true
    i++
    while (c.types[i] !== T.SEMICOLON && c.types[i] !== T.EOF) i++
  }
}

/** The declarations between IS|AS and BEGIN of a PL/SQL routine, then its block. */
export function parseDeclarations(c: Cursor): Core {
  const body: Statement[] = []
  while (!c.at(K.BEGIN) && c.type !== T.EOF && !c.at(T.BATCH) && !c.at(K.END) && !isMoment(c)) {
    if (c.take(T.SEMICOLON)) continue
    const before = c.pos
    body.push(wrap(c, parseDeclaration(c)))
    if (c.pos === before) c.skip()
  }
  return withBlock(c, body)
}

/** The declarations, and the block that they are for, if it follows. */
function withBlock(c: Cursor, body: Statement[]): Core {
  if (c.at(K.BEGIN)) {
    const block = parseBlock(c)
    if (block.kind === 'block') body.push(...block.body)
  }
  return { kind: 'block', body }
}

/** BEFORE STATEMENT IS, AFTER EACH ROW IS of a compound trigger. */
function isMoment(c: Cursor): boolean {
  return (
    (c.at(K.BEFORE) || c.at(K.AFTER) || c.at(K.INSTEAD)) &&
    (c.isWord(c.pos + 1, 'statement') || c.isWord(c.pos + 1, 'each') || c.peek(1) === K.OF)
  )
}

/** One declaration. */
function parseDeclaration(c: Cursor): Core {
  if (c.at(K.DECLARE)) c.pos++
  const sort = (c.at(K.PROCEDURE) || c.at(K.FUNCTION)) && c.isName(c.pos + 1) ? routineSort(c) : undefined
  if (sort) return parseRoutine(c, sort)
  if (c.at(K.TYPE)) return parseRecordType(c)
  if (c.at(K.SUBTYPE) || c.at(K.PRAGMA)) {
    c.stepToEnd()
    return command('declare')
  }
  if ((c.at(K.CONTINUE) || c.at(K.EXIT) || c.at(K.UNDO)) && c.peek(1) === K.HANDLER) return parseHandler(c)
  const names: string[] = []
  const expressions: Expression[] = []
  const isCursor = c.at(K.CURSOR) && c.isName(c.pos + 1)
  if (isCursor) c.pos++
  let parameters: readonly string[] | undefined
  let query: Query | undefined
  let cursor: string | undefined
  let table: { name: string; columns: ReturnType<typeof parseColumnDefinitions>['columns'] } | undefined
  const texts: (readonly TextPiece[] | undefined)[] = []
  const typeNames: (string | undefined)[] = []
  do {
    if (!(c.isName(c.pos) || c.at(T.PARAM))) break
    const name = c.nameAt(c.pos)
    names.push(name)
    c.pos++
    if (isCursor && c.at(T.LPAREN)) parameters = parseParameters(c)
    if (c.at(T.COMMA)) continue
    c.take(K.AS)
    if (c.at(K.TABLE) && c.peek(1) === T.LPAREN) {
      c.pos++
      table = { name, columns: parseColumnDefinitions(c).columns }
      texts.push(undefined)
      continue
    }
    const typeAt = c.pos
    const typeName = lastPart(c)
    c.pos = typeAt
    const read = parseDeclaredValue(c)
    // `a, b INT DEFAULT 1`: one value for the names before it.
    while (expressions.length < names.length) expressions.push(read.expression ?? NO_VALUE)
    query = read.query ?? query
    cursor = read.cursor ?? cursor
    while (texts.length < names.length) texts.push(read.text)
    while (typeNames.length < names.length) typeNames.push(typeName)
  } while (c.take(T.COMMA))
  return { kind: 'declare', names, parameters, table, query, cursor, expressions, texts, typeNames }
}

const NO_VALUE: Expression = { start: 0, end: 0, references: [], queries: [], stars: [], windows: [], form: 'literal' }

interface DeclaredValue {
  readonly query?: Query
  readonly expression?: Expression
  /** CURSOR FOR a result set. */
  readonly cursor?: string
  readonly text?: readonly TextPiece[] | undefined
}

/** Type, CURSOR FOR query, default value. */
function parseDeclaredValue(c: Cursor): DeclaredValue {
  let result: DeclaredValue = {}
  while (!c.atEnd() && !c.at(T.COMMA)) {
    if (
      (c.at(K.FOR) || c.at(K.IS) || c.at(K.AS)) &&
      (startsQuery(c, c.pos + 1) || (c.peek(1) === T.LPAREN && startsQuery(c, c.pos + 2)))
    ) {
      c.pos++
      result = { query: c.rules.query(c) }
    } else if (c.at(K.FOR) && c.isWord(c.pos + 1, 'sqlstate')) {
      // Db2 and MySQL: DECLARE c CONDITION FOR SQLSTATE '02000'.
      c.stepToEnd()
    } else if (c.at(K.FOR) && c.isName(c.pos + 1) && endsDeclaration(c.peek(2))) {
      result = { cursor: c.nameAt(c.pos + 1) }
      c.pos += 2
    } else if (c.at(T.ASSIGN) || c.at(T.EQUALS) || c.at(K.DEFAULT)) {
      c.pos++
      const at = c.pos
      const expression = parseExpression(c)
      result = { ...result, expression, text: textPieces(c, at, c.pos) }
    } else if (c.at(T.LPAREN)) c.stepOverParens()
    else if (c.dialect.looseStatements && startsStatement(c.type) && c.type !== K.WITH) break
    else if (
      c.isName(c.pos) ||
      c.at(T.PERCENT) ||
      c.at(T.DOT) ||
      (c.at(T.COLON) && c.dialect.client === 'psql') ||
      c.at(T.LBRACKET) ||
      c.at(T.RBRACKET) ||
      c.at(T.LESS) ||
      c.at(T.GREATER) ||
      c.at(T.NUMBER)
    ) {
      const before = c.pos
      if (c.at(T.LESS)) scanType(c)
      if (c.pos === before) c.pos++
    } else break
  }
  return result
}

function endsDeclaration(type: number): boolean {
  return type === T.SEMICOLON || type === T.EOF || type === T.BATCH
}
