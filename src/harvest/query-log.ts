/**
 * A query log: one JSON object a line, in the shape of the `sql-queries` source. Entries of one session run in order;
 * entries are assumed to stand in the order of their time.
 *
 *     {"query": "insert into …", "timestamp": 1791165600.5, "user": "etl", "session_id": "b1",
 *      "downstream_tables": ["db.s.t"], "upstream_tables": ["db.s.u"]}
 *
 * Most entries stand for themselves. Only sessions that make temporary tables or move to another database or schema are
 * read together; what they made is carried over to the next portion.
 */
import { basename } from 'node:path'
import { openSource } from '../client/source-file.ts'
import { isJsonObject, numberAt, textAt, type JsonObject, type JsonValue } from '../model/json.ts'
import { linesOf } from '../model/lines.ts'
import { decodeUtf8 } from '../model/utf8.ts'
import type { NameRules } from './naming.ts'
import type { DeclaredLineage, SourcePortion, SourceReject, SqlText, SqlUnit } from './sql-unit.ts'

export interface QueryLogOptions {
  readonly source: string
  readonly rules: NameRules
  readonly signal: AbortSignal
}

const ENTRIES_A_PORTION = 5000
/** Sessions whose state is carried over, and statements of each; the oldest go first. */
const SESSIONS_CARRIED = 10_000
const STATEMENTS_CARRIED = 50

/** Statements that change what the next ones of the session mean. */
const STATEFUL =
  /\b(create|declare)\b[^;]{0,80}\b(temp|temporary|volatile|transient\s+temporary)\b|\binto\s+#|\btable\s+#|\b(global|local)\s+temporary\b|^\s*(use|set\s+search_path)\b/i

interface Entry {
  readonly text: SqlText
  readonly session: string
}

/** @throws SourceUnreadableError, WrongEncodingError */
export async function* queryLog(options: QueryLogOptions): AsyncGenerator<SourcePortion> {
  const { source, rules, signal } = options
  const file = source === '-' ? 'stdin' : basename(source)
  const carried = new Map<string, readonly SqlText[]>()
  let portion = { entries: [] as Entry[], declared: [] as DeclaredLineage[], rejected: [] as SourceReject[] }
  let line = 0
  for await (const lineText of linesOf(decodeUtf8(openSource(source, signal), file))) {
    line++
    if (lineText.trim() === '') continue
    const read = readEntry(lineText, file, line)
    if ('code' in read) portion.rejected.push(read)
    else if (read.upstreams.length > 0 && read.downstreams.length > 0) portion.declared.push({ ...read, rules })
    else portion.entries.push(read)
    if (portion.entries.length + portion.declared.length + portion.rejected.length < ENTRIES_A_PORTION) continue
    yield { ...portion, units: unitsOf(portion.entries, rules, carried) }
    portion = { entries: [], declared: [], rejected: [] }
  }
  yield { ...portion, units: unitsOf(portion.entries, rules, carried) }
}

type ReadEntry = Entry & { readonly upstreams: readonly string[]; readonly downstreams: readonly string[] }

function readEntry(lineText: string, file: string, line: number): ReadEntry | SourceReject {
  const entry = parseLenient(lineText)
  const sql = textAt(entry, 'query')
  const reject = (message: string): SourceReject => ({
    code: 'LOG_ENTRY_INVALID',
    message,
    file,
    line,
    record: lineText.slice(0, 2000),
  })
  if (!isJsonObject(entry)) return reject('the line is not a JSON object')
  if (sql === undefined) return reject('the entry has no text "query"')
  const upstreams = namesAt(entry, 'upstream_tables')
  const downstreams = namesAt(entry, 'downstream_tables')
  if (upstreams === undefined || downstreams === undefined) {
    return reject('upstream_tables and downstream_tables must be lists of names')
  }
  const timeMs = timeOf(entry['timestamp'])
  const user = textAt(entry, 'user')
  const text: SqlText = {
    sql,
    file,
    line,
    wholeFile: false,
    ...(timeMs === undefined ? {} : { timeMs }),
    ...(user === undefined || user === '' ? {} : { user }),
  }
  return { text, session: textAt(entry, 'session_id') ?? '', upstreams, downstreams }
}

/** Control characters inside of strings are let through, as the neighbours' reader does. */
function parseLenient(line: string): JsonValue | undefined {
  for (const text of [line, line.replaceAll('\t', '\\t').replaceAll(/\p{Cc}/gu, ' ')]) {
    try {
      return JSON.parse(text) as JsonValue
    } catch {
      continue
    }
  }
  return undefined
}

/** Absent, null and empty are none; anything but a list of texts is undefined. */
function namesAt(entry: JsonObject, key: string): readonly string[] | undefined {
  const value = entry[key] ?? []
  if (!Array.isArray(value)) return undefined
  return value.filter((item) => typeof item === 'string' && item !== '')
}

/** Seconds since the epoch, or a date as text. */
function timeOf(value: JsonValue | undefined): number | undefined {
  const seconds = numberAt({ value: value ?? null }, 'value')
  if (seconds !== undefined) return Math.round(seconds * 1000)
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(parsed) ? undefined : parsed
}

function unitsOf(
  entries: readonly Entry[],
  rules: NameRules,
  carried: Map<string, readonly SqlText[]>,
): readonly SqlUnit[] {
  const units: SqlUnit[] = []
  for (const [session, group] of Map.groupBy(entries, (entry) => entry.session)) {
    const texts = group.map((entry) => entry.text)
    const before = carried.get(session) ?? []
    const stateful = texts.filter((text) => STATEFUL.test(text.sql))
    if (before.length + stateful.length === 0) units.push(...texts.map((text) => ({ texts: [text], rules })))
    else units.push({ texts: [...before.map(asCarried), ...texts], rules })
    if (stateful.length > 0) {
      carried.delete(session)
      carried.set(session, [...before, ...stateful].slice(-STATEMENTS_CARRIED))
    }
  }
  for (const session of carried.keys()) {
    if (carried.size <= SESSIONS_CARRIED) break
    carried.delete(session)
  }
  return units
}

/** Read again for what it does to the session; it was counted in its own portion. */
function asCarried(text: SqlText): SqlText {
  return { ...text, line: 0 }
}
