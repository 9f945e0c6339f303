/** INSERT, UPDATE, DELETE and what they share: assignments, RETURNING, OUTPUT. */

import type { Expression, Item } from '../ir/expression.ts'
import type { Cte, Query, Relation, TableName, Use } from '../ir/query.ts'
import type { Assignment, InsertStatement } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { tableRelation } from './lone-table.ts'
import type { Core, CoreOf } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { nameList, parseItem, parseItems } from './item.ts'
import { startsQuery } from './lookahead.ts'
import { isRemote, parseTableName, remoteTable } from './name.ts'
import { stepOverLocking } from './locking.ts'
import { parseQueryBody } from './query.ts'
import { neverTableAlias, startsStatement } from './words.ts'

export interface Returning {
  readonly returning: readonly Item[]
  readonly returningInto?: { readonly target: TableName; readonly columns: readonly string[] | undefined }
}

const NO_RETURNING: Returning = { returning: [] }
const UNKNOWN_TARGET: TableName = { parts: ['?'], start: 0, end: 0, sort: 'hole', quoted: 0 }

/** Reads one SET list. */
export function parseAssignments(c: Cursor): Assignment[] {
  const assignments: Assignment[] = []
  do {
    const before = c.pos
    const assignment = parseAssignment(c)
    if (assignment) assignments.push(...assignment)
    if (c.pos === before) break
  } while (c.take(T.COMMA))
  return assignments
}

function parseAssignment(c: Cursor): readonly Assignment[] | undefined {
  const start = c.start()
  const targets: (readonly string[])[] = []
  if (c.at(T.LPAREN)) {
    c.pos++
    while (!c.at(T.RPAREN) && !c.atEnd()) {
      const parts = columnParts(c)
      if (parts.length > 0) targets.push(parts)
      else c.skip()
      c.take(T.COMMA)
    }
    c.take(T.RPAREN)
  } else {
    // T-SQL: @variable = column = expression.
    if (c.at(T.PARAM) && c.peek(1) === T.EQUALS && c.isName(c.pos + 2) && c.peek(3) === T.EQUALS) c.pos += 2
    if (c.at(T.PARAM)) c.pos++
    else {
      const parts = columnParts(c)
      if (parts.length === 0) return undefined
      targets.push(parts)
    }
  }
  while (c.at(T.LBRACKET)) c.stepOverParens()
  if (c.at(T.LPAREN)) {
    // column.WRITE(expression, offset, length)
    const expression = parseExpression(c)
    return [{ targets: targets.map((parts) => parts.slice(0, -1)), expression, start, end: c.end() }]
  }
  // +=, -=, ||= and plain =.
  while (!c.at(T.EQUALS) && !c.at(T.ASSIGN) && isOperator(c.type)) c.pos++
  if (!c.take(T.EQUALS) && !c.take(T.ASSIGN)) return undefined
  if (targets.length > 1 && rowWidth(c) === targets.length) return parseRowAssignments(c, targets)
  const expression = parseExpression(c)
  return [{ targets, expression, start, end: c.end() }]
}

/** How many values stand in the parentheses at the cursor; 0 where a query does, or something follows them. */
function rowWidth(c: Cursor): number {
  const open = c.at(K.ROW) ? c.pos + 1 : c.pos
  if (c.types[open] !== T.LPAREN || startsQuery(c, open + 1)) return 0
  const closing = c.closing(open)
  let width = 1
  for (let i = open + 1; i < closing; i++) {
    if (c.types[i] === T.LPAREN || c.types[i] === T.LBRACKET) i = c.closing(i)
    else if (c.types[i] === T.COMMA) width++
  }
  return width
}

/** (a, b) = (x, y + 1): each from its own. */
function parseRowAssignments(c: Cursor, targets: readonly (readonly string[])[]): readonly Assignment[] {
  c.take(K.ROW)
  c.pos++
  const assignments = targets.map((parts) => {
    const start = c.start()
    const expression = parseExpression(c)
    const end = c.end()
    c.take(T.COMMA)
    return { targets: [parts], expression, start, end }
  })
  c.closeParen()
  return assignments
}

function isOperator(type: number): boolean {
  return (
    type === T.PLUS ||
    type === T.MINUS ||
    type === T.STAR ||
    type === T.SLASH ||
    type === T.PERCENT ||
    type === T.OPERATOR ||
    type === T.CONCAT
  )
}

