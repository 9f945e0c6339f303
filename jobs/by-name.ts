/** One of the jobs that ship with Headwater without loading the others: a command shows sooner that it works. */
import type { JobDefinition } from '../src/runner/define-job.ts'

const LOADERS: Readonly<Record<string, () => Promise<{ readonly default: JobDefinition }>>> = {
  'harvest-lineage': () => import('./harvest-lineage.ts'),
  'import-csv': () => import('./import-csv.ts'),
  'import-metadata': () => import('./import-metadata.ts'),
  retention: () => import('./retention.ts'),
  'restore-archive': () => import('./restore-archive.ts'),
  undo: () => import('./undo.ts'),
  replay: () => import('./replay.ts'),
}

/** Undefined where it is none of ours. */
export async function jobNamed(name: string | undefined): Promise<JobDefinition | undefined> {
  const load = name === undefined || !Object.hasOwn(LOADERS, name) ? undefined : LOADERS[name]
  return load === undefined ? undefined : (await load()).default
}
