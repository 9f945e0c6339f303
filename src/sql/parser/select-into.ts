/** SELECT … INTO: a table, a file, or variables. */

import type { TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { variableList } from './variables.ts'
import type { Cursor } from './cursor.ts'
import { parseTableName } from './name.ts'
import type { Draft } from './select-draft.ts'

/** The variables of an INTO right behind SELECT. */
export function parseLeadingInto(c: Cursor): readonly string[] {
  c.pos++
  c.take(K.STRICT)
  if (c.isWord(c.pos, 'strict')) c.pos++
  return variableList(c)
}

/** INTO [TEMP] [TABLE] t; INTO :a, :b; INTO OUTFILE 'x'. */
export function parseInto(c: Cursor, draft: Draft): void {
  c.pos++
  if (c.isWord(c.pos, 'outfile') || c.isWord(c.pos, 'dumpfile')) {
    c.pos++
    draft.into = parseTableName(c)
    while (!c.atEnd() && !c.at(K.FROM)) c.pos++
    return
  }
  if (c.isWord(c.pos, 'strict') || c.at(K.STRICT)) c.pos++
  let temporary = false
  while (c.at(K.TEMP) || c.at(K.TEMPORARY) || c.at(K.UNLOGGED) || c.at(K.TABLE) || c.at(K.LOCAL) || c.at(K.GLOBAL)) {
    if (c.at(K.TEMP) || c.at(K.TEMPORARY)) temporary = true
    c.pos++
  }
  const variable = c.inBody || c.at(T.PARAM) || c.at(T.COLON) || c.at(T.QUESTION)
  const names: string[] = []
  let name: TableName | undefined
  do {
    if (c.at(T.COLON) && c.isName(c.pos + 1)) c.pos++
    const one = parseTableName(c)
    if (!one) c.missing('a name')
    name ??= one
    names.push(one?.parts.join('.') ?? '')
    if (c.at(T.LPAREN)) c.stepOverParens()
  } while (c.take(T.COMMA))
  const several = names.length > 1
  // Inside a procedure INTO fills variables; T-SQL alone makes tables there.
  const fillsVariables = several || (variable && c.dialect.name !== 'tsql' && !temporary)
  if (fillsVariables) draft.variables = names
  else if (name && name.sort !== 'hole') {
    draft.into = name
    draft.intoTemporary = temporary
  }
}