function columnParts(c: Cursor): string[] {
  const parts: string[] = []
  while (c.isName(c.pos) || c.at(T.STRING)) {
    parts.push(c.nameAt(c.pos))
    c.pos++
    if (!(c.at(T.DOT) && (c.isName(c.pos + 1) || c.peek(1) === T.STRING))) break
    c.pos++
  }
  return parts
}

/** RETURNING items [INTO …], T-SQL's OUTPUT items [INTO t (columns)]. */
export function parseReturning(c: Cursor): Returning {
  if (c.at(K.OUTPUT)) {
    c.pos++
    const returning = parseItems(c)
    if (!c.take(K.INTO)) return { returning }
    const target = parseTableName(c) ?? UNKNOWN_TARGET
    const columns = c.at(T.LPAREN) && !startsQuery(c, c.pos + 1) ? nameList(c, c.pos) : undefined
    const second = c.at(K.OUTPUT) ? parseReturning(c).returning : []
    return { returning: [...returning, ...second], returningInto: { target, columns } }
  }
  if (c.at(K.RETURNING) || (c.at(K.RETURN) && c.dialect.name === 'oracle')) {
    c.pos++
    const returning = parseItems(c)
    if (c.at(K.BULK)) c.pos += 2
    if (c.take(K.INTO)) {
      while (!c.atEnd() && !c.at(T.RPAREN) && !(c.isName(c.pos) && startsStatement(c.type))) c.pos++
    }
    return { returning }
  }
  return NO_RETURNING
}

/** INSERT and REPLACE, `with` already read. */
export function parseInsert(c: Cursor, ctes: readonly Cte[]): Core {
  const verb = c.type
  c.pos++
  stepOverInsertWords(c)
  if (c.at(K.ALL) || c.at(K.FIRST) || (c.at(K.OVERWRITE) && (c.peek(1) === K.ALL || c.peek(1) === K.FIRST))) {
    if (isMultiTable(c)) return parseInsertAll(c)
  }
  c.take(K.OVERWRITE)
  c.take(K.INTO)
  if (verb === K.INSERT && c.at(K.OVERWRITE)) c.pos++
  if (c.at(K.LOCAL) && c.peek(1) === K.DIRECTORY) c.pos++
  if (c.at(K.DIRECTORY)) return parseDirectory(c, ctes)
  if (c.at(K.TABLE) && (c.isName(c.pos + 1) || c.peek(1) === T.PARAM || c.peek(1) === T.HOLE) && c.peek(1) !== K.SELECT)
    c.pos++
  if (c.at(K.FUNCTION) && c.isName(c.pos + 1)) return parseInsertFunction(c, ctes)
  c.take2(K.IF, K.EXISTS)
  return parseInsertTarget(c, ctes)
}

function stepOverInsertWords(c: Cursor): void {
  for (;;) {
    if (c.at(K.IGNORE) || c.at(K.DELAYED) || c.isWord(c.pos, 'low_priority') || c.isWord(c.pos, 'high_priority'))
      c.pos++
    else if (c.at(K.OR)) c.pos += 2
    else if (c.at(K.TOP)) {
      c.pos++
      if (c.at(T.LPAREN)) c.stepOverParens()
      else c.pos++
      c.take(K.PERCENT)
    } else if (c.at(K.WITH) && c.peek(1) === K.SCHEMA) c.pos += 3
    else return
  }
}

function isMultiTable(c: Cursor): boolean {
  const at = c.at(K.OVERWRITE) ? 2 : 1
  return c.peek(at) === K.INTO || c.peek(at) === K.WHEN
}

