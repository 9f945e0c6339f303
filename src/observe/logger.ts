import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino'

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
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorFields },
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '***' },
    },
    options.destination ?? pino.destination({ fd: 2, sync: true }),
  )
}

/** An error without what libraries hang on it: `pg` adds the whole connection, statements and addresses included. */
function errorFields(error: unknown): unknown {
  const fields: unknown = error instanceof Error ? pino.stdSerializers.err(error) : error
  if (typeof fields !== 'object' || fields === null) return fields
  const { client: _, ...rest } = fields as Readonly<Record<string, unknown>>
  return rest
}

/** A logger that says nothing, for tests and for code that is asked to be quiet. */
export function silentLogger(): Logger {
  return pino({ level: 'silent' })
}

/** A URL with its password and token parameters replaced by `***`, fit for messages. */
export function maskUrl(url: string): string {
  try {
    const parsed = new URL(url)
    if (parsed.password !== '') parsed.password = '***'
    for (const key of parsed.searchParams.keys()) {
      if (/token|secret|password|key/i.test(key)) parsed.searchParams.set(key, '***')
    }
    return parsed.toString()
  } catch {
    return url.replace(/\/\/[^@/]*@/, '//***@')
  }
}
