/** FROM: tables, derived tables, table functions, joins between them, and what hangs on each. */

import type { FunctionRelation, Join, JoinKind, Relation, RowsetColumn, TableName, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST } from './lone-table.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { nameList } from './item.ts'
import { startsQuery } from './lookahead.ts'
import { parseMatchRecognize } from './match.ts'
import { parseTableName } from './name.ts'
import { parseObjectQuery } from './object-query.ts'
import { parsePivots } from './pivot.ts'
import { parseFunctionRelation, parseLateralView, parseArrayJoin } from './rowset.ts'
import { parseUnpivotCall } from './teradata-relation.ts'
import { followsAlias, isKeyword, neverTableAlias, softTableClause, startsStatement } from './words.ts'

/** Relations of a FROM clause, flat, in order; conditions of joins go to `uses`. */
export function parseRelations(c: Cursor, uses: Use[]): Relation[] {
  const relations: Relation[] = []
  let join: Join | undefined = FIRST
  while (join) {
    const relation =
      join.kind === 'lateral-view'
        ? parseLateralView(c, join)
        : c.dialect.name === 'clickhouse' && isArrayJoin(c)
          ? undefined
          : parseRelation(c, join)
    if (relation) relations.push(relation)
    else if (isArrayJoin(c)) relations.push(...parseArrayJoin(c, join))
    else if (!c.atEnd() && !c.at(T.RPAREN) && join.kind !== 'first') c.skip()
    parseJoinCondition(c, relations, uses)
    join = parseJoin(c)
  }
  return relations
}

function isArrayJoin(c: Cursor): boolean {
  return c.at(K.ARRAY) && c.peek(1) === K.JOIN
}

/** ON, USING, MATCH_CONDITION of the joins before, as many as stand there. */
function parseJoinCondition(c: Cursor, relations: Relation[], uses: Use[]): void {
  for (;;) {
    if (c.at(K.ON) && c.peek(1) !== K.CONFLICT && c.peek(1) !== K.DUPLICATE) {
      c.pos++
      uses.push({ kind: 'JOIN', expression: parseExpression(c) })
    } else if (c.at(K.USING) && c.peek(1) === T.LPAREN && relations.length > 0 && !isMergeWhen(c)) {
      const using = nameList(c, c.pos + 1)
      const last = relations.pop()!
      const alias = c.at(K.AS) && c.isName(c.pos + 1) ? c.nameAt(c.pos + 1) : undefined
      if (alias !== undefined) c.pos += 2
      const join = { ...last.join, using: [...(last.join.using ?? []), ...using] }
      relations.push({ ...last, join: alias === undefined ? join : { ...join, alias } })
    } else if (c.at(K.USING) && c.isName(c.pos + 1) && c.dialect.name === 'clickhouse' && relations.length > 1) {
      c.pos++
      const using: string[] = []
      do using.push(c.nameAt(c.pos++))
      while (c.take(T.COMMA) && c.isName(c.pos))
      const last = relations.pop()!
      relations.push({ ...last, join: { ...last.join, using } })
    } else if (c.isWord(c.pos, 'match_condition') && c.peek(1) === T.LPAREN) {
      c.pos++
      uses.push({ kind: 'JOIN', expression: parseExpression(c) })
    } else return
  }
}

function isMergeWhen(c: Cursor): boolean {
  return startsQuery(c, c.pos + 2)
}

const JOIN_WORDS: ReadonlySet<number> = new Set([
  K.INNER,
  K.LEFT,
  K.RIGHT,
  K.FULL,
  K.CROSS,
  K.NATURAL,
  K.OUTER,
  K.SEMI,
  K.ANTI,
  K.ASOF,
  K.ANY,
  K.ALL,
  K.GLOBAL,
  K.LOOP,
  K.HASH,
  K.MERGE,
  K.LOCAL,
])

