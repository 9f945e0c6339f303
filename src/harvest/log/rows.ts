/**
 * Rows of a log, one after the other, whatever it is: NDJSON (one object a line), a JSON array, or CSV. The first
 * character tells. A row that cannot be read costs itself and nothing else; memory does not grow with the log.
 */
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts'

export interface LogRow {
  /** Where it begins, from 1. */
  readonly line: number
  /** The row, or what is wrong with it. */
  readonly row: JsonObject | string
  /** Its text, for a reject. */
  readonly text: string
  /** Bytes of the log up to its end; absent where one cannot go on from there. */
  readonly bytes?: number
}

export interface LogRowsOptions {
  /** Columns of a CSV without a header. */
  readonly header?: readonly string[] | undefined
  /** Where the text begins in its file. */
  readonly start: { readonly bytes: number; readonly lines: number }
  /** The file's own first line, where the text begins behind it: the header of a CSV. */
  readonly firstLine?: string | undefined
}

/** @param text pieces of the log */
export async function* logRows(text: AsyncIterable<string>, options: LogRowsOptions): AsyncGenerator<LogRow> {
  const pieces = text[Symbol.asyncIterator]()
  let head = ''
  for (;;) {
    const next = await pieces.next()
    if (next.done === true) break
    head += next.value
    if (head.trimStart() !== '') break
  }
  const all = joined(head, { [Symbol.asyncIterator]: () => pieces })
  const first = (options.firstLine ?? head).trimStart()[0]
  if (first === '[' && options.start.bytes === 0) yield* jsonArray(all)
  else if (
    first === '{' ||
    first === undefined ||
    (options.header === undefined && !looksLikeCsv(options.firstLine ?? head))
  )
    yield* jsonLines(all, options)
  else yield* csvRows(all, options, delimiterOf(options.firstLine ?? head))
}

/** A header has several names with commas, tabs or semicolons between. */
function looksLikeCsv(head: string): boolean {
  const [line = ''] = head.trimStart().split('\n', 1)
  return /^["\w][^{}]*[,;\t]/.test(line)
}

async function* joined(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (head !== '') yield head
  yield* rest
}

async function* jsonLines(text: AsyncIterable<string>, { start }: LogRowsOptions): AsyncGenerator<LogRow> {
  let { bytes, lines } = start
  let open = ''
  for await (const piece of text) {
    const found = (open + piece).split('\n')
    open = found.pop() ?? ''
    for (const line of found) {
      bytes += Buffer.byteLength(line) + 1
      lines++
      if (line.trim() !== '') yield { line: lines, text: line, row: readObject(line), bytes }
    }
  }
  // A last line without its end may still grow; what cannot be read of it is no position to go on from.
  if (open.trim() === '') return
  const row = readObject(open)
  yield {
    line: lines + 1,
    text: open,
    row,
    ...(typeof row === 'string' ? {} : { bytes: bytes + Buffer.byteLength(open) }),
  }
}

/** Control characters inside of strings are let through, as the neighbours' reader does. */
function readObject(text: string): JsonObject | string {
  for (const candidate of [text, text.replaceAll('\t', '\\t').replaceAll(/\p{Cc}/gu, ' ')]) {
    try {
      const value = JSON.parse(candidate) as JsonValue
      return isJsonObject(value) ? value : 'the line is not a JSON object'
    } catch {
      continue
    }
  }
  return 'the line is not a JSON object'
}

/** Objects of an array, cut by their braces. */
async function* jsonArray(text: AsyncIterable<string>): AsyncGenerator<LogRow> {
  let held = ''
  let at = 0
  let line = 1
  let depth = 0
  let start = -1
  let startLine = 1
  let inText = false
  for await (const piece of text) {
    held += piece
    for (; at < held.length; at++) {
      const char = held.charCodeAt(at)
      if (char === NEWLINE) line++
      if (inText) {
        if (char === BACKSLASH) {
          if (at + 1 >= held.length) break
          at++
        } else if (char === QUOTE) inText = false
      } else if (char === QUOTE) inText = true
      else if (char === OPEN) {
        if (depth++ === 0) [start, startLine] = [at, line]
      } else if (char === CLOSE && depth > 0 && --depth === 0) {
        const object = held.slice(start, at + 1)
        yield { line: startLine, text: object, row: readObject(object) }
        start = -1
      }
    }
    const keepFrom = start < 0 ? at : start
    held = held.slice(keepFrom)
    at -= keepFrom
    if (start >= 0) start = 0
  }
  if (start >= 0) yield { line: startLine, text: held, row: 'the array breaks off inside of an object' }
}

const [NEWLINE, QUOTE, BACKSLASH, OPEN, CLOSE] = [10, 34, 92, 123, 125]

async function* csvRows(
  text: AsyncIterable<string>,
  { header, start, firstLine }: LogRowsOptions,
  delimiter: string,
): AsyncGenerator<LogRow> {
  const head = header === undefined ? firstLine : undefined
  const parser = Readable.from(text).pipe(
    parse({
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD,
    }),
  )
  let names = header ?? (head === undefined ? undefined : head.trim().split(delimiter).map(unquoted))
  let lines = start.lines
  for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
    const line = lines + 1
    lines = start.lines + info.lines
    const bytes = start.bytes + info.bytes
    if (names === undefined) {
      names = record
      continue
    }
    const row = Object.fromEntries(names.map((name, at) => [name, record[at] ?? null]))
    yield { line, text: record.join(','), row, bytes }
  }
}

interface CsvRecord {
  readonly record: readonly string[]
  readonly info: { readonly lines: number; readonly bytes: number }
}

const MAX_RECORD = 32 * 1024 * 1024

function delimiterOf(head: string): string {
  const [line = ''] = head.split('\n', 1)
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ','
}

function unquoted(name: string): string {
  return name.trim().replaceAll(/^"|"$/g, '').replaceAll('""', '"')
}
