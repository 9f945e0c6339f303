/**
 * Variables that a client fills in before a server sees the text, so that a table's name is known where it is one:
 *
 *   DEFINE dw = XX_DW      SELECT * FROM &dw..orders            SQL*Plus, EXAplus
 *   :setvar db Sales       USE [$(db)]                          sqlcmd
 *   \set schema mart       SELECT * FROM :schema.orders         psql, vsql
 *   !define env=PRD        USE DATABASE &{env}_ANALYTICS        SnowSQL
 *   --property name:schema value:mart   ${schema}.orders    Liquibase
 *   SET hivevar:day=…      SELECT * FROM t_${hivevar:day}       Hive, Impala, Spark; shells around any client
 *
 * A variable whose value the text does not tell stays as it is written.
 */

import type { Dialect } from '../dialects/dialect.ts'
import { MappedText } from '../template/source-map.ts'

/** Values by name in lower case. */
export type ClientVariables = Map<string, string>

interface Syntax {
  /** Groups: `set` and `value` define, `unset` forgets, `name` (or `literal`, `quoted` with quotes around) uses. */
  readonly pattern: RegExp
  /** Whether a text may define a variable; cheap. */
  readonly mayDefine: (text: string) => boolean
  /** What a definition holds, as the client reads it. */
  readonly valueOf: (written: string) => string
}

const BRACES = String.raw`\$\{(?:hivevar:|hiveconf:|var:|env:)?(?<braced>[\w.]+)\}`
const END = String.raw`[ \t]*;?[ \t\r]*$`

const PROPERTY = String.raw`^[ \t]*--[ \t]*property[ \t]+name:(?<property>[\w.]+)[ \t]+value:(?<held>"[^"\n]*"|\S+)[^\n]*$`

const syntax = (parts: readonly string[], mayDefine: Syntax['mayDefine'], valueOf: Syntax['valueOf']): Syntax => ({
  // A comment, which others may step over, must be looked at first.
  pattern: new RegExp([PROPERTY, ...parts, BRACES].join('|'), 'gim'),
  mayDefine: (text) => mayDefine(text) || text.includes('property name:') || text.includes('PROPERTY NAME:'),
  valueOf,
})

const SQLPLUS = syntax(
  [
    String.raw`^[ \t]*def(?:ine|in|i)?[ \t]+(?<set>\w+)[ \t]*=[ \t]*(?<value>[^\n]*?)${END}`,
    String.raw`^[ \t]*acc(?:ept|ep|e)?[ \t]+(?<asked>\w+)\b[^\n]*?\bdef(?:ault)?[ \t]+(?<answer>'[^'\n]*'|\S+)[^\n]*$`,
    String.raw`^[ \t]*undef(?:ine|in|i)?[ \t]+(?<unset>\w+)[^\n]*$`,
    String.raw`^[ \t]*set[ \t]+(?:[^\n]*?[ \t])?def(?:ine)?[ \t]+(?<switch>on|off)\b[^\n]*$`,
    String.raw`&&?(?<name>\w+)\.?`,
  ],
  (text) => /^[ \t]*(?:def|acc)/im.test(text),
  unquoted,
)

const SQLCMD = syntax(
  [
    String.raw`^[ \t]*:setvar[ \t]+(?<set>\w+)[ \t]+(?<value>"[^"\n]*"|\S[^\n]*?)[ \t\r]*$`,
    String.raw`\$\((?<name>\w+)\)`,
  ],
  (text) => text.includes(':setvar'),
  unquoted,
)

const PSQL = syntax(
  [
    String.raw`^[ \t]*\\set[ \t]+(?<set>\w+)[ \t]+(?<value>[^\n]*?)[ \t\r]*$`,
    String.raw`^[ \t]*\\unset[ \t]+(?<unset>\w+)[^\n]*$`,
    // Where psql fills nothing in: strings, names, comments, casts.
    String.raw`'[^']*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|\$(?<tag>\w*)\$[^]*?\$\k<tag>\$|::|\w:\w`,
    String.raw`:(?:(?<name>\w+)|'(?<literal>\w+)'|"(?<quoted>\w+)")`,
  ],
  (text) => text.includes('\\set'),
  psqlValue,
)

const SNOWSQL = syntax(
  [
    String.raw`^[ \t]*!define[ \t]+(?<set>\w+)[ \t]*=[ \t]*(?<value>[^\n]*?)${END}`,
    String.raw`&&|&(?:\{(?<quoted>\w+)\}|(?<name>\w+))`,
  ],
  (text) => text.includes('!define'),
  unquoted,
)

