/** DROP, RENAME and EXCHANGE: names that end or move. */

import type { TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { stepToEnd } from './command-end.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { UNKNOWN, ifNotExists, nameSequence, requiredName, siblingOf, stepped } from './ddl-steps.ts'
import { objectKind } from './object-kind.ts'

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
    const from = requiredName(c)
    if (from === UNKNOWN || !(c.take(K.TO) || c.take(K.AS))) {
      c.missing('TO')
      break
    }
    const to = requiredName(c)
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
  c.pos++
  if (c.at(K.TABLES) || c.at(K.DICTIONARY) || c.isWord(c.pos, 'dictionaries')) c.pos++
  else c.missing('TABLES')
  const left = requiredName(c)
  c.expect(K.AND, 'AND')
  const right = requiredName(c)
  stepToEnd(c)
  return { kind: 'swap', pairs: [[left, right]] }
}

const DROPPED_RELATIONS: ReadonlySet<number> = new Set([K.TABLE, K.VIEW, K.TABLES, K.DICTIONARY])

function droppedKind(c: Cursor): ReturnType<typeof objectKind> {
  if (!c.atEnd()) return objectKind(c)
  c.missing('what is dropped')
  return 'kind'
}

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
  const kind = DROPPED_RELATIONS.has(c.type) ? (c.at(K.VIEW) ? 'view' : 'table') : droppedKind(c)
  if (kind !== 'table' && kind !== 'view') {
    stepToEnd(c)
    return kind === 'unknown' ? { kind: 'other', word: 'drop', expressions: [] } : command('drop')
  }
  const object = kind
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
