/** The console beside the parts of this process: the catalog's tokens, the process's metrics, the runner's use cases. */
import { dirname, join } from 'node:path'
import { createTokens } from '../catalog/tokens/tokens.ts'
import type { Config } from '../config/config.ts'
import { startConsole, type Console } from '../console/console.ts'
import { createAuthentication } from '../http/access.ts'
import type { RunnerParts } from '../runner/parts.ts'
import type { Scheduler } from '../runner/scheduler.ts'
import type { Workers } from '../runner/workers.ts'
import { resolvePaths } from './paths.ts'

export function openConsole(
  config: Config,
  parts: RunnerParts,
  { scheduler, workers }: { readonly scheduler: Scheduler | undefined; readonly workers: Workers | undefined },
): Promise<Console> {
  return startConsole({
    parts,
    metrics: parts.metrics,
    host: config.console.host,
    port: config.console.port,
    closed: config.token !== undefined,
    authenticate: createAuthentication(config.token?.reveal(), createTokens(parts)),
    runsFolder: join(config.dataFolder, 'runs'),
    completeInput: (input, schema) => resolvePaths(input, schema, { workingFolder: dirname(config.configFolder) }),
    ticking: scheduler,
    ...(workers === undefined ? {} : { working: () => workers.isWorking() }),
  })
}