/** ClickHouse: INSERT INTO FUNCTION s3('path', …) query. */
function parseInsertFunction(c: Cursor, ctes: readonly Cte[]): Core {
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
function parseInsertFiles(c: Cursor, ctes: readonly Cte[]): Core {
  const outputs: TableName[] = []
  const closing = c.closing(c.pos + 1)
  for (let i = c.pos + 2; i < closing; i++)
    if (c.types[i] === T.STRING && c.types[i - 1] === T.EQUALS && /^(path|uri|file_path)$/i.test(c.nameAt(i - 2)))
      outputs.push({ parts: [c.nameAt(i)], start: c.starts[i]!, end: c.ends[i]!, sort: 'path', quoted: 1 })
  c.pos = closing + 1
  return { kind: 'copy', inputs: [], outputs, query: insertedQuery(c, ctes), columns: undefined }
}

/** Dialects in which PARTITION (p) names a partition and no column. */
const NAMED_PARTITIONS: ReadonlySet<string> = new Set(['starrocks', 'doris', 'mysql', 'mariadb', 'oracle'])

const TARGET_ENDS: ReadonlySet<number> = new Set([
  K.VALUES,
  K.VALUE,
  K.SELECT,
  K.WITH,
  K.SET,
  K.DEFAULT,
  K.EXEC,
  K.EXECUTE,
  K.TABLE,
  K.PARTITION,
  K.OUTPUT,
  K.FROM,
  K.OVERRIDING,
  K.BY,
  K.REPLACE,
  K.FORMAT,
  K.SETTINGS,
  K.CALL,
])

function parseInsertTarget(c: Cursor, ctes: readonly Cte[]): Core {
  if (c.peek(1) === T.LPAREN && c.peek(2) === T.STRING && c.peek(3) === T.EQUALS) return parseInsertFiles(c, ctes)
  let target = insertTarget(c)
  let alias: string | undefined
  if (c.at(K.WITH) && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
  }
  stepOverLocking(c)
  if (c.take(K.AS)) alias = c.nameAt(c.pos++)
  else if (c.isName(c.pos) && !TARGET_ENDS.has(c.type) && !neverTableAlias(c.type) && !startsStatement(c.type))
    alias = c.nameAt(c.pos++)
  let columns: readonly string[] | undefined
  const partition: string[] = []
  const dynamicPartition: string[] = []
  let byName = false
  let returned: Returning = NO_RETURNING
  for (;;) {
    if (c.at(T.LPAREN) && c.peek(1) === T.STAR) partition.push(...exceptedColumns(c))
    else if (c.at(T.LPAREN) && columns === undefined && !startsInsertedQuery(c)) columns = insertColumns(c)
    else if (c.at(K.PARTITION)) parsePartition(c, partition, dynamicPartition)
    else if (c.at(K.IF) && c.peek(1) === K.NOT) c.pos += 3
    else if (c.at(K.BY) && (c.peek(1) === K.NAME || c.peek(1) === K.POSITION)) {
      byName = c.peek(1) === K.NAME
      c.pos += 2
    } else if (c.at(K.OVERRIDING)) c.pos += 3
    else if (c.at(K.OUTPUT)) returned = parseReturning(c)
    else if (c.at(K.REPLACE) && c.peek(1) === K.WHERE) {
      c.pos += 2
      parseExpression(c)
    } else if (c.at(K.REPLACE) && c.peek(1) === K.USING) {
      c.pos += 2
      if (c.at(T.LPAREN)) c.stepOverParens()
    } else if (c.at(K.REPLACE) && c.peek(1) === K.ON) {
      // Databricks: REPLACE ON t.a = s.a (query) AS s.
      c.pos += 2
      while (!c.atEnd() && !startsQuery(c, c.pos) && !(c.at(T.LPAREN) && startsInsertedQuery(c))) c.pos++
      break
    } else if (c.at(K.WITH) && c.isWord(c.pos + 1, 'label')) {
      c.pos += 3
    } else if (c.isWord(c.pos, 'properties') && c.peek(1) === T.LPAREN) {
      c.pos++
      c.stepOverParens()
    } else if (c.at(K.SETTINGS)) stepOverSettings(c)
    else if (c.at(T.LBRACKET)) c.stepOverParens()
    else break
  }
  if (target.sort === 'hole' && target.parts[0] === '(') target = UNKNOWN_TARGET
  // Teradata: INSERT INTO t (1, 'x') without the word VALUES.
  const bare = c.dialect.name === 'teradata' && c.atEnd() && columns !== undefined
  if (bare) columns = undefined
  const base = { kind: 'insert', target, alias, columns, byName, partition, dynamicPartition } as const
  if (bare || (c.at(K.DEFAULT) && c.peek(1) === K.VALUES)) {
    if (!bare) c.pos += 2
    return {
      ...base,
      query: undefined,
      assignments: [],
      onConflict: parseOnConflict(c),
      ...merge(returned, parseReturning(c)),
    }
  }
  if (c.at(K.SET)) {
    c.pos++
    const assignments = parseAssignments(c)
    if (c.at(K.AS) && c.isName(c.pos + 1)) c.pos += 2
    return {
      ...base,
      query: undefined,
      assignments,
      onConflict: parseOnConflict(c),
      ...merge(returned, parseReturning(c)),
    }
  }
  if (c.at(K.EXEC) || c.at(K.EXECUTE)) {
    const call = c.rules.statement(c)
    if (call.kind === 'call')
      return { kind: 'call', name: call.name, args: call.args, dynamic: call.dynamic, into: target, columns }
    return { ...base, query: undefined, assignments: [], onConflict: [], ...returned }
  }
  if (c.at(K.FROM) && c.isWord(c.pos + 1, 'infile') && c.peek(2) === T.STRING) {
    // ClickHouse: the rows of a file.
    const file = c.pos + 2
    const name = {
      parts: [c.nameAt(file)],
      start: c.starts[file]!,
      end: c.ends[file]!,
      sort: 'path',
      quoted: 1,
    } as const
    while (!c.atEnd()) c.pos++
    return { kind: 'copy', inputs: [name], outputs: [target], query: undefined, columns }
  }
  if (c.at(K.FORMAT)) {
    // ClickHouse: data in a format, to the end of the text.
    while (!c.atEnd()) c.pos++
    return { ...base, query: undefined, assignments: [], onConflict: [], ...returned }
  }
  const query = insertedQuery(c, ctes)
  if (!query || (query.kind === 'values' && query.rows.length === 0 && query.end === query.start && !c.at(T.HOLE)))
    return unfinished(c, target)
  const rows = rowAlias(c)
  const onConflict = parseOnConflict(c)
  const after = parseReturning(c)
  stepOverLogErrors(c)
  return { ...base, query, rows, assignments: [], onConflict, ...merge(returned, after) }
}

function stepOverSettings(c: Cursor): void {
  while (!c.atEnd() && !c.at(K.VALUES) && !c.at(K.SELECT) && !c.at(K.FORMAT) && !c.at(K.WITH) && !c.at(T.LPAREN))
    c.pos++
}

/** MySQL: VALUES (…) AS new (a, b). */
function rowAlias(c: Cursor): { alias: string; columns: readonly string[] | undefined } | undefined {
  if (!c.at(K.AS) || !c.isName(c.pos + 1)) return undefined
  const alias = c.nameAt(c.pos + 1)
  c.pos += 2
  return { alias, columns: c.at(T.LPAREN) ? nameList(c, c.pos) : undefined }
}

/** INSERT INTO and no rows behind it: nothing is known to be written. */
function unfinished(c: Cursor, target: TableName): Core {
  c.note('UNKNOWN_STATEMENT', target.start, 'INSERT')
  while (!c.atEnd() && !c.at(T.RPAREN) && !(c.dialect.looseStatements && startsStatement(c.type))) c.skip()
  return { kind: 'other', word: 'INSERT', expressions: [] }
}

function merge(first: Returning, second: Returning): Returning {
  return second.returning.length > 0 ? second : first
}

/** A name, or the first table of `(SELECT …)`, or a table function. */
function insertTarget(c: Cursor): TableName {
  if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) {
    c.pos++
    const query = c.rules.query(c)
    c.closeParen()
    return firstTable(query) ?? UNKNOWN_TARGET
  }
  if (c.at(T.LPAREN)) return UNKNOWN_TARGET
  return parseTableName(c) ?? UNKNOWN_TARGET
}

