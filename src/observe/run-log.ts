import { closeSync, openSync, writeSync } from 'node:fs'
import { multistream, pino, symbols, type DestinationStream } from 'pino'
import { loggerOptions, type Logger } from './logger.ts'
import type { Closable } from './resources.ts'

/**
 * The log of one run, a line of JSON for each event: kept in a file at level `info` and above whatever the process logs,
 * and in the process's own log as far as its level lets it through. Masks what the process's logger masks.
 */
export interface RunLog extends Closable {
  readonly logger: Logger
  close(): void
}

/** @param file is appended to: each attempt of a run adds to it */
export function openRunLog(file: string, processLogger: Logger, bindings: Readonly<Record<string, unknown>>): RunLog {
  const descriptor = openSync(file, 'a', 0o600)
  let open = true
  const kept: DestinationStream = {
    write: (line) => {
      // An event may come late, from something that the attempt left behind.
      if (open) writeSync(descriptor, line)
    },
  }
  const inherited = processLogger as unknown as Readonly<Record<symbol, unknown>>
  const target = inherited[symbols.streamSym] as DestinationStream
  const { level } = processLogger
  const quiet = level === 'silent'
  const streams = [
    { stream: kept, level: 'info' as const },
    ...(quiet ? [] : [{ stream: target, level: level as 'info' }]),
  ]
  const logger = pino(
    loggerOptions(level === 'trace' || level === 'debug' ? level : 'info'),
    multistream(streams),
  ).child(bindings)
  return {
    logger,
    close: () => {
      open = false
      closeSync(descriptor)
    },
  }
}
