import { HeadwaterError } from '../model/errors.ts'

const REMEDY = {
  url: 'check DATABASE_URL, and that its server runs and lets this machine in',
  socket: 'see whether the embedded server runs: headwater doctor',
} as const

/** The database cannot be reached, is starting, or is going down. */
export class DatabaseUnavailableError extends HeadwaterError {
  readonly code = 'DATABASE_UNAVAILABLE'
  override readonly retryable = true

  /** @param where `url` for a server by DATABASE_URL, `socket` for the embedded one */
  constructor(cause: unknown, where: 'url' | 'socket') {
    super(`the database does not answer: ${reasonOf(cause)}`, { cause, remedy: REMEDY[where] })
  }
}

/** A name with several addresses fails once for each of them, in an error that says nothing itself. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(reasonOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}

/** A value that the database cannot hold: a NUL in text, a number out of range (SQLSTATE class 22). */
export class UnstorableValueError extends HeadwaterError {
  readonly code = 'UNSTORABLE_VALUE'
  override readonly badInput = true

  constructor(cause: unknown) {
    super('a value cannot be stored or compared: a NUL character, or a number out of range', { cause })
  }
}

/** The disk of the database is full (SQLSTATE 53100). */
export class DatabaseFullError extends HeadwaterError {
  readonly code = 'DISK_FULL'
  override readonly retryable = true

  constructor(cause: Error, where: 'url' | 'socket') {
    super(`the database has no room left: ${cause.message}`, { cause, remedy: ROOM[where] })
  }
}

const ROOM = {
  url: 'free space on the disk of the server behind DATABASE_URL; what was begun is taken up again',
  socket:
    'free space on the disk of the data folder (headwater prune, headwater sizes); what was begun is taken up again',
} as const

/** The database was written by a newer Headwater. */
export class DatabaseTooNewError extends HeadwaterError {
  readonly code = 'DATABASE_TOO_NEW'

  constructor(found: number, known: number) {
    super(`the database has schema version ${found}; this program knows versions up to ${known}`, {
      remedy: 'use the program version that wrote it, or a newer one',
    })
  }
}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** True where the connection failed, not the statement: network codes, SQLSTATE class 08, 57P01-57P03. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (CONNECTION_CODES.has(code) || code.startsWith('08') || /^57P0[1-3]$/.test(code)) return true
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
    error.message,
  )
}

/** The SQLSTATE of an error that PostgreSQL reported; undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))
    ? String(error.code)
    : undefined
}