function firstTable(query: Query): TableName | undefined {
  if (query.kind !== 'select') return undefined
  const relation: Relation | undefined = query.from[0]
  return relation?.kind === 'table' ? relation.name : undefined
}

/** The parenthesis behind the target holds a query, not columns. */
function startsInsertedQuery(c: Cursor): boolean {
  let i = c.pos
  while (c.types[i] === T.LPAREN) i++
  return startsQuery(c, i) && c.types[i] !== K.TABLE
}

/** Columns of the target, also `a.b`, `a[1]`. */
function insertColumns(c: Cursor): readonly string[] | undefined {
  if (c.peek(1) === T.HOLE) {
    c.stepOverParens()
    return undefined
  }
  const names = nameList(c, c.pos)
  return names.length > 0 ? names : undefined
}

/** ClickHouse: `(* EXCEPT (a, b))`, all columns but these. */
function exceptedColumns(c: Cursor): string[] {
  const closing = c.closing(c.pos)
  c.pos += 2
  const names = c.take(K.EXCEPT) && c.at(T.LPAREN) ? nameList(c, c.pos) : []
  c.pos = closing + 1
  return names
}

function insertedQuery(c: Cursor, ctes: readonly Cte[]): Query | undefined {
  stepOverLocking(c)
  if (c.atEnd() || c.at(T.RPAREN) || (c.at(K.ON) && ctes.length === 0)) return undefined
  if (c.at(K.WITH)) {
    const query = c.rules.query(c)
    return ctes.length > 0 ? { ...query, with: [...ctes, ...query.with] } : query
  }
  return parseQueryBody(c, ctes)
}

