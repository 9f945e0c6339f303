/** Answers that come packed: nobody asked for it, but some gateways pack whatever they pass on. */
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/**
 * The body of an answer as it was before it was packed (RFC 9110 §8.4); what is not packed, and what is packed in a way
 * that we do not know, stays as it is.
 * @param encoding the answer's `content-encoding`
 */
export function unpackedBody(body: Readable, encoding: string | string[] | undefined): AsyncIterable<Uint8Array> {
  const decoder = typeof encoding === 'string' ? DECODERS[encoding.trim().toLowerCase()]?.() : undefined
  // Whichever side breaks off, the other one ends; what went wrong is thrown where the bytes are read.
  return decoder === undefined ? body : pipeline(body, decoder, () => {})
}

/** @throws RangeError for more than `maxBytes`: a few kilobytes can unpack to more than there is memory */
export async function textWithin(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const held: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > maxBytes) throw new RangeError(`more than ${maxBytes} bytes`)
    held.push(piece)
  }
  return Buffer.concat(held).toString('utf8')
}
