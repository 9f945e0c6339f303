/**
 * The golden suite's file format: SQL above, edges below, several cases a file. The file's name is the construct.
 *
 *     -- case: a CTE renames a column
 *     -- dialect: bigquery, postgres
 *     -- table: raw.orders (id, amount)
 *     INSERT INTO mart.daily (total) WITH o AS (SELECT amount AS a FROM raw.orders) SELECT a FROM o;
 *     -- expect: mart.daily.total <- raw.orders.amount
 *
 * Before the SQL: `case`, `dialect` (each is run; `all`, `all but mysql, hive`), `table` (a known schema), `profile`, `default` (`database.schema`, the
 * database alone with a trailing dot, the schema alone without any), `note`.
 * After the SQL:
 * - `expect: T.C <- U.C KIND, U.C` one line an output column; `nothing` for an output without sources; a downstream
 *   without a table is an output of a bare query; `?` stands for an output whose name is not fixed. KIND is optional.
 *   A trailing `[matched]` is the branch of a MERGE.
 * - `inputs:` and `outputs:` where they differ from the tables that the edges name; `nothing` for none.
 * - `intermediates:`, `indirect: FILTER t.c, JOIN t.d`, `statements: ctas, insert`, compared where they are given.
 * - `diagnostic: CODE` one line a diagnostic of severity warning or error that must be there; none is allowed unannounced.
 *
 * Names are plain; a part that holds a dot, a space or a comma stands in double quotes.
 */
import { DIALECTS, type DialectName, type Profile } from '../../../src/sql/types.ts'

export interface GoldenName {
  readonly table: string | null
  readonly column: string
}

export interface GoldenUpstream extends GoldenName {
  readonly kind?: string
}

export interface GoldenEdge {
  readonly downstream: GoldenName
  readonly upstreams: readonly GoldenUpstream[]
  readonly branch?: string
}

export interface GoldenCase {
  readonly file: string
  /** Line of `-- case:`, from 1. */
  readonly line: number
  readonly construct: string
  readonly title: string
  readonly dialects: readonly DialectName[]
  readonly profile: Profile
  readonly defaultDatabase?: string
  readonly defaultSchema?: string
  readonly schemas: Readonly<Record<string, readonly string[]>>
  readonly sql: string
  readonly edges: readonly GoldenEdge[]
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly intermediates?: readonly string[]
  readonly indirect?: readonly GoldenUpstream[]
  readonly statements?: readonly string[]
  readonly diagnostics: readonly string[]
}

/** Reads the cases of one file. @throws Error with file and line where the text breaks the format */
export function parseGolden(file: string, construct: string, text: string): GoldenCase[] {
  const lines = text.split('\n')
  const starts = lines.flatMap((line, i) => (line.startsWith('-- case:') ? [i] : []))
  return starts.map((start, n) => {
    const end = starts[n + 1] ?? lines.length
    return parseCase({ file, construct, start }, lines.slice(start, end))
  })
}

interface Origin {
  readonly file: string
  readonly construct: string
  readonly start: number
}

const HEADER = new Set(['case', 'dialect', 'table', 'profile', 'default', 'note'])
const EXPECTATION = new Set(['expect', 'inputs', 'outputs', 'intermediates', 'indirect', 'statements', 'diagnostic'])

interface Directive {
  readonly key: string
  readonly value: string
}

function parseCase(origin: Origin, lines: readonly string[]): GoldenCase {
  const directives: Directive[] = []
  const sql: string[] = []
  let after = false
  lines.forEach((line, i) => {
    const directive = readDirective(line)
    const keys = after || sql.length > 0 ? EXPECTATION : HEADER
    if (directive !== undefined && keys.has(directive.key)) {
      directives.push(directive)
      after = after || EXPECTATION.has(directive.key)
    } else if (!after && (sql.length > 0 || line.trim() !== '')) sql.push(line)
    else if (line.trim() !== '') throw new Error(`${origin.file}:${origin.start + i + 1}: text after the expectations`)
  })
  try {
    return assemble(origin, directives, sql.join('\n').trim())
  } catch (error) {
    throw new Error(`${origin.file}:${origin.start + 1}: ${String(error)}`, { cause: error })
  }
}

function readDirective(line: string): Directive | undefined {
  const match = /^-- ([a-z]+):(?: (.*))?$/.exec(line.trimEnd())
  return match === null ? undefined : { key: match[1] ?? '', value: (match[2] ?? '').trim() }
}

