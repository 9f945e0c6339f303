/**
 * Query logs: one row a statement, in the shape of the `sql-queries` source or of an export (`shape.ts`).
 *
 *     {"query": "insert into …", "timestamp": 1791165600.5, "user": "etl", "session_id": "b1",
 *      "downstream_tables": ["db.s.t"], "upstream_tables": ["db.s.u"]}
 *
 *     rows ─► entries ─► met before? counted, not read ─► a portion: sorted by time, by session ─► units
 *
 * A source is a file or a folder of files, in the order of their names; sessions go on from file to file. What is held
 * is one portion, the hashes of statements that were met, and the sessions' temporary tables: a log of any length fits.
 */
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openSource } from '../../client/source-file.ts'
import { SourceUnreadableError } from '../../client/source-http.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts'
import { decodeUtf8, WrongEncodingError } from '../../model/utf8.ts'
import { generalise } from '../../sql/workers/dedupe.ts'
import { NoSqlFoundError } from '../errors.ts'
import { DIALECTS, type NameRules, type NamingDefaults, type RuleBook } from '../naming.ts'
import { fitsAny } from '../path-pattern.ts'
import type {
  DeclaredLineage,
  RepeatedEntry,
  SourceDoubt,
  SourcePortion,
  SourcePosition,
  SourceReject,
  SqlText,
} from '../sql-unit.ts'
import { utcTimeOf } from '../utc-time.ts'
import { FingerprintSet, hash64 } from './fingerprint-set.ts'
import { logRows, type LogRow } from './rows.ts'
import { Sessions, type CarriedSession, type ReadEntry } from './sessions.ts'
import { valueAt, type LogField, type LogShape } from './shape.ts'

export interface QueryLogOptions {
  readonly source: string
  readonly shape: LogShape
  readonly rules: RuleBook
  /** Of a file of the log, relative to the naming file. */
  readonly pathOf: (file: string) => string
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  readonly pauseMs: number
  readonly isTemporary: (table: string, rules: NameRules) => boolean
  /** Where an earlier run came to, by file; empty for the whole log. */
  readonly positions: ReadonlyMap<string, SourcePosition>
  readonly carried: readonly CarriedSession[]
  /** Handed what a later run must know to go on with the sessions. */
  readonly onCarried: (carried: readonly CarriedSession[]) => void
  /** Told of each statement that was met before, where each time counts; false where it must be read again. */
  readonly onRepeated?: ((repeated: Pick<RepeatedEntry, 'statement' | 'text'>) => boolean) | undefined
  readonly signal: AbortSignal
}

/** Entries of a portion, and rows after which it ends all the same. */
const ENTRIES_A_PORTION = 5000
const ROWS_A_PORTION = 50_000
const CHARS_A_PORTION = 8 * 1024 * 1024
/** Bytes by which a file is known again. */
const HEAD_BYTES = 4096
const LOG_FILE = /\.(ndjson|jsonl|json|csv|tsv|log)(\.gz)?$/i

/** @throws NoSqlFoundError, SourceUnreadableError, WrongEncodingError, PlatformUnknownError */
export async function* queryLog(options: QueryLogOptions): AsyncGenerator<SourcePortion> {
  const { pauseMs, isTemporary, carried } = options
  const sessions = new Sessions({ pauseMs, isTemporary }, carried)
  const portion = new LogPortion(sessions, options.onRepeated)
  const files = await logFiles(options)
  for (const location of files) {
    try {
      yield* readLog(location, portion, options)
    } catch (error) {
      // One bad file of a folder does not sink the rest; a source that is that file is refused as a whole.
      if (files.length === 1 || !(error instanceof WrongEncodingError || error instanceof SourceUnreadableError))
        throw error
      portion.addUnreadable(basename(location), error)
    }
    // A position belongs to one file.
    if (!portion.isEmpty) yield portion.take()
  }
  options.onCarried(sessions.carried)
}

/** By the name of a file. */
export function isQueryLog(source: string): boolean {
  return LOG_FILE.test(source) && !/(^|\/)manifest\.json$/i.test(source)
}

