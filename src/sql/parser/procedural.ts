/**
 * Procedural statements of all dialects: blocks, branches, loops, declarations, calls, dynamic SQL. Each ends where its
 * own words end, so the T-SQL that has no semicolons and the PL/SQL that has nothing else are read by the same rules.
 */

import type { Expression } from '../ir/expression.ts'
import type { Query, TableName } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import type { TextPiece } from '../ir/text.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { parseColumnDefinitions } from './columns.ts'
import { Collector } from './collector.ts'
import { command, type Core, type CoreOf } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression, variableReference } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { parseTableName, splitDotted } from './name.ts'
import { parseParameters, parseRoutine, routineSort } from './routine.ts'
import { piecesOf, textPieces } from './text.ts'
import { scanType } from './type.ts'
import { variableAt, variableList } from './variables.ts'
import { startsStatement } from './words.ts'

/** Statements up to a word that ends the list; the word stays. */
export function parseStatements(c: Cursor, ends: (c: Cursor) => boolean): Statement[] {
  const statements: Statement[] = []
  while (c.type !== T.EOF && !c.at(T.BATCH) && !ends(c)) {
    if (c.take(T.SEMICOLON)) continue
    const before = c.pos
    statements.push(c.rules.statement(c))
    if (c.pos === before) c.skip()
  }
  return statements
}

/** BEGIN … END with its exception handlers; BEGIN TRY … END TRY. The cursor is at BEGIN. */
export function parseBlock(c: Cursor): Core {
  c.pos++
  const { inBody, inBlock } = c
  c.inBody = true
  c.inBlock = true
  if (c.isWord(c.pos, 'atomic')) c.pos++
  else if (c.at(K.NOT) && c.isWord(c.pos + 1, 'atomic')) c.pos += 2
  else if (c.at(K.TRY) || c.at(K.CATCH)) c.pos++
  c.enter(4)
  const body = parseStatements(c, endsBlock)
  while (c.at(K.EXCEPTION)) body.push(...parseHandlers(c))
  c.leave(4)
  if (c.take(K.END)) {
    if (c.at(K.TRY) || c.at(K.CATCH) || c.at(K.TRANSACTION)) c.pos++
    // A moment of a compound trigger: END BEFORE EACH ROW.
    else if (c.at(K.BEFORE) || c.at(K.AFTER) || c.at(K.INSTEAD)) stepToEnd(c)
    else if (isLabel(c)) c.pos++
  } else c.note('UNFINISHED_BLOCK', c.start())
  c.inBody = inBody
  c.inBlock = inBlock
  return { kind: 'block', body }
}

function endsBlock(c: Cursor): boolean {
  return (c.at(K.END) && c.peek(1) !== T.DOT) || (c.at(K.EXCEPTION) && c.peek(1) === K.WHEN)
}

/** The block's name behind END. */
function isLabel(c: Cursor): boolean {
  return c.isName(c.pos) && (c.peek(1) === T.SEMICOLON || c.peek(1) === T.EOF || c.peek(1) === T.BATCH)
}

/** EXCEPTION WHEN x OR y THEN statements …. */
function parseHandlers(c: Cursor): Statement[] {
  c.pos++
  const statements: Statement[] = []
  while (c.at(K.WHEN)) {
    while (!c.at(K.THEN) && c.type !== T.EOF && !c.at(T.SEMICOLON)) c.pos++
    c.take(K.THEN)
    statements.push(...parseStatements(c, (at) => at.at(K.WHEN) || endsBlock(at)))
  }
  return statements
}

/** A condition's own statement: what it reads counts. */
function reading(c: Cursor, expression: Expression, body: Statement[]): void {
  if (expression.queries.length === 0) return
  body.unshift({
    kind: 'command',
    word: 'condition',
    expressions: [expression],
    start: expression.start,
    end: expression.end,
    skipped: 0,
    notes: [],
    fingerprint: '',
  })
}

const endsBranch = (c: Cursor): boolean =>
  c.at(K.END) || c.at(K.ELSE) || c.at(K.ELSEIF) || c.at(K.ELSIF) || c.at(K.ENDIF)

