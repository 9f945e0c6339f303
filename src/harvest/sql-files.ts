/**
 * A folder of SQL files, or one file, in the order of their paths. Each file is a session of its own, unless the naming
 * says that files of a folder run together.
 */
import { readFileSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { openSource } from '../client/source-file.ts'
import { SourceUnreadableError } from '../client/source-http.ts'
import { inRunningOrder } from '../model/migrations.ts'
import { decodeSqlText, isSqlFile, sqlTextOf } from '../model/sql-text.ts'
import { carriedSql, type CarriedSql, LONGEST_CARRIER, mayCarrySql } from './carriers/read-carriers.ts'
import { NoSqlFoundError } from './errors.ts'
import { readFrontMatter } from './front-matter.ts'
import type { NameRules, RuleBook } from './naming.ts'
import { fitsAny } from './path-pattern.ts'
import { sqlPieces } from './sql-pieces.ts'
import type { SourcePortion, SourceReject, SqlText, SqlUnit } from './sql-unit.ts'

export interface SqlFilesOptions {
  readonly source: string
  readonly rules: RuleBook
  /** What the paths of the naming are relative to; the source's own folder when absent. */
  readonly folder: string | undefined
  /** Patterns of paths below the source; all SQL files when absent. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** Whether each file is a session, or all run in order in one. */
  readonly session?: 'file' | 'together' | undefined
  readonly signal: AbortSignal
}

/** Files, and characters of text, that are held at once; they learn schemas from one another (`analyse.ts`). */
const FILES_A_PORTION = 5000
const CHARS_A_PORTION = 64 * 1024 * 1024
/** A larger file is read in pieces; a statement longer than the second is left out. */
const LARGE_FILE = 8 * 1024 * 1024
const LONGEST_STATEMENT = 32 * 1024 * 1024

/** @throws NoSqlFoundError, PlatformUnknownError, SourceUnreadableError */
export async function* sqlFiles(options: SqlFilesOptions): AsyncGenerator<SourcePortion> {
  const { source } = options
  const { folder, files } = await listFiles(options)
  if (files.length === 0) throw new NoSqlFoundError(source)
  const carried = carriedIn(files, folder)
  const plain = files.filter((file) => !carried.claimed.has(file) && !carried.carriers.has(file))
  if (plain.length === 0 && carried.texts.length === 0) throw new NoSqlFoundError(source)
  const portion = new PortionBuilder()
  for (const group of inSessions(plain, folder, options)) {
    for await (const read of readGroup(group, files.length === 1, options)) {
      portion.add(read)
      if (portion.isFull) yield portion.take()
    }
  }
  for (const read of readCarried(carried, folder, options)) {
    portion.add(read)
    if (portion.isFull) yield portion.take()
  }
  if (!portion.isEmpty) yield portion.take()
}

interface SqlFile {
  readonly location: string
  /** As the naming and people know it. */
  readonly path: string
}

/** Where paths are relative to, and the files in order. */
async function listFiles({
  source,
  include,
  exclude = [],
}: SqlFilesOptions): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  if (source === '-' || /^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return { folder: '.', files: [source] }
  const found = await stat(source).catch(() => undefined)
  if (found?.isDirectory() !== true) return { folder: dirname(source), files: [source] }
  const entries = await readdir(source, { withFileTypes: true, recursive: true })
  const files = entries
    .filter((entry) => entry.isFile() && !basename(entry.name).startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const path = slashed(relative(source, file))
      const isSql = isSqlFile(path.replace(/\.gz$/i, '')) || mayCarrySql(path)
      const wanted = include === undefined ? isSql : fitsAny(path, include)
      return wanted && !fitsAny(path, exclude)
    })
  // By code units, so that the order is the same everywhere.
  return { folder: source, files: inRunningOrder(files.toSorted((a, b) => (a < b ? -1 : 1))) }
}

interface Carried extends CarriedSql {
  /** Files that carry SQL, which are none themselves. */
  readonly carriers: ReadonlySet<string>
}

/** What files of other kinds carry; a single file that carries nothing is taken for SQL. */
function carriedIn(files: readonly string[], folder: string): Carried {
  const carriers = files.filter((file) => mayCarrySql(slashed(relative(folder, file))))
  const read = carriedSql(carriers, { paths: files, textOf: carrierText })
  const isSql = files.length === 1 && read.texts.length === 0
  return { ...read, carriers: new Set(isSql ? [] : carriers) }
}

function carrierText(file: string): string | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  return size === undefined || size > LONGEST_CARRIER ? undefined : sqlTextOf(readFileSync(file))
}

