/** CSV files to rows that say what they ask for; whatever cannot be read is rejected with its place. */
import { stat } from 'node:fs/promises'
import { aspectId } from '../client/sink.ts'
import { openSource } from '../client/source-file.ts'
import type { Urn } from '../model/urn.ts'
import { maskUrls } from '../observe/logger.ts'
import { readCsv, type CsvRow } from './csv.ts'
import type { EditRow } from './edits.ts'
import { HeaderError, RowError, UnknownPropertyError, type RowReject } from './errors.ts'
import { readHeader, type Header } from './header.ts'
import type { ImportContext, ImportSettings } from './import-context.ts'
import { readDefinition, type PropertyDefinition } from './property-values.ts'
import { rejectAll, rejectOf, rejectOfBrokenLine } from './reject.ts'
import { readRow, type RowRules, type UnderstoodRow } from './row.ts'
import { anyProperty, readStrictRow } from './strict.ts'

/** What was learnt while the files were read. */
export interface Learnt {
  readonly definitions: Map<Urn, PropertyDefinition>
  /** By file. */
  readonly headers: Map<string, Header>
}

type RowReader = (cells: readonly string[], rules: RowRules) => UnderstoodRow | undefined

/** @throws HeaderError, UnknownPropertyError, SourceUnreadableError, WrongEncodingError */
export async function* readRows(
  settings: ImportSettings,
  context: ImportContext,
  learnt: Learnt,
): AsyncGenerator<readonly EditRow[]> {
  for (const file of settings.files) yield* readFile(file, settings, context, learnt)
}

async function* readFile(
  location: string,
  settings: ImportSettings,
  context: ImportContext,
  learnt: Learnt,
): AsyncGenerator<readonly EditRow[]> {
  // What is told of an address carries none of its secrets.
  const file = maskUrls(location)
  const advance = new Advance(await bytesOf(location), context)
  const read: RowReader = settings.compat === 'strict' ? readStrictRow : readRow
  let rules: RowRules | undefined
  for await (const piece of readCsv(advance.watch(openSource(location, context.signal)), file, settings.delimiter)) {
    context.records({ read: piece.broken.length })
    let rows = piece.rows
    if (rules === undefined && rows[0] !== undefined) {
      const [first, ...rest] = rows
      const header = readHeader(first.cells, { ...settings, delimiter: piece.delimiter }, file)
      learnt.headers.set(file, header)
      context.onHeader?.(file, header, first.text)
      await loadDefinitions(header, file, settings, context, learnt.definitions)
      rules = { ...settings, header, definitions: learnt.definitions }
      rows = rest
    }
    const broken = piece.broken.map((line) => rejectOfBrokenLine(file, line))
    await rejectAll(context, broken)
    context.records({ read: rows.length })
    if (rules !== undefined) yield await understand(rows, file, { read, rules }, context)
    advance.report(rows.length)
  }
  if (rules === undefined) {
    throw new HeaderError(
      'the file is empty',
      { file },
      'the first line must name the columns: resource,subresource,tags,…',
    )
  }
}

async function understand(
  rows: readonly CsvRow[],
  file: string,
  { read, rules }: { readonly read: RowReader; readonly rules: RowRules },
  context: ImportContext,
): Promise<readonly EditRow[]> {
  const understood: EditRow[] = []
  const rejected: RowReject[] = []
  for (const { cells, line, text } of rows) {
    try {
      const row = read(cells, rules)
      if (row !== undefined) understood.push({ file, line, text, ...row })
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      rejected.push(rejectOf({ file, line, text }, error.problem, rules.header))
    }
  }
  const noEffect = rows.length - understood.length - rejected.length
  if (noEffect > 0) context.records({ noEffect })
  await rejectAll(context, rejected)
  return understood
}

async function loadDefinitions(
  { properties }: Header,
  file: string,
  settings: ImportSettings,
  { sink, signal }: ImportContext,
  definitions: Map<Urn, PropertyDefinition>,
): Promise<void> {
  const unknown = properties.filter(({ property }) => !definitions.has(property))
  if (unknown.length === 0) return
  if (settings.compat === 'strict') {
    for (const { property } of unknown) definitions.set(property, anyProperty(property))
    return
  }
  const keys = unknown.map(({ property }) => ({ urn: property, aspectName: 'propertyDefinition' }))
  const stored = await sink.read(keys, signal)
  for (const { property, index } of unknown) {
    const aspect = stored.get(aspectId({ urn: property, aspectName: 'propertyDefinition' }))
    const definition = aspect && readDefinition(property, aspect.value)
    if (definition === undefined) throw new UnknownPropertyError(property, { file, line: 1, column: index + 1 })
    definitions.set(property, definition)
  }
}

/** How far the reading of a file is; how many rows there will be is guessed from the bytes. */
class Advance {
  readonly #totalBytes: number | undefined
  readonly #context: ImportContext
  #bytes = 0
  #rows = 0

  constructor(totalBytes: number | undefined, context: ImportContext) {
    this.#totalBytes = totalBytes
    this.#context = context
  }

  async *watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length
      yield chunk
    }
  }

  report(rows: number): void {
    this.#rows += rows
    const total =
      this.#totalBytes === undefined || this.#bytes === 0 || this.#bytes > this.#totalBytes
        ? {}
        : { total: Math.max(this.#rows, Math.round((this.#rows * this.#totalBytes) / this.#bytes)) }
    this.#context.progress?.report({ phase: 'read', done: this.#rows, unit: 'rows', ...total })
  }
}

/** Undefined where it is not a plain file, or packed. */
async function bytesOf(file: string): Promise<number | undefined> {
  if (file === '-' || /^[a-z]+:\/\//i.test(file) || file.endsWith('.gz')) return undefined
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() === true ? found.size : undefined
}
