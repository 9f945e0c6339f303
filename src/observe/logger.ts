import { HeadwaterError } from '../model/errors.ts'
import { pino, type DestinationStream, type Logger as PinoLogger, type LoggerOptions as PinoOptions } from 'pino'

/**
 * Logs are an event name with fields: `log.info({ job, run, batch, durationMs }, 'batch emitted')`. Same keys
 * everywhere: `run`, `job`, `urn`, `batch`, `durationMs`, `err`. Secrets are masked here, whatever a caller hands in.
 */
export type Logger = PinoLogger

const SECRET_KEYS = [
  'password',
  'token',
  'authorization',
  'secret',
  'DATABASE_URL',
  'QUEUE_URL',
  'databaseUrl',
  'queueUrl',
]

export interface LoggerOptions {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Where the lines go; stderr when absent, since stdout belongs to results. */
  readonly destination?: DestinationStream
}

export function createLogger(options: LoggerOptions): Logger {
  return pino(loggerOptions(options.level), options.destination ?? pino.destination({ fd: 2, sync: true }))
}

/** How every logger of this program writes, wherever to. */
export function loggerOptions(level: string): PinoOptions {
  return {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => errorFields(error) },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '***' },
  }
}

const DEEPEST_CAUSE = 5

interface ErrorFields {
  readonly type: string
  readonly message: string
  readonly code?: unknown
  readonly remedy?: unknown
  readonly stack?: string
  readonly cause?: ErrorFields
}

/**
 * What a log line tells of an error. Never all of its members: drivers hang clients, connections and statements on
 * theirs, which fills pages and may tell secrets.
 */
function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, message, stack, cause } = error
  const { code, remedy } = error as { readonly code?: unknown; readonly remedy?: unknown }
  const told = {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(remedy === undefined ? {} : { remedy }),
  }
  // For what the user handed in, places in our code tell nothing.
  if (error instanceof HeadwaterError && error.badInput) return told
  return {
    ...told,
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined || depth >= DEEPEST_CAUSE ? {} : { cause: errorFields(cause, depth + 1) }),
  }
}

/** A logger that says nothing, for tests and for code that is asked to be quiet. */
export function silentLogger(): Logger {
  return pino({ level: 'silent' })
}

/** A text whose URLs carry no password and no token. */
export function maskUrls(text: string): string {
  return text.replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, (url) => maskUrl(url))
}

/** Parameters of signed addresses (S3, GCS, Azure, CloudFront) are secrets: who has them can read what they stand for. */
const SECRET_PARAMETER = /token|secret|password|key|sig|credential|auth/i

/** Whether a URL lets in whoever has it: by a password, a token, a signature. */
export function carriesSecret(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.password !== '' || secretParameters(parsed).length > 0)
}

function secretParameters(url: URL): readonly string[] {
  return [...url.searchParams].flatMap(([key, value]) => (value !== '' && SECRET_PARAMETER.test(key) ? [key] : []))
}

/** A URL with its password and token parameters replaced by `***`, fit for messages. */
export function maskUrl(url: string): string {
  try {
    const parsed = new URL(url)
    if (parsed.password !== '') parsed.password = '***'
    for (const key of secretParameters(parsed)) parsed.searchParams.set(key, '***')
    return parsed.toString()
  } catch {
    return url.replace(/\/\/[^@/]*@/, '//***@')
  }
}
