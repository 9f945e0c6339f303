/**
 * Query logs: one row a statement, in the shape of the `sql-queries` source or of an export (`shape.ts`).
 *
 *     {"query": "insert into …", "timestamp": 1791165600.5, "user": "etl", "session_id": "b1",
 *      "downstream_tables": ["db.s.t"], "upstream_tables": ["db.s.u"]}
 *
 *     rows ─► entries ─► met before? counted, not read ─► a portion: sorted by time, by session ─► units
 *
 * A source is a file or a folder of files, in the order of their names; sessions go on from file to file. What is held
 * is one portion, the hashes of statements that were met, and the sessions' temporary tables: a log of any length fits.
 */
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openSource } from '../../client/source-file.ts'
import { SourceUnreadableError } from '../../client/source-http.ts'
import { decodeUtf8, WrongEncodingError } from '../../model/utf8.ts'
import { NoSqlFoundError } from '../errors.ts'
import type { NameRules, RuleBook } from '../naming.ts'
import { fitsAny } from '../path-pattern.ts'
import type { RepeatedEntry, SourcePortion, SourcePosition } from '../sql-unit.ts'
import { logRows } from './rows.ts'
import { type CarriedSession, Sessions } from './sessions.ts'
import type { LogShape } from './shape.ts'
import { LogPortion } from './log-portion.ts'

export interface QueryLogOptions {
  readonly source: string
  readonly shape: LogShape
  readonly rules: RuleBook
  /** Of a file of the log, relative to the naming file. */
  readonly pathOf: (file: string) => string
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  readonly pauseMs: number
  readonly isTemporary: (table: string, rules: NameRules) => boolean
  /** Where an earlier run came to, by file; empty for the whole log. */
  readonly positions: ReadonlyMap<string, SourcePosition>
  readonly carried: readonly CarriedSession[]
  /** Handed what a later run must know to go on with the sessions. */
  readonly onCarried: (carried: readonly CarriedSession[]) => void
  /** Told of each statement that was met before, where each time counts; false where it must be read again. */
  readonly onRepeated?: ((repeated: Pick<RepeatedEntry, 'statement' | 'text'>) => boolean) | undefined
  readonly signal: AbortSignal
}
/** Bytes by which a file is known again. */
const HEAD_BYTES = 4096
const LOG_FILE = /\.(ndjson|jsonl|json|csv|tsv|log)(\.gz)?$/i

/** @throws NoSqlFoundError, SourceUnreadableError, WrongEncodingError, PlatformUnknownError */
export async function* queryLog(options: QueryLogOptions): AsyncGenerator<SourcePortion> {
  const { pauseMs, isTemporary, carried } = options
  const sessions = new Sessions({ pauseMs, isTemporary }, carried)
  const portion = new LogPortion(sessions, options.onRepeated)
  const files = await logFiles(options)
  for (const location of files) {
    try {
      yield* readLog(location, portion, options)
    } catch (error) {
      // One bad file of a folder does not sink the rest; a source that is that file is refused as a whole.
      if (files.length === 1 || !(error instanceof WrongEncodingError || error instanceof SourceUnreadableError))
        throw error
      portion.addUnreadable(basename(location), error)
    }
    // A position belongs to one file.
    if (!portion.isEmpty) yield portion.take()
  }
  options.onCarried(sessions.carried)
}

/** By the name of a file. */
export function isQueryLog(source: string): boolean {
  return LOG_FILE.test(source) && !/(^|\/)manifest\.json$/i.test(source)
}

async function logFiles({ source, include, exclude = [] }: QueryLogOptions): Promise<readonly string[]> {
  if (source === '-' || /^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return [source]
  const found = await stat(source).catch(() => undefined)
  if (found?.isDirectory() !== true) return [source]
  const names = (await readdir(source)).filter((name) =>
    include === undefined ? LOG_FILE.test(name) : fitsAny(name, include),
  )
  const files = names.filter((name) => !fitsAny(name, exclude)).toSorted((a, b) => (a < b ? -1 : 1))
  if (files.length === 0) throw new NoSqlFoundError(source)
  return files.map((name) => join(source, name))
}

async function* readLog(
  location: string,
  portion: LogPortion,
  options: QueryLogOptions,
): AsyncGenerator<SourcePortion> {
  const { signal, shape, rules, pathOf } = options
  const file = location === '-' ? 'stdin' : basename(location)
  const path = pathOf(location)
  const head = await headOf(location, signal)
  const former = options.positions.get(file)
  const from =
    former !== undefined && head !== undefined && former.head === head.hashOf(former.bytes) ? former : undefined
  portion.continues = from === undefined ? undefined : file
  const start = { bytes: from?.bytes ?? 0, lines: from?.lines ?? 0 }
  const text = decodeUtf8(openSource(location, signal, start.bytes), file)
  const rows = logRows(text, {
    header: shape.header,
    start,
    ...(start.bytes === 0 ? {} : { firstLine: head?.firstLine }),
  })
  for await (const row of rows) {
    portion.addRow(row, { file, shape, rulesOf: (own) => rules.rulesFor(path, own) })
    const { bytes } = row
    if (bytes !== undefined && head !== undefined) {
      portion.position = () => ({ file, bytes, lines: row.line, head: head.hashOf(bytes) })
    }
    if (portion.isFull) yield portion.take()
  }
}

/** The beginning of a local file; undefined for what cannot be read twice. */
async function headOf(
  location: string,
  signal: AbortSignal,
): Promise<{ readonly firstLine: string; hashOf(bytes: number): string } | undefined> {
  if (location === '-' || /^[a-z][a-z0-9+.-]+:\/\//i.test(location)) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of openSource(location, signal)) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= HEAD_BYTES) break
  }
  const head = Buffer.concat(chunks).subarray(0, HEAD_BYTES)
  // Offsets are counted behind a byte order mark.
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return undefined
  const firstLine = head.toString('utf8').split('\n', 1)[0] ?? ''
  return {
    firstLine,
    // Of what was read: a file that was shorter then is known by all of it.
    hashOf: (bytes) => createHash('sha256').update(head.subarray(0, bytes)).digest('base64url').slice(0, 22),
  }
}
