/** Shell scripts: what stands between `<<EOF` and `EOF` of a client, and what it is handed as an argument. */
import { hereDocuments, SQL_CLIENTS } from '../../sql/session/shell-script.ts'
import { eachAlone } from './carrier.ts'
import { blank } from './line-writer.ts'

export const shell = eachAlone(
  (path) => /\.(?:sh|bash|ksh|zsh)$/i.test(path),
  (text) => shellSql(text),
)

const ARGUMENT = new RegExp(
  String.raw`\b(?:(?:${SQL_CLIENTS})\b[^\n'"|;]*?(?:"[^"\n]*"[^\n'"|;]*?)*?\s(?:-e|-c|-q|-Q|-s|--query|--execute|--command|--sql)[ =]?\s*|bq\b[^\n'"|;]*?\bquery\b(?:\\\n|[^'"|;])*?)(["'])([^]*?)(?<!\\)\1`,
  'g',
)

/** The SQL of a script at its own offsets, all else blank; undefined where it has none. */
export function shellSql(text: string): string | undefined {
  const documents = hereDocuments(text, true)
  const around = documents ?? blank(text)
  let sql = ''
  let done = 0
  for (const match of text.matchAll(ARGUMENT)) {
    const [whole, quote, body = ''] = match
    if (!/^\s*[\w-]+[\s(]/.test(body) || /^[^\n]*#/.test(lineBefore(text, match.index))) continue
    const start = match.index + whole.length - body.length - 1
    if (documents !== undefined && documents.slice(start, start + body.length).trim() !== '') continue
    const inside = quote === '"' ? body.replaceAll(/\\(["$`\\])/g, '$1') : body
    sql += around.slice(done, start) + inside + (/;\s*$/.test(body) ? ' ' : ';')
    done = start + body.length + 1
  }
  if (sql === '') return documents
  return sql + around.slice(done)
}

function lineBefore(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
}
