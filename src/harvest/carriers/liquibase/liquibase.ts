/**
 * Liquibase's changelogs: changes in the order in which they run, through all that they include. Files of SQL that a
 * changelog names are read where it names them. What undoes a change is not run.
 */
import { posix } from 'node:path'
import type { CarriedText, Carrier, CarrierFile, CarrierFolder, CarrierProblem, CarrierReading } from '../carrier.ts'
import { LineWriter } from '../line-writer.ts'
import { type Change, changelogOf, ROOT } from './changelog.ts'
import { sqlOfChange } from './change-sql.ts'

export const liquibase: Carrier = {
  fits: (path) => /\.(?:xml|ya?ml|json)$/i.test(path),
  mayBe: (text) => text.includes(ROOT),
  read: (files, folder) => new Reader(files, folder).read(),
}

/** Databases that only tests run. */
const TEST_DATABASES: ReadonlySet<string> = new Set(['h2', 'hsqldb', 'derby'])
const MAX_INCLUDES = 50

class Reader {
  readonly #logs: ReadonlyMap<string, Change>
  readonly #folder: CarrierFolder
  readonly #texts: CarriedText[] = []
  readonly #problems: CarrierProblem[] = []
  readonly #claimed = new Set<string>()
  readonly #properties = new Map<string, string>()
  #out = new LineWriter()
  #depth = 0

  constructor(files: readonly CarrierFile[], folder: CarrierFolder) {
    this.#folder = folder
    this.#logs = new Map(
      files.flatMap(({ path, text }) => {
        const log = changelogOf(path, text)
        return log ? [[path, log]] : []
      }),
    )
  }

  read(): CarrierReading {
    const included = new Set([...this.#logs].flatMap(([path, log]) => this.#includedBy(path, log)))
    for (const [path, log] of this.#logs) if (!included.has(path)) this.#changelog(path, log)
    return { texts: this.#texts, problems: this.#problems, claimed: [...this.#claimed] }
  }

  #changelog(path: string, log: Change): void {
    if (this.#depth >= MAX_INCLUDES || this.#claimed.has(path)) return
    this.#claimed.add(path)
    this.#depth++
    const around = this.#out
    this.#out = new LineWriter()
    for (const entry of log.children) this.#entry(path, entry)
    this.#flush(path)
    this.#out = around
    this.#depth--
  }

  #entry(path: string, entry: Change): void {
    const { name, attributes } = entry
    if (name === 'property') {
      const key = attributes['name']
      // The first definition holds.
      if (key !== undefined && !this.#properties.has(key)) this.#properties.set(key, attributes['value'] ?? '')
    } else if (name === 'include' || name === 'includeAll') {
      this.#flush(path)
      for (const file of this.#filesOf(path, entry)) this.#file(file, '')
    } else if (name === 'changeSet' && !isForTests(entry) && attributes['ignore'] !== 'true') {
      for (const change of entry.children) this.#change(path, change)
    }
  }

  #change(path: string, change: Change): void {
    const sql = isForTests(change) ? undefined : sqlOfChange(change)
    switch (sql?.kind) {
      case 'text':
        return this.#placed(`${sql.before}${ended(change)}`, change.text.trim() === '' ? change.line : change.textLine)
      case 'made':
        return this.#placed(sql.sql, change.line)
      case 'file': {
        this.#flush(path)
        const file = this.#resolved(path, sql.path, change)
        return file === undefined
          ? this.#problem(path, change, `${sql.path} is not in the folder`)
          : this.#file(file, sql.before)
      }
      case 'unknown':
        return this.#problem(path, change, `a changelog's <${change.name}> is no SQL`)
      default:
    }
  }

  #placed(sql: string, line: number): void {
    this.#out.goTo(line)
    this.#out.write(`${this.#filled(sql)};`)
  }

  /** A file of SQL, or a changelog. */
  #file(path: string, before: string): void {
    const log = this.#logs.get(path)
    if (log) return this.#changelog(path, log)
    const text = this.#claimed.has(path) ? undefined : this.#folder.textOf(path)
    this.#claimed.add(path)
    if (text !== undefined) this.#texts.push({ file: path, sql: this.#filled(before + text) })
  }

  #flush(path: string): void {
    if (this.#out.text.trim() !== '') this.#texts.push({ file: path, sql: this.#out.text })
    this.#out = new LineWriter()
  }

  #filled(sql: string): string {
    return sql.replaceAll(/\$\{\s*([\w.-]+)\s*\}/g, (mark, name: string) => this.#properties.get(name) ?? mark)
  }

  #includedBy(path: string, log: Change): readonly string[] {
    return log.children
      .filter(({ name }) => name === 'include' || name === 'includeAll')
      .flatMap((entry) => this.#filesOf(path, entry))
  }

  #filesOf(path: string, entry: Change): readonly string[] {
    const { file = '', path: folder = '' } = entry.attributes
    if (entry.name === 'includeAll') {
      const below = this.#candidates(path, folder.replace(/\/?$/, '/'), entry)
      const found = below
        .map((prefix) => this.#folder.paths.filter((one) => one.startsWith(prefix)))
        .find((all) => all.length > 0)
      return (found ?? []).filter((one) => this.#logs.has(one) || /\.sql$/i.test(one)).toSorted()
    }
    const found = this.#resolved(path, file, entry)
    if (found === undefined) this.#problem(path, entry, `${file} is not in the folder`)
    return found === undefined ? [] : [found]
  }

  /** A file by how a changelog calls it: from its own folder, or from somewhere in the folder that is read. */
  #resolved(from: string, file: string, entry: Change): string | undefined {
    const candidates = this.#candidates(from, file, entry)
    const exact = candidates.find((path) => this.#folder.paths.includes(path))
    const tail = `/${posix.normalize(bare(file)).replace(/^\//, '')}`
    return exact ?? this.#folder.paths.find((path) => path.endsWith(tail))
  }

  #candidates(from: string, file: string, { attributes }: Change): readonly string[] {
    const beside = posix.join(posix.dirname(from), bare(file))
    if (attributes['relativeToChangelogFile'] === 'true') return [beside]
    const roots: string[] = []
    for (let folder = posix.dirname(from); ; folder = posix.dirname(folder)) {
      roots.push(posix.join(folder, bare(file)))
      if (folder === '.' || folder === '/' || folder === '..') break
    }
    return [bare(file), ...roots.toReversed(), beside]
  }

  #problem(file: string, { line }: Change, message: string): void {
    if (!this.#problems.some((one) => one.file === file && one.line === line))
      this.#problems.push({ file, line, message })
  }
}

function bare(file: string): string {
  return file.replace(/^classpath\*?:\/?/, '')
}

function isForTests({ attributes }: Change): boolean {
  const systems = (attributes['dbms'] ?? '').split(',').map((name) => name.trim())
  return systems.every((name) => TEST_DATABASES.has(name))
}

/** The statements of a change, with semicolons for what else ends them. */
function ended({ text, attributes }: Change): string {
  const delimiter = attributes['endDelimiter']
  if (delimiter === undefined || delimiter === ';') return text
  const plain = delimiter.replaceAll(/\\[nr]|[\n\r]/g, '').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return text.replaceAll(new RegExp(`${plain}[ \\t]*$`, 'gm'), ';')
}