/** IF condition THEN … ELSIF … ELSE … END IF, or T-SQL's IF condition statement [ELSE statement]. */
export function parseIf(c: Cursor): Core {
  c.pos++
  const body: Statement[] = []
  const condition = parseExpression(c)
  if (!c.take(K.THEN)) {
    pushStatement(c, body)
    if (c.at(T.SEMICOLON) && c.peek(1) === K.ELSE) c.pos++
    if (c.take(K.ELSE)) pushStatement(c, body)
    reading(c, condition, body)
    return { kind: 'block', body, conditional: true }
  }
  c.enter(4)
  for (;;) {
    body.push(...parseStatements(c, endsBranch))
    if (c.at(K.ELSEIF) || c.at(K.ELSIF)) {
      c.pos++
      reading(c, parseExpression(c), body)
      c.take(K.THEN)
    } else if (!c.take(K.ELSE)) break
  }
  c.leave(4)
  stepOverEnd(c)
  reading(c, condition, body)
  return { kind: 'block', body, conditional: true }
}

function pushStatement(c: Cursor, body: Statement[]): void {
  if (c.type === T.EOF || c.at(T.BATCH)) return
  if (c.take(T.SEMICOLON)) return
  c.enter(4)
  const before = c.pos
  body.push(c.rules.statement(c))
  if (c.pos === before) c.skip()
  c.leave(4)
}

/** END [IF | LOOP | WHILE | FOR | CASE | REPEAT] [label]. */
function stepOverEnd(c: Cursor): void {
  if (c.take(K.ENDIF)) return
  if (!c.take(K.END)) {
    c.note('UNFINISHED_BLOCK', c.start())
    return
  }
  if (c.at(K.IF) || c.at(K.LOOP) || c.at(K.WHILE) || c.at(K.FOR) || c.at(K.CASE) || c.at(K.REPEAT)) c.pos++
  if (isLabel(c)) c.pos++
}

/** WHILE condition LOOP|DO … END, or T-SQL's WHILE condition statement. */
export function parseWhile(c: Cursor): Core {
  c.pos++
  const condition = parseExpression(c)
  const body: Statement[] = []
  if (c.take(K.LOOP) || c.take(K.DO)) {
    c.enter(4)
    body.push(...parseStatements(c, (at) => at.at(K.END)))
    c.leave(4)
    stepOverEnd(c)
  } else pushStatement(c, body)
  reading(c, condition, body)
  return { kind: 'block', body, conditional: true }
}

/** LOOP … END LOOP and REPEAT … UNTIL condition END REPEAT. */
export function parseLoop(c: Cursor): Core {
  c.pos++
  c.enter(4)
  const body = parseStatements(c, (at) => at.at(K.END) || at.at(K.UNTIL))
  c.leave(4)
  if (c.take(K.UNTIL)) {
    reading(c, parseExpression(c), body)
    c.take(T.SEMICOLON)
  }
  stepOverEnd(c)
  return { kind: 'block', body }
}