/** The next join's words; undefined when FROM ends here. */
function parseJoin(c: Cursor): Join | undefined {
  if (c.at(T.COMMA)) {
    c.pos++
    if (c.at(K.LATERAL) && c.peek(1) === K.VIEW) return lateralView(c)
    return c.atEnd() || c.at(K.WHERE) ? undefined : { kind: 'comma', natural: false, using: undefined }
  }
  const start = c.pos
  let kind: JoinKind = 'inner'
  let natural = false
  for (;;) {
    const type = c.type
    if (type === K.JOIN) {
      c.pos++
      // Hints behind JOIN: [SHUFFLE], tsql's none.
      if (c.at(T.LBRACKET)) c.stepOverParens()
      return { kind, natural, using: undefined }
    }
    if (type === K.STRAIGHT_JOIN) {
      c.pos++
      return { kind: 'inner', natural, using: undefined }
    }
    if (type === K.APPLY && c.pos > start) {
      c.pos++
      return { kind: 'apply', natural, using: undefined }
    }
    if (type === K.LATERAL && c.peek(1) === K.VIEW) return lateralView(c)
    if (type === K.ARRAY && c.peek(1) === K.JOIN && c.dialect.name === 'clickhouse')
      return { kind: 'cross', natural, using: undefined }
    if (!JOIN_WORDS.has(type) && !isJoinWord(c)) break
    if (type === K.LEFT && c.peek(1) === T.LPAREN) break
    kind = joinKind(type, kind)
    if (type === K.NATURAL) natural = true
    c.pos++
  }
  c.pos = start
  return undefined
}

function lateralView(c: Cursor): Join {
  c.pos += 2
  c.take(K.OUTER)
  return { kind: 'lateral-view', natural: false, using: undefined }
}

function isJoinWord(c: Cursor): boolean {
  const next = c.peek(1)
  const joins = next === K.JOIN || next === K.LEFT || next === K.INNER || next === K.RIGHT
  return (
    joins &&
    (c.isWord(c.pos, 'positional') ||
      c.isWord(c.pos, 'remote') ||
      c.isWord(c.pos, 'lookup') ||
      c.isWord(c.pos, 'broadcast') ||
      c.isWord(c.pos, 'paste') ||
      c.isWord(c.pos, 'directed') ||
      c.isWord(c.pos, 'exclusion') ||
      c.isWord(c.pos, 'distributed') ||
      c.isWord(c.pos, 'redistribute') ||
      c.isWord(c.pos, 'replicate') ||
      c.isWord(c.pos, 'reduce'))
  )
}

function joinKind(type: number, kind: JoinKind): JoinKind {
  switch (type) {
    case K.LEFT:
      return 'left'
    case K.RIGHT:
      return 'right'
    case K.FULL:
      return 'full'
    case K.CROSS:
      return 'cross'
    case K.SEMI:
      return 'semi'
    case K.ANTI:
      return 'anti'
    default:
      return kind
  }
}

/** One relation with its alias and everything that hangs on it. */
export function parseRelation(c: Cursor, join: Join): Relation | undefined {
  const start = c.start()
  let lateral = c.take(K.LATERAL)
  if (c.at(K.ONLY) && (c.peek(1) === T.LPAREN || c.isName(c.pos + 1)) && !neverTableAlias(c.peek(1))) {
    c.pos++
    if (c.at(T.LPAREN) && c.isName(c.pos + 1)) {
      c.pos++
      const name = parseTableName(c)
      c.closeParen()
      return name && finishTable(c, name, join, start)
    }
  }
  // Databricks: FROM STREAM t, STREAM read_files(…).
  if (c.at(K.STREAM) && c.isName(c.pos + 1) && !neverTableAlias(c.peek(1)) && c.dialect.name === 'databricks') c.pos++
  const type = c.type
  if (type === K.UNPIVOT && c.dialect.name === 'redshift' && c.isName(c.pos + 1))
    return parseObjectUnpivot(c, join, start)
  lateral = lateral || join.kind === 'apply'
  if (type === T.LPAREN) return parseParenthesised(c, join, lateral, start)
  if (type === K.VALUES && (c.peek(1) === T.LPAREN || c.peek(1) === K.ROW))
    return finish(c, { kind: 'query', query: c.rules.query(c), lateral: false, join, pivots: [], start, end: c.end() })
  if ((type === K.FINAL || type === K.NEW || type === K.OLD) && c.peek(1) === K.TABLE && c.peek(2) === T.LPAREN)
    return parseChangedRows(c, join, start)
  if (isKeyword(type) && stopsRelation(c, type)) return undefined
  const unpivoted = c.dialect.name === 'teradata' ? parseUnpivotCall(c, join) : undefined
  if (unpivoted) return finish(c, unpivoted)
  const object = parseObjectQuery(c, join, start)
  if (object) return finish(c, object)
  const call = parseFunctionRelation(c, join, start)
  if (call) return finish(c, call.name === 'vector_search' ? searchRelation(call) : call)
  // duckdb: FROM alias: table.
  if (c.dialect.name === 'duckdb' && c.isName(c.pos) && c.peek(1) === T.COLON) {
    const alias = c.nameAt(c.pos)
    c.pos += 2
    const relation = parseRelation(c, join)
    return relation && { ...relation, alias }
  }
  const name = parseTableName(c)
  return name && finishTable(c, name, join, start)
}

