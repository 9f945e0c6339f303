/**
 * One class per reason; data as fields; the sentence last. Every error has a `code` (README, "Errors"), says whether
 * trying again can help, and keeps its cause. Decide by class or code, never by text.
 */
export abstract class HeadwaterError extends Error {
  /** Stable name of the reason, in UPPER_SNAKE. */
  abstract readonly code: string
  /** True when the same call may succeed later without anyone changing anything. */
  readonly retryable: boolean = false
  /** True when what the user handed in is wrong: a command then ends with exit code 4. */
  readonly badInput: boolean = false
  /** What to do about it, one sentence; printed after the message. */
  readonly remedy: string | undefined

  constructor(message: string, options: { readonly cause?: unknown; readonly remedy?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.remedy = options.remedy
  }
}

/** A place in a text that a person wrote: a file, a line and a column (from 1), and a path inside a structured document. */
export interface Place {
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly path?: string
}

/** `file:line:column at path`, with what is known of it; an empty path is the whole document and needs no telling. */
export function formatPlace(place: Place): string {
  const position = [place.file, place.line, place.line === undefined ? undefined : place.column]
    .filter((part) => part !== undefined)
    .join(':')
  if (place.path === undefined || place.path === '') return position
  return position === '' ? `at ${place.path}` : `${position} at ${place.path}`
}

/** Input that does not have the shape it must have. */
export class DecodeError extends HeadwaterError {
  readonly code = 'DECODE'
  override readonly badInput = true
  readonly place: Place

  constructor(what: string, place: Place, options: { readonly cause?: unknown; readonly remedy?: string } = {}) {
    const where = formatPlace(place)
    super(where === '' ? what : `${where}: ${what}`, { remedy: 'mend what is named, at the place named', ...options })
    this.place = place
  }
}

/** A text that should be a URN and is not. */
export class InvalidUrnError extends HeadwaterError {
  readonly code = 'INVALID_URN'
  override readonly badInput = true
  readonly text: string

  constructor(text: string, reason: string) {
    super(`not a URN (${reason}): ${JSON.stringify(text.slice(0, 300))}`, {
      remedy: 'a URN reads urn:li:<entityType>:<key>, for example urn:li:tag:pii',
    })
    this.text = text
  }
}

/** For the `default` of a switch over a union: does not compile while a case is missing. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`)
}

/** A file could not be written: its disk is full. */
class NoRoomError extends HeadwaterError {
  readonly code = 'DISK_FULL'
  override readonly retryable = true

  constructor(cause: Error) {
    super(`no room left on the disk: ${cause.message}`, { cause, remedy: 'free space there, and run it again' })
  }
}

/** The same as an error of ours, where the file system says that it is full. */
export function diskFull(error: unknown): HeadwaterError | undefined {
  const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  return isFull ? new NoRoomError(error) : undefined
}
