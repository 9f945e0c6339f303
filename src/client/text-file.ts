import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { HeadwaterError } from '../model/errors.ts'

/**
 * A file of the owner's alone that is written piece by piece. What goes wrong with it (no such folder, a full disk) is
 * thrown by the next call: a stream whose error nobody awaits would end the whole process.
 */
export class TextFile {
  readonly #out: WriteStream
  #failure: unknown

  /** @param flags `a` to go on behind what stands there */
  constructor(path: string, flags: 'w' | 'a' = 'w') {
    this.#out = createWriteStream(path, { mode: 0o600, flags })
    this.#out.on('error', (error) => (this.#failure = error))
  }

  async write(text: string): Promise<void> {
    if (!this.#out.write(text) && this.#failure === undefined) await once(this.#out, 'drain')
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Resolves once all of it stands in the file. */
  async close(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    this.#out.end()
    await finished(this.#out)
  }
}

/** What is there already must not be overwritten. */
export class FileExistsError extends HeadwaterError {
  readonly code = 'FILE_EXISTS'
  override readonly badInput = true

  constructor(file: string) {
    super(`${file} exists already`, { remedy: 'choose another name, or replace it with --force' })
  }
}
