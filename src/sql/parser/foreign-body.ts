/**
 * SQL inside the bodies of routines in JavaScript, Python and their kin: string literals that read as a statement.
 *
 *   var sql = `insert into t (a) select b from s where d > ?`; snowflake.execute({ sqlText: "update " + TAB + " set x = 1" })
 *
 * What the language puts between two literals stays as `${name}`.
 */

const STRINGS = /("""|''')([^]*?)\1|"((?:[^"\\\n]|\\[^])*)"|'((?:[^'\\\n]|\\[^])*)'|`((?:[^`\\]|\\[^])*)`/g
const STATEMENT =
  /^\s*(?:insert\s+(?:overwrite\s+)?(?:into|table)|merge\s+into|update\s+\S+\s+set|delete\s+from|create\s+[^]*\b(?:table|view)\b|replace\s+into|copy\s+into|truncate\s+table|with\s+\w+[^]*\bas\b|select\b[^]*\bfrom\b)/i

/** A body of the same length in which the statements of its literals are left, each with its semicolon; undefined for none. */
export function foreignSql(body: string): string | undefined {
  let sql = ''
  let found = false
  let open: { readonly from: number; to: number; text: string } | undefined
  const close = (): void => {
    if (open && STATEMENT.test(open.text)) {
      found = true
      sql += `${blank(body.slice(sql.length, open.from))}${open.text};`
    }
    open = undefined
  }
  for (const match of body.matchAll(STRINGS)) {
    const quote = match[1]?.length ?? 1
    const text = unescaped(match[2] ?? match[3] ?? match[4] ?? match[5] ?? '')
    const gap = open ? joined(body.slice(open.to, match.index + quote)) : undefined
    const to = match.index + match[0].length - quote
    if (open && gap !== undefined) {
      open.text += gap + text
      open.to = to
    } else {
      close()
      open = { from: match.index + quote, to, text }
    }
  }
  close()
  return found ? sql + blank(body.slice(sql.length)) : undefined
}

/** Exasol's Lua: `query([[…]])`, `[[…]] .. x .. [[…]]`, parameters `:a` of values and `::a` of names. */
export function luaSql(body: string): string | undefined {
  const quoted = body.replaceAll(
    /\[(=*)\[([^]*?)\]\1\]/g,
    (_, level: string, text: string) => `${' '.repeat(level.length + 1)}\`${text}\`${' '.repeat(level.length + 1)}`,
  )
  return foreignSql(quoted.replaceAll('..', ' +').replaceAll(/::(?=\w)/g, ' :'))
}

/** What stands between two literals that are put together, as wide as it is: `" + TAB + "` becomes `${TAB}`. */
function joined(gap: string): string | undefined {
  const match = /^["'`]+(?:\s|\\)*\+?\s*(?:([\w.]+)(?:\([^()]*\))?\s*\+\s*)?["'`]+$/.exec(gap)
  if (!match) return undefined
  const name = match[1] === undefined ? '' : `\${${match[1]}}`
  return name.length <= gap.length ? name.padEnd(gap.length) : undefined
}

function unescaped(text: string): string {
  return text.includes('\\') ? text.replaceAll(/\\[^]/g, (escape) => (escape.endsWith('\n') ? ' \n' : '  ')) : text
}

/** As long, with the same lines. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
