/** Files of a git revision, laid out in a folder of their own, so that they are read as any folder is. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { existsSync } from 'node:fs'
import { UsageError } from '../exit-codes.ts'

const run = promisify(execFile)

/**
 * What the repository of the working directory held at a revision.
 * @returns the folder that stands for the working directory, and how to remove all of it
 * @throws UsageError where there is no such revision
 */
export async function checkOut(
  revision: string,
): Promise<{ readonly folder: string; readonly [Symbol.asyncDispose]: () => Promise<void> }> {
  if (revision.startsWith('-')) throw notFound(revision)
  const home = await mkdtemp(join(tmpdir(), 'headwater-revision-'))
  const remove = (): Promise<void> => rm(home, { recursive: true, force: true })
  try {
    const git = async (...args: readonly string[]): Promise<string> =>
      // An index of its own: the user's stays as it is.
      (await run('git', args, { env: { ...process.env, GIT_INDEX_FILE: join(home, '.index') } })).stdout.trim()
    const top = await git('rev-parse', '--show-toplevel')
    const prefix = await git('rev-parse', '--show-prefix')
    const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`)
    const files = join(home, 'files')
    await git('-C', top, 'read-tree', commit)
    await git('-C', top, 'checkout-index', '--all', '--quiet', `--prefix=${files}/`)
    return { folder: join(files, prefix), [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw notFound(revision, error)
  }
}

/** The dbt project that a path lies in: the nearest folder above it, or itself, with a `dbt_project.yml`. */
export function projectAbove(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'dbt_project.yml'))) return folder
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return undefined
  }
}

function notFound(revision: string, cause?: unknown): UsageError {
  return new UsageError(`${JSON.stringify(revision)} is neither a path nor a git revision here`, {
    cause,
    remedy: 'name two files, two folders, or two revisions inside a git repository',
  })
}