/** Redshift: `UNPIVOT t.object AS value AT attribute` gives a row for each attribute. */
function parseObjectUnpivot(c: Cursor, join: Join, start: number): Relation {
  c.pos++
  const expression = parseExpression(c)
  const columns: RowsetColumn[] = []
  if (c.take(K.AS) && c.isName(c.pos)) columns.push({ name: c.nameAt(c.pos++), from: 'args' })
  if (c.take(K.AT) && c.isName(c.pos)) columns.push({ name: c.nameAt(c.pos++), from: 'args' })
  return {
    kind: 'function',
    name: 'unpivot',
    parts: ['unpivot'],
    args: [expression],
    relations: [],
    columns,
    elements: false,
    ordinality: undefined,
    join,
    pivots: [],
    start,
    end: c.end(),
  }
}

/** BigQuery: VECTOR_SEARCH(TABLE base, 'column', query) gives a row of each, and their distance. */
function searchRelation(call: FunctionRelation): Relation {
  const [base, query] = call.relations
  if (!base || !query) return call
  const distance: FunctionRelation = { ...call, relations: [], args: [], columns: [{ name: 'distance', from: 'none' }] }
  const relations = [
    { ...base, alias: 'base' },
    { ...query, alias: 'query', join: COMMA },
    { ...distance, join: COMMA },
  ]
  return { kind: 'group', relations, uses: [], join: call.join, pivots: [], start: call.start, end: call.end }
}

const COMMA: Join = { kind: 'comma', natural: false, using: undefined }

function stopsRelation(c: Cursor, type: number): boolean {
  const next = c.peek(1)
  if (next === T.DOT) return false
  if (
    type === K.SELECT ||
    type === K.WHERE ||
    type === K.FROM ||
    type === K.ON ||
    type === K.SET ||
    type === K.JOIN ||
    type === K.WHEN
  )
    return true
  return (type === K.GROUP || type === K.ORDER) && next === K.BY
}

/** Db2: FINAL TABLE (INSERT …). */
function parseChangedRows(c: Cursor, join: Join, start: number): Relation {
  c.pos += 3
  const query = c.rules.query(c)
  c.closeParen()
  return finish(c, { kind: 'query', query, lateral: false, join, pivots: [], start, end: c.end() })
}

/** `(`: a derived table or parenthesised joins. */
function parseParenthesised(c: Cursor, join: Join, lateral: boolean, start: number): Relation {
  c.enter(1)
  let relation: Relation
  if (isDerivedTable(c)) {
    c.pos++
    const query = c.rules.query(c)
    c.closeParen()
    relation = { kind: 'query', query, lateral, join, pivots: [], start, end: c.end() }
  } else {
    c.pos++
    const uses: Use[] = []
    const relations = parseRelations(c, uses)
    c.closeParen()
    relation = { kind: 'group', relations, uses, join, pivots: [], start, end: c.end() }
  }
  c.leave(1)
  return finish(c, relation)
}

/** DuckDB: FROM (DESCRIBE t), (SUMMARIZE t). */
const DESCRIBING: ReadonlySet<number> = new Set([K.DESCRIBE, K.SUMMARIZE])

/** Whether the parenthesis at the cursor holds a query and not joins. */
export function isDerivedTable(c: Cursor): boolean {
  let inner = c.pos + 1
  if (DESCRIBING.has(c.types[inner]!) && c.isName(inner + 1)) return true
  if (startsQuery(c, inner)) return c.types[inner] !== K.TABLE || c.isName(inner + 1)
  if (c.types[inner] !== T.LPAREN) return false
  while (c.types[inner] === T.LPAREN) inner++
  if (!startsQuery(c, inner)) return false
  // `((SELECT …) UNION …)` against `((SELECT …) a JOIN b)`: what follows the inner parenthesis tells.
  const after = c.types[c.closing(c.pos + 1) + 1]!
  return (
    after === T.RPAREN ||
    after === K.UNION ||
    after === K.INTERSECT ||
    after === K.EXCEPT ||
    after === K.MINUS ||
    after === K.ORDER ||
    after === K.LIMIT ||
    after === K.OFFSET ||
    after === T.PIPE
  )
}

