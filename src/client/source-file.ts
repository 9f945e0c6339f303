/** Bytes of a file, of stdin or of an http(s) address, unpacked where they are gzip. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { decodeUtf8 } from '../model/utf8.ts'
import { maskUrl } from '../observe/logger.ts'
import { HTTP_LIMITS, readHttp, SourceUnreadableError } from './source-http.ts'

/**
 * @param location a path, `-` for stdin, or http(s)
 * @param from bytes to pass over, counted behind the unpacking
 * @param maxUnpackedBytes of what is packed: a few kilobytes can unpack to more than any disk holds
 * @throws SourceUnreadableError, also while reading
 */
export async function* openSource(
  location: string,
  signal?: AbortSignal,
  from = 0,
  maxUnpackedBytes = MAX_UNPACKED_BYTES,
): AsyncGenerator<Uint8Array> {
  try {
    yield* passOver(from, unpacked(await open(location, signal), maxUnpackedBytes))
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof SourceUnreadableError) throw error
    throw new SourceUnreadableError(maskUrl(location), reasonOf(error), { cause: error })
  }
}

/**
 * The text of a small file beside a run's input: a policy, definitions.
 * @throws SourceUnreadableError, WrongEncodingError
 */
export async function readSourceText(file: string): Promise<string> {
  let text = ''
  for await (const piece of decodeUtf8(openSource(file), file)) text += piece
  return text
}

async function open(location: string, signal: AbortSignal | undefined): Promise<AsyncIterable<Uint8Array>> {
  // Whoever waits for a person at a keyboard must be able to stop waiting.
  if (location === '-') return signal === undefined ? process.stdin : addAbortSignal(signal, process.stdin)
  if (isHttp(location)) return readHttp(location, signal)
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1]
  if (scheme !== undefined) {
    throw new SourceUnreadableError(location, `${scheme}:// addresses are not read`, {
      remedy: 'copy the object to a local file first (for example aws s3 cp), or give a signed https address',
    })
  }
  if ((await stat(location)).isDirectory()) {
    throw new SourceUnreadableError(location, 'it is a folder', { remedy: 'name a file in it' })
  }
  return createReadStream(location, { highWaterMark: 256 * 1024, ...(signal === undefined ? {} : { signal }) })
}

function isHttp(location: string): boolean {
  return /^https?:\/\//.test(location)
}

/** As much as may come over http(s). */
const MAX_UNPACKED_BYTES = HTTP_LIMITS.maxBytes

const GZIP = Buffer.from([0x1f, 0x8b])

/** No text begins with these two bytes, so what is packed shows itself. */
async function* unpacked(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  const pieces = chunks[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let next = await pieces.next()
  while (next.done !== true) {
    head = Buffer.concat([head, next.value])
    if (head.length >= GZIP.length) break
    next = await pieces.next()
  }
  const whole = startingWith(head, pieces)
  if (!head.subarray(0, 2).equals(GZIP)) {
    yield* whole
    return
  }
  const gunzip = createGunzip()
  let bytes = 0
  // Ends both sides, whichever breaks off first; what went wrong is thrown where the bytes are read.
  pipeline(Readable.from(whole), gunzip, () => {})
  for await (const chunk of gunzip) {
    bytes += (chunk as Uint8Array).length
    if (bytes > maxBytes) throw new Error(`unpacked it is longer than ${maxBytes} bytes`)
    yield chunk as Uint8Array
  }
}

async function* startingWith(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

async function* passOver(bytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const chunk of chunks) {
    if (left < chunk.length) yield left === 0 ? chunk : chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

function reasonOf(error: unknown): string {
  const code = (error as { readonly code?: unknown }).code
  if (code === 'ENOENT') return 'it does not exist'
  if (code === 'EACCES') return 'no right to read it'
  return error instanceof Error ? error.message : String(error)
}
