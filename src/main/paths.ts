/**
 * Paths in a job's input, made fit for a worker that may stand elsewhere: absolute, and kept in a file where only this
 * process could read them, or only once. A job marks such keys in its schema with `path: true`, those that it writes to
 * with `path: 'written'`.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { openSource } from '../client/source-file.ts'
import { withoutVariables } from '../client/source-http.ts'
import { DecodeError } from '../model/errors.ts'
import { carriesSecret } from '../observe/logger.ts'

export interface PathOptions {
  /** Relative paths start here. */
  readonly workingFolder: string
  /** Where the input stands, for messages. */
  readonly at?: string
  /** Keeps what stands at a location in a file; gives its path. */
  readonly keep?: (location: string) => Promise<string>
}

/**
 * The same input with its paths absolute. Addresses stay as they are, but for those that carry a secret: job data never
 * holds one. These, standard input and pipes become the files that hold what came from them.
 * @throws SourceUnreadableError; DecodeError for an address with a secret that nobody keeps
 */
export async function resolvePaths(
  input: Readonly<Record<string, unknown>>,
  schema: TObject,
  { workingFolder, at, keep }: PathOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const kept = new Map<string, Promise<string>>()
  const absolute = (location: string): string => (isAddress(location) ? location : resolve(workingFolder, location))
  const read = async (location: string, key: string): Promise<string> => {
    // A worker's own standard input is nobody's input: without somebody who keeps it, `-` is a file like any other.
    if (keep === undefined) {
      if (holdsSecret(location)) throw secretAddress(location, at === undefined ? key : `${at}.${key}`)
      return absolute(location)
    }
    const path = location === '-' ? location : absolute(location)
    if (!(await isForThisProcess(path))) return path
    // Named twice it can be read once all the same.
    const copy = kept.get(path) ?? keep(path)
    kept.set(path, copy)
    return copy
  }
  // Defaults are filled in first: a path that is a default is this folder's too, not the worker's.
  const resolved: Record<string, unknown> = { ...(Value.Default(schema, structuredClone({ ...input })) as object) }
  for (const [key, property] of Object.entries(schema.properties)) {
    const use = useOf(property)
    if (use === 'read') resolved[key] = await mapTexts(resolved[key], (text) => read(text, key))
    if (use === 'written') resolved[key] = await mapTexts(resolved[key], absolute)
    if (resolved[key] === undefined) delete resolved[key]
  }
  return resolved
}

async function mapTexts(value: unknown, map: (text: string) => string | Promise<string>): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => mapTexts(item, map)))
  return typeof value === 'string' ? map(value) : value
}

function isAddress(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(location)
}

function secretAddress(location: string, path: string): DecodeError {
  const remedy = location.startsWith('http')
    ? 'write ${HEADWATER_SOURCE_NAME} in its place, and set that variable where the workers run'
    : 'take it out, and set PGPASSWORD where the workers run'
  return new DecodeError(
    'the address carries a password or a signature, which every reader of the ledger would see',
    { path },
    { remedy },
  )
}

/** One that stands in a variable is not in the address. */
function holdsSecret(location: string): boolean {
  return isAddress(location) && carriesSecret(withoutVariables(location))
}

/** File descriptors by their names: of another process they are other files. */
const OWN_FILES = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|thread-self)\/fd\/\d+)$/

async function isForThisProcess(location: string): Promise<boolean> {
  if (location === '-' || OWN_FILES.test(location)) return true
  if (isAddress(location)) return holdsSecret(location)
  const found = await stat(location).catch(() => undefined)
  return found?.isFIFO() === true
}

function useOf(property: TSchema): 'read' | 'written' | undefined {
  const { path, items } = property as { readonly path?: unknown; readonly items?: { readonly path?: unknown } }
  if (path === 'written') return 'written'
  return path === true || items?.path === true ? 'read' : undefined
}

/** Copies what stands at a location, unpacked, into a new folder of the data folder; a name that it has is kept. */
export async function keepSource(
  location: string,
  dataFolder: string,
  folderName: string,
  signal: AbortSignal,
): Promise<string> {
  const folder = join(dataFolder, 'inputs', folderName)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, nameOf(location))
  await pipeline(openSource(location, signal), createWriteStream(file, { mode: 0o600 }), { signal })
  return file
}

function nameOf(location: string): string {
  if (location === '-' || location === '/dev/stdin') return 'stdin'
  if (OWN_FILES.test(location)) return 'pipe'
  const path = isAddress(location) ? new URL(location).pathname : location
  return basename(path).replace(/\.gz$/, '') || 'source'
}
