/**
 * Teradata Parallel Transporter: a job defines schemas and operators, and applies statements to each row that an
 * operator gives.
 *
 *     DEFINE JOB j (
 *       DEFINE SCHEMA s (a CHAR(5), b CHAR(5));
 *       DEFINE OPERATOR rd TYPE DATACONNECTOR PRODUCER SCHEMA s ATTRIBUTES (VARCHAR FileName = 'in.txt');
 *       APPLY ('INSERT INTO t VALUES (:a, :b);') TO OPERATOR (wr) SELECT * FROM OPERATOR (rd);
 *     );
 *
 * Reads as INSERT INTO t SELECT a, b FROM 'in.txt'. Texts are put together from strings and job variables: `'…' || @x`.
 */

import type { Query, Relation, TableName } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Core } from './core.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { overRecords } from './load-rows.ts'
import { columnsQuery, FIRST, queryRelation, tableQuery } from './plain-query.ts'

/** A string, or several and job variables joined by `||`: tokens from first to last. */
interface Text {
  readonly first: number
  readonly last: number
}

interface Operator {
  readonly schema: string | undefined
  /** By name in lower case. */
  readonly attributes: ReadonlyMap<string, Text>
}

interface Job {
  /** SET name = 'value', by name in lower case. */
  readonly variables: ReadonlyMap<string, string>
  readonly schemas: Map<string, readonly string[]>
  readonly operators: Map<string, Operator>
}

/** Whether DEFINE JOB stands at the cursor. */
export function startsLoadJob(c: Cursor): boolean {
  if (c.dialect.name !== 'teradata') return false
  // USING CHARACTER SET UTF8 DEFINE JOB ….
  const at = c.at(K.USING) && c.peek(2) === K.SET ? c.pos + 4 : c.pos
  return c.isWord(at, 'define') && c.isWord(at + 1, 'job')
}

export function parseLoadJob(c: Cursor): Core {
  while (!c.atEnd() && !c.at(T.LPAREN)) c.pos++
  const end = closingOf(c, c.pos)
  const job: Job = { variables: variablesBefore(c, end), schemas: new Map(), operators: new Map() }
  for (let i = c.pos; i < end; i++) {
    if (!c.isWord(i, 'define')) continue
    if (c.types[i + 1] === K.SCHEMA) defineSchema(c, i + 2, job)
    else if (c.isWord(i + 1, 'operator') && c.isName(i + 2)) {
      const name = c.nameAt(i + 2).toLowerCase()
      job.operators.set(name, operatorAt(c, i + 3, endOf(c, i, end)))
    }
  }
  const body: Statement[] = []
  for (let i = c.pos + 1; i < end; i++) {
    if (c.types[i] !== K.APPLY || (c.types[i - 1] !== T.SEMICOLON && c.types[i - 1] !== T.LPAREN)) continue
    const last = endOf(c, i, end)
    body.push(...appliedTo(c, i, last, job))
    i = last
  }
  c.pos = end + 1
  return { kind: 'block', body }
}

/** SET x = 'value'; in front of the job and within it. */
function variablesBefore(c: Cursor, end: number): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (let i = 0; i < end; i++)
    if (c.types[i] === K.SET && c.types[i + 2] === T.EQUALS && c.types[i + 3] === T.STRING)
      values.set(c.nameAt(i + 1).toLowerCase(), stringValue(c.textAt(i + 3)))
  return values
}

/** `s (a CHAR(5), b CHAR(5))`. */
function defineSchema(c: Cursor, at: number, { schemas }: Job): void {
  let open = at + 1
  while (open < at + 4 && c.types[open] !== T.LPAREN && c.types[open] !== T.SEMICOLON) open++
  if (c.types[open] !== T.LPAREN) return
  const names: string[] = []
  const closing = c.closing(open)
  for (let i = open + 1; i < closing; i++) {
    const type = c.types[i]
    if (type === T.LPAREN) i = c.closing(i)
    else if (c.isName(i) && (i === open + 1 || c.types[i - 1] === T.COMMA)) names.push(c.nameAt(i))
  }
  schemas.set(c.nameAt(at).toLowerCase(), names)
}

