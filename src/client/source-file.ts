/** Bytes of a file, of stdin or of an http(s) address, unpacked where the name ends in `.gz`. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { request } from 'undici'
import { HeadwaterError } from '../model/errors.ts'
import { decodeUtf8 } from '../model/utf8.ts'
import { maskUrl } from '../observe/logger.ts'

/** Input that cannot be opened or read to its end. */
export class SourceUnreadableError extends HeadwaterError {
  readonly code = 'SOURCE_UNREADABLE'
  override readonly badInput = true
  readonly location: string

  constructor(location: string, reason: string, options: { readonly cause?: unknown; readonly remedy?: string } = {}) {
    super(`cannot read ${location}: ${reason}`, { remedy: 'check the path and the rights to it', ...options })
    this.location = location
  }
}

/**
 * @param location a path, `-` for stdin, or http(s)
 * @throws SourceUnreadableError, also while reading
 */
export async function* openSource(location: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const shown = maskUrl(location)
  try {
    const raw = await open(location, signal)
    const stream = /\.gz($|\?)/.test(location) ? pipeGunzip(raw) : raw
    for await (const chunk of stream) yield chunk as Uint8Array
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof SourceUnreadableError) throw error
    const remedy = isHttp(location) ? { remedy: 'check the address and whether its server answers' } : {}
    throw new SourceUnreadableError(shown, reasonOf(error), { cause: error, ...remedy })
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

async function open(location: string, signal: AbortSignal | undefined): Promise<Readable> {
  if (location === '-') return process.stdin
  if (isHttp(location)) return openHttp(location, signal)
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

async function openHttp(location: string, signal: AbortSignal | undefined): Promise<Readable> {
  const response = await request(location, { method: 'GET', ...(signal === undefined ? {} : { signal }) })
  if (response.statusCode !== 200) {
    await response.body.dump()
    throw new SourceUnreadableError(maskUrl(location), `the server answers ${response.statusCode}`)
  }
  return response.body
}

function pipeGunzip(raw: Readable): Readable {
  const gunzip = createGunzip()
  raw.on('error', (error) => gunzip.destroy(error))
  return raw.pipe(gunzip)
}

function reasonOf(error: unknown): string {
  const code = (error as { readonly code?: unknown }).code
  if (code === 'ENOENT') return 'it does not exist'
  if (code === 'EACCES') return 'no right to read it'
  return error instanceof Error ? error.message : String(error)
}
