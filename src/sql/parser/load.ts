/** Files into tables: LOAD DATA, BULK INSERT, Hive's IMPORT. */

import { type Expression, type Item, ROLE } from '../ir/expression.ts'
import type { Query, TableName } from '../ir/query.ts'
import type { Assignment, Statement } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { pushPath } from './copy.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { nameList } from './name-list.ts'
import { parseTableName } from './name.ts'
import { columnItem, plainSelect, tableRelation } from './plain-query.ts'
import { parseAssignments } from './set-list.ts'
import { parseDb2Load } from './utility.ts'

/** LOAD DATA [LOCAL] INPATH|INFILE 'x' [OVERWRITE] INTO TABLE t; BigQuery LOAD DATA INTO t FROM FILES (uris = …). */
export function parseLoad(c: Cursor): Core {
  if (c.dialect.name === 'db2') return parseDb2Load(c)
  c.pos++
  if (c.isWord(c.pos, 'label')) return parseLabelledLoad(c)
  if (!c.at(K.DATA) && !c.isWord(c.pos, 'xml')) {
    c.stepToEnd()
    return command('load')
  }
  const inputs: TableName[] = []
  const outputs: TableName[] = []
  let fields: readonly string[] | undefined
  let columnsAt = -1
  let assignments: readonly Assignment[] = []
  while (!c.atEnd()) {
    if ((c.isWord(c.pos, 'inpath') || c.isWord(c.pos, 'infile')) && c.peek(1) === T.STRING) {
      c.pos++
      pushPath(inputs, parseTableName(c))
    } else if (c.at(K.INTO) || (c.at(K.OVERWRITE) && c.peek(1) !== K.INTO)) {
      c.pos++
      c.take(K.TABLE)
      const name = parseTableName(c)
      if (name && outputs.length === 0) outputs.push(name)
      columnsAt = c.pos
    } else if (c.isWord(c.pos, 'uris') && c.peek(1) === T.EQUALS) {
      const closing = c.closing(c.pos + 2)
      for (let i = c.pos + 2; i < closing; i++)
        if (c.types[i] === T.STRING)
          inputs.push({ parts: [c.nameAt(i)], start: c.starts[i]!, end: c.ends[i]!, sort: 'path', quoted: 1 })
      c.pos = closing
    } else if (c.at(K.SET) && outputs.length > 0 && c.peek(2) === T.EQUALS) {
      c.pos++
      assignments = parseAssignments(c)
    } else if (c.at(T.LPAREN) && outputs.length > 0 && listsFields(c, columnsAt)) fields = nameList(c, c.pos)
    else c.pos++
  }
  if (inputs.length === 0) c.missing('a file')
  if (outputs.length === 0) c.missing('INTO and a table')
  const columns = fields?.filter((name) => !name.startsWith('@'))
  const [file] = inputs
  if (!file || !fields || assignments.length === 0) return { kind: 'copy', inputs, outputs, query: undefined, columns }
  const computed = assignments.map((one) => one.targets[0]?.at(-1) ?? '')
  const query = fieldsQuery(file, columns ?? [], assignments)
  return { kind: 'copy', inputs, outputs, query, columns: [...(columns ?? []), ...computed] }
}

/** Not Hive's PARTITION (a = 1), nor what stands in parentheses behind BigQuery's clauses: PARTITION BY f(a), FILES (…). */
function listsFields(c: Cursor, columnsAt: number): boolean {
  return c.dialect.name === 'bigquery' ? c.pos === columnsAt : c.types[c.pos - 1] !== K.PARTITION
}

/** MySQL: (a, @b) SET c = @b + 1 reads fields of the file, of which some have a name for this statement only. */
function fieldsQuery(file: TableName, columns: readonly string[], assignments: readonly Assignment[]): Query {
  const { start, end } = file
  const copied = columns.map((name) => columnItem(name, start, end))
  const computed = assignments.map((one): Item => ({
    expression: overFields(one.expression),
    start: one.start,
    end: one.end,
  }))
  return plainSelect([...copied, ...computed], [tableRelation(file)], start, end)
}

/** Its variables are fields of the file. */
function overFields(expression: Expression): Expression {
  const references = expression.references.map((one) =>
    one.role & ROLE.VARIABLE
      ? { ...one, parts: [one.parts[0]!.replace(/^@/, '')], role: one.role & ~ROLE.VARIABLE }
      : one,
  )
  return { ...expression, references }
}

/** Doris, StarRocks: LOAD LABEL db.l (DATA INFILE ('path', …) INTO TABLE t …, DATA FROM TABLE s INTO TABLE u …) WITH …. */
function parseLabelledLoad(c: Cursor): Core {
  const body: Statement[] = []
  let inputs: TableName[] = []
  while (!c.atEnd()) {
    const start = c.start()
    const path = c.isWord(c.pos, 'infile') && c.peek(1) === T.LPAREN
    if (path) {
      for (c.pos += 2; c.at(T.STRING) || c.at(T.COMMA);) {
        if (c.at(T.STRING)) pushPath(inputs, parseTableName(c))
        else c.pos++
      }
    } else if (c.at(K.FROM) && c.peek(1) === K.TABLE) {
      c.pos += 2
      const name = parseTableName(c)
      if (name) inputs.push(name)
    } else if (c.at(K.INTO) && c.peek(1) === K.TABLE) {
      c.pos += 2
      const name = parseTableName(c)
      const copy = { kind: 'copy', inputs, outputs: name ? [name] : [], query: undefined, columns: undefined } as const
      body.push({ ...copy, start, end: c.end(), skipped: 0, notes: [], fingerprint: '' })
      inputs = []
    } else c.pos++
  }
  return { kind: 'block', body }
}

/** T-SQL: BULK INSERT t FROM 'file'. */
export function parseBulkInsert(c: Cursor): Core {
  c.pos += 2
  const target = parseTableName(c)
  if (!target) c.missing('a table')
  const inputs: TableName[] = []
  c.expect(K.FROM, 'FROM')
  if (c.types[c.pos - 1] === K.FROM) pushPath(inputs, parseTableName(c))
  if (c.at(K.WITH) && c.peek(1) === T.LPAREN) {
    c.pos++
    c.stepOverParens()
  }
  return { kind: 'copy', inputs, outputs: target ? [target] : [], query: undefined, columns: undefined }
}

/** Hive: IMPORT [EXTERNAL] TABLE t [PARTITION (…)] FROM 'path' [LOCATION 'path']. */
export function parseHiveImport(c: Cursor): Core {
  while (!c.at(K.TABLE)) c.pos++
  c.pos++
  const target = parseTableName(c)
  const inputs: TableName[] = []
  while (!c.atEnd() && !c.at(K.FROM)) c.pos++
  if (c.take(K.FROM)) pushPath(inputs, parseTableName(c))
  c.stepToEnd()
  return { kind: 'copy', inputs, outputs: target ? [target] : [], query: undefined, columns: undefined }
}