/** FOR x IN (query) | query | 1..10 LOOP|DO … END; FOREACH; FORALL i IN … statement. */
export function parseFor(c: Cursor): Core {
  const all = c.at(K.FORALL)
  c.pos++
  const body: Statement[] = []
  const names: string[] = []
  while (c.isName(c.pos) && !c.at(K.IN) && !c.at(K.AS)) {
    names.push(c.nameAt(c.pos))
    c.pos++
    c.take(T.COMMA)
  }
  if (!c.take(K.IN)) c.take(K.AS)
  c.take(K.REVERSE)
  // Db2 and Teradata: FOR r AS c CURSOR WITH HOLD FOR query.
  if (c.isName(c.pos) && c.peek(1) === K.CURSOR) {
    while (!c.atEnd() && !c.at(K.FOR) && !c.at(K.DO)) c.pos++
    c.take(K.FOR)
  }
  const start = c.start()
  let query: Query | undefined
  if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) {
    c.pos++
    query = c.rules.query(c)
    c.closeParen()
  } else if (startsQuery(c, c.pos)) query = c.rules.query(c)
  const cursor = !query && isCursorName(c) ? c.nameAt(c.pos) : undefined
  const dynamicQuery = c.at(K.EXECUTE) && c.dialect.unnamed === 'postgres'
  if (dynamicQuery) {
    c.pos++
    body.push(wrap(c, { ...dynamic(c), variables: names }))
  } else if (names.length > 0)
    body.push({
      kind: 'declare',
      names,
      query,
      expressions: [],
      cursor,
      start,
      end: c.end(),
      skipped: 0,
      notes: [],
      fingerprint: '',
    })
  const first = c.pos
  const statementAhead = (): boolean => all && c.pos > first && startsStatement(c.type) && !c.at(K.SAVE)
  while (!c.at(K.LOOP) && !c.at(K.DO) && !c.atEnd() && !statementAhead()) c.pos++
  if (c.take(K.LOOP) || c.take(K.DO)) {
    c.enter(4)
    body.push(...parseStatements(c, (at) => at.at(K.END)))
    c.leave(4)
    stepOverEnd(c)
  } else if (all) pushStatement(c, body)
  return { kind: 'block', body, conditional: true }
}

/** FOR r IN c(10) LOOP, not FOR i IN a .. b. */
function isCursorName(c: Cursor): boolean {
  if (!c.isName(c.pos) || c.at(K.EXECUTE)) return false
  const after = c.peek(1) === T.LPAREN ? c.closing(c.pos + 1) + 1 : c.pos + 1
  return c.types[after] === K.LOOP || c.types[after] === K.DO
}

/** CASE … WHEN … THEN statements … END CASE. */
export function parseCaseStatement(c: Cursor): Core {
  c.pos++
  const body: Statement[] = []
  if (!c.at(K.WHEN)) reading(c, parseExpression(c), body)
  c.enter(4)
  while (c.at(K.WHEN) || c.at(K.ELSE)) {
    if (c.take(K.WHEN)) {
      const x = new Collector()
      x.start = c.start()
      do c.rules.expression(c, x)
      while (c.take(T.COMMA))
      c.take(K.THEN)
    } else c.pos++
    body.push(...parseStatements(c, (at) => at.at(K.WHEN) || at.at(K.ELSE) || at.at(K.END)))
  }
  c.leave(4)
  stepOverEnd(c)
  return { kind: 'block', body, conditional: true }
}

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
  if (c.at(K.BEGIN)) {
    const block = parseBlock(c)
    if (block.kind === 'block') body.push(...block.body)
  }
  return { kind: 'block', body }
}

/** Snowflake: LET x := 1; LET c CURSOR FOR …. */
export function parseLet(c: Cursor): Core {
  c.pos++
  return parseDeclaration(c)
}