function finishTable(c: Cursor, name: TableName, join: Join, start: number): Relation {
  return finish(c, { kind: 'table', name, join, pivots: [], start, end: c.end() })
}

/** Alias, column names, pivots, samples, time travel and hints, in whatever order the dialect has them. */
function finish(c: Cursor, relation: Relation): Relation {
  let result = relation
  let aliased = false
  for (;;) {
    const before = c.pos
    stepOverTableClauses(c)
    if (result.kind === 'function' && c.at(K.WITH) && (c.peek(1) === K.ORDINALITY || c.peek(1) === K.OFFSET)) {
      result = { ...result, ordinality: ordinalityName(c) }
    } else if (isPivotAhead(c)) {
      const pivots = parsePivots(c)
      result = { ...result, pivots: [...result.pivots, ...pivots], end: c.end() }
      aliased = aliased || pivots.some((pivot) => pivot.alias !== undefined)
      // An alias behind the last PIVOT names the result; the one before named what was pivoted.
    } else if (c.at(K.MATCH_RECOGNIZE) && c.peek(1) === T.LPAREN) {
      result = parseMatchRecognize(c, result)
      aliased = false
    } else if (!aliased && atTableAlias(c)) {
      c.take(K.AS)
      if (c.at(T.LPAREN)) {
        result = { ...result, columnAliases: nameList(c, c.pos), end: c.end() }
      } else {
        const alias = c.nameAt(c.pos)
        c.pos++
        const columnAliases = atColumnAliases(c) ? nameList(c, c.pos) : undefined
        result = { ...result, alias, ...(columnAliases ? { columnAliases } : {}), end: c.end() }
      }
      aliased = true
    } else if (c.at(K.AT) && c.dialect.name === 'redshift' && c.isName(c.pos + 1) && result.kind === 'table') {
      // Redshift: FROM t.items AS i AT position.
      result = { ...result, position: c.nameAt(c.pos + 1) }
      c.pos += 2
    }
    if (c.pos === before) return result
  }
}

/** WITH ORDINALITY, WITH OFFSET [[AS] name]. */
function ordinalityName(c: Cursor): string {
  const offset = c.peek(1) === K.OFFSET
  c.pos += 2
  if (!offset) return 'ordinality'
  const explicit = c.take(K.AS)
  if (c.isName(c.pos) && (explicit || !neverTableAlias(c.type))) return c.nameAt(c.pos++)
  return 'offset'
}

function isPivotAhead(c: Cursor): boolean {
  if (!(c.at(K.PIVOT) || c.at(K.UNPIVOT))) return false
  const next = c.peek(1)
  return (
    next === T.LPAREN ||
    next === K.XML ||
    ((c.isWord(c.pos + 1, 'include') || next === K.INCLUDE || next === K.EXCLUDE) && c.peek(2) === K.NULLS)
  )
}

/** `t (a, b)`: names for columns, unless the parenthesis holds hints. */
function atColumnAliases(c: Cursor): boolean {
  if (!c.at(T.LPAREN) || !(c.isName(c.pos + 1) || c.peek(1) === T.STRING)) return false
  const next = c.peek(2)
  if (isTableHint(c)) return false
  return next === T.COMMA || next === T.RPAREN || c.isName(c.pos + 2)
}

/** T-SQL: `t (NOLOCK)`. */
function isTableHint(c: Cursor): boolean {
  return (
    c.dialect.name !== 'postgres' &&
    (c.isWord(c.pos + 1, 'nolock') ||
      c.isWord(c.pos + 1, 'readuncommitted') ||
      c.isWord(c.pos + 1, 'updlock') ||
      c.isWord(c.pos + 1, 'readpast') ||
      c.isWord(c.pos + 1, 'rowlock') ||
      c.isWord(c.pos + 1, 'holdlock') ||
      c.isWord(c.pos + 1, 'tablock') ||
      c.isWord(c.pos + 1, 'tablockx') ||
      c.isWord(c.pos + 1, 'xlock') ||
      (c.peek(1) === K.INDEX && c.dialect.name === 'tsql'))
  )
}

