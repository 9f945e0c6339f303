/** BTEQ and MultiLoad: files that commands of the client join to the statement behind them. */

import type { Query, TableName } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import type { Cursor } from './cursor.ts'
import { plainSelect, tableRelation } from './plain-query.ts'

const EXPORT = /^\.\s*export\s+(reset\b|[^]*?\bfile\s*=?\s*(['"]?)([^\s;'",]+)\2)/i
const DEFINE = /^define\b[^]*\bfile\s*=\s*(['"]?)([^\s;'",]+)\1/i
const IMPORT = /^\.\s*import\b[^]*?\b(?:in)?file\s*=?\s*(['"]?)([^\s;'",]+)\1/i

/** What the client's commands so far say of files. */
export interface ClientFiles {
  /** Where the rows of queries go, until EXPORT RESET. */
  readonly exported: TableName | undefined
  /** What USING reads. */
  readonly imported: TableName | undefined
  /** FastLoad: what INSERT reads without USING. */
  readonly everyInsert?: boolean
}

export const NO_FILES: ClientFiles = { exported: undefined, imported: undefined }

/** With the cursor behind a statement or a client's command line. */
export function filesAfter(c: Cursor, files: ClientFiles, { kind, start, end }: Statement): ClientFiles {
  if (kind !== 'command' || c.dialect.client !== 'bteq') return files
  const text = c.text.slice(start, end)
  const name = (path: string): TableName => ({ parts: [path], start, end, sort: 'path', quoted: 1 })
  const defined = DEFINE.exec(text)
  if (defined) return { ...files, imported: name(defined[2]!), everyInsert: true }
  const imported = IMPORT.exec(text)
  if (imported) return { ...files, imported: name(imported[2]!) }
  const exported = EXPORT.exec(text)
  if (!exported) return files
  return { ...files, exported: exported[3] === undefined ? undefined : name(exported[3]) }
}

/** The statement as it is with these files: a query that is exported, an INSERT that reads the imported file. */
export function withFiles(statement: Statement, usesImport: boolean, files: ClientFiles): Statement {
  if (statement.kind === 'query' && files.exported)
    return { ...statement, kind: 'copy', inputs: [], outputs: [files.exported], columns: undefined }
  if (
    !(usesImport || files.everyInsert) ||
    !files.imported ||
    statement.kind !== 'insert' ||
    statement.query?.kind !== 'values'
  )
    return statement
  const query = ofFile(statement.query, files.imported)
  return query ? { ...statement, query } : statement
}

/** `VALUES (:a, :b)` of a file's fields a and b: `SELECT a, b FROM file`. */
function ofFile(values: Extract<Query, { kind: 'values' }>, file: TableName): Query | undefined {
  const [row] = values.rows
  if (!row || values.rows.length > 1) return undefined
  const { start, end } = values
  const items = row.map((expression) => ({
    expression: {
      ...expression,
      references: expression.references.map((one) => ({ ...one, role: 0, parts: [one.parts[0]!.replace(/^:/, '')] })),
    },
    start: expression.start,
    end: expression.end,
  }))
  return plainSelect(items, [tableRelation(file)], start, end)
}
