/**
 * Which statements of a log ran in one database session: those with the same session id; without one, those of a user
 * with no long pause between them; without a user, all. What a session's statements mean may depend on earlier ones
 * (temporary tables, USE), so these are read together; everything else stands for itself.
 */
import type { NameRules } from '../naming.ts'
import type { SqlText, SqlUnit } from '../sql-unit.ts'

/** A statement of a log. */
export interface ReadEntry {
  readonly text: SqlText
  readonly rules: NameRules
  /** As the log says it. */
  readonly sessionId: string | undefined
  /** Equal for entries that differ in literals only. */
  readonly statement?: string | undefined
}

interface LogEntry {
  readonly text: SqlText
  readonly statement: string | undefined
  readonly rules: NameRules
  readonly session: string
  /** True where its meaning depends on earlier statements of its session, or later ones' on it. */
  readonly bound: boolean
}

/** A session that later portions go on with: what it did that later statements depend on. */
export type CarriedSession = readonly [session: string, texts: readonly SqlText[]]

/** Statements that change what the next ones of the session mean. */
const STATEFUL =
  /\b(create|declare)\b[^;]{0,80}\b(temp|temporary|volatile|transient\s+temporary)\b|\binto\s+#|\btable\s+#|\b(global|local)\s+temporary\b|^\s*(use|set\s+search_path)\b/i
