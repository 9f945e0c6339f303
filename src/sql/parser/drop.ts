/** DROP, RENAME and EXCHANGE: names that end or move. */

import type { TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { stepToEnd } from './command-end.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { UNKNOWN, ifNotExists, nameSequence, siblingOf, stepped } from './ddl-steps.ts'
import { parseTableName } from './name.ts'

/** RENAME TABLE a TO b, c TO d; RENAME a TO b. */
export function parseRename(c: Cursor): Core {
  c.pos++
  if (c.at(K.TABLE) || c.at(K.VIEW) || c.at(K.OBJECT)) c.pos++
  else if (!c.isName(c.pos)) return stepped(c, command('rename'))
  else if (c.isWord(c.pos, 'user') || c.at(K.COLUMN) || c.at(K.INDEX) || c.at(K.SCHEMA) || c.at(K.DATABASE))
    return stepped(c, command('rename'))
  ifNotExists(c)
  const pairs: (readonly [TableName, TableName])[] = []
  do {
    const from = parseTableName(c)
    if (!from || !(c.take(K.TO) || c.take(K.AS))) break
    const to = parseTableName(c) ?? UNKNOWN
    pairs.push([
      from,
      c.dialect.name === 'mysql' || c.dialect.name === 'mariadb' || c.dialect.name === 'clickhouse'
        ? to
        : siblingOf(from, to),
    ])
  } while (c.take(T.COMMA))
  stepToEnd(c)
  return { kind: 'rename', pairs }
}

/** ClickHouse: EXCHANGE TABLES a AND b. */
export function parseExchange(c: Cursor): Core {
  c.pos += 2
  const left = parseTableName(c) ?? UNKNOWN
  c.take(K.AND)
  const right = parseTableName(c) ?? UNKNOWN
  stepToEnd(c)
  return { kind: 'swap', pairs: [[left, right]] }
}

const DROPPED_RELATIONS: ReadonlySet<number> = new Set([K.TABLE, K.VIEW, K.TABLES, K.DICTIONARY])

/** DROP TABLE a, b. */
export function parseDrop(c: Cursor): Core {
  c.pos++
  while (
    c.at(K.TEMPORARY) ||
    c.at(K.TEMP) ||
    c.at(K.MATERIALIZED) ||
    c.at(K.EXTERNAL) ||
    c.at(K.DYNAMIC) ||
    c.at(K.FOREIGN) ||
    c.at(K.STREAMING) ||
    c.isWord(c.pos, 'iceberg') ||
    c.isWord(c.pos, 'snapshot')
  )
    c.pos++
  if (!DROPPED_RELATIONS.has(c.type)) {
    stepToEnd(c)
    return command('drop')
  }
  const object = c.at(K.VIEW) ? 'view' : 'table'
  c.pos++
  if (c.at(K.FUNCTION)) {
    stepToEnd(c)
    return command('drop')
  }
  ifNotExists(c)
  return { kind: 'drop', object, names: nameSequence(c), added: [], dropped: [], renamed: [] }
}

/** TRUNCATE [TABLE] a, b. */
export function parseTruncate(c: Cursor): Core {
  c.pos++
  if (c.at(K.TABLE) || (c.at(K.MATERIALIZED) && c.peek(1) === K.VIEW)) c.pos += c.at(K.TABLE) ? 1 : 2
  ifNotExists(c)
  return { kind: 'truncate', object: 'table', names: nameSequence(c), added: [], dropped: [], renamed: [] }
}
