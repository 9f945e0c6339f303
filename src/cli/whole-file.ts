/** Files that a command writes: there whole or not at all, and none is replaced unasked. */
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { FileExistsError } from '../client/text-file.ts'
import { UsageError } from './exit-codes.ts'

export interface ForceFlag {
  readonly force?: boolean
}

export function addForceFlag(command: Command): Command {
  return command.option('--force', 'replace the file, if it exists')
}

/** To be asked before anything is read for it. @throws FileExistsError */
export function refuseExisting(file: string, { force }: ForceFlag): void {
  if (force !== true && existsSync(file)) throw new FileExistsError(file)
}

/** Gzip where the name ends in .gz. @throws UsageError where it cannot be written */
export async function writeWholeFile(
  file: string,
  pieces: AsyncIterable<string>,
  { signal, mode = 0o666 }: { readonly signal?: AbortSignal; readonly mode?: number } = {},
): Promise<void> {
  const part = `${file}.part`
  const options = signal === undefined ? {} : { signal }
  try {
    const target = createWriteStream(part, { mode })
    const source = Readable.from(pieces)
    await (file.endsWith('.gz') ? pipeline(source, createGzip(), target, options) : pipeline(source, target, options))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw fileTrouble(error, file)
  }
}

function fileTrouble(error: unknown, file: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!['ENOENT', 'EACCES', 'EISDIR', 'ENOSPC', 'ENOTDIR'].includes(code)) return error
  return new UsageError(`${file} cannot be written: ${code}`, { cause: error, remedy: 'check its path and rights' })
}
