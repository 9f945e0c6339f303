/** A statement without what the statement rule adds to it: offsets, fingerprint, notes. */

import type { Statement } from '../ir/statement.ts'

type Added = 'start' | 'end' | 'skipped' | 'notes' | 'fingerprint'

type Without<S> = S extends unknown ? Omit<S, Added> : never

export type Core = Without<Statement>

/** The core of one kind of statement. */
export type CoreOf<K extends Statement['kind']> = Without<Extract<Statement, { kind: K }>>

/** A statement that is known to carry no lineage. */
export function command(word: string): Core {
  return { kind: 'command', word, expressions: [] }
}
