/**
 * Paths in a job's input, made fit for a worker that may stand elsewhere: absolute, and standard input kept in a file.
 * A job marks such keys in its schema with `path: true`.
 */
import { createWriteStream, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'

export interface PathOptions {
  /** Relative paths start here. */
  readonly workingFolder: string
  /** Keeps standard input in a file; gives its path. */
  readonly keepStdin?: () => Promise<string>
}

/** The same input with its paths absolute; URLs stay as they are, `-` becomes the file that holds standard input. */
export async function resolvePaths(
  input: Readonly<Record<string, unknown>>,
  schema: TObject,
  options: PathOptions,
): Promise<Readonly<Record<string, unknown>>> {
  // Defaults are filled in first: a path that is a default is this folder's too, not the worker's.
  const resolved: Record<string, unknown> = { ...(Value.Default(schema, structuredClone({ ...input })) as object) }
  for (const [key, property] of Object.entries(schema.properties)) {
    if (isPath(property)) resolved[key] = await resolveValue(resolved[key], options)
    if (resolved[key] === undefined) delete resolved[key]
  }
  return resolved
}

async function resolveValue(value: unknown, options: PathOptions): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => resolveValue(item, options)))
  if (typeof value !== 'string' || /^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return value
  if (value === '-' && options.keepStdin !== undefined) return options.keepStdin()
  return resolve(options.workingFolder, value)
}

function isPath(property: TSchema): boolean {
  const { path, items } = property as { readonly path?: unknown; readonly items?: { readonly path?: unknown } }
  return path === true || items?.path === true
}

/** Copies standard input into the data folder. */
export async function keepStdin(dataFolder: string, name: string): Promise<string> {
  const folder = join(dataFolder, 'inputs')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, name)
  await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }))
  return file
}
