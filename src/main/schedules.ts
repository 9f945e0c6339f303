import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import type { JsonObject } from '../model/json.ts'
import type { JobRegistry } from '../runner/registry.ts'
import type { ScheduleDefinition } from '../store/ledger/types.ts'
import { resolvePaths } from './paths.ts'
import { pruneSchedule } from './prune-job.ts'

/** The schedules of the configuration and the nightly upkeep, their paths absolute: the worker that runs them may stand elsewhere. */
export async function schedulesOf(config: Config, jobs: JobRegistry): Promise<readonly ScheduleDefinition[]> {
  const workingFolder = dirname(config.configFolder)
  const configured = await Promise.all(
    config.schedules.map(async (entry) => ({
      ...entry,
      input: (await resolvePaths(entry.input, jobs.get(entry.job).input, {
        workingFolder,
        at: `${entry.id}.input`,
      })) as JsonObject,
    })),
  )
  const upkeep = pruneSchedule(config.keep)
  return upkeep === undefined || configured.some(({ id }) => id === upkeep.id) ? configured : [...configured, upkeep]
}
