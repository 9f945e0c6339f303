/** CALL, EXEC and dynamic SQL. */

import type { Expression } from '../ir/expression.ts'
import type { TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Core, type CoreOf, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { stepped } from './ddl-steps.ts'
import { parseExpression } from './expression.ts'
import { parseJobCall } from './job-text.ts'
import { parseTableName, splitDotted } from './name.ts'
import { piecesOf } from './text.ts'
import { variableList } from './variables.ts'
import { startsStatement } from './words.ts'

/** CALL p(…), EXEC [@r =] p …, EXECUTE IMMEDIATE '…', EXEC ('…'), PREPARE … FROM '…'. */
export function parseCall(c: Cursor): Core {
  const verb = c.type
  const start = c.start()
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
  // T-SQL: EXECUTE AS USER = 'u'.
  if (c.at(K.AS)) return stepped(c, command('execute'))
  if ((c.at(K.TASK) || c.isWord(c.pos, 'script')) && c.isName(c.pos + 1)) c.pos++
  if (c.at(T.LPAREN)) return dynamic(c)
  // SQL*Plus: EXEC :v := 1.
  if (c.at(T.COLON)) return c.rules.statement(c)
  if (c.at(T.PARAM) && c.peek(1) === T.EQUALS) c.pos += 2
  if (c.at(T.STRING) || c.at(T.DOLLAR_STRING)) return dynamic(c)
  if (verb === K.EXECUTE && c.dialect.unnamed === 'postgres' && c.inBody) return dynamic(c)
  const name = parseTableName(c)
  if (!name) c.missing('a procedure')
  const procedure = name?.parts.at(-1)!.toLowerCase()
  if (procedure === 'sp_executesql') return dynamic(c)
  if (procedure === 'sp_rename') return parseProcedureRename(c)
  return (name && parseJobCall(c, name.parts, start)) ?? namedCall(c, name)
}

/** T-SQL: EXEC p @a = 1, @b. */
function namedCall(c: Cursor, name: TableName | undefined): Core {
  const argNames: (string | undefined)[] = []
  const args = callArguments(c, argNames)
  return { kind: 'call', name, args, argNames }
}

/** Procedures that run the text they are given: Teradata, Oracle, Db2. */
const RUNS_TEXT: ReadonlySet<string> = new Set(['sysexecsql', 'exec_ddl_statement', 'admin_cmd'])

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
function callArguments(c: Cursor, names: (string | undefined)[] = []): Expression[] {
  const args: Expression[] = []
  if (c.at(T.LPAREN)) {
    args.push(parseExpression(c))
  } else if (!c.at(K.USING) && !c.at(K.INTO)) {
    while (!c.atEnd() && !startsStatement(c.type)) {
      const before = c.pos
      const isNamed = c.at(T.PARAM) && c.peek(1) === T.EQUALS
      names.push(isNamed ? c.textAt(c.pos) : undefined)
      if (isNamed) c.pos += 2
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
export function dynamic(c: Cursor): CoreOf<'call'> {
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
