import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import type { JsonObject } from '../model/json.ts'
import type { JobRegistry } from '../runner/registry.ts'
import type { ScheduleDefinition } from '../store/ledger/types.ts'
import { resolvePaths } from './paths.ts'

/** The schedules of the configuration, their paths absolute: the worker that runs them may stand elsewhere. */
export function schedulesOf(config: Config, jobs: JobRegistry): Promise<readonly ScheduleDefinition[]> {
  const workingFolder = dirname(config.configFolder)
  return Promise.all(
    config.schedules.map(async (entry) => ({
      ...entry,
      input: (await resolvePaths(entry.input, jobs.get(entry.job).input, { workingFolder })) as JsonObject,
    })),
  )
}
