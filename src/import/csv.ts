/** CSV (RFC 4180, any one-character delimiter) to rows of cells; broken lines come out beside them. */
import { parse } from 'csv-parse/sync'
import { decodeUtf8 } from '../model/utf8.ts'
import { RecordSplitter, type BrokenLine, type RawRecord, type Records } from './csv-records.ts'

export interface CsvRow {
  readonly cells: readonly string[]
  /** From 1, where the row begins. */
  readonly line: number
  /** As it stands in the file, without its line end. */
  readonly text: string
}

export interface CsvPiece {
  readonly rows: readonly CsvRow[]
  readonly broken: readonly BrokenLine[]
}

const DELIMITERS = [',', ';', '\t', '|'] as const

/**
 * Reads a CSV piece by piece; memory is bounded by the pieces and the longest record.
 * @param delimiter one character; sniffed from the first line when absent
 * @throws WrongEncodingError
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  delimiter?: string,
): AsyncGenerator<CsvPiece & { readonly delimiter: string }> {
  let splitter: RecordSplitter | undefined
  let found = delimiter ?? ''
  let head = ''
  for await (const text of decodeUtf8(bytes, file)) {
    if (splitter === undefined) {
      head += text
      if (delimiter === undefined && !/[\r\n]/.test(head) && head.length < 65_536) continue
      found = delimiter ?? sniffDelimiter(head)
      splitter = new RecordSplitter(found)
      yield { ...parsePiece(splitter.push(head), found), delimiter: found }
    } else yield { ...parsePiece(splitter.push(text), found), delimiter: found }
  }
  if (splitter === undefined) {
    found = delimiter ?? sniffDelimiter(head)
    splitter = new RecordSplitter(found)
    yield { ...parsePiece(splitter.push(head), found), delimiter: found }
  }
  yield { ...parsePiece(splitter.end(), found), delimiter: found }
}

/** The candidate that occurs most in the first line, outside of quotes; the comma when none does. */
export function sniffDelimiter(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1)
  const bare = line.replaceAll(/"(?:[^"]|"")*"/g, '')
  const counts = DELIMITERS.map((candidate) => ({ candidate, count: bare.split(candidate).length - 1 }))
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).candidate
}

function parsePiece(piece: Records, delimiter: string): CsvPiece {
  return { rows: parseRecords(piece.records, delimiter), broken: piece.broken }
}

function parseRecords(records: readonly RawRecord[], delimiter: string): readonly CsvRow[] {
  if (records.length === 0) return []
  const text = records.map((record) => record.text).join('\n')
  const cells: string[][] = parse(text, {
    delimiter,
    record_delimiter: ['\n'],
    relax_column_count: true,
    max_record_size: 0,
  })
  if (cells.length !== records.length) {
    throw new TypeError(`${records.length} CSV records were read as ${cells.length}`)
  }
  return records.map((record, index) => ({ cells: cells[index] ?? [], line: record.line, text: record.text }))
}
