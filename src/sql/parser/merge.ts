/** MERGE INTO target USING source ON … WHEN … THEN …. */

import type { Expression } from '../ir/expression.ts'
import type { Cte, Use } from '../ir/query.ts'
import type { MergeAction } from '../ir/statement.ts'
import type { MergeBranch } from '../types.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST } from './plain-query.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { insertedValues } from './inserted-query.ts'
import { parseInclude } from './change-clauses.ts'
import { nameOf } from './changed-table.ts'
import { parseAssignments } from './set-list.ts'
import { parseReturning } from './returning.ts'
import { parseExpression } from './expression.ts'
import { itemsInParentheses } from './item.ts'
import { nameList } from './name-list.ts'
import { parseRelation } from './relation.ts'

/** MERGE, `with` already read. */
export function parseMerge(c: Cursor, ctes: readonly Cte[]): Core {
  c.pos++
  if (c.at(K.TOP)) {
    c.pos++
    if (c.at(T.LPAREN)) c.stepOverParens()
  }
  if (c.at(K.WITH) && c.peek(1) === K.SCHEMA) c.pos += 3
  c.take(K.INTO)
  const relation = parseRelation(c, FIRST)
  const target = nameOf(relation) ?? { parts: ['?'], start: c.start(), end: c.start(), sort: 'hole', quoted: 0 }
  const uses: Use[] = []
  const include = parseInclude(c)
  c.expect(K.USING, 'USING')
  const source = c.types[c.pos - 1] === K.USING ? c.rules.relations(c, uses) : []
  if (uses.length === 0 && !source.some(({ join }) => join.using)) c.missing('ON')
  if (!c.at(K.WHEN) && !c.at(K.REMOVE)) c.missing('WHEN')
  // The relation rule has read ON as the condition of a join.
  const on: Expression | undefined = uses[0]?.expression
  const actions: MergeAction[] = []
  while (c.at(K.WHEN)) actions.push(...parseWhen(c))
  // Db2: ELSE IGNORE.
  if (c.at(K.ELSE) && c.peek(1) === K.IGNORE) c.pos += 2
  if (c.at(K.REMOVE)) {
    // Redshift: MERGE … REMOVE DUPLICATES replaces matched rows and inserts the others.
    c.pos += 2
    actions.push({ branch: 'matched', condition: undefined, action: { kind: 'update-all' } })
    actions.push({ branch: 'not-matched', condition: undefined, action: { kind: 'insert-all', except: [] } })
  }
  const returned = parseReturning(c)
  // Oracle: LOG ERRORS INTO t. Teradata: LOGGING ERRORS.
  if (c.at(K.LOG) || c.isWord(c.pos, 'logging')) while (!c.atEnd()) c.pos++
  if (c.at(K.OPTION) && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
  }
  return { kind: 'merge', target, alias: relation?.alias, source, on, actions, include, with: ctes, ...returned }
}

function parseWhen(c: Cursor): MergeAction[] {
  c.pos++
  const branch = parseBranch(c)
  const condition = c.take(K.AND) ? parseExpression(c) : undefined
  c.expect(K.THEN, 'THEN')
  const actions: MergeAction[] = []
  if (c.at(K.UPDATE)) {
    c.pos++
    actions.push({ branch, condition, action: parseUpdate(c) })
    if (c.take(K.WHERE)) parseExpression(c)
    if (c.at(K.DELETE)) {
      c.pos++
      if (c.take(K.WHERE)) parseExpression(c)
    }
  } else if (c.at(K.INSERT)) {
    c.pos++
    actions.push({ branch, condition, action: parseInsert(c) })
    if (c.take(K.WHERE)) parseExpression(c)
  } else if (c.take(K.DELETE)) actions.push({ branch, condition, action: { kind: 'delete' } })
  else {
    if (!c.at(K.DO) && !c.at(K.IGNORE) && !c.at(K.SIGNAL)) c.missing('UPDATE, INSERT or DELETE')
    while (!c.atEnd() && !c.at(K.WHEN)) c.pos++
    actions.push({ branch, condition, action: { kind: 'nothing' } })
  }
  return actions
}

function parseBranch(c: Cursor): MergeBranch {
  const not = c.take(K.NOT)
  c.expect(K.MATCHED, 'MATCHED')
  if (c.take(K.BY)) {
    const bySource = c.at(K.SOURCE)
    c.pos++
    if (bySource) return 'not-matched-by-source'
  }
  return not ? 'not-matched' : 'matched'
}

function parseUpdate(c: Cursor): MergeAction['action'] {
  if (c.at(K.ALL)) {
    c.pos += 3
    return { kind: 'update-all' }
  }
  if (c.at(K.BY) && (c.peek(1) === K.NAME || c.peek(1) === K.POSITION)) c.pos += 2
  // DuckDB: UPDATE and INSERT alone mean every column by name.
  if (c.take(T.STAR) || (endsAction(c) && c.dialect.name === 'duckdb')) return { kind: 'update-all' }
  c.expect(K.SET, 'SET')
  if (c.take(T.STAR)) {
    stepOverExcept(c)
    return { kind: 'update-all' }
  }
  return { kind: 'update', assignments: parseAssignments(c) }
}

function endsAction(c: Cursor): boolean {
  return c.atEnd() || c.at(K.WHEN) || c.at(K.RETURNING)
}

function stepOverExcept(c: Cursor): readonly string[] {
  if (!c.at(K.EXCEPT)) return []
  return nameList(c, c.pos + 1).map((name) => name.toLowerCase())
}

function parseInsert(c: Cursor): MergeAction['action'] {
  if (c.at(K.ALL)) {
    c.pos += 3
    return { kind: 'insert-all', except: [] }
  }
  // DuckDB: INSERT BY NAME, INSERT BY POSITION.
  if (c.at(K.BY) && (c.peek(1) === K.NAME || c.peek(1) === K.POSITION)) c.pos += 2
  if (endsAction(c)) {
    if (c.dialect.name !== 'duckdb') c.missing('VALUES')
    return { kind: 'insert-all', except: [] }
  }
  if (c.take(T.STAR)) return { kind: 'insert-all', except: stepOverExcept(c) }
  const opened = c.at(T.LPAREN) ? c.pos : -1
  const columns = c.at(T.LPAREN) ? nameList(c, c.pos, true) : undefined
  if (c.at(K.ROW)) {
    c.pos++
    return { kind: 'insert-all', except: [] }
  }
  if (c.at(K.OVERRIDING)) c.pos += 3
  if (c.at(K.DEFAULT)) {
    c.pos += 2
    return { kind: 'insert', columns, values: [] }
  }
  if (c.at(K.VALUES) && c.peek(1) === T.STAR) {
    c.pos += 2
    return { kind: 'insert-all', except: [] }
  }
  // Teradata: INSERT (s.k, s.v) are the values.
  if (opened >= 0 && !c.at(K.VALUES) && c.dialect.name === 'teradata') {
    c.pos = opened
    return { kind: 'insert', columns: undefined, values: itemsInParentheses(c) }
  }
  if (!c.at(K.VALUES)) c.missing('VALUES')
  return { kind: 'insert', columns, values: c.at(K.VALUES) ? insertedValues(c) : [] }
}
