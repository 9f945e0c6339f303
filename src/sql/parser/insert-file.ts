/** INSERT into files: a function, FILES(…), a directory. */

import type { Cte, TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { isRemote, parseTableName, remoteTable } from './name.ts'
import { insertedQuery, startsInsertedQuery } from './inserted-query.ts'
import { insertColumns } from './inserted-columns.ts'

/** ClickHouse: INSERT INTO FUNCTION s3('path', …) query. */
export function parseInsertFunction(c: Cursor, ctes: readonly Cte[]): Core {
  c.pos += 2
  const outputs: TableName[] = []
  if (c.at(T.LPAREN)) {
    const closing = c.closing(c.pos)
    const at = c.pos + 1
    const table = isRemote(c.nameAt(c.pos - 1)) ? remoteTable(c) : undefined
    if (table) outputs.push(table)
    else if (c.types[at] === T.STRING)
      outputs.push({ parts: [c.nameAt(at)], start: c.starts[at]!, end: c.ends[at]!, sort: 'path', quoted: 1 })
    c.pos = closing + 1
  }
  const columns = c.at(T.LPAREN) && !startsInsertedQuery(c) ? insertColumns(c) : undefined
  if (c.take2(K.PARTITION, K.BY)) parseExpression(c)
  if (c.at(K.SETTINGS)) stepOverSettings(c)
  return { kind: 'copy', inputs: [], outputs, query: insertedQuery(c, ctes), columns }
}

/** StarRocks: INSERT INTO FILES('path' = 's3://…') query. */
export function parseInsertFiles(c: Cursor, ctes: readonly Cte[]): Core {
  const outputs: TableName[] = []
  const closing = c.closing(c.pos + 1)
  for (let i = c.pos + 2; i < closing; i++)
    if (c.types[i] === T.STRING && c.types[i - 1] === T.EQUALS && /^(path|uri|file_path)$/i.test(c.nameAt(i - 2)))
      outputs.push({ parts: [c.nameAt(i)], start: c.starts[i]!, end: c.ends[i]!, sort: 'path', quoted: 1 })
  c.pos = closing + 1
  return { kind: 'copy', inputs: [], outputs, query: insertedQuery(c, ctes), columns: undefined }
}

/** INSERT OVERWRITE DIRECTORY 'path' [USING format OPTIONS (…)] query. */
export function parseDirectory(c: Cursor, ctes: readonly Cte[]): Core {
  c.pos++
  const outputs: TableName[] = []
  if (c.at(T.STRING)) outputs.push(parseTableName(c)!)
  while (!c.atEnd() && !startsQuery(c, c.pos) && !(c.at(T.LPAREN) && startsQuery(c, c.pos + 1))) {
    if (c.at(T.LPAREN)) {
      const closing = c.closing(c.pos)
      for (let i = c.pos; i < closing; i++) {
        if (c.isWord(i, 'path') && c.types[i + 1] === T.STRING)
          outputs.push({
            parts: [c.nameAt(i + 1)],
            start: c.starts[i + 1]!,
            end: c.ends[i + 1]!,
            sort: 'path',
            quoted: 1,
          })
      }
      c.pos = closing + 1
    } else c.pos++
  }
  return { kind: 'copy', inputs: [], outputs, query: insertedQuery(c, ctes), columns: undefined }
}

/** ClickHouse: SETTINGS a = 1, b = 2. */
export function stepOverSettings(c: Cursor): void {
  while (!c.atEnd() && !c.at(K.VALUES) && !c.at(K.SELECT) && !c.at(K.FORMAT) && !c.at(K.WITH) && !c.at(T.LPAREN))
    c.pos++
}
