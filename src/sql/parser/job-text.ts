/** SQL that is handed to a database's scheduler: SQL Server Agent's steps, Oracle's jobs. */

import type { TextPiece } from '../ir/text.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { piecesOf } from './text.ts'

/** Which argument holds the text, and which one says that it is SQL. */
interface JobCall {
  readonly text: string
  readonly sort?: string
  /** What `sort` must hold; '' where it is left out. */
  readonly isSql?: RegExp
  readonly database?: string
}

const STEP: JobCall = { text: '@command', sort: '@subsystem', isSql: /^(?:tsql)?$/i, database: '@database_name' }

const JOB_CALLS: ReadonlyMap<string, JobCall> = new Map([
  ['sp_add_jobstep', STEP],
  ['sp_update_jobstep', STEP],
  ['dbms_scheduler.create_job', { text: 'job_action', sort: 'job_type', isSql: /^(?:plsql_block|sql_script)$/i }],
  ['dbms_scheduler.create_program', { text: 'program_action', sort: 'program_type', isSql: /^plsql_block$/i }],
  ['dbms_job.submit', { text: 'what' }],
  ['dbms_parallel_execute.run_task', { text: 'sql_stmt' }],
])

/** With the cursor behind the procedure's name; undefined (and nothing consumed) where it takes no SQL. */
export function parseJobCall(c: Cursor, name: readonly string[], start: number): Core | undefined {
  const call = JOB_CALLS.get(name.at(-1)!.toLowerCase()) ?? JOB_CALLS.get(name.slice(-2).join('.').toLowerCase())
  if (!call) return undefined
  const given = namedArguments(c)
  const literal = (argument: string | undefined): string | undefined => {
    const [piece, ...others] = (argument !== undefined && given.get(argument)) || []
    return piece?.kind === 'literal' && others.length === 0 ? piece.text : undefined
  }
  const pieces = given.get(call.text)
  if (!pieces || (call.isSql && !call.isSql.test(literal(call.sort) ?? ''))) return command('call')
  const database = literal(call.database)
  const use: readonly TextPiece[] =
    database === undefined ? [] : [{ kind: 'literal', text: `USE [${database}]; `, start, end: start }]
  return { kind: 'call', name: undefined, args: [], dynamic: { pieces: [...use, ...pieces], start } }
}

/** `@a = 'x', @b = 1 OUTPUT` and `(a => 'x', b => 1)`, by the names in lower case. */
function namedArguments(c: Cursor): ReadonlyMap<string, readonly TextPiece[]> {
  const given = new Map<string, readonly TextPiece[]>()
  const inside = c.take(T.LPAREN)
  while (!c.atEnd() && !c.at(T.RPAREN) && (c.peek(1) === T.EQUALS || c.peek(1) === T.FAT_ARROW)) {
    const name = c.textAt(c.pos).toLowerCase()
    c.pos += 2
    const at = c.pos
    parseExpression(c)
    given.set(name, piecesOf(c, at, c.pos))
    if (c.at(K.OUTPUT) || c.at(K.OUT)) c.pos++
    if (!c.take(T.COMMA)) break
  }
  if (inside) {
    while (!c.at(T.RPAREN) && !c.atEnd()) c.pos++
    c.take(T.RPAREN)
  }
  return given
}
