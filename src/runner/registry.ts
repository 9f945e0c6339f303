/** The jobs that this process knows: those built in, and those of modules named in the configuration. */
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JobDefinition } from './define-job.ts'
import { JobModuleError, UnknownJobError } from './errors.ts'

export interface JobRegistry {
  readonly names: readonly string[]
  all(): readonly JobDefinition[]
  /** @throws UnknownJobError */
  get(name: string): JobDefinition
}

/** @throws JobModuleError where two jobs have one name, or a name cannot be that of a queue */
export function createJobRegistry(jobs: readonly JobDefinition[]): JobRegistry {
  const byName = new Map<string, JobDefinition>()
  for (const job of jobs) {
    if (!/^[a-z][a-z0-9-]{0,63}$/.test(job.name)) {
      throw new JobModuleError(job.name, 'a name is lower-case words joined by dashes, at most 64 characters')
    }
    if (byName.has(job.name)) throw new JobModuleError(job.name, 'there are two jobs of this name')
    byName.set(job.name, job)
  }
  const names = [...byName.keys()].toSorted()
  return {
    names,
    all: () => names.flatMap((name) => byName.get(name) ?? []),
    get: (name) => {
      const job = byName.get(name)
      if (job === undefined) throw new UnknownJobError(name, names)
      return job
    },
  }
}

/**
 * Loads the jobs of modules: absolute paths, or package names found from this program's place.
 * @throws JobModuleError naming the module
 */
export async function loadJobModules(modules: readonly string[]): Promise<readonly JobDefinition[]> {
  const loaded = await Promise.all(modules.map(loadJobModule))
  return loaded.flat()
}

async function loadJobModule(module: string): Promise<readonly JobDefinition[]> {
  const address = isAbsolute(module) ? pathToFileURL(module).href : module
  const exported: unknown = await import(address).catch((error: unknown) => {
    throw new JobModuleError(module, error instanceof Error ? error.message : String(error), error)
  })
  const found = Object(exported) as { readonly default?: unknown; readonly jobs?: unknown }
  const candidates = [found.default ?? found.jobs].flat()
  if (candidates.length === 0 || !candidates.every(isJobDefinition)) {
    throw new JobModuleError(module, 'it exports no job')
  }
  return candidates
}

function isJobDefinition(value: unknown): value is JobDefinition {
  if (typeof value !== 'object' || value === null) return false
  const { name, input, run, byHand } = value as Partial<Record<keyof JobDefinition, unknown>>
  return (
    typeof name === 'string' &&
    typeof input === 'object' &&
    typeof run === 'function' &&
    (byHand === 'plan' || byHand === 'apply')
  )
}