function parsePartition(c: Cursor, fixed: string[], dynamic: string[]): void {
  c.pos++
  if (NAMED_PARTITIONS.has(c.dialect.name) && c.at(T.LPAREN)) return c.stepOverParens()
  if (!c.take(T.LPAREN)) return
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    if (c.isName(c.pos) || c.at(T.STRING)) {
      const name = c.nameAt(c.pos++)
      if (c.take(T.EQUALS)) {
        parseExpression(c)
        fixed.push(name)
      } else dynamic.push(name)
    }
    if (!c.take(T.COMMA) && c.pos === before) c.pos++
  }
  c.closeParen()
}

/** ON CONFLICT … DO UPDATE SET …, ON DUPLICATE KEY UPDATE …. */
function parseOnConflict(c: Cursor): readonly Assignment[] {
  const assignments: Assignment[] = []
  while (c.at(K.ON)) {
    if (c.peek(1) === K.DUPLICATE) {
      c.pos += 3
      c.take(K.UPDATE)
      assignments.push(...parseAssignments(c))
    } else if (c.peek(1) === K.CONFLICT) {
      c.pos += 2
      while (!c.atEnd() && !c.at(K.DO)) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
      c.take(K.DO)
      if (c.take(K.UPDATE)) {
        c.take(K.SET)
        assignments.push(...parseAssignments(c))
        if (c.take(K.WHERE)) parseExpression(c)
      } else c.take(K.NOTHING)
    } else break
  }
  return assignments
}

/** Oracle: LOG ERRORS INTO t ('tag') REJECT LIMIT UNLIMITED. */
function stepOverLogErrors(c: Cursor): void {
  if (!c.at(K.LOG) || !c.isWord(c.pos + 1, 'errors')) return
  while (!c.atEnd() && !(c.isName(c.pos) && startsStatement(c.type))) c.pos++
}

/** INSERT OVERWRITE DIRECTORY 'path' [USING format OPTIONS (…)] query. */
function parseDirectory(c: Cursor, ctes: readonly Cte[]): Core {
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

/** INSERT ALL | FIRST [WHEN … THEN] INTO … [ELSE INTO …] query. */
function parseInsertAll(c: Cursor): Core {
  c.take(K.OVERWRITE)
  c.pos++
  const branches: {
    target: TableName
    columns: readonly string[] | undefined
    values: readonly Item[] | undefined
    condition: Expression | undefined
  }[] = []
  let condition: Expression | undefined
  for (;;) {
    if (c.take(K.WHEN)) {
      condition = parseExpression(c)
      c.take(K.THEN)
    } else if (c.take(K.ELSE)) condition = undefined
    else if (c.at(K.INTO)) {
      c.pos++
      const target = parseTableName(c) ?? UNKNOWN_TARGET
      const columns = c.at(T.LPAREN) && !startsQuery(c, c.pos + 1) ? nameList(c, c.pos) : undefined
      branches.push({ target, columns, values: c.at(K.VALUES) ? insertedValues(c) : undefined, condition })
    } else break
    stepOverLogErrors(c)
  }
  return { kind: 'insertAll', source: c.rules.query(c), branches }
}

/** VALUES (a, b) as items, so that each has its place. */
export function insertedValues(c: Cursor): Item[] {
  c.pos++
  if (!c.take(T.LPAREN)) return []
  const items: Item[] = []
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    items.push(parseItem(c))
    if (!c.take(T.COMMA) && c.pos === before) c.skip()
  }
  c.closeParen()
  return items
}

/** UPDATE, `with` already read. */
export function parseUpdate(c: Cursor, ctes: readonly Cte[]): Core {
  c.pos++
  stepOverInsertWords(c)
  const uses: Use[] = []
  let relations = c.rules.relations(c, uses)
  const target = nameOf(relations[0]) ?? UNKNOWN_TARGET
  if (c.at(K.PARTITION) && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
  }
  // Teradata: UPDATE t FROM x SET ….
  if (c.at(K.FROM)) {
    c.pos++
    relations = [...relations, ...c.rules.relations(c, uses)]
  }
  const assignments = c.take(K.SET) ? parseAssignments(c) : []
  let returned = c.at(K.OUTPUT) ? parseReturning(c) : NO_RETURNING
  if (c.take(K.FROM)) relations = [...relations, ...c.rules.relations(c, uses)]
  parseWhere(c, uses)
  returned = merge(returned, parseReturning(c))
  stepOverLogErrors(c)
  return { kind: 'update', target, relations, assignments, uses, with: ctes, ...returned }
}