function atTableAlias(c: Cursor): boolean {
  const type = c.type
  const next = c.peek(1)
  if (type === K.AS)
    return c.isName(c.pos + 1)
      ? next !== K.OF || c.peek(2) === K.ON
      : next === T.LPAREN || next === T.STRING || next === T.PARAM
  if (type === T.WORD || type === T.QUOTED)
    return !isTrailingWord(c) && !(c.dialect.looseStatements && next === T.COLON)
  if (type === T.STRING) return c.dialect.name === 'mysql' || c.dialect.name === 'duckdb'
  if (!isKeyword(type)) return false
  if (c.dialect.looseStatements && startsStatement(type)) return false
  if (c.inBody && startsStatement(type) && !followsAlias(next)) return false
  if (neverTableAlias(type))
    return (
      softTableClause(type) &&
      (followsAlias(next) || next === K.PIVOT) &&
      !(type === K.FINAL) &&
      !(type === K.SAMPLE) &&
      !(type === K.OFFSET && next === T.NUMBER) &&
      next !== K.JOIN
    )
  return true
}

/** Words outside of the keyword table that follow a table and are no alias. */
function isTrailingWord(c: Cursor): boolean {
  if (c.peek(1) === K.BY && c.isWord(c.pos, 'indexed')) return true
  if (c.peek(1) === K.ON && c.isWord(c.pos, 'expand')) return true
  if (c.isName(c.pos + 1) && (c.peek(2) === K.AS || c.peek(2) === T.STRING) && c.isWord(c.pos, 'timeseries'))
    return true
  return (
    c.isWord(c.pos, 'match_condition') ||
    (c.isWord(c.pos, 'positional') && c.peek(1) === K.JOIN) ||
    (c.peek(1) === K.JOIN && (c.isWord(c.pos, 'remote') || c.isWord(c.pos, 'lookup'))) ||
    (c.isWord(c.pos, 'emit') && c.isWord(c.pos + 1, 'changes')) ||
    (c.dialect.name === 'exasol' && c.isWord(c.pos, 'preferring')) ||
    (c.isWord(c.pos, 'tablet') && c.peek(1) === T.LPAREN)
  )
}

/** Everything on a table that carries no lineage: samples, hints, partitions, time travel. */
function stepOverTableClauses(c: Cursor): void {
  while (stepOverTableClause(c));
}

