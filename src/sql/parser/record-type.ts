/** Types with fields: what a variable of such a type, or a function that returns it, calls its columns. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { parseColumnDefinitions } from './columns.ts'
import type { DeclaredType } from '../ir/statement.ts'
import type { Core } from './core.ts'
import { command } from './core.ts'
import type { Cursor } from './cursor.ts'

/**
 * With the cursor at TYPE: `TYPE r IS RECORD (a INT, b INT)`, `CREATE TYPE o AS OBJECT (a INT, MEMBER FUNCTION f …)`,
 * `TYPE rs IS TABLE OF r INDEX BY PLS_INTEGER`; T-SQL: `CREATE TYPE rs AS TABLE (a INT)`.
 */
export function parseRecordType(c: Cursor): Core {
  c.pos++
  const name = lastPart(c)
  while (!c.atEnd() && !c.at(K.IS) && !c.at(K.AS)) c.pos++
  if (!c.atEnd()) c.pos++
  let core: Core = command('declare')
  if (name !== undefined && c.peek(1) === T.LPAREN && (c.isWord(c.pos, 'record') || c.isWord(c.pos, 'object'))) {
    c.pos++
    const columns = parseColumnDefinitions(c).columns.filter((column) => !METHOD_WORDS.has(column.name.toLowerCase()))
    core = declared({ name, fields: columns.map((column) => column.name), types: columns.map((column) => column.type) })
  } else if (name !== undefined && c.at(T.LPAREN)) {
    // PostgreSQL: CREATE TYPE addr AS (street text, zip text).
    const { columns } = parseColumnDefinitions(c)
    core = declared({ name, fields: columns.map((column) => column.name), types: columns.map((column) => column.type) })
  } else if (name !== undefined && c.at(K.TABLE) && c.peek(1) === T.LPAREN) {
    c.pos++
    core = declared({ name, fields: parseColumnDefinitions(c).columns.map((column) => column.name), isTable: true })
  } else if (name !== undefined && !c.atEnd()) {
    while (!c.atEnd() && !c.at(K.OF)) c.pos++
    const of = c.take(K.OF) ? lastPart(c) : undefined
    if (of !== undefined) core = declared({ name, of })
  }
  c.stepToEnd()
  return core
}

function declared(type: DeclaredType): Core {
  return { kind: 'declare', names: [], query: undefined, expressions: [], type }
}

/** Words that methods of an object type begin with. */
const METHOD_WORDS: ReadonlySet<string> = new Set([
  'member',
  'static',
  'constructor',
  'map',
  'order',
  'final',
  'not',
  'overriding',
])

/** The last part of the dotted name at the cursor, which ends behind it. */
export function lastPart(c: Cursor): string | undefined {
  if (!c.isName(c.pos)) return undefined
  while (c.peek(1) === T.DOT && c.isName(c.pos + 2)) c.pos += 2
  return c.nameAt(c.pos++)
}
