import { isUtf8 } from 'node:buffer'
import { HeadwaterError, type Place } from './errors.ts'

/** A text that is not UTF-8. */
export class WrongEncodingError extends HeadwaterError {
  readonly code = 'WRONG_ENCODING'
  override readonly badInput = true
  readonly place: Place

  /** @param looksLike the encoding that it may be in */
  constructor(file: string, what: string, place: Place, looksLike = 'WINDOWS-1252') {
    const where = place.line === undefined ? file : `${file}:${place.line}:${place.column}`
    super(`${where}: ${what}`, {
      remedy: `save the file as UTF-8 (Excel: "CSV UTF-8"), or convert it: iconv -f ${looksLike} -t UTF-8 FILE > NEW`,
    })
    this.place = place
  }
}

const CONTINUATION = 0x80
const MAX_PENDING = 3

/**
 * Decodes UTF-8 piece by piece, a byte order mark left out. Line and column count from 1, the column in bytes.
 * @param file name for the error
 * @throws WrongEncodingError at the first byte that is not UTF-8, or for UTF-16
 */
export async function* decodeUtf8(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string> {
  const place = { line: 1, column: 1 }
  let pending = Buffer.alloc(0)
  let first = true
  for await (const chunk of chunks) {
    let bytes =
      pending.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([pending, chunk])
    if (first && bytes.length >= MAX_PENDING) {
      first = false
      refuseUtf16(bytes, file)
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3)
    }
    const whole = bytes.length - openSequence(bytes)
    const ready = bytes.subarray(0, whole)
    if (!isUtf8(ready)) throw wrongByte(ready, file, place)
    advance(place, ready)
    pending = Buffer.from(bytes.subarray(whole))
    if (whole > 0) yield ready.toString('utf8')
  }
  if (pending.length === 0) return
  if (!isUtf8(pending)) throw wrongByte(pending, file, place)
  yield pending.toString('utf8')
}

function refuseUtf16(bytes: Buffer, file: string): void {
  const mark = bytes.readUInt16BE(0)
  if (mark === 0xfffe || mark === 0xfeff) {
    throw new WrongEncodingError(file, 'the file is UTF-16, not UTF-8', { file, line: 1, column: 1 }, 'UTF-16')
  }
}

/** How many bytes at the end belong to a character whose rest is still to come: 0 to 3. */
export function openSequence(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(MAX_PENDING, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === CONTINUATION) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

function wrongByte(
  bytes: Buffer,
  file: string,
  from: { readonly line: number; readonly column: number },
): WrongEncodingError {
  const offset = firstBad(bytes)
  const place = { ...from }
  advance(place, bytes.subarray(0, offset))
  const byte = bytes[offset] ?? 0
  return new WrongEncodingError(file, `byte 0x${byte.toString(16).padStart(2, '0')} is not UTF-8`, { file, ...place })
}

/** Offset of the first character that does not decode. */
function firstBad(bytes: Buffer): number {
  let offset = 0
  while (offset < bytes.length) {
    const length = [1, 2, 3, 4].find(
      (size) => offset + size <= bytes.length && isUtf8(bytes.subarray(offset, offset + size)),
    )
    if (length === undefined) return offset
    offset += length
  }
  return offset
}

function advance(place: { line: number; column: number }, bytes: Buffer): void {
  let start = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, start)) {
    place.line++
    place.column = 1
    start = at + 1
  }
  place.column += bytes.length - start
}
