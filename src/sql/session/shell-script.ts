/** Shell scripts that feed a SQL client: what stands between `<<EOF` and `EOF` is SQL, everything around it is not. */

export const SQL_CLIENTS =
  'bteq|fastload|mload|fexp|tpump|tdload|sqlplus|psql|vsql|mysql|mariadb|sqlcmd|snowsql|db2|hive|beeline|impala-shell|exaplus|clickhouse-client|duckdb|sqlite3|presto|trino|nzsql|spark-sql'
const HERE_DOCUMENT = new RegExp(
  String.raw`^[^\n#]*\b(?:${SQL_CLIENTS})\b[^\n]*<<-?[ \t]*\\?(['"]?)(\w+)\1[^\n]*\n([^]*?)^[ \t]*\2[ \t]*$`,
  'gm',
)

/**
 * The SQL of a shell script at its own offsets, all else blank; undefined for a text that is no such script.
 * @param isScript the file's name says that it is one
 */
export function hereDocuments(text: string, isScript = false): string | undefined {
  if (!isScript && !/^\s*#!.*\b(?:k|ba|z|c|tc|da)?sh\b/.test(text)) return undefined
  let sql = ''
  for (const match of text.matchAll(HERE_DOCUMENT)) {
    const body = match[3]!
    const start = match.index + match[0].lastIndexOf(body, match[0].length)
    sql += blank(text.slice(sql.length, start)) + body
  }
  return sql === '' ? undefined : sql + blank(text.slice(sql.length))
}

/** As long, with the same lines. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
