/** Jupyter's notebooks: cells of SQL (`%%sql`, `%%bigquery`, a kernel of SQL), and SQL in cells of Python. */
import { isJsonObject, type JsonObject, objectsAt, textAt } from '../../model/json.ts'
import { eachAlone } from './carrier.ts'
import { LineWriter } from './line-writer.ts'
import { pythonSql } from './python.ts'

export const notebook = eachAlone(
  (path) => /\.ipynb$/i.test(path),
  (text) => notebookSql(text),
)

const CELL_MAGIC = /^\s*%%(?:sql|bigquery|sparksql|spark_sql|duckdb|snowflake|athena|trino)\b[^\n]*/
const LINE_MAGIC = /^(\s*(?:\w+\s*=\s*)?%sql\b(?:\s+--\w+\s+\S+)*)(.*)$/gm
const SQL_CELL = /^\s*%sql\b/

/** The SQL of a notebook on the lines where the notebook has it; undefined where it has none. */
export function notebookSql(text: string): string | undefined {
  const document = parsed(text)
  if (!document) return undefined
  const out = new LineWriter()
  let from = 0
  for (const cell of objectsAt(document, 'cells')) {
    if (textAt(cell, 'cell_type') !== 'code') continue
    const lines = linesOf(cell)
    const sql = cellSql(lines.join(''), isSqlKernel(document) || isSqlCell(cell))
    const written = sql?.split('\n') ?? []
    for (const [at, line] of lines.entries()) {
      const place = placeOf(text, line, from)
      from = place?.end ?? from
      const own = written[at]
      if (own === undefined || own.trim() === '') continue
      if (place) out.goTo(place.line)
      out.write(own)
      // Lines of a cell whose text stands in one line of the file.
      if (lines.length === 1 && written.length > 1) out.write(`\n${written.slice(1).join('\n')}`)
    }
    if (sql !== undefined && sql.trim() !== '' && !/;\s*$/.test(sql)) out.write(';')
  }
  return out.text.trim() === '' ? undefined : out.text
}

function parsed(text: string): JsonObject | undefined {
  try {
    const document: unknown = JSON.parse(text)
    return isJsonObject(document) ? document : undefined
  } catch {
    return undefined
  }
}

function linesOf(cell: JsonObject): readonly string[] {
  const { source } = cell
  if (Array.isArray(source)) return source.filter((line): line is string => typeof line === 'string')
  return typeof source === 'string' ? [source] : []
}

function isSqlKernel(document: JsonObject): boolean {
  const { metadata } = document
  const names = isJsonObject(metadata)
    ? [metadata['kernelspec'], metadata['language_info']].flatMap((one) => [
        textAt(one, 'language'),
        textAt(one, 'name'),
      ])
    : []
  return names.some((name) => /^sql$/i.test(name ?? ''))
}

function isSqlCell({ metadata }: JsonObject): boolean {
  return /^sql$/i.test(textAt(metadata, 'language') ?? '')
}

function cellSql(text: string, isSql: boolean): string | undefined {
  if (CELL_MAGIC.test(text)) return text.replace(CELL_MAGIC, '')
  if (SQL_CELL.test(text)) return text.replace(SQL_CELL, (magic) => ' '.repeat(magic.length))
  if (isSql) return /^\s*%/.test(text) ? undefined : text
  const magics = text.replaceAll(LINE_MAGIC, (_, before: string, sql: string) => {
    const quoted = sql.trim().replaceAll('"""', "'")
    // A comma keeps it apart from strings around it.
    return `${before.replace(/%sql.*$/, ',"""')}${quoted} """`
  })
  return pythonSql(magics)
}

/** Where the file writes a line of a cell. */
function placeOf(
  text: string,
  line: string,
  from: number,
): { readonly line: number; readonly end: number } | undefined {
  const written = JSON.stringify(line)
  const at = text.indexOf(written, from)
  if (at < 0) return undefined
  return { line: text.slice(0, at).split('\n').length, end: at + written.length }
}
