/** BTEQ, FastLoad and FastExport: files that commands of the client join to the statement behind them. */

import type { TableName } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import type { Cursor } from './cursor.ts'
import { overRecords } from './load-rows.ts'
import { tableRelation } from './plain-query.ts'

const EXPORT = /^\.\s*(?:export|end)\s+(reset\b|export\b|[^]*?\b(?:out)?file\s*=?\s*(['"]?)([^\s;'",]+)\2)/i
const DEFINE = /^define\b[^]*\bfile\s*=\s*(['"]?)([^\s;'",]+)\1/i
const IMPORT = /^\.\s*import\b[^]*?\b(?:in)?file\s*=?\s*(['"]?)([^\s;'",]+)\1/i

/** What the client's commands so far say of files. */
export interface ClientFiles {
  /** Where the rows of queries go, until EXPORT RESET or END EXPORT. */
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

/** The statement as it is with these files: a query that is exported, one that reads the imported file. */
export function withFiles(statement: Statement, usesImport: boolean, files: ClientFiles, text: string): Statement {
  if (statement.kind === 'query' && files.exported)
    return { ...statement, kind: 'copy', inputs: [], outputs: [files.exported], columns: undefined }
  if (!files.imported || !(usesImport || (files.everyInsert && statement.kind === 'insert'))) return statement
  return overRecords(statement, tableRelation(files.imported), text)
}
