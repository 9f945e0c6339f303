/** How far a text is read, and the tokens that were cut out of it so far: what all readers of tokens share. */

import type { Dialect } from '../dialects/dialect.ts'
import { ClientLines } from './client.ts'
import type { Tokens } from './tokens.ts'

export class Scan {
  readonly text: string
  readonly length: number
  readonly dialect: Dialect
  readonly tokens: Tokens
  /** Where the dialect has a command line client, its commands. */
  readonly client: ClientLines | undefined
  /** `emp#` is one name. */
  readonly hashInNames: boolean
  at = 0
  statementStart = true
  /** Inside a MySQL conditional comment, whose text is SQL. */
  conditional = false

  constructor(text: string, dialect: Dialect, tokens: Tokens) {
    this.text = text
    this.length = text.length
    this.dialect = dialect
    this.tokens = tokens
    this.client = dialect.client === 'none' ? undefined : new ClientLines(text, dialect.client)
    this.hashInNames =
      dialect.name === 'oracle' || dialect.name === 'tsql' || dialect.name === 'db2' || dialect.name === 'teradata'
  }

  /** A token from where the scan stands up to `end`. */
  push(type: number, end: number): void {
    this.tokens.push(type, this.at, end)
    this.at = end
    this.statementStart = false
  }

  /** A token that ends a statement. */
  endStatement(type: number, length: number): void {
    this.tokens.push(type, this.at, this.at + length)
    this.at += length
    this.statementStart = true
  }

  /** Notes that what begins at `start` is never closed. @returns the end of the text */
  unterminated(start: number, what: string): number {
    this.tokens.errors.push({ start, what })
    return this.length
  }

  /** Steps behind the line that `from` stands in. */
  skipLine(from: number): void {
    const end = this.text.indexOf('\n', from)
    this.at = end < 0 ? this.length : end + 1
  }
}
