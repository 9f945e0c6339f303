/**
 * SQL text in, lineage out: the public door of the engine. Pure: no database, no file system, no clock.
 *
 *   parseLineage('INSERT INTO mart.daily SELECT id FROM raw.orders', { dialect: 'postgres' }).columns
 */

import { findDialect } from './dialects/registry.ts'
import { ANSI } from './dialects/dialect.ts'
import type { Script } from './ir/statement.ts'
import { parseText } from './parser/script.ts'
import { sharedVariables } from './session/client-variables.ts'
import { Session } from './session/session.ts'
import type { LineageOptions, ScriptLineage, StatementLineage, TemplateText } from './types.ts'

export type * from './types.ts'
export { DIALECTS } from './types.ts'
export { DIAGNOSTIC_RULES, type DiagnosticCode, type DiagnosticRule } from './diagnostics.ts'
export type { Script, Statement } from './ir/statement.ts'
export { maskLiterals } from './mask.ts'

/**
 * Lineage of a script. Several texts run in order in one session: temporary tables, USE and learnt schemas carry over.
 * Never throws for what the text holds: what is not understood is a diagnostic.
 */
export function parseLineage(sql: string | readonly string[], options: LineageOptions = {}): ScriptLineage {
  const session = new Session(options)
  for (const text of typeof sql === 'string' ? [sql] : sql) session.add(text, options.file)
  return session.lineage()
}

/** The statements of a text, as the engine reads them: the IR that front ends give and the resolver takes. */
export function parseScript(sql: string, options: Pick<LineageOptions, 'dialect'> = {}): Script {
  return parseText(sql, findDialect(options.dialect ?? 'ansi') ?? ANSI)
}

/**
 * Client variables that scripts define (`DEFINE`, `:setvar`, `\\set`, `!define`, `SET hivevar:`) with one and the same
 * value wherever they do: a session gets them as `variables`, so that scripts which another one calls know them, too.
 */
export function definedVariables(
  texts: readonly string[],
  dialect: NonNullable<LineageOptions['dialect']> = 'ansi',
): Record<string, string> {
  return sharedVariables(texts, findDialect(dialect) ?? ANSI)
}

/** Where a text stands, and what it makes. */
export interface TextSource {
  readonly file?: string
  /** The model whose query the text is; its bare query makes the model's table. */
  readonly model?: TemplateText
  /** The text runs in a connection of its own: what USE said in texts before it no longer holds. */
  readonly connects?: boolean
  /** Another front end for the text, with the client's variables filled in; templates are not read by it. */
  readonly parse?: (text: string) => Script
}

/** Statements that arrive one text after the other and share what a database session would remember. */
export interface LineageSession {
  /** Reads a text; returns its statements. */
  add(sql: string, source?: TextSource): readonly StatementLineage[]
  /** Tells of a text that is added later: what comes before it finds its routines, and its tables' columns. */
  foresee(sql: string, source?: { readonly file?: string }): void
  /** Runs statements that another front end has parsed. */
  run(script: Script, source?: Omit<TextSource, 'model' | 'parse'>): readonly StatementLineage[]
  /** Sum of everything read so far, by the profile's rules. */
  lineage(): ScriptLineage
}

/** A session without anything read yet. */
export function createSession(options: LineageOptions = {}): LineageSession {
  const session = new Session(options)
  const fileOf = (source: { readonly file?: string } | undefined): string | undefined => source?.file ?? options.file
  return {
    add(sql, source) {
      const first = session.count
      if (source?.connects) session.connect()
      session.add(sql, fileOf(source), source?.model, source?.parse)
      return session.reports(first)
    },
    foresee(sql, source) {
      session.foresee(sql, fileOf(source))
    },
    run(script, source) {
      const first = session.count
      if (source?.connects) session.connect()
      session.run(script, fileOf(source))
      return session.reports(first)
    },
    lineage: () => session.lineage(),
  }
}