function stepOverTableClause(c: Cursor): boolean {
  const next = c.peek(1)
  switch (c.type) {
    case K.FOR:
      return stepOverTimeTravel(c)
    case K.VERSION:
    case K.TIMESTAMP:
    case K.SYSTEM_TIME:
      if (!(next === K.AS && c.peek(2) === K.OF)) return false
      c.pos += 3
      parseExpression(c)
      return true
    case K.VERSIONS:
      if (next !== K.BETWEEN) return false
      c.pos += 2
      if (c.isName(c.pos)) c.pos++
      parseExpression(c)
      return true
    case K.AS:
      if (next !== K.OF || c.peek(2) === K.ON) return false
      c.pos += 2
      if (c.isWord(c.pos, 'scn') || c.at(K.TIMESTAMP) || c.at(K.VERSION)) c.pos++
      parseExpression(c)
      return true
    case K.AT:
    case K.BEFORE:
    case K.CHANGES:
      if (next !== T.LPAREN) return false
      c.pos++
      c.stepOverParens()
      if (c.at(K.END) && c.peek(1) === T.LPAREN) {
        c.pos++
        c.stepOverParens()
      }
      return true
    case K.TABLESAMPLE:
    case K.SAMPLE:
      return stepOverSample(c)
    case K.USING:
      if (next !== K.SAMPLE) return false
      c.pos++
      return stepOverSample(c)
    case K.FINAL:
      if (c.dialect.name !== 'clickhouse' && c.dialect.name !== 'ansi') return false
      c.pos++
      return true
    case K.WITH:
      if (next === T.LPAREN && c.peek(2) !== K.SELECT) {
        c.pos++
        c.stepOverParens()
        return true
      }
      return false
    case T.LPAREN:
      // Snowflake: @stage (FILE_FORMAT => …).
      if (!isTableHint(c) && c.types[c.pos - 1] !== T.STAGE) return false
      c.stepOverParens()
      return true
    case K.USE:
    case K.FORCE:
    case K.IGNORE:
      if (next !== K.INDEX && next !== K.KEY) return false
      c.pos += 2
      if (c.at(K.FOR)) c.pos += c.peek(1) === K.JOIN ? 2 : 3
      if (c.at(T.LPAREN)) c.stepOverParens()
      return true
    case K.PARTITION:
      if (next === K.FOR && c.peek(2) === T.LPAREN) c.pos++
      else if (c.dialect.name === 'doris' && c.isName(c.pos + 1)) {
        // DELETE FROM t PARTITION p1 USING s.
        c.pos += 2
        return true
      } else if (next !== T.LPAREN) return false
      c.pos++
      c.stepOverParens()
      return true
    case K.SUBPARTITION:
      if (next !== T.LPAREN) return false
      c.pos++
      c.stepOverParens()
      return true
    case K.NOT:
      if (!c.isWord(c.pos + 1, 'indexed')) return false
      c.pos += 2
      return true
    case T.LBRACKET:
      // Impala: [SHUFFLE]; StarRocks: [_META_].
      if (c.touches(c.pos) && c.dialect.name !== 'starrocks' && c.dialect.name !== 'doris') return false
      c.stepOverParens()
      return true
    case T.STAR:
      // PostgreSQL of old: t *.
      if (c.dialect.unnamed !== 'postgres') return false
      c.pos++
      return true
    case T.WORD:
      if (next === K.BY && c.isWord(c.pos, 'indexed')) {
        c.pos += 3
        return true
      }
      if (c.isWord(c.pos, 'tablet') && next === T.LPAREN) {
        c.pos++
        c.stepOverParens()
        return true
      }
      return false
    default:
      return false
  }
}

/** FOR SYSTEM_TIME AS OF x, FOR VERSION AS OF x, FOR SYSTEM_TIME BETWEEN a AND b, FOR PORTION OF. */
function stepOverTimeTravel(c: Cursor): boolean {
  const next = c.peek(1)
  if (!(
    next === K.SYSTEM_TIME ||
    c.isWord(c.pos + 1, 'system_version') ||
    next === K.VERSION ||
    next === K.TIMESTAMP ||
    (next === K.TIME && c.peek(2) === K.AS) ||
    c.isWord(c.pos + 1, 'business_time') ||
    c.isWord(c.pos + 1, 'application_time') ||
    c.isWord(c.pos + 1, 'portion')
  ))
    return false
  c.pos += 2
  if (c.at(K.OF)) c.pos += 2
  if (c.take2(K.AS, K.OF)) parseExpression(c)
  else if (c.take(K.BETWEEN)) parseExpression(c)
  else if (c.take(K.FROM)) {
    parseExpression(c)
    if (c.take(K.TO)) parseExpression(c)
  } else if (c.isWord(c.pos, 'contained')) {
    c.pos += 2
    if (c.at(T.LPAREN)) c.stepOverParens()
  } else c.take(K.ALL)
  return true
}

function stepOverSample(c: Cursor): boolean {
  const next = c.peek(1)
  const sampled =
    next === T.LPAREN ||
    next === T.NUMBER ||
    next === T.PARAM ||
    ((c.isName(c.pos + 1) || next === T.NUMBER) && (c.peek(2) === T.LPAREN || c.peek(2) === T.NUMBER))
  if (!sampled) return false
  c.pos++
  if (c.isName(c.pos)) c.pos++
  if (c.at(T.LPAREN)) c.stepOverParens()
  else {
    c.pos++
    if (c.take(T.SLASH)) c.pos++
    if (c.at(T.PERCENT) || c.at(K.PERCENT) || c.at(K.ROWS)) c.pos++
    if (c.at(K.OFFSET) && c.peek(1) === T.NUMBER) {
      c.pos += 2
      if (c.take(T.SLASH)) c.pos++
    }
  }
  while ((c.at(K.REPEATABLE) || c.at(K.SEED)) && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
  }
  if (c.at(T.LPAREN) && c.peek(1) !== K.SELECT && c.isWord(c.pos - 1, 'sample')) c.stepOverParens()
  return true
}