const SHELL = syntax(
  [String.raw`^[ \t]*set[ \t]+(?:hivevar:|hiveconf:|var:)?(?<set>[\w.]+)[ \t]*=[ \t]*(?<value>[^;\n]*?)${END}`],
  (text) => text.includes('${') && /^[ \t]*set[ \t]/im.test(text),
  unquoted,
)

function syntaxOf(dialect: Dialect): Syntax {
  if (dialect.name === 'exasol') return SQLPLUS
  switch (dialect.client) {
    case 'sqlplus':
      return SQLPLUS
    case 'sqlcmd':
      return SQLCMD
    case 'psql':
      return PSQL
    case 'snowsql':
      return SNOWSQL
    default:
      return SHELL
  }
}

/**
 * The text with its variables filled in, and the way back to every offset; undefined where that changes nothing.
 * @param known what is known before; what the text defines is added to it
 */
export function fillVariables(text: string, dialect: Dialect, known: ClientVariables): MappedText | undefined {
  const { pattern, mayDefine, valueOf } = syntaxOf(dialect)
  if (known.size === 0 && !mayDefine(text)) return undefined
  const filled = new MappedText()
  let end = 0
  let on = true
  for (const match of text.matchAll(pattern)) {
    const groups = match.groups!
    const set = groups.set ?? groups.asked ?? groups.property
    if (groups.property !== undefined) {
      // A line of Liquibase's, which is no comment in MySQL.
      filled.copy(text.slice(end, match.index), end)
      end = match.index + match[0].length
    }
    if (set !== undefined)
      define(known, set, fill(valueOf(groups.value ?? groups.answer ?? groups.held ?? ''), pattern, known))
    else if (groups.unset !== undefined) known.delete(groups.unset.toLowerCase())
    else if (groups.switch !== undefined) on = groups.switch.toLowerCase() === 'on'
    else if (on) {
      const value = valueIn(groups, dialect, known)
      if (value === undefined) continue
      filled.copy(text.slice(end, match.index), end)
      end = match.index + match[0].length
      filled.make(value, match.index, end)
    }
  }
  if (end === 0) return undefined
  filled.copy(text.slice(end), end)
  return filled
}

/**
 * Variables that have one and the same value wherever texts define them: a script that is called by another one, in
 * which they stand, knows them as well.
 */
export function sharedVariables(texts: Iterable<string>, dialect: Dialect): Record<string, string> {
  const shared = new Map<string, string | undefined>()
  for (const text of texts) {
    const own: ClientVariables = new Map()
    fillVariables(text, dialect, own)
    for (const [name, value] of own)
      shared.set(name, !shared.has(name) || shared.get(name) === value ? value : undefined)
  }
  return Object.fromEntries([...shared].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function valueIn(
  groups: Readonly<Record<string, string | undefined>>,
  dialect: Dialect,
  known: ClientVariables,
): string | undefined {
  const { name = groups.braced, literal, quoted } = groups
  const asked = name ?? literal ?? quoted
  const value = asked === undefined ? undefined : known.get(asked.toLowerCase())
  if (value === undefined) return undefined
  if (literal !== undefined) return `'${value.replaceAll("'", "''")}'`
  return quoted !== undefined && dialect.client === 'psql' ? `"${value}"` : value
}

/** A value that still names a variable is one that only the run tells. */
function define(known: ClientVariables, name: string, value: string): void {
  if (/[&:]\w|\$[({]/.test(value)) known.delete(name.toLowerCase())
  else known.set(name.toLowerCase(), value)
}

function fill(value: string, pattern: RegExp, known: ClientVariables): string {
  return value.replaceAll(pattern, (...found: unknown[]) => {
    const groups = found.at(-1) as Readonly<Record<string, string | undefined>>
    const name = groups.name ?? groups.braced ?? groups.quoted
    return (name === undefined ? undefined : known.get(name.toLowerCase())) ?? (found[0] as string)
  })
}

function unquoted(written: string): string {
  return /^(['"])(.*)\1$/.exec(written)?.[2] ?? written
}

/** psql puts its arguments together; quotes go, also the doubled ones inside. */
function psqlValue(written: string): string {
  return [...written.matchAll(/'((?:[^'\\]|''|\\.)*)'|(\S+)/g)]
    .map(([, text, bare]) => bare ?? text!.replaceAll("''", "'").replaceAll(/\\(.)/g, '$1'))
    .join('')
}
