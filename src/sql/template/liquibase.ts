/**
 * Liquibase's formatted SQL, every character at its place: what a changeset says to end its statements becomes a
 * semicolon, and changesets that are ignored or run in tests alone are left out. All else that it writes are comments.
 */

const HEADER = /^\s*--\s*liquibase\s+formatted\s+sql\b/i
const CHANGESET = /^[ \t]*--[ \t]*changeset[ \t]+([^\n]*)$/gim
const TEST_DATABASES = /^(?:h2|hsqldb|derby)(?:,\s*(?:h2|hsqldb|derby))*$/i

/** The SQL of a text; the text itself where it is no formatted SQL. */
export function readLiquibase(text: string): string {
  if (!HEADER.test(text)) return text
  const changesets = [...text.matchAll(CHANGESET)]
  let sql = withoutMarks(text.slice(0, changesets[0]?.index))
  for (const [at, { 1: attributes = '', index }] of changesets.entries()) {
    const body = withoutMarks(text.slice(index, changesets[at + 1]?.index))
    const isRun = setting(attributes, 'ignore') !== 'true' && !TEST_DATABASES.test(setting(attributes, 'dbms') ?? '')
    sql += isRun ? withSemicolons(body, setting(attributes, 'endDelimiter')) : blank(body)
  }
  return sql
}

/** `name:value`, or `name:"value"`. */
function setting(attributes: string, name: string): string | undefined {
  const [, , quoted, plain] = new RegExp(`\\b${name}:(?:(["'])(.*?)\\1|(\\S+))`, 'i').exec(attributes) ?? []
  return quoted ?? plain
}

function withSemicolons(body: string, delimiter: string | undefined): string {
  const mark = delimiter?.replaceAll(/\\[nr]/g, '').trim()
  if (mark === undefined || mark === '' || mark === ';') return body
  const plain = mark.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const end = new RegExp(`(?<![^\\s;)\\w'"])${plain}(?=[ \\t\\r]*$)`, 'gim')
  return body.replaceAll(end, (found) => ';'.padEnd(found.length))
}

/** Without Liquibase's own lines, but for properties: `--x` is no comment in MySQL. */
function withoutMarks(text: string): string {
  return text.replaceAll(/^[ \t]*--(?![ \t]*property\b)\S[^\n]*$/gim, blank)
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