/** What a statement makes or fills. */
const TARGET =
  /\b(?:create\s+(?:or\s+replace\s+)?(?:\w+\s+)?table(?:\s+if\s+not\s+exists)?|insert\s+(?:into|overwrite)(?:\s+table)?|into)\s+([\w$.#"`[\]-]+)/gi

/** Sessions whose state is carried over, and statements of each; the oldest go first. */
const SESSIONS_CARRIED = 10_000
const STATEMENTS_CARRIED = 50
/** Users whose pauses are watched. */
const USERS_WATCHED = 100_000

export interface SessionOptions {
  /** A user who rests for longer begins a new session. */
  readonly pauseMs: number
  /** Tables that are temporary by their full name. */
  readonly isTemporary: (table: string, rules: NameRules) => boolean
}

/** What a session did that later statements depend on. */
interface SessionState {
  readonly texts: readonly SqlText[]
  /** Tables that it made, in lower case, without what stands before the last dot. */
  readonly tables: readonly string[]
  /** True where it changed what all names mean (USE). */
  readonly moved: boolean
}

const NOTHING: SessionState = { texts: [], tables: [], moved: false }

export class Sessions {
  readonly #options: SessionOptions
  readonly #states = new Map<string, SessionState>()
  /** States as they were when the portion began: what is read again before its entries. */
  readonly #before = new Map<string, readonly SqlText[]>()
  readonly #users = new Map<string, { readonly count: number; readonly lastMs: number | undefined }>()

  constructor(options: SessionOptions, carried: readonly CarriedSession[] = []) {
    this.#options = options
    for (const [session, texts] of carried) {
      for (const text of texts) this.#states.set(session, withText(this.#states.get(session) ?? NOTHING, text))
      this.#before.set(session, texts)
    }
  }

  /** What a later run must know to go on. */
  get carried(): readonly CarriedSession[] {
    return [...this.#states].map(([session, { texts }]) => [session, texts] as const)
  }

  /** Whether a statement that comes now would be bound to others of its session. */
  wouldBind(text: SqlText, rules: NameRules, sessionId: string | undefined): boolean {
    if (this.#isStateful(text.sql, rules)) return true
    if (this.#states.size === 0) return false
    const state = this.#states.get(sessionKey(rules, this.#lastSessionOf(text, sessionId)))
    return state !== undefined && (state.moved || mentions(text.sql, state.tables))
  }

  #lastSessionOf({ user }: SqlText, sessionId: string | undefined): string {
    if (sessionId !== undefined) return `id ${sessionId}`
    return user === undefined ? '' : `user ${user} ${this.#users.get(user)?.count ?? 0}`
  }

  /** Puts a statement into its session; statements come in their order. */
  #admit({ text, rules, sessionId, statement }: ReadEntry): LogEntry {
    const session = sessionKey(rules, this.#sessionOf(text, sessionId))
    const state = this.#states.get(session)
    const stateful = this.#isStateful(text.sql, rules)
    const bound = stateful || (state !== undefined && (state.moved || mentions(text.sql, state.tables)))
    if (stateful) {
      // Moved to the end: the oldest go first.
      this.#states.delete(session)
      this.#states.set(session, withText(state ?? NOTHING, text))
    }
    return { text, statement, rules, session, bound }
  }

  #sessionOf({ user, timeMs }: SqlText, sessionId: string | undefined): string {
    if (sessionId !== undefined) return `id ${sessionId}`
    if (user === undefined) return ''
    const known = this.#users.get(user)
    const rested = known?.lastMs !== undefined && timeMs !== undefined && timeMs - known.lastMs > this.#options.pauseMs
    const count = (known?.count ?? 0) + (rested ? 1 : 0)
    this.#users.delete(user)
    this.#users.set(user, { count, lastMs: timeMs ?? known?.lastMs })
    const [oldest] = this.#users.keys()
    if (this.#users.size > USERS_WATCHED && oldest !== undefined) this.#users.delete(oldest)
    return `user ${user} ${count}`
  }

  /** Statements in the order of their time, as units. The next portion begins behind them. */
  unitsOf(entries: readonly ReadEntry[]): readonly SqlUnit[] {
    const units: SqlUnit[] = []
    const ordered = inOrderOfTime(entries).map((entry) => this.#admit(entry))
    for (const { bound, text, rules, statement } of ordered) {
      if (!bound) units.push({ texts: [text], rules, ...(statement === undefined ? {} : { statement }) })
    }
    const bound = Map.groupBy(
      ordered.filter((entry) => entry.bound),
      (entry) => entry.session,
    )
    for (const [session, group] of bound) units.push(together(this.#before.get(session) ?? [], group))
    this.#endPortion()
    return units
  }

  #endPortion(): void {
    for (const session of this.#states.keys()) {
      if (this.#states.size <= SESSIONS_CARRIED) break
      this.#states.delete(session)
    }
    this.#before.clear()
    for (const [session, { texts }] of this.#states) this.#before.set(session, texts)
  }

  #isStateful(sql: string, rules: NameRules): boolean {
    if (STATEFUL.test(sql)) return true
    return [...sql.matchAll(TARGET)].some(([, table = '']) => this.#options.isTemporary(table, rules))
  }
}

const MOVES = /^\s*(use|set\s+search_path)\b/i
const MADE = /\b(?:table|into|view)\s+(?:if\s+not\s+exists\s+)?([\w$.#"`[\]-]+)/gi

function withText({ texts, tables, moved }: SessionState, text: SqlText): SessionState {
  const made = [...text.sql.matchAll(MADE)].map(([, name = '']) => lastPart(name))
  return {
    texts: [...texts, text].slice(-STATEMENTS_CARRIED),
    tables: [...new Set([...tables, ...made])].slice(-4 * STATEMENTS_CARRIED),
    // What makes something without a name that we see may change anything.
    moved: moved || MOVES.test(text.sql) || made.length === 0,
  }
}

function lastPart(name: string): string {
  const plain = name.replaceAll(/["`[\]]/g, '').toLowerCase()
  return plain.slice(plain.lastIndexOf('.') + 1)
}

function mentions(sql: string, tables: readonly string[]): boolean {
  const text = sql.toLowerCase()
  return tables.some((table) => text.includes(table))
}

/** A session has one platform and one way of naming: entries that are read otherwise are another session's. */
function sessionKey(rules: NameRules, session: string): string {
  return [rules.platform, rules.instance, rules.env, rules.database, rules.schema, rules.dialect, session].join(
    '\u0000',
  )
}

function inOrderOfTime(entries: readonly ReadEntry[]): readonly ReadEntry[] {
  if (entries.some(({ text }) => text.timeMs === undefined)) return entries
  return entries.toSorted((a, b) => (a.text.timeMs ?? 0) - (b.text.timeMs ?? 0))
}

function together(before: readonly SqlText[], group: readonly LogEntry[]): SqlUnit {
  const [first] = group
  if (first === undefined) throw new TypeError('a session without entries')
  const carried = before.map((text) => ({ ...text, carried: true }))
  return { texts: [...carried, ...group.map(({ text }) => text)], rules: first.rules }
}