function wrap(c: Cursor, core: Core): Statement {
  return { ...core, start: c.start(), end: c.end(), skipped: 0, notes: [], fingerprint: '' }
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
  if (c.at(K.TYPE) || c.at(K.SUBTYPE) || c.at(K.PRAGMA)) {
    stepToEnd(c)
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
    const read = parseDeclaredValue(c)
    // `a, b INT DEFAULT 1`: one value for the names before it.
    while (expressions.length < names.length) expressions.push(read.expression ?? NO_VALUE)
    query = read.query ?? query
    cursor = read.cursor ?? cursor
    while (texts.length < names.length) texts.push(read.text)
  } while (c.take(T.COMMA))
  return { kind: 'declare', names, parameters, table, query, cursor, expressions, texts }
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
      stepToEnd(c)
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

function stepToEnd(c: Cursor): void {
  while (!c.atEnd()) c.pos++
}

/** MySQL: DECLARE EXIT HANDLER FOR SQLEXCEPTION statement. */
function parseHandler(c: Cursor): Core {
  c.pos += 2
  c.take(K.FOR)
  const body: Statement[] = []
  while (!c.atEnd() && !startsStatement(c.type)) c.pos++
  if (!c.atEnd()) pushStatement(c, body)
  return { kind: 'block', body }
}

/** CALL p(…), EXEC [@r =] p …, EXECUTE IMMEDIATE '…', EXEC ('…'), PREPARE … FROM '…'. */
export function parseCall(c: Cursor): Core {
  const verb = c.type
  c.pos++
  if (c.at(K.IMMEDIATE)) {
    c.pos++
    return dynamic(c)
  }
  if (verb === K.CALL) {
    const name = parseTableName(c)
    if (c.at(T.LPAREN) && RUNS_TEXT.has(name?.parts.at(-1)?.toLowerCase() ?? '')) return dynamic(c)
    return { kind: 'call', name, args: callArguments(c) }
  }
  if ((c.at(K.TASK) || c.isWord(c.pos, 'script')) && c.isName(c.pos + 1)) c.pos++
  if (c.at(T.LPAREN)) return dynamic(c)
  // SQL*Plus: EXEC :v := 1.
  if (c.at(T.COLON)) return c.rules.statement(c)
  if (c.at(T.PARAM) && c.peek(1) === T.EQUALS) c.pos += 2
  if (c.at(T.STRING) || c.at(T.DOLLAR_STRING)) return dynamic(c)
  if (verb === K.EXECUTE && c.dialect.unnamed === 'postgres' && c.inBody) return dynamic(c)
  const name = parseTableName(c)
  const procedure = name?.parts.at(-1)!.toLowerCase()
  if (procedure === 'sp_executesql') return dynamic(c)
  if (procedure === 'sp_rename') return parseProcedureRename(c)
  return { kind: 'call', name, args: callArguments(c) }
}

/** Procedures that run the text they are given: Teradata, Oracle. */
const RUNS_TEXT: ReadonlySet<string> = new Set(['sysexecsql', 'exec_ddl_statement'])

/** T-SQL: sp_rename 'schema.old', 'new' [, 'OBJECT' | 'COLUMN' | …], by position or by name. */
function parseProcedureRename(c: Cursor): Core {
  const values: string[] = []
  const start = c.start()
  while (!c.atEnd() && !startsStatement(c.type)) {
    if (c.at(T.PARAM) && c.peek(1) === T.EQUALS) c.pos += 2
    if (c.at(T.STRING) || c.isName(c.pos)) values.push(c.nameAt(c.pos))
    c.pos++
    if (!c.take(T.COMMA)) break
  }
  const [old, renamed, sort = 'object'] = values
  if (old === undefined || renamed === undefined) return command('call')
  const parts = splitDotted(old.replaceAll('[', '"').replaceAll(']', '"'))
  const name = (of: readonly string[]): TableName => ({ parts: of, start, end: c.end(), sort: 'table', quoted: 0 })
  if (sort.toLowerCase() === 'object')
    return { kind: 'rename', pairs: [[name(parts), name([...parts.slice(0, -1), renamed])]] }
  if (sort.toLowerCase() !== 'column') return command('call')
  const column = parts.pop()!
  return { kind: 'alter', object: 'table', names: [name(parts)], added: [], dropped: [], renamed: [[column, renamed]] }
}

/** Arguments in parentheses, or T-SQL's `@a = 1, @b OUTPUT`. */
function callArguments(c: Cursor): Expression[] {
  const args: Expression[] = []
  if (c.at(T.LPAREN)) {
    args.push(parseExpression(c))
  } else {
    while (!c.atEnd() && !startsStatement(c.type)) {
      const before = c.pos
      if (c.at(T.PARAM) && c.peek(1) === T.EQUALS) c.pos += 2
      args.push(parseExpression(c))
      if (c.at(K.OUTPUT) || c.at(K.OUT)) c.pos++
      if (c.at(K.WITH)) {
        while (!c.atEnd() && !startsStatement(c.peek(0) === K.WITH ? 0 : c.type)) c.pos++
        break
      }
      if (!c.take(T.COMMA)) {
        if (c.pos === before) break
        if (!c.at(T.FAT_ARROW)) break
        c.pos++
      }
    }
  }
  if (c.at(K.AT) && c.isName(c.pos + 1)) c.pos += 2
  // CALL p(1) INTO :r; EXECUTE prepared USING a, b.
  if (c.at(K.INTO) || c.at(K.USING)) while (!c.atEnd()) c.pos++
  return args
}

/** The text that is executed: a literal (perhaps pieced together from literals), a variable, or unknown. */
function dynamic(c: Cursor): CoreOf<'call'> {
  const start = c.start()
  const from = c.pos
  const inside = c.take(T.LPAREN)
  const at = c.pos
  const expression = parseExpression(c)
  const args = expression.queries.length > 0 ? [expression] : []
  const pieces = piecesOf(c, at, c.pos)
  if (inside) {
    while (!c.at(T.RPAREN) && !c.atEnd()) c.pos++
    c.take(T.RPAREN)
  }
  // USING a, b; INTO x; @p = 1.
  let variables: readonly string[] | undefined
  while (!c.atEnd() && !(c.dialect.looseStatements && c.pos > from && startsStatement(c.type))) {
    if (c.at(K.LOOP) || c.at(K.THEN)) break
    if (c.take(K.INTO)) variables = variableList(c)
    else c.pos++
  }
  return { kind: 'call', name: undefined, args, dynamic: { pieces, start }, variables }
}

/** SET x = expression; SET (a, b) = (query); session settings are commands. */
export function parseSet(c: Cursor): Core {
  c.pos++
  const names: string[] = []
  const expressions: Expression[] = []
  const texts: (readonly TextPiece[] | undefined)[] = []
  const start = c.pos
  while (c.at(K.GLOBAL) || c.at(K.SESSION) || c.at(K.LOCAL) || c.isWord(c.pos, 'persist')) c.pos++
  do {
    if (c.at(T.LPAREN)) {
      const closing = c.closing(c.pos)
      for (let i = c.pos + 1; i < closing; i++) if (c.isName(i)) names.push(c.nameAt(i))
      c.pos = closing + 1
    } else {
      const name = variableAt(c)
      if (name === undefined) break
      names.push(name)
    }
    const before = c.pos
    while (c.at(T.PLUS) || c.at(T.MINUS) || c.at(T.STAR) || c.at(T.SLASH) || c.at(T.OPERATOR) || c.at(T.CONCAT)) c.pos++
    const compound = c.pos > before
    if (!(c.take(T.EQUALS) || c.take(T.ASSIGN))) break
    const at = c.pos
    const x = new Collector()
    x.start = c.start()
    // SET @x += y: what it held stays part of it.
    if (compound) x.addReference(variableReference(c, before - 1))
    c.rules.expression(c, x)
    x.end = Math.max(x.start, c.end())
    expressions.push(x)
    const pieces = textPieces(c, at, c.pos)
    while (texts.length < names.length - 1) texts.push(undefined)
    // SET @sql += '…' goes on.
    texts.push(compound && pieces ? [...piecesOf(c, before - 1, before), ...pieces] : pieces)
  } while (c.take(T.COMMA))
  if (expressions.length === 0) {
    c.pos = start
    return stepOverSetting(c)
  }
  if (!c.inBody && !c.dialect.looseStatements) while (!c.atEnd()) c.pos++
  return { kind: 'set', names, query: undefined, expressions, texts }
}

/** SET NOCOUNT ON, SET TRANSACTION ISOLATION LEVEL …, SET hive.x=y, SET IDENTITY_INSERT t ON. */
function stepOverSetting(c: Cursor): Core {
  if (
    (c.at(K.SCHEMA) || c.isWord(c.pos, 'search_path') || c.isWord(c.pos, 'current_schema')) &&
    !c.dialect.looseStatements
  ) {
    let at = c.pos + 1
    while (c.types[at] === T.EQUALS || c.types[at] === K.TO) at++
    const schema = c.isName(at) || c.types[at] === T.STRING ? c.nameAt(at) : undefined
    stepToEnd(c)
    return schema === undefined ? command('set') : { kind: 'use', schema }
  }
  if (!c.dialect.looseStatements) {
    stepToEnd(c)
    return command('set')
  }
  const first = c.pos
  while (!c.atEnd() && (c.pos === first || !startsStatement(c.type) || c.at(K.READ))) {
    if (c.pos > first && startsStatement(c.type)) break
    c.pos++
  }
  return command('set')
}

/** FETCH [NEXT FROM] c [BULK COLLECT] INTO a, b [LIMIT n]. */
function parseFetch(c: Cursor): Core {
  let cursor: string | undefined
  while (!c.atEnd() && !c.at(K.INTO) && !c.isWord(c.pos, 'bulk')) {
    if (c.dialect.looseStatements && startsStatement(c.type) && !c.at(K.FROM)) return command('fetch')
    if (c.isName(c.pos) || c.at(T.PARAM)) cursor = c.nameAt(c.pos)
    c.pos++
  }
  if (c.isWord(c.pos, 'bulk')) c.pos += 2
  if (!c.take(K.INTO)) return command('fetch')
  const names = variableList(c)
  if (!c.dialect.looseStatements) stepToEnd(c)
  return { kind: 'set', names, query: undefined, expressions: [], cursor }
}

/** PL/SQL: PIPE ROW (record) and PIPE ROW (constructor(a, b)) give a row of the function. */
function parsePipedRow(c: Cursor): Core {
  const start = c.start()
  c.pos += 2
  const row: Expression[] = []
  const constructor = c.isName(c.pos) && c.peek(1) === T.LPAREN
  if (constructor) c.pos += 2
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    row.push(parseExpression(c))
    if (!c.take(T.COMMA) && c.pos === before) break
  }
  if (constructor) c.closeParen()
  c.closeParen()
  return { kind: 'query', query: { kind: 'values', rows: [row], uses: [], with: [], start, end: c.end() } }
}

