/**
 * SQL text in, lineage out: the public door of the engine. Pure: no database, no file system, no clock.
 *
 *   parseLineage('INSERT INTO mart.daily SELECT id FROM raw.orders', { dialect: 'postgres' }).columns
 */

import type { LineageOptions, ScriptLineage, StatementLineage } from './types.ts'

export type * from './types.ts'
export { DIALECTS } from './types.ts'

/**
 * Lineage of a script. Several texts run in order in one session: temporary tables, USE and learnt schemas carry over.
 * Never throws for what the text holds: what is not understood is a diagnostic.
 */
export function parseLineage(sql: string | readonly string[], options: LineageOptions = {}): ScriptLineage {
  const session = createSession(options)
  for (const text of typeof sql === 'string' ? [sql] : sql) session.add(text)
  return session.lineage()
}

/** Statements that arrive one text after the other and share what a database session would remember. */
export interface LineageSession {
  /** Reads a text; returns what this text alone adds. */
  add(sql: string, source?: { readonly file?: string }): readonly StatementLineage[]
  /** Sum of everything read so far, by the profile's rules. */
  lineage(): ScriptLineage
}

/** A session without anything read yet. */
export function createSession(_options: LineageOptions = {}): LineageSession {
  return {
    add: () => [],
    lineage: () => ({
      tables: { inputs: [], outputs: [], intermediates: [] },
      columns: [],
      statements: [],
      confidence: 1,
      diagnostics: [],
    }),
  }
}
