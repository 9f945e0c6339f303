/**
 * Texts that are written down once and hardly ever read, on disk instead of in memory. The file has no name: it is gone
 * with the process, whatever becomes of that.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Where a text stands. */
export interface ScratchPlace {
  readonly start: number
  readonly bytes: number
}

/** Characters that are written together. */
const CHARS_TOGETHER = 64 * 1024

export class ScratchFile implements Disposable {
  readonly #file: number
  #pending: string[] = []
  #pendingChars = 0
  #written = 0
  #end = 0
  #isOpen = true

  constructor(folder: string) {
    const path = join(folder, `scratch-${randomUUID()}`)
    this.#file = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
  }

  write(text: string): ScratchPlace {
    const place = { start: this.#end, bytes: Buffer.byteLength(text) }
    this.#end += place.bytes
    this.#pending.push(text)
    this.#pendingChars += text.length
    if (this.#pendingChars >= CHARS_TOGETHER) this.#flush()
    return place
  }

  read({ start, bytes }: ScratchPlace): string {
    this.#flush()
    const buffer = Buffer.allocUnsafe(bytes)
    for (let at = 0; at < bytes;) {
      const got = readSync(this.#file, buffer, at, bytes - at, start + at)
      if (got === 0) throw new Error(`the scratch file ends before ${start + bytes}`)
      at += got
    }
    return buffer.toString()
  }

  #flush(): void {
    if (this.#pending.length === 0) return
    const buffer = Buffer.from(this.#pending.join(''))
    for (let at = 0; at < buffer.length;) {
      at += writeSync(this.#file, buffer, at, buffer.length - at, this.#written + at)
    }
    this.#written += buffer.length
    this.#pending = []
    this.#pendingChars = 0
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    closeSync(this.#file)
  }
}
