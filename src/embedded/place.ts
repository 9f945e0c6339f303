import { createHash } from 'node:crypto'
import { mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Where one server lives. All names derive from the real path of the data folder, so every process finds the same. */
export interface Place {
  /** Real path of the data folder (which may not be there yet); its parent is. */
  readonly dataDir: string
  /** What the server says, beside its data. */
  readonly logFile: string
  readonly hash: string
}

/** The place of a data folder; makes the folders above it. */
export async function findPlace(dataDir: string): Promise<Place> {
  const absolute = resolve(dataDir)
  await mkdir(dirname(absolute), { recursive: true })
  const real = await realpath(absolute).catch(async () => join(await realpath(dirname(absolute)), basename(absolute)))
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 16)
  return { dataDir: real, logFile: join(real, 'postgres.log'), hash }
}
