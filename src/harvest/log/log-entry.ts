/** One row of a log as the statement that it tells of, or what is wrong with it. */
import { type LogField, type LogShape, valueAt } from './shape.ts'
import { DIALECTS, type NameRules, type NamingDefaults } from '../naming.ts'
import type { ReadEntry } from './sessions.ts'
import type { LogRow } from './rows.ts'
import type { SourceReject, SqlText } from '../sql-unit.ts'
import { type JsonObject, type JsonValue, isJsonObject } from '../../model/json.ts'
import { utcTimeOf } from '../utc-time.ts'

export interface RowContext {
  readonly file: string
  readonly shape: LogShape
  readonly rulesOf: (own: NamingDefaults) => NameRules
}

export type StatedEntry = ReadEntry & { readonly upstreams: readonly string[]; readonly downstreams: readonly string[] }

export function readEntry(
  { row, line, text: record }: LogRow,
  context: RowContext,
): StatedEntry | SourceReject | 'skipped' {
  const { file, shape, rulesOf } = context
  const reject = (message: string): SourceReject => ({
    code: 'LOG_ENTRY_INVALID',
    message,
    file,
    line,
    record: record.slice(0, 2000),
  })
  if (typeof row === 'string') return reject(row)
  if (shape.isDone !== undefined && !shape.isDone(row)) return 'skipped'
  const at = (field: LogField): JsonValue | undefined => {
    const column = shape.columns[field]
    return column === undefined ? undefined : (valueAt(row, column) ?? undefined)
  }
  const query = at('query')
  if (typeof query !== 'string') return reject(`the entry has no text "${shape.columns.query ?? 'query'}"`)
  const sql = shape.statementOf === undefined ? query : shape.statementOf(query)
  if (sql === undefined || sql.trim() === '') return 'skipped'
  const upstreams = namesIn(at('upstream_tables'))
  const downstreams = namesIn(at('downstream_tables'))
  if (upstreams === undefined || downstreams === undefined) {
    return reject('upstream_tables and downstream_tables must be lists of names')
  }
  const own = ownRules(at)
  if (typeof own === 'string') return reject(own)
  const stamp = at('timestamp')
  const timeMs = timeOf(stamp)
  const user = wordOf(at('user'))?.replace(/^urn:li:corpuser:/, '')
  const operation = wordOf(at('operation_type'))
  const text: SqlText = {
    sql,
    file,
    line,
    wholeFile: false,
    ...(timeMs === undefined ? {} : { timeMs }),
    ...(timeMs === undefined && stamp !== undefined && stamp !== '' ? { unreadTime: JSON.stringify(stamp) } : {}),
    ...(user === undefined ? {} : { user }),
    ...(operation === undefined ? {} : { operation }),
  }
  return { text, rules: rulesOf(own), sessionId: wordOf(at('session_id')), upstreams, downstreams }
}

/** What the row says of its own names, or what is wrong with it. */
function ownRules(at: (field: LogField) => JsonValue | undefined): NamingDefaults | string {
  const dialect = wordOf(at('dialect'))?.toLowerCase()
  const known = DIALECTS.find((name) => name === dialect)
  if (dialect !== undefined && known === undefined) return `${JSON.stringify(dialect)} is no dialect`
  const own = {
    platform: wordOf(at('platform'))?.replace(/^urn:li:dataPlatform:/, ''),
    instance: wordOf(at('instance')),
    env: wordOf(at('env')),
    database: wordOf(at('database')),
    schema: wordOf(at('schema')),
    dialect: known,
  }
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
}

function wordOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Absent, null and empty are none; a list may stand as JSON in a text; anything else is undefined. */
function namesIn(value: JsonValue | undefined): readonly string[] | undefined {
  const list = typeof value === 'string' && /^\s*(\[[^]*)?$/.test(value) ? parsedList(value) : (value ?? [])
  if (!Array.isArray(list)) return undefined
  return list.flatMap((item: JsonValue) => {
    if (typeof item === 'string') return item === '' ? [] : [item]
    // Snowflake and BigQuery list objects.
    return isJsonObject(item) ? (nameOfObject(item) ?? []) : []
  })
}

function parsedList(text: string): JsonValue | undefined {
  if (text.trim() === '') return []
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

function nameOfObject(item: JsonObject): string | undefined {
  const whole = item['objectName'] ?? item['name']
  if (typeof whole === 'string') return whole
  const parts = ['project_id', 'dataset_id', 'table_id'].map((key) => item[key])
  return parts.every((part) => typeof part === 'string') ? parts.join('.') : undefined
}

/** Seconds since the epoch (milliseconds and microseconds are told by their size), or a date as text. */
function timeOf(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof number === 'number') {
    const seconds = number > 1e14 ? number / 1e6 : number > 1e11 ? number / 1e3 : number
    return Math.round(seconds * 1000)
  }
  if (typeof value !== 'string') return undefined
  return utcTimeOf(value)
}
