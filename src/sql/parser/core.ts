/** A statement without what the statement rule adds to it: offsets, fingerprint, notes. */

import type { Expression } from '../ir/expression.ts'
import type { CommandStatement, Statement } from '../ir/statement.ts'

/** What the statement rule adds. */
export type Added = 'start' | 'end' | 'skipped' | 'notes' | 'fingerprint'

type Without<S> = S extends unknown ? Omit<S, Added> : never

export type Core = Without<Statement>

/** The core of one kind of statement. */
export type CoreOf<K extends Statement['kind']> = Without<Extract<Statement, { kind: K }>>

/** A statement that is known to carry no lineage. */
export function command(word: string): Core {
  return { kind: 'command', word, expressions: [] }
}

/** A command that reads what stands in its expressions, as a statement of a body. */
export function reading(
  word: string,
  expressions: readonly Expression[],
  start: number,
  end: number,
): CommandStatement {
  return { kind: 'command', word, expressions, start, end, skipped: 0, notes: [], fingerprint: '' }
}
