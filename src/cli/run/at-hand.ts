/** A run that is asked for on the command line: submitted, shown, waited for. Loaded only once progress is shown: it is large. */
import type { CatalogConnection } from '../../client/catalog-client.ts'
import { keepSource, resolvePaths } from '../../main/paths.ts'
import { readInstance } from '../../main/instance-file.ts'
import { systemClock } from '../../observe/clock.ts'
import { randomIds } from '../../observe/ids.ts'
import { createLogger } from '../../observe/logger.ts'
import { cancelRun } from '../../runner/cancel.ts'
import type { JobDefinition, RunMode } from '../../runner/define-job.ts'
import { submitRun } from '../../runner/submit.ts'
import { waitForRun, type RunEnding } from '../../runner/wait.ts'
import { levelForResults, type CommandContext } from '../command.ts'
import { exitCodeOfSignal } from '../exit-codes.ts'
import { beginProgress, type ShownProgress } from '../progress.ts'
import { onStopRequest } from '../signals.ts'
import { userName } from '../user-name.ts'
import { exitCodeOfEnding, printEnding } from './ending.ts'

/** What a run is asked for on the command line. */
export interface RunAtHand {
  readonly input: Readonly<Record<string, unknown>>
  readonly mode: RunMode | undefined
  readonly target: string | undefined
  /** By URL: catalogs that only a worker in this process knows how to reach. */
  readonly connections?: Readonly<Record<string, CatalogConnection>>
  /** Told of the end, before it is printed. */
  readonly onEnding?: (ending: RunEnding) => void
  /** False: shows none. */
  readonly progress?: boolean
}

/** Submits a run, shows its progress, prints its end. @param begun progress that is shown already @returns the exit code */
export async function runAndWait(
  job: JobDefinition,
  { input, mode, target, connections, onEnding, progress: shown = true }: RunAtHand,
  { terminal, loadConfig: load }: CommandContext,
  begun?: ShownProgress,
): Promise<number> {
  const config = load()
  const logger = createLogger({ level: levelForResults(config) })
  const works = readInstance(config.dataFolder)?.roles.includes('worker') ?? false
  using stop = onStopRequest()
  const progress = begun ?? beginProgress(shown ? terminal : { ...terminal, quiet: true }, job.name)
  using _ended = { [Symbol.dispose]: () => progress.end() }
  const { openHeadwater } = await import('../../main.ts')
  await using headwater = await openHeadwater({
    config,
    environment: process.env,
    connections,
    logger,
    roles: works ? [] : ['worker'],
  })
  const { parts } = headwater
  const completed = await resolvePaths(input, job.input, {
    workingFolder: process.cwd(),
    keep: (location) => {
      const name = randomIds.next('kept', systemClock.now())
      return keepSource(location, config.dataFolder, name, stop.signal)
    },
  }).catch((error: unknown) => {
    if (stop.received === undefined) throw error
    return undefined
  })
  // Whoever stops a command that has not begun yet wants that it does not begin.
  if (stop.received !== undefined || completed === undefined) return exitCodeOfSignal(stop.received ?? 'SIGINT')
  const run = await submitRun(parts, { job: job.name, input: completed, mode, target, requestedBy: userName() })
  const cancel = () => {
    terminal.note(`${stop.received}: cancelling at the next batch border; once more to stop at once`)
    void cancelRun(parts, run.id, userName()).catch((error: unknown) => terminal.complain(String(error)))
  }
  stop.signal.addEventListener('abort', cancel)
  if (stop.received !== undefined) cancel()
  let ending: RunEnding
  try {
    ending = await waitForRun(parts, run.id, {
      signal: new AbortController().signal,
      onChange: (row) => {
        if (row.progress !== null) progress.report(row.progress)
      },
    })
  } finally {
    progress.end()
  }
  onEnding?.(ending)
  await printEnding(terminal, parts, ending)
  if (stop.received !== undefined) return exitCodeOfSignal(stop.received)
  return exitCodeOfEnding(job, ending)
}
