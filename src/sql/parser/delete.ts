/** DELETE, with a list of targets and without. */

import type { Cte, Relation, TableName, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { tableRelation } from './plain-query.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseTableName } from './name.ts'
import { neverTableAlias, startsStatement } from './words.ts'
import { NO_RETURNING, laterOf, parseReturning } from './returning.ts'
import { parseWhere, stepOverInsertWords } from './change-clauses.ts'
import { nameOf } from './changed-table.ts'

/** DELETE, `with` already read. */
export function parseDelete(c: Cursor, ctes: readonly Cte[]): Core {
  c.pos++
  stepOverInsertWords(c)
  while (c.isWord(c.pos, 'quick') && c.isName(c.pos + 1)) c.pos++
  const uses: Use[] = []
  const targets: TableName[] = []
  let relations: Relation[] = []
  let returned = NO_RETURNING
  if (c.at(K.FROM)) {
    c.pos++
    relations = c.rules.relations(c, uses)
    if (c.at(K.USING)) {
      // MySQL: DELETE FROM a, b USING t AS a JOIN …; the names before USING are of relations behind it.
      for (const relation of relations) {
        const name = nameOf(relation)
        if (name) targets.push(name)
      }
    } else {
      const first = nameOf(relations[0])
      if (first) targets.push(first)
    }
  } else {
    // MySQL and T-SQL: DELETE a, b FROM …; Oracle: DELETE t WHERE ….
    if (NEEDS_FROM.has(c.dialect.name)) c.missing('FROM')
    do {
      const target = parseTableName(c)
      if (!target) {
        c.missing('a table')
        break
      }
      targets.push(c.at(T.STAR) ? target : stripStar(target))
      if (c.at(T.DOT) && c.peek(1) === T.STAR) c.pos += 2
      if (c.isName(c.pos) && !neverTableAlias(c.type) && !startsStatement(c.type)) {
        relations = [{ ...tableRelation(target, target.start, c.ends[c.pos]), alias: c.nameAt(c.pos) }]
        c.pos++
      }
    } while (c.take(T.COMMA))
    if (c.at(K.WITH) && c.peek(1) === T.LPAREN) {
      c.pos++
      c.stepOverParens()
    }
    returned = parseReturning(c)
    if (c.take(K.FROM)) relations = [...relations, ...c.rules.relations(c, uses)]
    else if (relations.length === 0 && targets[0]) relations = [tableRelation(targets[0])]
  }
  returned = laterOf(returned, c.at(K.OUTPUT) ? parseReturning(c) : NO_RETURNING)
  let usesTarget = false
  if (c.at(K.FROM) || (c.at(K.USING) && c.peek(1) !== K.SAMPLE)) {
    const isUsing = c.at(K.USING)
    c.pos++
    const others = c.rules.relations(c, uses)
    // A target that the second list names by alias stands there.
    const named = new Set(others.map((one) => (one.alias ?? nameOf(one)?.parts.at(-1) ?? '').toLowerCase()))
    const kept = relations.filter(
      (one) => one.alias !== undefined || !named.has(nameOf(one)?.parts.at(-1)?.toLowerCase() ?? ''),
    )
    usesTarget = isUsing && kept.length < relations.length
    relations = [...kept, ...others]
  }
  parseWhere(c, uses)
  returned = laterOf(returned, parseReturning(c))
  if (c.at(K.ALL)) c.pos++
  return { kind: 'delete', targets, relations, usesTarget, uses, with: ctes, ...returned }
}

/** Dialects without DELETE t. */
const NEEDS_FROM: ReadonlySet<string> = new Set([
  'postgres',
  'greenplum',
  'materialize',
  'sqlite',
  'duckdb',
  'trino',
  'presto',
  'athena',
  'spark',
  'databricks',
  'snowflake',
])

function stripStar(name: TableName): TableName {
  return name.parts.at(-1) === '*' ? { ...name, parts: name.parts.slice(0, -1) } : name
}
