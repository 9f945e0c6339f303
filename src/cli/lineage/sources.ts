/** The texts that a command reads: files, folders of SQL files, standard input, or a statement on the command line. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { buffer as readAll } from 'node:stream/consumers'
import type { CarrierProblem } from '../../harvest/carriers/carrier.ts'
import { carriedSql, LONGEST_CARRIER, mayCarrySql } from '../../harvest/carriers/read-carriers.ts'
import { nearest } from '../../model/near.ts'
import { inRunningOrder } from '../../model/migrations.ts'
import { isSqlFile, sqlTextOf } from '../../model/sql-text.ts'
import type { TemplateText } from '../../sql/index.ts'
import { UsageError } from '../exit-codes.ts'

export interface SqlText {
  readonly file?: string
  readonly sql: string
  /** What a model of a dbt project makes. */
  readonly model?: TemplateText
  /** Runs in a connection of its own; scripts that are numbered run one after the other in one. */
  readonly connects?: boolean
}

const MIB = 1024 * 1024
/** Bytes; a log of statements goes line by line (`--format ndjson`), however long it is. */
const LONGEST_TEXT = 256 * MIB

/** What was read, and what could not be, a line each. */
export interface ReadSources {
  readonly texts: readonly SqlText[]
  readonly problems: readonly string[]
  /** The dialect that a project's files say. */
  readonly dialect?: string | undefined
}

/** Texts in the order given; a folder gives its SQL by the names of its files. `-` is standard input. */
export async function readSources(files: readonly string[], statement: string | undefined): Promise<ReadSources> {
  const texts: SqlText[] = statement === undefined ? [] : [{ sql: statement }]
  const problems: string[] = []
  let dialect: string | undefined
  for (const file of files) {
    if (file === '-') texts.push({ file: '(stdin)', sql: textOf(await readAll(process.stdin), 'standard input') })
    else {
      const read = sqlOfPath(file)
      texts.push(...read.texts)
      problems.push(...read.problems)
      dialect ??= read.dialect
    }
  }
  if (texts.length > 0) return { texts, problems, dialect }
  throw new UsageError('nothing to read', {
    remedy: 'name files or folders, give a statement with -e "SELECT …", or - to read standard input',
  })
}

function textsOf(paths: readonly string[]): SqlText[] {
  return paths.map((file, at) => {
    const text = { file, sql: readText(file) }
    return at === 0 || goesOn(paths[at - 1]!, file) ? text : { ...text, connects: true }
  })
}

/** `01_setup.sql`, `02_load.sql`: numbered scripts of one folder are run in their order. */
function goesOn(before: string, after: string): boolean {
  return dirname(before) === dirname(after) && isNumbered(before) && isNumbered(after)
}

function isNumbered(path: string): boolean {
  return /^\d/.test(basename(path))
}

/** SQL of the file itself, or of all files below a folder that hold or carry it. @throws UsageError where there is none */
export function sqlOfPath(path: string): ReadSources {
  if (!existsSync(path)) throw missing(path)
  if (!statSync(path).isDirectory()) return sqlOfFile(path)
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.includes('node_modules'),
  )
  const paths = names.toSorted().map((name) => relative('.', join(path, name)))
  const carried = carriedSql(
    paths.filter((file) => mayCarrySql(relative(path, file))),
    { paths, textOf: carrierText },
  )
  const files = inRunningOrder(paths.filter((file) => isSqlFile(file) && !carried.claimed.has(file)))
  const texts = [...textsOf(files), ...carried.texts]
  if (texts.length > 0) return { texts, problems: carried.problems.map(problemLine), dialect: carried.dialect }
  throw new UsageError(`${path} holds no SQL files`, {
    remedy: 'name a folder with .sql files or the like, or the files themselves',
  })
}

/** A file that carries SQL by its name, and carries none, is taken for SQL. */
function sqlOfFile(path: string): ReadSources {
  const carried = mayCarrySql(basename(path)) ? carriedSql([path], { paths: [path], textOf: carrierText }) : undefined
  if (carried === undefined || carried.texts.length === 0) return { texts: textsOf([path]), problems: [] }
  return { texts: carried.texts, problems: carried.problems.map(problemLine) }
}

function carrierText(path: string): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  return size === undefined || size > LONGEST_CARRIER ? undefined : readText(path)
}

function problemLine({ file, line, message }: CarrierProblem): string {
  return `${file}:${line} ${message}`
}

/** @throws UsageError where the file cannot be read */
export function readText(file: string): string {
  try {
    return textOf(readFileSync(file), file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw existsSync(file) ? new UsageError(`${file} cannot be read`, { cause: error }) : missing(file)
  }
}

/** @throws UsageError where it is longer than a text can be read at once */
function textOf(bytes: Uint8Array, name: string): string {
  if (bytes.length <= LONGEST_TEXT) return sqlTextOf(bytes)
  throw new UsageError(`${name} is larger than ${LONGEST_TEXT / MIB} MiB`, {
    remedy: 'split it, or send statements one a line: lineage parse --format ndjson < CASES',
  })
}

function missing(path: string): UsageError {
  const slash = path.lastIndexOf('/')
  const folder = slash < 0 ? '.' : path.slice(0, slash)
  const neighbours = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : []
  const [near] = nearest(path.slice(slash + 1), neighbours)
  const remedy = near === undefined ? 'check the path' : `did you mean ${slash < 0 ? near : `${folder}/${near}`}?`
  return new UsageError(`${path} does not exist`, { remedy })
}
