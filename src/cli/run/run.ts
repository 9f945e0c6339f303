/** `headwater run JOB`: through the queue like every run, in the running instance or in this process, and waits. */
import { Command } from 'commander'
import { JOBS } from '../../../jobs/index.ts'
import type { CatalogConnection } from '../../client/catalog-client.ts'
import { loadConfig } from '../../config/load.ts'
import { readInstance } from '../../main/instance-file.ts'
import { systemClock } from '../../observe/clock.ts'
import { randomIds } from '../../observe/ids.ts'
import { createLogger } from '../../observe/logger.ts'
import { cancelRun } from '../../runner/cancel.ts'
import type { JobDefinition, RunMode } from '../../runner/define-job.ts'
import { createJobRegistry, loadJobModules } from '../../runner/registry.ts'
import { PlanNotFoundError } from '../../runner/errors.ts'
import { submitRun } from '../../runner/submit.ts'
import { waitForRun, type RunEnding } from '../../runner/wait.ts'
import { readPlan } from '../../store/ledger/plans.ts'
import {
  addCommonFlags,
  endWith,
  levelForResults,
  withExamples,
  type CommandContext,
  type CommonFlags,
} from '../command.ts'
import { exitCodeOfSignal, UsageError } from '../exit-codes.ts'
import { addInputFlags, camelCaseFlag, catalogUrlOf, inputFromFlags, kebabCase } from '../flags.ts'
import { actOn } from '../ledger/open.ts'
import { approveAndWait } from '../ledger/approve-and-wait.ts'
import { showProgress } from '../progress.ts'
import { onStopRequest } from '../signals.ts'
import { userName } from '../user-name.ts'
import { exitCodeOfEnding, printEnding } from './ending.ts'
import { keepStdin, resolvePaths } from '../../main/paths.ts'

interface RunFlags extends CommonFlags {
  readonly plan?: boolean
  /** A plan's id where one made before is to be carried out. */
  readonly apply?: boolean | string
  readonly catalog?: string
  readonly to?: string
  readonly [flag: string]: unknown
}

/** Flags of the command itself; a job's input cannot have keys of these names. */
const OWN_FLAGS = new Set(['plan', 'apply', 'catalog', 'to', 'data', 'config', 'quiet', 'json', 'logLevel'])

/** One subcommand for each job, built in or named in the configuration. */
export async function runCommand(): Promise<Command> {
  const run = withExamples(
    new Command('run').description('run a job now and wait for its end'),
    ['headwater run harvest-lineage --source sql/ --platform snowflake', 'lineage of a folder of SQL'],
    ['headwater run import-csv --file tags.csv', 'what a file would change'],
    ['headwater run retention --apply', 'truncate as far as the gate lets it'],
  )
  const jobs = createJobRegistry([...JOBS, ...(await loadJobModules(configuredModules()))])
  for (const job of jobs.all()) run.addCommand(jobCommand(job))
  return run
}

/** What the configuration names; where it is broken, the command itself will say so. */
function configuredModules(): readonly string[] {
  const at = process.argv.indexOf('--config')
  const flags = at < 0 ? {} : { config: process.argv[at + 1] }
  try {
    return loadConfig({ workingFolder: process.cwd(), environment: process.env, flags }).jobModules
  } catch {
    return []
  }
}

function jobCommand(job: JobDefinition): Command {
  const command = addCommonFlags(new Command(job.name)).description(job.summary)
  if (job.plan !== undefined) {
    const other = job.byHand === 'plan' ? '; this is what happens without --apply' : ''
    command.option('--plan', `say what would change, and change nothing${other}`)
    const gated = job.check === undefined ? '' : ', as far as the gate lets it'
    command.option('--apply [plan]', `change it${gated}; with the id of a plan: that plan, approved by you`)
  }
  command
    .option('--to <name>', 'write to this connection of config/headwater.yaml instead of our own catalog')
    .option(
      '--catalog <url>',
      'write to the catalog at this address; its token comes from DATAHUB_GMS_TOKEN',
      catalogUrlOf,
    )
  addInputFlags(command, job.input, OWN_FLAGS)
  const examples = job.examples ?? []
  if (examples.length > 0) {
    withExamples(
      command,
      ...examples.map(([flags, what]) => [`headwater run ${job.name} ${flags}`.trim(), what] as const),
    )
  }
  return command.action((flags: RunFlags) => endWith(flags, (context) => runJob(job, flags, context)))
}

async function runJob(job: JobDefinition, flags: RunFlags, context: CommandContext): Promise<number> {
  if (typeof flags.apply === 'string') return applyPlan(job, flags.apply, flags, context)
  const request = { input: inputFromFlags(flags, job.input), mode: modeOf(flags), target: flags.catalog ?? flags.to }
  return runAndWait(job, request, context)
}

/** Carries out a plan that was made before: its input stands in it, so none is given here. */
async function applyPlan(job: JobDefinition, id: string, flags: RunFlags, context: CommandContext): Promise<number> {
  modeOf(flags)
  const given = Object.keys(job.input.properties).filter((key) => flags[camelCaseFlag(key)] !== undefined)
  const beside = [...given.map(kebabCase), ...['to', 'catalog'].filter((key) => flags[key] !== undefined)]
  if (beside.length > 0) {
    throw new UsageError(`--apply ${id} carries out a plan, which has its own ${beside.join(', ')}`, {
      remedy: `leave ${beside.map((key) => `--${key}`).join(', ')} out, or make a new plan`,
    })
  }
  return actOn(flags, context, { carryOut: true }, async (parts) => {
    const made = await readPlan(parts.database, id)
    if (made === undefined) throw new PlanNotFoundError(id)
    if (made.job !== job.name) {
      throw new UsageError(`${id} is a plan of ${made.job}, not of ${job.name}`, {
        remedy: `headwater run ${made.job} --apply ${id}`,
      })
    }
    return approveAndWait(parts, id, context)
  })
}

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

/** Submits a run, shows its progress, prints its end. @returns the exit code */
export async function runAndWait(
  job: JobDefinition,
  { input, mode, target, connections, onEnding, progress: shown = true }: RunAtHand,
  { terminal, loadConfig: load }: CommandContext,
): Promise<number> {
  const config = load()
  const logger = createLogger({ level: levelForResults(config) })
  const works = readInstance(config.dataFolder)?.roles.includes('worker') ?? false
  using stop = onStopRequest()
  // Said before the large modules are loaded and the database starts, so that one sees at once that it works.
  const progress = showProgress(shown ? terminal : { ...terminal, quiet: true }, systemClock, job.name)
  progress.report({ phase: 'start', done: 0, unit: 'steps' })
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
  const run = await submitRun(parts, {
    job: job.name,
    input: await resolvePaths(input, job.input, {
      workingFolder: process.cwd(),
      keepStdin: () => keepStdin(config.dataFolder, randomIds.next('stdin', systemClock.now())),
    }),
    mode,
    target,
    requestedBy: userName(),
  })
  const cancel = () => {
    terminal.note(`${stop.received}: cancelling at the next batch border; once more to stop at once`)
    void cancelRun(parts, run.id, userName()).catch((error: unknown) => terminal.complain(String(error)))
  }
  stop.signal.addEventListener('abort', cancel)
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

function modeOf({ plan, apply }: RunFlags): RunMode | undefined {
  if (plan === true && apply !== undefined) {
    throw new UsageError('--plan and --apply exclude each other', { remedy: 'choose one' })
  }
  if (plan === true) return 'plan'
  return apply === true ? 'apply' : undefined
}
