/** Who harvests the log: ours as a user runs it, and DataHub's own `sql-queries`. Each in its own process. */
import { join } from 'node:path'
import { measure, ROOT, runRecipe, type Took } from '../kit/measure.ts'
import { DATABASE, PLATFORM } from './truth.ts'

export interface Errand {
  /** The log. */
  readonly file: string
  readonly catalogUrl: string
  /** For whatever the subject needs to keep; empty. */
  readonly folder: string
}

/** `headwater run harvest-lineage`, with a ledger of its own. */
export function ours(withUsage: boolean): (errand: Errand) => Promise<Took> {
  return ({ file, catalogUrl, folder }) => {
    const names = ['--platform', PLATFORM, '--database', DATABASE, '--format', 'log']
    const flags = ['--source', file, '--catalog', catalogUrl, '--data', join(folder, 'data'), ...names]
    const more = withUsage ? ['--usage', '--read-queries'] : []
    return measure(process.execPath, [join(ROOT, 'src/cli.ts'), 'run', 'harvest-lineage', '--json', ...flags, ...more])
  }
}

const runSource = runRecipe

/** Undefined where HEADWATER_SDK_PYTHON names no Python with acryl-datahub. */
export const sqlQueries =
  runSource === undefined
    ? undefined
    : ({ file, catalogUrl, folder }: Errand): Promise<Took> => {
        const config = { query_file: file, platform: PLATFORM, default_db: DATABASE }
        const server = { server: catalogUrl }
        const sink = { type: 'datahub-rest', config: server }
        return runSource({ source: { type: 'sql-queries', config }, sink, datahub_api: server }, folder)
      }

/** What the time of a harvest went into, by its own lines of progress; the rest is its start, its queue and its end. */
export function sharesOf({ seconds, phaseSeconds }: Took): readonly string[] {
  const phases = [
    ['reading and parsing', 'parse'],
    ['comparing with the catalog', 'compare'],
    ['writing', 'emit'],
  ] as const
  const known = phases.map(([name, phase]) => [name, phaseSeconds.get(phase) ?? 0] as const)
  const waiting = seconds - known.reduce((sum, [, one]) => sum + one, 0)
  return [...known, ['waiting', waiting] as const].map(
    ([name, one]) => `${((one / seconds) * 100).toFixed(0)} % ${name}`,
  )
}
