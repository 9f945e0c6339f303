/** ALTER: renames, columns, partitions and redefinitions; all else is stepped over. */

import type { TableName, Use } from '../ir/query.ts'
import type { ColumnDefinition } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { parseColumnDefinition, parseColumnDefinitions } from './columns.ts'
import { isRunOn, isStatementAhead, stepToEnd } from './command-end.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { ifNotExists, requiredName, siblingOf, stepped } from './ddl-steps.ts'
import { tableRelation } from './plain-query.ts'
import { parseCreate } from './ddl.ts'
import { parseAssignments } from './set-list.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { objectKind } from './object-kind.ts'

/** ALTER, with its many forms. */
export function parseAlter(c: Cursor): Core {
  const next = c.peek(1)
  if (next === K.PROCEDURE || next === K.PROC || next === K.FUNCTION || next === K.TRIGGER) {
    if (c.dialect.name === 'tsql' || c.dialect.name === 'ansi') {
      if (definesBody(c)) return parseCreate(c)
    }
    return stepped(c, command('alter'))
  }
  if (next === K.VIEW && isRedefinition(c)) return parseCreate(c)
  if (next === K.SESSION) {
    for (let i = c.pos; c.types[i] !== T.EOF && c.types[i] !== T.SEMICOLON; i++) {
      if (c.isWord(i, 'current_schema') && c.types[i + 1] === T.EQUALS) {
        const schema = c.nameAt(i + 2)
        stepToEnd(c)
        return { kind: 'use', schema }
      }
    }
    return stepped(c, command('alter'))
  }
  c.pos++
  while (
    c.at(K.MATERIALIZED) ||
    c.at(K.EXTERNAL) ||
    c.at(K.DYNAMIC) ||
    c.at(K.FOREIGN) ||
    c.isWord(c.pos, 'iceberg') ||
    c.at(K.LIVE) ||
    c.at(K.STREAMING)
  )
    c.pos++
  if (c.atEnd()) c.missing('what is altered')
  const object = c.at(K.TABLE) ? 'table' : c.at(K.VIEW) ? 'view' : objectKind(c)
  if (object === 'unknown') return stepped(c, { kind: 'other', word: 'alter', expressions: [] })
  if (object !== 'table' && object !== 'view') {
    // ALTER EXTENSION e DROP VIEW v.
    if (c.dialect.looseStatements) stepToEnd(c)
    else c.stepToEnd()
    return command('alter')
  }
  c.pos++
  ifNotExists(c)
  if (c.take(K.ONLY)) c.take(T.LPAREN)
  const target = requiredName(c)
  c.take(T.STAR)
  if (c.atEnd()) c.missing('a change')
  if (c.at(K.ON) && c.isWord(c.pos + 1, 'cluster')) c.pos += 3
  return parseAlterActions(c, object, target)
}

function definesBody(c: Cursor): boolean {
  for (let i = c.pos + 2; c.types[i] !== T.EOF && c.types[i] !== T.BATCH; i++) {
    if (c.types[i] === K.AS) return true
    if (c.types[i] === T.SEMICOLON) return false
  }
  return false
}

function isRedefinition(c: Cursor): boolean {
  let i = c.pos + 2
  while (c.isName(i) && (c.types[i + 1] === T.DOT || c.types[i] === K.IF || c.types[i] === K.EXISTS))
    i += c.types[i + 1] === T.DOT ? 2 : 1
  i++
  if (c.types[i] === T.LPAREN) i = c.closing(i) + 1
  for (; c.types[i] === K.WITH || c.isName(i); i++) {
    if (c.types[i] === K.AS) return startsQuery(c, i + 1) || c.types[i + 1] === T.LPAREN
    if (c.types[i] === K.RENAME || c.types[i] === K.SET || c.types[i] === K.OWNER) return false
  }
  return false
}