/** OPEN, CLOSE, RETURN, PRINT, RAISE …: what they read counts, the rest is stepped over. */
export function parseSmallCommand(c: Cursor): Core {
  const word = c.textAt(c.pos).toLowerCase()
  const type = c.type
  c.pos++
  if (type === K.RETURN) {
    if (c.at(K.NEXT) || c.at(K.QUERY)) c.pos++
    if (c.at(K.EXECUTE)) return parseCall(c)
    if (c.at(K.TABLE) && c.peek(1) === T.LPAREN && startsQuery(c, c.pos + 2)) {
      c.pos += 2
      const query = c.rules.query(c)
      c.closeParen()
      return { kind: 'query', query }
    }
    if (startsQuery(c, c.pos) || (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)))
      return { kind: 'query', query: c.rules.query(c) }
  }
  if (type === K.PIPE && c.at(K.ROW) && c.peek(1) === T.LPAREN) return parsePipedRow(c)
  if (type === K.OPEN && c.isName(c.pos) && c.peek(1) === K.FOR) {
    c.pos += 2
    const names = [c.nameAt(c.pos - 2)]
    if (startsQuery(c, c.pos)) return { kind: 'declare', names, query: c.rules.query(c), expressions: [] }
    if (c.at(K.EXECUTE)) c.pos++
    return { ...dynamic(c), variables: names }
  }
  if (type === K.FETCH) return parseFetch(c)
  const expressions: Expression[] = []
  if (type === K.RETURN && c.at(K.TABLE)) {
    // Snowflake: RETURN TABLE (a result set).
    c.pos++
    if (c.at(T.LPAREN)) c.stepOverParens()
    return { kind: 'command', word, expressions }
  }
  if (type === K.RETURN || type === K.PRINT) {
    if (!c.atEnd() && !startsStatement(c.type)) expressions.push(parseExpression(c))
    return { kind: 'command', word, expressions }
  }
  while (
    !c.atEnd() &&
    !(c.dialect.looseStatements && startsStatement(c.type) && !(type === K.FETCH && c.at(K.FETCH)))
  ) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  return { kind: 'command', word, expressions }
}
