/** Rows of a log gathered until they are handed on: what was met before, what may still turn out to have failed, what comes late. */
import type { ReadEntry, Sessions } from './sessions.ts'
import { FingerprintSet, hash64 } from './fingerprint-set.ts'
import { type RowContext, type StatedEntry, readEntry } from './log-entry.ts'
import type {
  DeclaredLineage,
  RepeatedEntry,
  SourceDoubt,
  SourcePortion,
  SourcePosition,
  SourceReject,
  SqlText,
} from '../sql-unit.ts'
import type { LogRow } from './rows.ts'
import { WrongEncodingError } from '../../model/utf8.ts'
import type { SourceUnreadableError } from '../../client/source-http.ts'
import { generalise } from '../../sql/workers/dedupe.ts'
import type { NameRules } from '../naming.ts'
import type { QueryLogOptions } from './query-log.ts'

/** Entries of a portion, and rows after which it ends all the same. */
const ENTRIES_A_PORTION = 5000
const ROWS_A_PORTION = 50_000

const CHARS_A_PORTION = 8 * 1024 * 1024

/** What is gathered until it is handed on. */
export class LogPortion {
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