/** What stands behind an operator's name: SCHEMA s … ATTRIBUTES (VARCHAR x = 'value', …), ATTR (x = 'value'). */
function operatorAt(c: Cursor, from: number, to: number): Operator {
  let schema: string | undefined
  const attributes = new Map<string, Text>()
  for (let i = from; i < to; i++) {
    if (c.types[i] === K.SCHEMA && c.isName(i + 1)) schema = c.nameAt(i + 1).toLowerCase()
    if (c.types[i] !== T.EQUALS || !c.isName(i - 1)) continue
    const first = c.types[i + 1] === T.LBRACKET ? i + 2 : i + 1
    const text = textAt(c, first)
    if (text) attributes.set(c.nameAt(i - 1).toLowerCase(), text)
  }
  return { schema, attributes }
}

/** `'…' || @x || '…'`, `@x`. */
function textAt(c: Cursor, first: number): Text | undefined {
  let last = pieceEnd(c, first)
  if (last < 0) return undefined
  while (c.types[last + 1] === T.CONCAT) {
    const next = pieceEnd(c, last + 2)
    if (next < 0) break
    last = next
  }
  return { first, last }
}

/** A string, or `@` and a name: its last token, -1 where neither stands. */
function pieceEnd(c: Cursor, at: number): number {
  if (c.types[at] === T.STRING) return at
  if (c.types[at] === T.PARAM) return at
  return c.textAt(at) === '@' && c.isName(at + 1) ? at + 1 : -1
}

/** The text with the values of the variables that have one; others keep their name: `@x`. */
function valueOf(c: Cursor, { first, last }: Text, job: Job): string {
  let value = ''
  for (let i = first; i <= last; i++) {
    if (c.types[i] === T.STRING) value += stringValue(c.textAt(i))
    else if (c.types[i] === T.PARAM || c.isName(i)) {
      const name = c.nameAt(i).replace(/^@/, '')
      value += job.variables.get(name.toLowerCase()) ?? `@${name}`
    }
  }
  return value
}

/** The statements of one APPLY. */
function appliedTo(c: Cursor, at: number, end: number, job: Job): readonly Statement[] {
  const statements: Statement[] = []
  const targets: TableName[] = []
  // $INSERT takes the rows as they are.
  const tables: TableName[] = []
  let i = at + 1
  for (; i < end && c.types[i] !== K.SELECT; i++) {
    if (c.isWord(i, 'operator') && c.types[i + 1] === T.LPAREN) {
      const closing = c.closing(i + 1)
      const operator = operatorCalled(c, i + 2, closing, job)
      const file = fileOf(c, operator, job)
      const table = operator.attributes.get('targettable')
      if (file) targets.push(file)
      else if (table) tables.push(namedBy(c, table, job))
      i = closing
    } else if (c.types[i] === K.WHEN) while (i < end && c.types[i] !== K.THEN) i++
    else {
      const text = textAt(c, i)
      if (!text) continue
      statements.push(...statementsOf(c, text, job))
      i = text.last
    }
  }
  const rows = i < end ? rowsFrom(c, i, job) : undefined
  if (!rows) return statements
  const place = {
    start: c.starts[at]!,
    end: c.ends[Math.min(end, c.count - 1)]!,
    skipped: 0,
    notes: [],
    fingerprint: '',
  }
  const filled = statements.length === 0 ? tables : []
  const files = [...filled, ...targets].map((to): Statement => ({
    kind: 'copy',
    inputs: [],
    outputs: [to],
    query: rows,
    columns: undefined,
    ...place,
  }))
  const records: Relation = queryRelation(rows, rows.start, rows.end)
  return [...statements.map((one) => overRecords(one, records, c.text)), ...files]
}

/** `rd[2]`, `$FILE_READER (s) [1] ATTR (FileName = 'x')`: what was defined, and what is said here. */
function operatorCalled(c: Cursor, at: number, end: number, job: Job): Operator {
  const name = c.nameAt(at).toLowerCase()
  const defined = job.operators.get(name)
  const here = operatorAt(c, at + 1, end)
  const own = c.types[at + 1] === T.LPAREN && c.isName(at + 2) ? c.nameAt(at + 2).toLowerCase() : undefined
  return {
    schema: own ?? defined?.schema,
    attributes: new Map([...(defined?.attributes ?? []), ...here.attributes]),
  }
}

