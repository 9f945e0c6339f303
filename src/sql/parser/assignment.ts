/** What gives variables their values: SET, FETCH, INTO. */

import { variableReference } from './parameter.ts'
import type { Expression } from '../ir/expression.ts'
import type { TextPiece } from '../ir/text.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { piecesOf, textPieces } from './text.ts'
import { variableAt, variableList } from './variables.ts'
import { startsStatement } from './words.ts'

/** SET x = expression; SET (a, b) = (query); session settings are commands. */
export function parseSet(c: Cursor): Core {
  c.pos++
  const names: string[] = []
  const expressions: Expression[] = []
  const texts: (readonly TextPiece[] | undefined)[] = []
  const start = c.pos
  while (c.at(K.GLOBAL) || c.at(K.SESSION) || c.at(K.LOCAL) || c.isWord(c.pos, 'persist')) c.pos++
  // Databricks: SET VAR x = …; DuckDB: SET VARIABLE x = ….
  if ((c.isWord(c.pos, 'var') || c.isWord(c.pos, 'variable')) && (c.isName(c.pos + 1) || c.peek(1) === T.LPAREN))
    c.pos++
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
    // A setting: SET autocommit = ON.
    if (!c.take(K.ON)) c.rules.expression(c, x)
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
  // Db2: SET CURRENT SCHEMA = 'S', SET CURRENT SQLID = 'S'.
  if (c.at(K.CURRENT) && (c.peek(1) === K.SCHEMA || c.isWord(c.pos + 1, 'sqlid'))) c.pos++
  if (
    (c.at(K.SCHEMA) ||
      c.isWord(c.pos, 'sqlid') ||
      c.isWord(c.pos, 'search_path') ||
      c.isWord(c.pos, 'current_schema')) &&
    !c.dialect.looseStatements
  ) {
    let at = c.pos + 1
    while (c.types[at] === T.EQUALS || c.types[at] === K.TO) at++
    const schema = c.isName(at) || c.types[at] === T.STRING ? c.nameAt(at) : undefined
    c.stepToEnd()
    return schema === undefined ? command('set') : { kind: 'use', schema }
  }
  if (!c.dialect.looseStatements) {
    c.stepToEnd()
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
export function parseFetch(c: Cursor): Core {
  let cursor: string | undefined
  while (!c.atEnd() && !c.at(K.INTO) && !c.isWord(c.pos, 'bulk')) {
    if (c.dialect.looseStatements && startsStatement(c.type) && !c.at(K.FROM)) return command('fetch')
    if (c.isName(c.pos) || c.at(T.PARAM)) cursor = c.nameAt(c.pos)
    c.pos++
  }
  if (c.isWord(c.pos, 'bulk')) c.pos += 2
  if (!c.take(K.INTO)) return command('fetch')
  const names = variableList(c)
  if (!c.dialect.looseStatements) c.stepToEnd()
  return { kind: 'set', names, query: undefined, expressions: [], cursor }
}
