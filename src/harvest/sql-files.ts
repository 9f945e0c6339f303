/** A folder of SQL files, or one file: each file is a session of its own, in the order of their paths. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { openSource } from '../client/source-file.ts'
import { SourceUnreadableError } from '../client/source-http.ts'
import { decodeUtf8, WrongEncodingError } from '../model/utf8.ts'
import { NoSqlFoundError } from './errors.ts'
import { rulesFor, type Naming, type NamingDefaults } from './naming.ts'
import type { SourcePortion, SourceReject, SqlUnit } from './sql-unit.ts'

export interface SqlFilesOptions {
  readonly source: string
  readonly naming: Naming | undefined
  /** What the paths of the naming are relative to; the source's own folder when absent. */
  readonly folder: string | undefined
  readonly defaults: NamingDefaults
  readonly signal: AbortSignal
}

/** Files that are held at once; they learn schemas from one another (`analyse.ts`). */
const FILES_A_PORTION = 5000

/** @throws NoSqlFoundError, PlatformUnknownError, SourceUnreadableError, WrongEncodingError */
export async function* sqlFiles(options: SqlFilesOptions): AsyncGenerator<SourcePortion> {
  const { source, naming, defaults, signal } = options
  const { folder, files } = await listFiles(source)
  if (files.length === 0) throw new NoSqlFoundError(source)
  for (let start = 0; start < files.length; start += FILES_A_PORTION) {
    const units: SqlUnit[] = []
    const rejected: SourceReject[] = []
    for (const file of files.slice(start, start + FILES_A_PORTION)) {
      const path =
        source === '-'
          ? 'stdin'
          : relative(options.folder ?? folder, file)
              .split(sep)
              .join('/')
      const rules = rulesFor(path, naming, defaults)
      try {
        const sql = await readText(file, signal)
        units.push({ rules, texts: [{ sql, file: path, line: 1, wholeFile: true }] })
      } catch (error) {
        // One bad file of a folder does not sink the rest; a source that is that file is refused as a whole.
        if (files.length === 1 || !(error instanceof WrongEncodingError || error instanceof SourceUnreadableError))
          throw error
        const { code, message } = error
        const line = error instanceof WrongEncodingError ? (error.place.line ?? 1) : 1
        rejected.push({ code, message, file: path, line, record: '' })
      }
    }
    yield { units, declared: [], rejected }
  }
}

/** Where paths are relative to, and the files in order. */
async function listFiles(source: string): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  if (source === '-' || /^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return { folder: '.', files: [source] }
  const found = await stat(source).catch(() => undefined)
  if (found?.isDirectory() !== true) return { folder: dirname(source), files: [source] }
  const entries = await readdir(source, { withFileTypes: true, recursive: true })
  const files = entries
    .filter((entry) => entry.isFile() && /\.sql(\.gz)?$/i.test(entry.name) && !basename(entry.name).startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
  // By code units, so that the order is the same everywhere.
  return { folder: source, files: files.toSorted((a, b) => (a < b ? -1 : 1)) }
}

async function readText(file: string, signal: AbortSignal): Promise<string> {
  const pieces: string[] = []
  for await (const piece of decodeUtf8(openSource(file, signal), file)) pieces.push(piece)
  return pieces.join('')
}