/** A unit for each file that carries SQL. */
function* readCarried(
  { texts, problems }: Carried,
  listed: string,
  { rules, folder }: SqlFilesOptions,
): Generator<ReadSession> {
  const pathOf = (file: string): string => slashed(relative(folder ?? listed, file))
  for (const [file, own] of Map.groupBy(texts, (text) => text.file)) {
    const path = pathOf(file)
    const unit = {
      rules: rules.rulesFor(path),
      texts: own.map(({ sql, model }): SqlText => ({ sql, file: path, line: 1, wholeFile: true, model })),
      memoryKey: path,
    }
    yield { units: [unit], rejected: [] }
  }
  const rejected = problems.map(({ file, line, message }): SourceReject => ({
    code: 'SOURCE_UNREADABLE',
    message,
    file: pathOf(file),
    line,
    record: '',
  }))
  yield { units: [], rejected }
}

function slashed(path: string): string {
  return path.split(sep).join('/')
}

/** Files that share a session stand together, where the first of them stands. */
function inSessions(
  files: readonly string[],
  listed: string,
  { source, folder, rules, session }: SqlFilesOptions,
): Iterable<readonly SqlFile[]> {
  const groups = new Map<string, SqlFile[]>()
  for (const location of files) {
    const path = source === '-' ? 'stdin' : slashed(relative(folder ?? listed, location))
    const together = session === 'together' ? '' : rules.sessionOf(path)
    const key = together === undefined ? `file ${path}` : `together ${together}`
    groups.set(key, [...(groups.get(key) ?? []), { location, path }])
  }
  return groups.values()
}

/** What one session gives: its unit (several for a large file), or what is wrong with its files. */
interface ReadSession {
  readonly units: readonly SqlUnit[]
  readonly rejected: readonly SourceReject[]
}

async function* readGroup(
  group: readonly SqlFile[],
  isOnly: boolean,
  options: SqlFilesOptions,
): AsyncGenerator<ReadSession> {
  const [first] = group
  if (group.length === 1 && first !== undefined) {
    yield* readFile(first, isOnly, options)
    return
  }
  const texts: SqlText[] = []
  const rejected: SourceReject[] = []
  let rules: NameRules | undefined
  for (const file of group) {
    for await (const { units, rejected: more } of readFile(file, false, options)) {
      texts.push(...units.flatMap((unit) => unit.texts))
      rules ??= units[0]?.rules
      rejected.push(...more)
    }
  }
  const memoryKey = `together ${first?.path ?? ''}`
  yield { units: rules === undefined ? [] : [{ texts, rules, memoryKey }], rejected }
}

/** One bad file of a folder does not sink the rest; a source that is that file is refused as a whole. */
async function* readFile(
  { location, path }: SqlFile,
  isOnly: boolean,
  { rules, signal }: SqlFilesOptions,
): AsyncGenerator<ReadSession> {
  let own: NameRules | undefined
  try {
    const text = decodeSqlText(openSource(location, signal))
    for await (const piece of sqlPieces(text, { cutAt: LARGE_FILE, longest: LONGEST_STATEMENT })) {
      if (piece.kind === 'too-long') {
        yield { units: [], rejected: [tooLong(path, piece.line)] }
        continue
      }
      const { sql, line } = piece
      const front = own === undefined ? readFrontMatter(sql) : undefined
      if (front?.kind === 'wrong') {
        const { message } = front
        yield { units: [], rejected: [{ code: 'FRONT_MATTER', message, file: path, line: front.line, record: '' }] }
        return
      }
      own ??= rules.rulesFor(path, front?.says)
      const memoryKey = line === 1 ? path : `${path}:${line}`
      yield { units: [{ rules: own, texts: [{ sql, file: path, line, wholeFile: true }], memoryKey }], rejected: [] }
    }
  } catch (error) {
    if (isOnly || !(error instanceof SourceUnreadableError)) throw error
    const { code, message } = error
    yield { units: [], rejected: [{ code, message, file: path, line: 1, record: '' }] }
  }
}

function tooLong(file: string, line: number): SourceReject {
  const message = `a statement is longer than ${LONGEST_STATEMENT / 1024 / 1024} million characters`
  return { code: 'STATEMENT_TOO_LONG', message, file, line, record: '' }
}

class PortionBuilder {
  #units: SqlUnit[] = []
  #rejected: SourceReject[] = []
  #chars = 0

  get isEmpty(): boolean {
    return this.#units.length + this.#rejected.length === 0
  }

  get isFull(): boolean {
    return this.#units.length >= FILES_A_PORTION || this.#chars >= CHARS_A_PORTION
  }

  add({ units, rejected }: ReadSession): void {
    this.#units.push(...units)
    this.#rejected.push(...rejected)
    for (const unit of units) for (const text of unit.texts) this.#chars += text.sql.length
  }

  take(): SourcePortion {
    const portion = { units: this.#units, declared: [], rejected: this.#rejected }
    this.#units = []
    this.#rejected = []
    this.#chars = 0
    return portion
  }
}
