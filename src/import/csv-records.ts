/**
 * Finds where the records of a CSV end, before anything reads their fields:
 *
 *     text in pieces ──► [ whole records, each with its line ]  and  [ broken lines, each with its place ]
 *
 * A quote that is opened and not closed, or closed and followed by text, must cost its own line and nothing else.
 * Parsers that meet it inside their stream lose what follows, so broken lines are taken out here, by the rules of
 * RFC 4180: a quote opens only at the beginning of a field, and after the closing one come the delimiter or the line's
 * end. After a broken line reading goes on at the next line.
 */

export interface RawRecord {
  readonly text: string
  /** From 1, where the record begins. */
  readonly line: number
}

export interface BrokenLine {
  readonly text: string
  readonly line: number
  /** In characters from 1, on `line` or, for a closing quote, on the line where it stands. */
  readonly column: number
  readonly reason: string
}

export interface Records {
  readonly records: readonly RawRecord[]
  readonly broken: readonly BrokenLine[]
}

/** A record longer than this has an open quote, as far as anybody can tell: room for a cell of some megabytes. */
const MAX_RECORD_CHARS = 8 * 1024 * 1024

type Scan =
  | { readonly kind: 'record'; readonly end: number; readonly next: number }
  | { readonly kind: 'broken'; readonly at: number; readonly reason: string }
  | { readonly kind: 'incomplete' }

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const QUOTE = 34

export class RecordSplitter {
  readonly #delimiter: number
  #buffer = ''
  #line: number

  /** @param delimiter one character @param firstLine where the text begins in its file */
  constructor(delimiter: string, firstLine = 1) {
    this.#delimiter = delimiter.charCodeAt(0)
    this.#line = firstLine
  }

  /** Takes the next piece of text; gives back what is complete. Blank lines are left out. */
  push(text: string): Records {
    this.#buffer += text
    return this.#take(false)
  }

  /** What remains: the last record needs no line end. */
  end(): Records {
    return this.#take(true)
  }

  #take(atEnd: boolean): Records {
    const records: RawRecord[] = []
    const broken: BrokenLine[] = []
    const buffer = this.#buffer
    let start = 0
    while (start < buffer.length) {
      const scan = this.#scan(buffer, start, atEnd)
      if (scan.kind === 'incomplete' && buffer.length - start <= MAX_RECORD_CHARS && !atEnd) break
      if (scan.kind === 'record') {
        const text = buffer.slice(start, scan.end)
        if (text.trim() !== '') records.push({ text, line: this.#line })
        this.#line += countLines(buffer, start, scan.next)
        start = scan.next
      } else {
        const { end, next } = lineEnd(buffer, start)
        // The rest of the line may be still to come, or the second half of its end.
        if (next + 1 > buffer.length - 1 && !atEnd && buffer.length - start <= MAX_RECORD_CHARS) break
        const found =
          scan.kind === 'broken'
            ? scan
            : { at: openQuoteOf(buffer, start, this.#delimiter), reason: 'this quote is never closed' }
        broken.push({ text: buffer.slice(start, end), ...this.#placeOf(buffer, start, found.at), reason: found.reason })
        this.#line++
        start = next
      }
    }
    this.#buffer = buffer.slice(start)
    return { records, broken }
  }

  /** One record from `start`; its end without, `next` with the line's end. */
  #scan(buffer: string, start: number, atEnd: boolean): Scan {
    let at = start
    for (;;) {
      if (buffer.charCodeAt(at) === QUOTE) {
        const close = closingQuote(buffer, at + 1)
        if (close === undefined) return { kind: 'incomplete' }
        at = close + 1
        // The quote may be the first half of a doubled one whose second half is still to come.
        if (at >= buffer.length) return atEnd ? { kind: 'record', end: at, next: at } : { kind: 'incomplete' }
        if (!this.#endsField(buffer.charCodeAt(at)))
          return { kind: 'broken', at, reason: 'text follows a closing quote' }
      } else {
        while (at < buffer.length && !this.#endsField(buffer.charCodeAt(at))) {
          if (buffer.charCodeAt(at) === QUOTE)
            return { kind: 'broken', at, reason: 'a quote stands inside of a field that is not quoted' }
          at++
        }
        if (at >= buffer.length) return atEnd ? { kind: 'record', end: at, next: at } : { kind: 'incomplete' }
      }
      if (buffer.charCodeAt(at) === this.#delimiter) {
        at++
        continue
      }
      // A carriage return at the end of a piece may have its line feed in the next.
      if (buffer.charCodeAt(at) === CARRIAGE_RETURN && at + 1 >= buffer.length && !atEnd) return { kind: 'incomplete' }
      return { kind: 'record', end: at, next: afterLineEnd(buffer, at) }
    }
  }

  #endsField(char: number): boolean {
    return char === this.#delimiter || char === LINE_FEED || char === CARRIAGE_RETURN
  }

  #placeOf(buffer: string, start: number, at: number): { readonly line: number; readonly column: number } {
    const lines = countLines(buffer, start, at)
    const lineStart = Math.max(buffer.lastIndexOf('\n', at - 1), buffer.lastIndexOf('\r', at - 1), start - 1) + 1
    return { line: this.#line + lines, column: at - lineStart + 1 }
  }
}

/** The quote that closes a field, doubled ones passed over; undefined where the text ends first. */
function closingQuote(buffer: string, from: number): number | undefined {
  for (let at = buffer.indexOf('"', from); at >= 0; at = buffer.indexOf('"', at + 2)) {
    if (buffer.charCodeAt(at + 1) !== QUOTE) return at
  }
  return undefined
}

/** Where the field begins that is opened and not closed. */
function openQuoteOf(buffer: string, start: number, delimiter: number): number {
  let at = start
  for (;;) {
    if (buffer.charCodeAt(at) !== QUOTE) {
      while (at < buffer.length && buffer.charCodeAt(at) !== delimiter) at++
      if (at >= buffer.length) return start
    } else {
      const close = closingQuote(buffer, at + 1)
      if (close === undefined) return at
      at = close + 1
    }
    at++
  }
}

function lineEnd(buffer: string, from: number): { readonly end: number; readonly next: number } {
  let at = from
  while (at < buffer.length && buffer.charCodeAt(at) !== LINE_FEED && buffer.charCodeAt(at) !== CARRIAGE_RETURN) at++
  return { end: at, next: at >= buffer.length ? at : afterLineEnd(buffer, at) }
}

/** CRLF, LF or CR. */
function afterLineEnd(buffer: string, at: number): number {
  const isPair = buffer.charCodeAt(at) === CARRIAGE_RETURN && buffer.charCodeAt(at + 1) === LINE_FEED
  return at + (isPair ? 2 : 1)
}

function countLines(buffer: string, from: number, to: number): number {
  let lines = 0
  for (let at = from; at < to; at++) {
    const char = buffer.charCodeAt(at)
    if (char === LINE_FEED || (char === CARRIAGE_RETURN && buffer.charCodeAt(at + 1) !== LINE_FEED)) lines++
  }
  return lines
}