/** The file that an operator reads or writes. */
function fileOf(c: Cursor, operator: Operator, job: Job): TableName | undefined {
  const text = operator.attributes.get('filename') ?? operator.attributes.get('filenames')
  if (!text) return undefined
  const name = valueOf(c, text, job)
  const folder = operator.attributes.get('directorypath')
  const path = folder && !name.startsWith('/') ? `${valueOf(c, folder, job).replace(/\/$/, '')}/${name}` : name
  return { parts: [path], start: c.starts[text.first]!, end: c.ends[text.last]!, sort: 'path', quoted: 1 }
}

/** `'db.t'`. */
function namedBy(c: Cursor, text: Text, job: Job): TableName {
  const parts = valueOf(c, text, job).split('.')
  return { parts, start: c.starts[text.first]!, end: c.ends[text.last]!, sort: 'table', quoted: 0 }
}

/** The rows of SELECT … FROM OPERATOR (rd): the query with what the operator gives in its place. */
function rowsFrom(c: Cursor, at: number, job: Job): Query {
  let called = at
  const before = c.pos
  c.pos = at
  const query = c.rules.query(c)
  c.pos = before
  const filled = (one: Query): Query => {
    if (one.kind === 'set') {
      const left = filled(one.left)
      return { ...one, left, right: filled(one.right) }
    }
    if (one.kind !== 'select') return one
    while (called < c.count && !(c.isWord(called, 'operator') && c.types[called + 1] === T.LPAREN)) called++
    const closing = c.closing(called + 1)
    const source = given(c, operatorCalled(c, called + 2, closing, job), job)
    called = closing
    return { ...one, from: source ? [source] : [] }
  }
  return filled(query)
}

/** What an operator gives: the fields of a file, or the rows of a query under the names of its schema. */
function given(c: Cursor, operator: Operator, job: Job): Relation | undefined {
  const columns = job.schemas.get(operator.schema ?? '')
  const file = fileOf(c, operator, job)
  if (file) {
    const { start, end } = file
    return queryRelation(columns ? columnsQuery(file, columns) : tableQuery(file, start, end), start, end)
  }
  const text = operator.attributes.get('selectstmt')
  const [statement] = text ? statementsOf(c, text, job) : []
  if (statement?.kind !== 'query') return undefined
  const { start, end, query } = statement
  return { kind: 'query', query, lateral: false, join: FIRST, pivots: [], columnAliases: columns, start, end }
}

/** The statements of a text, at its own place: what is no text in it is blank, variables stand for themselves. */
function statementsOf(c: Cursor, text: Text, job: Job): readonly Statement[] {
  const { first, last } = text
  if (first === last) return c.types[first] === T.STRING ? c.subScript(first) : []
  return c.subScript(first, () => spread(c, text, job), last)
}

/** `'INSERT INTO ' || @db || '.t'` with everything in its place: `INSERT INTO      sales   .t`. */
function spread(c: Cursor, { first, last }: Text, job: Job): string {
  let spreadText = ''
  const open = c.starts[first]! + 1
  for (let i = first; i <= last; i++) {
    const raw = c.textAt(i)
    if (c.types[i] === T.STRING) {
      const inner = raw.slice(1, -1).replaceAll("''", " '")
      spreadText = spreadText.padEnd(c.starts[i]! + 1 - open) + inner
    } else if (c.types[i] === T.PARAM || c.isName(i)) {
      const name = raw.replace(/^@/, '')
      // The signs around it leave room for a longer value.
      const room = (i < last ? c.starts[i + 2]! : c.ends[i]!) - open - spreadText.length
      const value = job.variables.get(name.toLowerCase())
      spreadText += value !== undefined && value.length <= room ? value : name
    }
  }
  return spreadText.padEnd(c.ends[last]! - 1 - open)
}

/** Index of the parenthesis that closes the one at `open`; semicolons in between do not end it. */
function closingOf(c: Cursor, open: number): number {
  let depth = 0
  for (let i = open; i < c.count; i++) {
    if (c.types[i] === T.EOF) return i - 1
    if (c.types[i] === T.LPAREN) depth++
    else if (c.types[i] === T.RPAREN && --depth === 0) return i
  }
  return c.count - 1
}

/** The semicolon that ends the definition or the APPLY at `at`, or the job's end. */
function endOf(c: Cursor, at: number, end: number): number {
  let depth = 0
  for (let i = at; i < end; i++) {
    if (c.types[i] === T.LPAREN) depth++
    else if (c.types[i] === T.RPAREN && --depth < 0) return i
    else if (c.types[i] === T.SEMICOLON && depth === 0) return i
  }
  return end
}
