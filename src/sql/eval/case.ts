/** A case of a stream: SQL with what is known beside it, and perhaps the answer that is expected. */
import { isJsonObject } from '../../model/json.ts'
import type { LineageOptions, Profile } from '../types.ts'
import { schemaFromTables } from './schema.ts'

export interface LineageCase {
  readonly id: string | number | null
  readonly dialect: string
  /** Texts that run in order in one session. */
  readonly sql: string | readonly string[]
  readonly schemas: Readonly<Record<string, readonly string[]>>
  readonly defaultDatabase?: string
  readonly defaultSchema?: string
  /** Queries by name, read as if each were a CTE of every statement. */
  readonly views?: Readonly<Record<string, string>>
  readonly lateralColumnAliases?: boolean
  /** Where the case is from; decides its profile and its row in the scores. */
  readonly source?: string
  /** What the case shows, for scores by construct. */
  readonly construct?: string
  readonly expectedTables?: { readonly sources: readonly string[]; readonly targets: readonly string[] }
  readonly expectedColumns?: readonly ExpectedColumn[]
  readonly partialColumns: boolean
  readonly ignoreSelf: boolean
}

/** `target` and `sources` as the case writes them: `table.column`, `?.column`, `-.column`. */
export interface ExpectedColumn {
  readonly target: string
  readonly sources: readonly string[]
}

/** A line that is no case: what is wrong with it, and the id where one could be read. */
export interface BadCase {
  readonly id: string | number | null
  readonly error: string
}

export type CaseReading =
  { readonly ok: true; readonly value: LineageCase } | { readonly ok: false; readonly bad: BadCase }

/** Reads one line of a case file. Never throws. */
export function readCase(line: string): CaseReading {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch (error) {
    return { ok: false, bad: { id: null, error: `the line is not JSON: ${String(error).slice(0, 200)}` } }
  }
  if (!isJsonObject(json)) return { ok: false, bad: { id: null, error: 'the line is not a JSON object' } }
  const raw: Raw = json
  const id = typeof raw['id'] === 'string' || typeof raw['id'] === 'number' ? raw['id'] : null
  const sql = text(raw['sql']) ?? texts(raw['sql'])
  if (sql === undefined) return { ok: false, bad: { id, error: '"sql" must be a string or a list of strings' } }
  return { ok: true, value: { id, sql, ...contextOf(raw), ...expectationOf(raw) } }
}

/** The engine's options for a case. */
export function caseOptions(one: LineageCase, profile: Profile): LineageOptions {
  return {
    dialect: one.dialect,
    profile,
    schema: schemaFromTables(one.schemas),
    ...(one.defaultDatabase === undefined ? {} : { defaultDatabase: one.defaultDatabase }),
    // A case says all of its defaults.
    defaultSchema: one.defaultSchema ?? null,
    ...(one.views === undefined ? {} : { views: one.views }),
    ...(one.lateralColumnAliases === undefined ? {} : { lateralColumnAliases: one.lateralColumnAliases }),
  }
}

type Raw = Readonly<Record<string, unknown>>
type Expectation = Pick<LineageCase, 'expectedTables' | 'expectedColumns' | 'partialColumns' | 'ignoreSelf'>

function contextOf(raw: Raw): Omit<LineageCase, 'id' | 'sql' | keyof Expectation> {
  const defaults: Raw = isJsonObject(raw['defaults']) ? raw['defaults'] : {}
  const { db, schema } = defaults
  return {
    dialect: text(raw['dialect']) ?? 'ansi',
    schemas: mapOf(raw['schemas'], texts),
    ...(typeof db === 'string' ? { defaultDatabase: db } : {}),
    ...(typeof schema === 'string' ? { defaultSchema: schema } : {}),
    ...(isJsonObject(raw['views']) ? { views: mapOf(raw['views'], text) } : {}),
    ...(mentions(raw['notes'], 'lateral_column_alias_reference') ? { lateralColumnAliases: true } : {}),
    ...(typeof raw['source'] === 'string' ? { source: raw['source'] } : {}),
    ...(typeof raw['construct'] === 'string' ? { construct: raw['construct'] } : {}),
  }
}

function expectationOf(raw: Raw): Expectation {
  const tables = raw['expected_tables']
  const columns = raw['expected_columns']
  return {
    ...(isJsonObject(tables)
      ? { expectedTables: { sources: texts(tables['sources']) ?? [], targets: texts(tables['targets']) ?? [] } }
      : {}),
    ...(Array.isArray(columns) ? { expectedColumns: columns.flatMap(expectedColumn) } : {}),
    partialColumns: raw['partial_columns'] === true,
    ignoreSelf: raw['ignore_self'] === true,
  }
}

function expectedColumn(raw: unknown): ExpectedColumn[] {
  if (!isJsonObject(raw)) return []
  const target = text(raw['target'])
  return target === undefined ? [] : [{ target, sources: texts(raw['sources']) ?? [] }]
}

function mapOf<T>(raw: unknown, read: (value: unknown) => T | undefined): Record<string, T> {
  const entries = isJsonObject(raw) ? Object.entries(raw) : []
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const decoded = read(value)
      return decoded === undefined ? [] : [[key, decoded]]
    }),
  )
}

function text(raw: unknown): string | undefined {
  return typeof raw === 'string' ? raw : undefined
}

function texts(raw: unknown): string[] | undefined {
  return Array.isArray(raw) ? raw.filter((item) => typeof item === 'string') : undefined
}

function mentions(raw: unknown, word: string): boolean {
  return JSON.stringify(raw ?? null).includes(word)
}