function assemble(origin: Origin, directives: readonly Directive[], sql: string): GoldenCase {
  const all = (key: string): string[] => directives.filter((d) => d.key === key).map((d) => d.value)
  const one = (key: string): string | undefined => all(key)[0]
  const edges = all('expect').map(readEdge)
  if (sql === '') throw new Error('no SQL')
  const upstreamTables = edges.flatMap((edge) => edge.upstreams.flatMap((up) => up.table ?? []))
  const downstreamTables = edges.flatMap((edge) => edge.downstream.table ?? [])
  const intermediates = one('intermediates')
  const indirect = one('indirect')
  const statements = one('statements')
  return {
    file: origin.file,
    line: origin.start + 1,
    construct: origin.construct,
    title: one('case') ?? '',
    dialects: readDialects(one('dialect') ?? 'ansi'),
    profile: (one('profile') ?? 'datahub') as Profile,
    ...readDefault(one('default')),
    schemas: Object.fromEntries(all('table').map(readTable)),
    sql,
    edges,
    inputs: readTables(one('inputs')) ?? unique(upstreamTables),
    outputs: readTables(one('outputs')) ?? unique(downstreamTables),
    ...(intermediates === undefined ? {} : { intermediates: readTables(intermediates) ?? [] }),
    ...(indirect === undefined ? {} : { indirect: splitList(indirect).map(readIndirect) }),
    ...(statements === undefined ? {} : { statements: splitList(statements) }),
    diagnostics: all('diagnostic'),
  }
}

/** `a, b`, `all`, or `all but a, b`. */
function readDialects(text: string): DialectName[] {
  const [, but] = /^all(?: but (.*))?$/.exec(text) ?? []
  const named = splitList(text.startsWith('all') ? (but ?? '') : text).map(readDialect)
  return text.startsWith('all') ? DIALECTS.filter((dialect) => !named.includes(dialect)) : named
}

function readDialect(name: string): DialectName {
  const dialect = DIALECTS.find((known) => known === name)
  if (dialect === undefined) throw new Error(`unknown dialect ${name}`)
  return dialect
}

function readDefault(text: string | undefined): { defaultDatabase?: string; defaultSchema?: string } {
  if (text === undefined) return {}
  const [database = '', schema] = text.includes('.') ? text.split('.') : ['', text]
  return {
    ...(database === '' ? {} : { defaultDatabase: database }),
    ...(schema === undefined || schema === '' ? {} : { defaultSchema: schema }),
  }
}

function readTable(text: string): [string, string[]] {
  const match = /^(.*?)\s*\((.*)\)$/.exec(text)
  if (match === null) throw new Error(`a table reads name (column, column): ${text}`)
  return [nameParts(match[1] ?? '').join('.'), splitList(match[2] ?? '').map((name) => nameParts(name).join('.'))]
}

function readTables(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  return text === 'nothing' ? [] : splitList(text).map((name) => nameParts(name).join('.'))
}

function readEdge(text: string): GoldenEdge {
  const match = /^(.*?)\s*<-\s*(.*?)(?:\s*\[([a-z-]+)\])?$/.exec(text)
  if (match === null) throw new Error(`an edge reads T.C <- U.C, U.C: ${text}`)
  const sources = match[2] ?? ''
  return {
    downstream: readName(match[1] ?? ''),
    upstreams: sources === 'nothing' ? [] : splitList(sources).map(readUpstream),
    ...(match[3] === undefined ? {} : { branch: match[3] }),
  }
}

function readUpstream(text: string): GoldenUpstream {
  const match = /^(.*?)(?: (IDENTITY|TRANSFORMED|AGGREGATED))?$/.exec(text)
  const kind = match?.[2]
  return { ...readName(match?.[1] ?? text), ...(kind === undefined ? {} : { kind }) }
}

function readIndirect(text: string): GoldenUpstream {
  const [kind = '', ...name] = text.split(' ')
  return { ...readName(name.join(' ')), kind }
}

function readName(text: string): GoldenName {
  const parts = nameParts(text)
  const column = parts.pop() ?? ''
  return { table: parts.length === 0 ? null : parts.join('.'), column }
}

/** Splits at dots outside double quotes; the quotes go. */
function nameParts(text: string): string[] {
  return (text.trim().match(/"[^"]*"|[^."]+/g) ?? []).map((part) => part.replaceAll('"', ''))
}

function splitList(text: string): string[] {
  return (text.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '')
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
