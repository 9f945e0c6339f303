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

const DELIMITERS = [',', ';', '\t', '|']
/** What else some programs write, the control characters of Hive and ASCII among it: asked where none of those occurs. */
const RARE_DELIMITERS = ['\u0001', '\u001f', '~', '^', '§', '¦']

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
  const texts = decodeUtf8(bytes, file)
  try {
    const head = await readHead(texts, delimiter)
    const splitter = new RecordSplitter(head.delimiter, head.line)
    const piece = (records: Records): CsvPiece & { readonly delimiter: string } => {
      return { ...parsePiece(records, head.delimiter), delimiter: head.delimiter }
    }
    yield piece(splitter.push(head.text))
    for await (const text of texts) yield piece(splitter.push(text))
    yield piece(splitter.end())
  } finally {
    await texts.return(undefined)
  }
}

interface Head {
  readonly text: string
  /** Where the text begins. */
  readonly line: number
  readonly delimiter: string
}

/** Spreadsheets put a line of their own in front that says what stands between the cells. */
const SEPARATOR_LINE = /^sep=([^\r\n])(?:\r\n|\n|\r)/i
/** With the second half of its end, if it has one. */
const WHOLE_LINE = /\n|\r[^]/
const MOST_OF_A_HEAD = 65_536

/** As much of the beginning as it takes to know what stands between the cells. */
async function readHead(texts: AsyncIterator<string>, delimiter: string | undefined): Promise<Head> {
  let text = ''
  while (!WHOLE_LINE.test(text) && text.length < MOST_OF_A_HEAD) {
    const next = await texts.next()
    if (next.done === true) break
    text += next.value
  }
  const told = SEPARATOR_LINE.exec(text)
  if (told === null) return { text, line: 1, delimiter: delimiter ?? sniffDelimiter(text) }
  return { text: text.slice(told[0].length), line: 2, delimiter: delimiter ?? told[1] ?? '' }
}

/** The candidate that occurs most in the first line, outside of quotes; a rare one where no usual one does, else the comma. */
export function sniffDelimiter(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1)
  const bare = line.replaceAll(/"(?:[^"]|"")*"/g, '')
  return mostIn(bare, DELIMITERS) ?? mostIn(bare, RARE_DELIMITERS) ?? ','
}

function mostIn(line: string, candidates: readonly string[]): string | undefined {
  const counts = candidates.map((candidate) => ({ candidate, count: line.split(candidate).length - 1 }))
  const most = counts.reduce((best, next) => (next.count > best.count ? next : best))
  return most.count === 0 ? undefined : most.candidate
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
