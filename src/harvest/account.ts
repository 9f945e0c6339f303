/** What became of each statement, and everything that was not understood, with its place. */
import { formatPlace, type Place } from '../model/errors.ts'
import type { Diagnostic, StatementLineage } from '../sql/types.ts'
import type { AnalysedUnit } from './analyse.ts'
import type { CoverageBook } from './coverage.ts'
import { textOf } from './fold.ts'
import { FingerprintSet } from './log/fingerprint-set.ts'
import type { NameRules } from './naming.ts'
import type { SqlText, SqlUnit } from './sql-unit.ts'

/** A statement that cannot be used, with its reason. */
export interface StatementReject {
  readonly code: string
  readonly message: string
  readonly place: Place
  readonly record: string
  /** The statement and how it was read; absent where the entry itself cannot be read. */
  readonly statement?: RejectedStatement
}

export interface RejectedStatement {
  readonly sql: string
  readonly rules: NameRules
  readonly timeMs?: number | undefined
  readonly user?: string | undefined
}

/** Something in a statement that was used all the same. */
export interface Doubt {
  readonly code: string
  readonly message: string
  readonly place: Place
}

export interface StatementCounts {
  readonly read: number
  readonly used: number
  readonly duplicate: number
  readonly noEffect: number
}

type Outcome = 'used' | 'duplicate' | 'noEffect' | StatementReject

export class Account {
  readonly doubts: Doubt[] = []
  readonly doubtsByCode = new Map<string, number>()
  readonly #seen = new FingerprintSet(STATEMENTS_KNOWN)
  readonly #coverage: CoverageBook
  readonly #keepText: (sql: string, rules: NameRules) => string

  /** @param keepText how a statement's text is kept: masked, shortened */
  constructor(coverage: CoverageBook, keepText: (sql: string, rules: NameRules) => string) {
    this.#coverage = coverage
    this.#keepText = keepText
  }

  /** Counts a unit's statements; those that are carried over from an earlier portion were counted there. */
  take(result: AnalysedUnit): { readonly counts: StatementCounts; readonly rejects: readonly StatementReject[] } {
    const { unit, lineage } = result
    const counts = { read: 0, used: 0, duplicate: 0, noEffect: 0 }
    const rejects: StatementReject[] = []
    for (const statement of lineage.statements) {
      const text = textOf(unit, statement)
      if (text.carried === true) continue
      counts.read++
      const outcome = this.#outcomeOf(statement, text, unit)
      this.#coverage.statement(unit.rules.platform, typeof outcome === 'string')
      if (typeof outcome === 'string') counts[outcome]++
      else rejects.push(outcome)
    }
    const [limit] = lineage.statements.length === 0 ? lineage.diagnostics : []
    if (limit?.severity === 'error') {
      // The whole unit broke a limit: each of its texts is lost.
      const lost = unit.texts.filter((text) => text.carried !== true)
      counts.read += lost.length
      for (const text of lost) {
        this.#coverage.statement(unit.rules.platform, false)
        rejects.push(this.#rejectOf(limit, text, text.sql, unit.rules))
      }
    }
    return { counts, rejects }
  }

  #outcomeOf(statement: StatementLineage, text: SqlText, unit: SqlUnit): Outcome {
    const identity = [unit.rules.platform, unit.rules.database, unit.rules.schema, statement.fingerprint].join('\u0000')
    if (this.#seen.meet(identity)) return 'duplicate'
    const sql = text.wholeFile ? text.sql.slice(statement.span.start, statement.span.end) : text.sql
    const says = saysSomething(statement)
    const error = statement.diagnostics.find((diagnostic) => diagnostic.severity === 'error')
    if (!says && error !== undefined) return this.#rejectOf(error, text, sql, unit.rules)
    for (const diagnostic of statement.diagnostics) {
      if (diagnostic.severity !== 'info') this.doubt({ ...diagnostic, place: placeOf(diagnostic, text) })
    }
    return says ? 'used' : 'noEffect'
  }

  #rejectOf(diagnostic: Diagnostic, text: SqlText, sql: string, rules: NameRules): StatementReject {
    const { code, message } = diagnostic
    const kept = this.#keepText(sql.trim(), rules)
    return {
      code,
      message,
      place: placeOf(diagnostic, text),
      record: kept.slice(0, MAX_RECORD),
      statement: { sql: kept, rules, timeMs: text.timeMs, user: text.user },
    }
  }

  /** Counts a doubt, and keeps the first of them. */
  doubt({ code, message, place }: Doubt): void {
    this.doubtsByCode.set(code, (this.doubtsByCode.get(code) ?? 0) + 1)
    // Of three brackets that are missing at one place, one is shown.
    const last = this.doubts.at(-1)
    if (last !== undefined && last.code === code && formatPlace(last.place) === formatPlace(place)) return
    if (this.doubts.length < MAX_DOUBTS) this.doubts.push({ code, message, place })
  }
}

/** Statements that are known again; a log knows its own again before they are read. */
const STATEMENTS_KNOWN = 200_000
/** Characters of a statement that stand with its reject. */
const MAX_RECORD = 2000
/** Doubts that are kept one by one; the rest is counted. */
const MAX_DOUBTS = 1000

/** Lineage, or the columns of a table. */
function saysSomething(statement: StatementLineage): boolean {
  const schemas = statement.schemas.filter((schema) => schema.columns.length > 0)
  return (statement.outputs.length > 0 && statement.inputs.length > 0) || schemas.length > 0
}

/** In a file of SQL the diagnostic's own place; in a log the line of the entry. */
function placeOf(diagnostic: Diagnostic, text: SqlText): Place {
  if (!text.wholeFile) return { file: text.file, line: text.line }
  const { line, column } = diagnostic
  return {
    file: text.file,
    ...(line === undefined ? {} : { line: text.line + line - 1 }),
    ...(column === undefined ? {} : { column }),
  }
}
