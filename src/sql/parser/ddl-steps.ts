/** What the rules of DDL share: names, clauses that are stepped over. */

import type { TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { isRunOn, isStatementAhead, stepToEnd } from './command-end.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseTableName } from './name.ts'
import { isKeyword, startsStatement } from './words.ts'

export const UNKNOWN: TableName = { parts: ['?'], start: 0, end: 0, sort: 'hole', quoted: 0 }

/** The name that has to stand here. */
export function requiredName(c: Cursor): TableName {
  const name = parseTableName(c)
  if (!name) c.missing('a name')
  return name ?? UNKNOWN
}

export function stepped(c: Cursor, core: Core): Core {
  stepToEnd(c)
  return core
}

const STORAGE_WORDS = new Set(
  'with,on,primary,unique,partition,partitioned,segmented,unsegmented,distributed,distribute,ksafe,comment,organize,index,in,tablespace,lifecycle,nologging,logging,parallel,compress,nocompress,stored,location,tblproperties,properties,cluster,clustered,no,data,sortkey,distkey,diststyle,encoded,duplicate,engine,as,not,logged,definition,using,backup'.split(
    ',',
  ),
)

/** How and where the rows are kept, said behind the query. */
export function stepOverStorage(c: Cursor): void {
  if (!c.isName(c.pos) || !STORAGE_WORDS.has(c.textAt(c.pos).toLowerCase())) return
  while (!c.atEnd() && !c.at(T.RPAREN) && !(c.dialect.looseStatements && isStatementAhead(c))) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
}

/** T-SQL's `#t` lives as long as its session. */
export function isSessionName(name: TableName): boolean {
  return name.parts.at(-1)!.startsWith('#')
}

export function ifNotExists(c: Cursor): boolean {
  if (c.at(K.IF) && c.peek(1) === K.NOT) {
    c.pos += 3
    return true
  }
  if (c.at(K.IF) && c.peek(1) === K.EXISTS) {
    c.pos += 2
    return true
  }
  return false
}

/** RENAME TO b keeps the schema of a when b is written without one. */
export function siblingOf(table: TableName, other: TableName): TableName {
  if (other.parts.length >= table.parts.length || other.sort !== 'table') return other
  return { ...other, parts: [...table.parts.slice(0, table.parts.length - other.parts.length), ...other.parts] }
}

export function nameSequence(c: Cursor): TableName[] {
  const names: TableName[] = []
  do {
    c.take(K.ONLY)
    const name = parseTableName(c)
    if (name) names.push(name)
    else c.missing('a name')
    c.take(T.STAR)
  } while (c.take(T.COMMA))
  while (!c.atEnd() && !(c.dialect.looseStatements && isStatementAhead(c))) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else if (isDropWord(c)) c.pos++
    else break
  }
  return names
}

function isDropWord(c: Cursor): boolean {
  return (
    c.at(K.CASCADE) ||
    c.at(K.RESTRICT) ||
    c.at(K.PURGE) ||
    c.isWord(c.pos, 'constraints') ||
    c.isWord(c.pos, 'sync') ||
    c.at(K.CONTINUE) ||
    c.at(K.IDENTITY) ||
    c.isWord(c.pos, 'restart') ||
    (c.at(K.DROP) && !isRunOn(c)) ||
    c.at(K.STORED) ||
    c.isWord(c.pos, 'storage') ||
    c.isWord(c.pos, 'reuse') ||
    c.at(K.NO) ||
    c.isWord(c.pos, 'delay') ||
    c.at(K.ON) ||
    c.isWord(c.pos, 'cluster') ||
    (isKeyword(c.type) && !startsStatement(c.type)) ||
    c.at(T.STRING) ||
    c.at(T.NUMBER) ||
    c.at(T.EQUALS)
  )
}