function parseAlterActions(c: Cursor, object: string, target: TableName): Core {
  const added: ColumnDefinition[] = []
  const dropped: string[] = []
  const renamed: (readonly [string, string])[] = []
  while (!c.atEnd() && !(c.dialect.looseStatements && isNextAlteration(c))) {
    const next = c.peek(1)
    if (c.at(K.RENAME)) {
      if (
        next === K.TO ||
        next === K.AS ||
        (c.isName(c.pos + 1) &&
          next !== K.COLUMN &&
          c.peek(2) !== K.TO &&
          next !== K.INDEX &&
          next !== K.KEY &&
          next !== K.CONSTRAINT &&
          next !== K.PARTITION)
      ) {
        c.pos += next === K.TO || next === K.AS ? 2 : 1
        const to = requiredName(c)
        stepToEnd(c)
        return { kind: 'rename', pairs: [[target, siblingOf(target, to)]] }
      }
      c.pos++
      if (c.take(K.COLUMN) || c.peek(1) === K.TO) {
        ifNotExists(c)
        const from = c.nameAt(c.pos++)
        c.expect(K.TO, 'TO')
        if (c.isName(c.pos)) renamed.push([from, c.nameAt(c.pos++)])
        else c.missing('a name')
      } else if (c.atEnd()) c.missing('a name')
      else c.pos++
    } else if (c.at(K.SWAP)) {
      c.pos++
      c.expect(K.WITH, 'WITH')
      const other = requiredName(c)
      return { kind: 'swap', pairs: [[target, siblingOf(target, other)]] }
    } else if (c.at(K.APPEND) && next === K.FROM) {
      c.pos += 2
      const source = requiredName(c)
      stepToEnd(c)
      return { kind: 'append', pairs: [[source, target]] }
    } else if (c.isWord(c.pos, 'switch')) {
      c.pos++
      while (!c.atEnd() && !c.at(K.TO)) c.pos++
      c.take(K.TO)
      const other = requiredName(c)
      stepToEnd(c)
      return { kind: 'append', pairs: [[target, other]] }
    } else if (c.at(K.EXCHANGE)) {
      c.pos++
      // Hive's `EXCHANGE PARTITION (…)` takes the other table's partition away; the others trade.
      const takes = c.at(K.PARTITION) && c.peek(1) === T.LPAREN
      while (!c.atEnd() && !(c.at(K.WITH) && c.peek(1) === K.TABLE)) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
      c.take2(K.WITH, K.TABLE)
      const other = requiredName(c)
      stepToEnd(c)
      return takes ? { kind: 'append', pairs: [[other, target]] } : { kind: 'exchange', pairs: [[target, other]] }
    } else if (c.at(K.REPLACE) && next === K.PARTITION) return movePartition(c, target, K.FROM)
    else if (c.at(K.MOVE) && next === K.PARTITION) return movePartition(c, target, K.TO)
    else if (c.isWord(c.pos, 'attach') || c.at(K.ATTACH)) return attachPartition(c, target, object)
    else if (c.at(K.UPDATE) && c.isName(c.pos + 1) && c.types[c.pos - 1] !== K.ON) {
      c.pos++
      const assignments = parseAssignments(c)
      const uses = parseAlterCondition(c)
      stepToEnd(c)
      return {
        kind: 'update',
        target,
        relations: [tableRelation(target)],
        assignments,
        uses,
        with: [],
        returning: [],
      }
    } else if (c.at(K.DELETE) && next === K.WHERE) {
      c.pos++
      const uses = parseAlterCondition(c)
      stepToEnd(c)
      return {
        kind: 'delete',
        targets: [target],
        relations: [tableRelation(target)],
        uses,
        with: [],
        returning: [],
      }
    } else if (c.at(K.ADD)) {
      c.pos++
      if (c.atEnd()) c.missing('a column')
      if (c.take(K.COLUMN) || c.take(K.COLUMNS) || isColumnAhead(c)) {
        ifNotExists(c)
        if (c.at(T.LPAREN)) added.push(...parseColumnDefinitions(c).columns)
        else {
          const column = parseColumnDefinition(c)
          if (column) added.push(column)
          else c.missing('a column')
        }
      }
    } else if (c.at(K.DROP)) {
      c.pos++
      if (c.take(K.COLUMN) || c.take(K.COLUMNS)) {
        ifNotExists(c)
        if (c.at(T.LPAREN)) c.stepOverParens()
        else if (c.isName(c.pos)) dropped.push(c.nameAt(c.pos++))
        else c.missing('a column')
      }
    } else if (c.at(T.LPAREN)) c.stepOverParens()
    else if (
      c.dialect.looseStatements &&
      isStatementAhead(c) &&
      c.types[c.pos] !== K.ALTER &&
      c.types[c.pos] !== K.DROP
    )
      break
    else if (isSlip(c)) c.skip()
    else if (isRunOn(c)) break
    else c.pos++
  }
  return { kind: 'alter', object, names: [target], added, dropped, renamed }
}

const ACTIONS: ReadonlySet<string> = new Set(
  'modify,change,detach,freeze,unfreeze,split,rebuild,coalesce,reorganize,optimize,repair,discard,unarchive,archive,touch,clear,materialize,import,forget,compact,concatenate,exclude,include,fetch,activate,deactivate,disable,enable,validate'.split(
    ',',
  ),
)

