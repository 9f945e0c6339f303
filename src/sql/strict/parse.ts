/**
 * The strict front end: sql-parser-cst for its five dialects, onto the same IR as the tolerant parser. It answers for
 * whole texts only: what it cannot parse, or does not carry over, has no strict reading.
 */
import { FormattedSyntaxError, parse } from 'sql-parser-cst'
import type { Script } from '../ir/statement.ts'
import { NotCarriedError } from './nodes.ts'
import { readStatement } from './statement.ts'

const PARSER_DIALECT = {
  bigquery: 'bigquery',
  mariadb: 'mariadb',
  mysql: 'mysql',
  postgres: 'postgresql',
  sqlite: 'sqlite',
} as const
export type StrictDialect = keyof typeof PARSER_DIALECT

export type StrictReading =
  | { readonly kind: 'read'; readonly script: Script }
  /** The text breaks the dialect's grammar; the message names what was expected. */
  | { readonly kind: 'syntax'; readonly message: string; readonly line: number; readonly column: number }
  | { readonly kind: 'not-carried'; readonly what: string }

export function isStrictDialect(name: string): name is StrictDialect {
  return name in PARSER_DIALECT
}

/** Never throws for what the text holds. */
export function parseStrict(text: string, dialect: StrictDialect): StrictReading {
  try {
    // Types of columns are kept as written, with their white space.
    const asWritten = /\bcreate\b/i.test(text)
    const kept = { includeRange: true, includeSpaces: asWritten, includeNewlines: asWritten }
    const program = parse(text, { dialect: PARSER_DIALECT[dialect], ...kept })
    const statements = program.statements.filter((statement) => statement.type !== 'empty').map(readStatement)
    return { kind: 'read', script: { text, statements } }
  } catch (error) {
    if (error instanceof NotCarriedError) return { kind: 'not-carried', what: error.what }
    if (error instanceof FormattedSyntaxError) return syntaxReading(error)
    if (error instanceof RangeError) return { kind: 'not-carried', what: 'nesting too deep' }
    throw error
  }
}

/** The place stands in the text of the error only: lifted once, here. */
function syntaxReading(error: FormattedSyntaxError): StrictReading {
  const [, line, column] = /--> [^\n]*?(\d+):(\d+)/.exec(error.message) ?? []
  const message = error.message.split('\n')[0] ?? 'syntax error'
  return { kind: 'syntax', message, line: Number(line ?? 1), column: Number(column ?? 1) }
}