export function nameOf(relation: Relation | undefined): TableName | undefined {
  if (relation?.kind === 'table') return relation.name
  if (relation?.kind === 'query') return firstTable(relation.query)
  if (relation?.kind === 'group') return nameOf(relation.relations[0])
  return undefined
}

/** WHERE, ORDER BY, LIMIT of UPDATE and DELETE. */
function parseWhere(c: Cursor, uses: Use[]): void {
  for (;;) {
    if (c.at(K.WHERE)) {
      c.pos++
      if (c.at(K.CURRENT) && c.peek(1) === K.OF) {
        c.pos += 2
        c.pos += c.at(T.PARAM) || c.isName(c.pos) ? 1 : 0
      } else uses.push({ kind: 'FILTER', expression: parseExpression(c) })
    } else if (c.at(K.ORDER) && c.peek(1) === K.BY) {
      c.pos += 2
      do {
        uses.push({ kind: 'SORT', expression: parseExpression(c) })
        if (c.at(K.ASC) || c.at(K.DESC)) c.pos++
      } while (c.take(T.COMMA))
    } else if (c.at(K.LIMIT) && c.peek(1) !== T.COMMA) {
      c.pos++
      parseExpression(c)
      if (c.take(T.COMMA)) parseExpression(c)
    } else if (c.at(K.OPTION) && c.peek(1) === T.LPAREN) {
      c.pos++
      c.stepOverParens()
    } else return
  }
}

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
    do {
      const target = parseTableName(c)
      if (!target) break
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
  returned = merge(returned, c.at(K.OUTPUT) ? parseReturning(c) : NO_RETURNING)
  if (c.at(K.FROM) || (c.at(K.USING) && c.peek(1) !== K.SAMPLE)) {
    c.pos++
    const others = c.rules.relations(c, uses)
    // A target that the second list names by alias stands there.
    const named = new Set(others.map((one) => (one.alias ?? nameOf(one)?.parts.at(-1) ?? '').toLowerCase()))
    relations = [
      ...relations.filter(
        (one) => one.alias !== undefined || !named.has(nameOf(one)?.parts.at(-1)?.toLowerCase() ?? ''),
      ),
      ...others,
    ]
  }
  parseWhere(c, uses)
  returned = merge(returned, parseReturning(c))
  if (c.at(K.ALL)) c.pos++
  return { kind: 'delete', targets, relations, uses, with: ctes, ...returned }
}

function stripStar(name: TableName): TableName {
  return name.parts.at(-1) === '*' ? { ...name, parts: name.parts.slice(0, -1) } : name
}

/** Hive: FROM relations INSERT … SELECT … [INSERT … SELECT …]. The cursor is at the first INSERT. */
export function parseMultiInsert(
  c: Cursor,
  ctes: readonly Cte[],
  from: readonly Relation[],
  uses: readonly Use[],
): Core {
  const inserts: InsertStatement[] = []
  while (c.at(K.INSERT)) {
    const start = c.start()
    const core = parseInsert(c, ctes)
    if (core.kind === 'insert' || core.kind === 'copy') inserts.push(withSource(core, from, uses, start, c.end()))
  }
  return { kind: 'multiInsert', inserts }
}

function withSource(
  core: CoreOf<'insert'> | CoreOf<'copy'>,
  from: readonly Relation[],
  uses: readonly Use[],
  start: number,
  end: number,
): InsertStatement {
  const query =
    core.query?.kind === 'select' && core.query.from.length === 0
      ? { ...core.query, from, uses: [...uses, ...core.query.uses] }
      : core.query
  const added = { query, start, end, skipped: 0, notes: [], fingerprint: '' }
  if (core.kind === 'insert') return { ...core, ...added }
  const target = core.outputs[0] ?? UNKNOWN_TARGET
  return {
    kind: 'insert',
    target,
    columns: undefined,
    assignments: [],
    onConflict: [],
    byName: false,
    partition: [],
    dynamicPartition: [],
    returning: [],
    ...added,
  }
}
