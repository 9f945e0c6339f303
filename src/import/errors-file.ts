/**
 * The rows that were not used, as a CSV beside each input: the reason in the first four columns, then the row as it
 * stands in the input. Mend the rows and import the file as it is: the four columns are passed over.
 */
import { rm } from 'node:fs/promises'
import { TextFile } from '../client/text-file.ts'
import { formatPlace } from '../model/errors.ts'
import type { RowReject } from './errors.ts'
import { ERROR_COLUMNS, type Header } from './header.ts'

/** One file; made with the first row, gone when there is none. */
export class ErrorsFile {
  readonly path: string
  readonly #header: Header
  readonly #headerText: string
  /** True where the input is such a file itself: its reasons of last time go. */
  readonly #again: boolean
  #out: TextFile | undefined
  /** Rows stand there already, which an earlier run wrote: further ones go behind them. */
  readonly #begun: boolean
  #rows = 0

  /** @param headerText the first line of the input */
  constructor(path: string, header: Header, headerText: string, options: { readonly begun?: boolean } = {}) {
    this.#begun = options.begun ?? false
    this.path = path
    this.#header = header
    this.#headerText = headerText
    this.#again = ERROR_COLUMNS.every((name, index) => header.names[index]?.toLowerCase() === name)
  }

  get rows(): number {
    return this.#rows
  }

  async add(reject: Omit<RowReject, 'code'> & { readonly code: string }): Promise<void> {
    this.#out ??= await this.#begin()
    this.#rows++
    const { code, message, place, columnName, record } = reject
    const at = formatPlace({ ...place, ...(place.column === undefined ? {} : { column: place.column }) })
    await this.#out.write(this.#line([code, message, columnName ?? '', at], record))
  }

  /** Ends the file; an older one of that name goes where there is nothing to say. May be called again. */
  async close(): Promise<void> {
    if (this.#out === undefined) return rm(this.path, { force: true })
    await this.#out.close()
  }

  async #begin(): Promise<TextFile> {
    const out = new TextFile(this.path, this.#begun ? 'a' : 'w')
    if (!this.#begun) await out.write(this.#line(ERROR_COLUMNS, this.#headerText))
    return out
  }

  #line(reason: readonly string[], row: string): string {
    const { delimiter } = this.#header
    const rest = this.#again ? withoutFields(row, delimiter, ERROR_COLUMNS.length) : row
    return `${reason.map((text) => quoted(text, delimiter)).join(delimiter)}${delimiter}${rest}\n`
  }
}

/** A cell by RFC 4180; on one line, so that a reason never looks like a row. */
function quoted(text: string, delimiter: string): string {
  const line = text.replaceAll(/[\r\n]+/g, ' ')
  return line.includes(delimiter) || line.includes('"') ? `"${line.replaceAll('"', '""')}"` : line
}

/** A row without its first fields. */
function withoutFields(row: string, delimiter: string, count: number): string {
  let at = 0
  for (let field = 0; field < count; field++) {
    const end = fieldEnd(row, at, delimiter)
    if (end >= row.length) return ''
    at = end + 1
  }
  return row.slice(at)
}

function fieldEnd(row: string, from: number, delimiter: string): number {
  let at = from
  if (row[at] === '"') {
    at++
    while (at < row.length && (row[at] !== '"' || row[at + 1] === '"')) at += row[at] === '"' ? 2 : 1
  }
  const end = row.indexOf(delimiter, at)
  return end < 0 ? row.length : end
}