async function logFiles({ source, include, exclude = [] }: QueryLogOptions): Promise<readonly string[]> {
  if (source === '-' || /^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return [source]
  const found = await stat(source).catch(() => undefined)
  if (found?.isDirectory() !== true) return [source]
  const names = (await readdir(source)).filter((name) =>
    include === undefined ? LOG_FILE.test(name) : fitsAny(name, include),
  )
  const files = names.filter((name) => !fitsAny(name, exclude)).toSorted((a, b) => (a < b ? -1 : 1))
  if (files.length === 0) throw new NoSqlFoundError(source)
  return files.map((name) => join(source, name))
}

async function* readLog(
  location: string,
  portion: LogPortion,
  options: QueryLogOptions,
): AsyncGenerator<SourcePortion> {
  const { signal, shape, rules, pathOf } = options
  const file = location === '-' ? 'stdin' : basename(location)
  const path = pathOf(location)
  const head = await headOf(location, signal)
  const former = options.positions.get(file)
  const from =
    former !== undefined && head !== undefined && former.head === head.hashOf(former.bytes) ? former : undefined
  portion.continues = from === undefined ? undefined : file
  const start = { bytes: from?.bytes ?? 0, lines: from?.lines ?? 0 }
  const text = decodeUtf8(openSource(location, signal, start.bytes), file)
  const rows = logRows(text, {
    header: shape.header,
    start,
    ...(start.bytes === 0 ? {} : { firstLine: head?.firstLine }),
  })
  for await (const row of rows) {
    portion.addRow(row, { file, shape, rulesOf: (own) => rules.rulesFor(path, own) })
    const { bytes } = row
    if (bytes !== undefined && head !== undefined) {
      portion.position = () => ({ file, bytes, lines: row.line, head: head.hashOf(bytes) })
    }
    if (portion.isFull) yield portion.take()
  }
}

/** The beginning of a local file; undefined for what cannot be read twice. */
async function headOf(
  location: string,
  signal: AbortSignal,
): Promise<{ readonly firstLine: string; hashOf(bytes: number): string } | undefined> {
  if (location === '-' || /^[a-z][a-z0-9+.-]+:\/\//i.test(location)) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of openSource(location, signal)) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= HEAD_BYTES) break
  }
  const head = Buffer.concat(chunks).subarray(0, HEAD_BYTES)
  // Offsets are counted behind a byte order mark.
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return undefined
  const firstLine = head.toString('utf8').split('\n', 1)[0] ?? ''
  return {
    firstLine,
    // Of what was read: a file that was shorter then is known by all of it.
    hashOf: (bytes) => createHash('sha256').update(head.subarray(0, bytes)).digest('base64url').slice(0, 22),
  }
}

interface RowContext {
  readonly file: string
  readonly shape: LogShape
  readonly rulesOf: (own: NamingDefaults) => NameRules
}

/** What is gathered until it is handed on. */
class LogPortion {
  readonly #sessions: Sessions
  readonly #met = new FingerprintSet()
  #entries: ReadEntry[] = []
  /** The last statement of each session, where the log tells of failures afterwards. */
  readonly #held = new Map<string, { readonly entry: StatedEntry; readonly file: string }>()
  #declared: DeclaredLineage[] = []
  #rejected: SourceReject[] = []
  #doubts: SourceDoubt[] = []
  #duplicates = 0
  #skipped = 0
  #rows = 0
  #chars = 0
  /** Latest time that was handed on; what is older comes too late to be sorted in. */
  #handedOnMs = Number.NEGATIVE_INFINITY
  #newestMs = Number.NEGATIVE_INFINITY
  #late = 0
  #timesUnread = 0
  /** Statements of this portion that wait to be read, and the entries that run them again, where each counts. */
  readonly #unread = new Set<string>()
  #repeated: RepeatedEntry[] = []
  position: (() => SourcePosition) | undefined
  /** The file, where an earlier run read its beginning. */
  continues: string | undefined
  readonly #onRepeated: QueryLogOptions['onRepeated']

  constructor(sessions: Sessions, onRepeated: QueryLogOptions['onRepeated']) {
    this.#sessions = sessions
    this.#onRepeated = onRepeated
  }

  get isEmpty(): boolean {
    return this.#rows === 0
  }

  get isFull(): boolean {
    const read = this.#entries.length + this.#repeated.length + this.#declared.length
    const held = read + this.#rejected.length + this.#held.size
    return held >= ENTRIES_A_PORTION || this.#rows >= ROWS_A_PORTION || this.#chars >= CHARS_A_PORTION
  }

  addRow(row: LogRow, context: RowContext): void {
    this.#rows++
    const failed = typeof row.row === 'string' ? undefined : context.shape.failureOf?.(row.row)
    if (failed !== undefined) this.#dropFailed(failed)
    const read = readEntry(row, context)
    if (read === 'skipped') this.#skipped++
    else if ('code' in read) this.#rejected.push(read)
    else if (context.shape.failureOf === undefined || read.sessionId === undefined) this.#addEntry(read, context.file)
    else this.#hold(read, context.file)
  }

  /** Until its session says something else it may still turn out to have failed. */
  #hold(entry: StatedEntry, file: string): void {
    const session = entry.sessionId ?? ''
    this.#letGo(session)
    this.#held.set(session, { entry, file })
  }

  #dropFailed({ session, query }: { readonly session: string; readonly query: string }): void {
    if (this.#held.get(session)?.entry.text.sql.trim() !== query.trim()) return
    this.#held.delete(session)
    this.#skipped++
  }

  #letGo(session: string): void {
    const held = this.#held.get(session)
    this.#held.delete(session)
    if (held !== undefined) this.#addEntry(held.entry, held.file)
  }

  /** What stands in the file behind its good lines is lost. */
  addUnreadable(file: string, error: WrongEncodingError | SourceUnreadableError): void {
    this.#rows++
    const { code, message } = error
    const line = error instanceof WrongEncodingError ? (error.place.line ?? 1) : 1
    this.#rejected.push({ code, message, file, line, record: '' })
  }

  #addEntry({ text, rules, sessionId, upstreams, downstreams }: StatedEntry, file: string): void {
    this.#watchTime(text, file)
    const stated = [upstreams.join(','), downstreams.join(',')].join('>')
    const hash = hash64(`${ruleKey(rules)}${stated}\u0000${generalise(text.sql)}`)
    const isMet = this.#met.meetHash(hash) && !this.#sessions.wouldBind(text, rules, sessionId)
    if (isMet && this.#onRepeated === undefined) {
      this.#duplicates++
      return
    }
    if (upstreams.length > 0 && downstreams.length > 0) {
      this.#chars += text.sql.length
      this.#declared.push({ text, rules, upstreams, downstreams })
      return
    }
    const statement = this.#onRepeated === undefined ? undefined : hash.join(' ')
    if (isMet && statement !== undefined && this.#onRepeated?.({ statement, text }) === true) {
      this.#duplicates++
      return
    }
    this.#chars += text.sql.length
    if (isMet && statement !== undefined && this.#unread.has(statement)) {
      this.#repeated.push({ statement, text, rules })
      return
    }
    if (statement !== undefined) this.#unread.add(statement)
    this.#entries.push({ text, rules, sessionId, statement })
  }

  #watchTime({ timeMs, line, unreadTime }: SqlText, file: string): void {
    if (unreadTime !== undefined && this.#timesUnread++ === 0) {
      const message = `${unreadTime} is no time that is understood: such entries count in the order in which they stand, and for no usage; write ISO 8601 or seconds since 1970`
      this.#doubts.push({ code: 'TIME_UNREADABLE', message, file, line })
    }
    if (timeMs === undefined) return
    this.#newestMs = Math.max(this.#newestMs, timeMs)
    if (timeMs >= this.#handedOnMs) return
    if (this.#late++ > 0) return
    const message =
      'entries stand in the log long after later ones: sort it by time, where sessions make temporary tables'
    this.#doubts.push({ code: 'OUT_OF_ORDER', message, file, line })
  }

  take(): SourcePortion {
    for (const session of this.#held.keys()) this.#letGo(session)
    const units = this.#sessions.unitsOf(this.#entries)
    const portion = {
      units,
      declared: this.#declared,
      rejected: this.#rejected,
      duplicates: this.#duplicates,
      repeated: this.#repeated,
      skipped: this.#skipped,
      doubts: this.#doubts,
      ...(this.position === undefined ? {} : { position: this.position() }),
      ...(this.continues === undefined ? {} : { continues: this.continues }),
    }
    this.#handedOnMs = this.#newestMs
    this.#entries = []
    this.#repeated = []
    this.#unread.clear()
    this.#declared = []
    this.#rejected = []
    this.#doubts = []
    this.#duplicates = this.#skipped = this.#rows = this.#chars = 0
    this.position = undefined
    return portion
  }
}

const ruleKeys = new WeakMap<NameRules, string>()

function ruleKey(rules: NameRules): string {
  const known = ruleKeys.get(rules)
  if (known !== undefined) return known
  const key = Object.values(rules).join('\u0000')
  ruleKeys.set(rules, key)
  return key
}

type StatedEntry = ReadEntry & { readonly upstreams: readonly string[]; readonly downstreams: readonly string[] }

function readEntry({ row, line, text: record }: LogRow, context: RowContext): StatedEntry | SourceReject | 'skipped' {
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
