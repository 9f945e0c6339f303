/** `headwater run JOB`: through the queue like every run, in the running instance or in this process, and waits. */
import { Command } from 'commander'
import { jobNamed } from '../../../jobs/by-name.ts'
import { loadConfig } from '../../config/load.ts'
import type { JobDefinition, RunMode } from '../../runner/define-job.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { addInputFlags, camelCaseFlag, catalogUrlOf, inputFromFlags, kebabCase } from '../flags.ts'
import { beginProgress } from '../progress.ts'

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
  for (const job of await wantedJobs(process.argv[3])) run.addCommand(jobCommand(job))
  return run
}

/** The one that is asked for; all of them for help and for suggestions. */
async function wantedJobs(name: string | undefined): Promise<readonly JobDefinition[]> {
  const one = await jobNamed(name)
  if (one !== undefined) return [one]
  const [{ JOBS }, { createJobRegistry, loadJobModules }] = await Promise.all([
    import('../../../jobs/index.ts'),
    import('../../runner/registry.ts'),
  ])
  return createJobRegistry([...JOBS, ...(await loadJobModules(configuredModules()))]).all()
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
  const progress = beginProgress(context.terminal, job.name)
  using _ended = { [Symbol.dispose]: () => progress.end() }
  const { runAndWait } = await import('./at-hand.ts')
  return await runAndWait(job, request, context, progress)
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
  const [{ actOn }, { approveAndWait }, { readPlan }, { PlanNotFoundError }] = await Promise.all([
    import('../ledger/open.ts'),
    import('../ledger/approve-and-wait.ts'),
    import('../../store/ledger/plans.ts'),
    import('../../runner/errors.ts'),
  ])
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

function modeOf({ plan, apply }: RunFlags): RunMode | undefined {
  if (plan === true && apply !== undefined) {
    throw new UsageError('--plan and --apply exclude each other', { remedy: 'choose one' })
  }
  if (plan === true) return 'plan'
  return apply === true ? 'apply' : undefined
}