/** A word that begins no change, in front of what changes have: `ad COLUMN a`, `renam TO b`. */
function isSlip(c: Cursor): boolean {
  const next = c.peek(1)
  const changes = next === K.COLUMN || next === K.CONSTRAINT || (next === K.TO && c.isName(c.pos + 2))
  return (
    changes &&
    c.at(T.WORD) &&
    c.types[c.pos - 1] !== T.DOT &&
    isFirstOfAction(c) &&
    !ACTIONS.has(c.textAt(c.pos).toLowerCase())
  )
}

function isFirstOfAction(c: Cursor): boolean {
  const before = c.types[c.pos - 1]
  return before === T.COMMA || c.types[c.pos - 2] === K.TABLE || c.types[c.pos - 2] === T.DOT
}

const DROPPED_OBJECTS: ReadonlySet<number> = new Set([
  K.TABLE,
  K.VIEW,
  K.PROCEDURE,
  K.PROC,
  K.FUNCTION,
  K.INDEX,
  K.TYPE,
])

/** T-SQL: ALTER and DROP also begin actions of ALTER TABLE. */
function isNextAlteration(c: Cursor): boolean {
  const next = c.peek(1)
  return (c.at(K.ALTER) && next !== K.COLUMN) || (c.at(K.DROP) && DROPPED_OBJECTS.has(next))
}

/** ClickHouse: ALTER TABLE t UPDATE … [IN PARTITION p] WHERE …. */
function parseAlterCondition(c: Cursor): Use[] {
  while (!c.atEnd() && !c.at(K.WHERE)) c.pos++
  return c.take(K.WHERE) ? [{ kind: 'FILTER', expression: parseExpression(c) }] : []
}

function isColumnAhead(c: Cursor): boolean {
  if (c.at(T.LPAREN)) return true
  // ADD IF NOT EXISTS PARTITION (…).
  const type = c.at(K.IF) && c.peek(1) === K.NOT ? c.peek(3) : c.type
  if (
    type === K.CONSTRAINT ||
    type === K.PRIMARY ||
    type === K.FOREIGN ||
    type === K.UNIQUE ||
    type === K.CHECK ||
    type === K.INDEX ||
    type === K.KEY ||
    type === K.PARTITION ||
    type === K.FULLTEXT ||
    type === K.SPATIAL ||
    isTableProperty(c)
  )
    return false
  return c.isName(c.pos) && c.isName(c.pos + 1)
}

/** What ADD gives a table beside columns: a projection, versions, a period, statistics, a policy. */
function isTableProperty(c: Cursor): boolean {
  const next = c.peek(1)
  if (c.at(K.PROJECTION)) return c.dialect.name === 'clickhouse'
  if (c.at(K.PERIOD)) return next === K.FOR || c.peek(2) === T.LPAREN
  if (c.at(K.ROW)) return c.isWord(c.pos + 1, 'access')
  if (c.isWord(c.pos, 'versioning')) return c.isWord(c.pos + 1, 'use')
  if (c.isWord(c.pos, 'system')) return c.isWord(c.pos + 1, 'versioning')
  if (c.isWord(c.pos, 'search')) return c.isWord(c.pos + 1, 'optimization')
  if (c.isWord(c.pos, 'supplemental')) return next === K.LOG
  return c.isWord(c.pos, 'statistics') && c.dialect.name === 'clickhouse'
}

/** ClickHouse: REPLACE PARTITION p FROM other; MOVE PARTITION p TO TABLE other. */
function movePartition(c: Cursor, target: TableName, word: number): Core {
  while (!c.atEnd() && !c.at(word)) c.pos++
  c.pos++
  c.take(K.TABLE)
  const other = requiredName(c)
  return { kind: 'append', pairs: [word === K.FROM ? [other, target] : [target, other]] }
}

function attachPartition(c: Cursor, target: TableName, object: string): Core {
  c.pos++
  c.take(K.PARTITION)
  const from = c.pos
  // PostgreSQL: what the partition holds, the table gives.
  if (c.types[from - 1] === K.PARTITION && c.dialect.unnamed === 'postgres') {
    const partition = requiredName(c)
    stepToEnd(c)
    return { kind: 'append', pairs: [[partition, target]] }
  }
  while (!c.atEnd() && !c.at(K.FROM)) c.pos++
  if (c.take(K.FROM) && c.isName(c.pos) && c.dialect.name === 'clickhouse')
    return { kind: 'append', pairs: [[requiredName(c), target]] }
  c.pos = from
  stepToEnd(c)
  return { kind: 'alter', object, names: [target], added: [], dropped: [], renamed: [] }
}
