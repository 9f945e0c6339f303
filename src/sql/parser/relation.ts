/** FROM: tables, derived tables, table functions, joins between them, and what hangs on each. */

import { startsRows } from './lookahead.ts'
import type { FunctionRelation, Join, Relation, RowsetColumn, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST } from './plain-query.ts'
import { clauseRowset } from './clause-rowset.ts'
import { definedColumns } from './json-table.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { parseTableName } from './name.ts'
import { parseObjectQuery } from './object-query.ts'
import { parseArrayJoin } from './array-join.ts'
import { parseFunctionRelation } from './rowset.ts'
import { parseLateralView } from './lateral-view.ts'
import { parseUnpivotCall } from './teradata-relation.ts'
import { isKeyword, neverTableAlias, stopsOperand } from './words.ts'
import { isArrayJoin, needsCondition, parseJoin, parseJoinCondition } from './join.ts'
import { isDerivedTable } from './derived-table.ts'
import { finish, finishTable } from './relation-end.ts'

/** Relations of a FROM clause, flat, in order; conditions of joins go to `uses`. */
export function parseRelations(c: Cursor, uses: Use[]): Relation[] {
  const relations: Relation[] = []
  let join: Join | undefined = FIRST
  let conditions = 0
  while (join) {
    if (needsCondition(c, join)) conditions--
    const relation =
      join.kind === 'lateral-view'
        ? parseLateralView(c, join)
        : c.dialect.name === 'clickhouse' && isArrayJoin(c)
          ? undefined
          : parseRelation(c, join)
    if (relation) relations.push(relation)
    else if (isArrayJoin(c)) relations.push(...parseArrayJoin(c, join))
    else {
      c.missing('a table')
      if (!c.atEnd() && !c.at(T.RPAREN) && join.kind !== 'first' && !stopsOperand(c.type)) c.skip()
    }
    conditions += parseJoinCondition(c, relations, uses)
    join = parseJoin(c)
  }
  if (conditions < 0 && !c.at(T.HOLE)) c.missing('ON')
  return relations
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
  // DuckDB's derived tables see the relations before them without the word.
  if (type === T.LPAREN)
    return parseParenthesised(c, join, lateral || (c.dialect.name === 'duckdb' && join.kind !== 'first'), start)
  if (type === K.VALUES && startsRows(c))
    return finish(c, { kind: 'query', query: c.rules.query(c), lateral: false, join, pivots: [], start, end: c.end() })
  if ((type === K.FINAL || type === K.NEW || type === K.OLD) && c.peek(1) === K.TABLE && c.peek(2) === T.LPAREN)
    return parseChangedRows(c, join, start)
  if (isKeyword(type) && stopsRelation(c, type)) return undefined
  const unpivoted = c.dialect.name === 'teradata' ? parseUnpivotCall(c, join) : undefined
  if (unpivoted) return finish(c, unpivoted)
  const handed = type === T.PARAM && c.flow.length > 0 ? handedRows(c, join, start) : undefined
  if (handed) return finish(c, handed)
  const predicted = c.dialect.name === 'tsql' ? parsePredict(c, join, start) : undefined
  if (predicted) return predicted
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
  // SQLite: `FROM mail('word')` is `FROM mail WHERE mail MATCH 'word'`.
  if (name && c.at(T.LPAREN) && c.dialect.name === 'sqlite') c.stepOverParens()
  return name && finishTable(c, name, join, start)
}

/** T-SQL: PREDICT(MODEL = @m, DATA = t AS d) WITH (score FLOAT) AS p gives the rows of d, and columns made of all of them. */
function parsePredict(c: Cursor, join: Join, start: number): Relation | undefined {
  if (!c.isWord(c.pos, 'predict') || c.peek(1) !== T.LPAREN) return undefined
  const closing = c.closing(c.pos + 1)
  for (c.pos += 2; c.pos < closing && !(c.isWord(c.pos, 'data') && c.peek(1) === T.EQUALS); c.pos++);
  c.pos += 2
  const data = c.pos < closing ? parseRelation(c, FIRST) : undefined
  c.pos = closing + 1
  if (!data) return undefined
  const qualifier = data.alias ?? (data.kind === 'table' ? data.name.parts.at(-1)! : '')
  const place = { start, end: c.end() }
  const star = { qualifier: [qualifier], except: [], replace: [], rename: undefined }
  const stars = [{ star, role: 0 }]
  const from = { ...place, references: [], queries: [], stars, windows: [], form: 'other' } as const
  const columns = c.take(K.WITH) && c.at(T.LPAREN) ? definedColumns(c) : []
  const scores = finish(c, clauseRowset('predict', { from, columns }, COMMA, start, c.end()))
  return { kind: 'group', relations: [data, scores], uses: [], join, pivots: [], start, end: c.end() }
}

/** Redshift: `UNPIVOT t.object AS value AT attribute` gives a row for each attribute. */
function parseObjectUnpivot(c: Cursor, join: Join, start: number): Relation {
  c.pos++
  const expression = parseExpression(c)
  const columns: RowsetColumn[] = []
  if (c.take(K.AS) && c.isName(c.pos)) columns.push({ name: c.nameAt(c.pos++), from: 'args' })
  if (c.take(K.AT) && c.isName(c.pos)) columns.push({ name: c.nameAt(c.pos++), from: 'args' })
  return clauseRowset('unpivot', { from: expression, columns }, join, start, c.end())
}

/** Snowflake: `$1` behind `->>` is what the statement before gave, `$2` the one before that. */
function handedRows(c: Cursor, join: Join, start: number): Relation | undefined {
  const text = c.textAt(c.pos)
  if (!/^\$\d$/.test(text)) return undefined
  const place = c.flow.length - Number(text[1])
  if (place < 0) return undefined
  c.pos++
  const base = { join, pivots: [], start, end: c.end() } as const
  const query = c.flow[place]
  if (query) return { kind: 'query', query, lateral: false, ...base }
  // SHOW and its kin give rows of columns that only the database knows.
  const told = { args: [], relations: [], columns: undefined, elements: false, ordinality: undefined } as const
  return { kind: 'function', name: 'show', parts: ['show'], ...told, ...base }
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
