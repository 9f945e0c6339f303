/** `headwater recipe run FILE`: a DataHub ingestion recipe, unchanged, as a run of one of our jobs. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command } from 'commander'
import { JOBS } from '../../jobs/index.ts'
import type { CatalogConnection } from '../client/catalog-client.ts'
import { readInstance } from '../main/instance-file.ts'
import { assertNever } from '../model/errors.ts'
import { systemClock } from '../observe/clock.ts'
import { randomIds } from '../observe/ids.ts'
import { readRecipe, SOURCE_TYPES, type RecipeRun } from '../recipe/recipe.ts'
import type { RecipeCatalog } from '../recipe/sink.ts'
import { createJobRegistry } from '../runner/registry.ts'
import type { RunEnding } from '../runner/wait.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { runAndWait, type RunAtHand } from './run/at-hand.ts'

interface RecipeFlags extends CommonFlags {
  readonly dryRun?: boolean
  readonly preview?: boolean
  readonly strictWarnings?: boolean
  readonly progress: boolean
  readonly reportTo?: string
}

export function recipeCommand(): Command {
  const run = addCommonFlags(new Command('run'))
    .description(`carry a recipe out; source types: ${SOURCE_TYPES.join(', ')}`)
    .argument('<file>', 'recipe (YAML); ${NAME} and ${NAME:-default} are filled in from the environment')
    .option('--dry-run', 'say what would change, and change nothing')
    .option('--preview', 'the same')
    .option('--strict-warnings', 'fail (exit code 1) where a record was rejected or something is done otherwise')
    .option('--no-progress', 'show no progress')
    .option('--report-to <file>', 'write the report of the run there, as JSON')
    .action((file: string, flags: RecipeFlags) => endWith(flags, (context) => runRecipe(file, flags, context)))
  const recipe = new Command('recipe').description('ingestion recipes of DataHub')
  recipe.addCommand(
    withExamples(
      run,
      ['headwater recipe run tags.dhub.yaml --dry-run', 'what it would change'],
      ['headwater recipe run tags.dhub.yaml', 'write to the catalog of its sink, without one to our own'],
    ),
  )
  return recipe
}

async function runRecipe(file: string, flags: RecipeFlags, context: CommandContext): Promise<number> {
  const recipe = readRecipe(readNamed(file), file, process.env)
  const config = context.loadConfig()
  for (const note of recipe.notes) context.terminal.note(`${file}: ${note}`)
  const console = join(config.dataFolder, 'inputs', `${randomIds.next('console', systemClock.now())}.json`)
  const request: RunAtHand = {
    input: recipe.input,
    mode: flags.dryRun === true || flags.preview === true ? 'plan' : (recipe.mode ?? 'apply'),
    progress: flags.progress,
    onEnding: (ending) => {
      if (flags.reportTo !== undefined) writeReport(flags.reportTo, ending)
    },
    ...targetOf(recipe, { file, console, isServed: readInstance(config.dataFolder) !== undefined }),
  }
  const code = await runAndWait(createJobRegistry(JOBS).get(recipe.job), request, context)
  if (recipe.sink.kind === 'console') printConsole(console, context)
  const isWarned = code === EXIT.partial || (code === EXIT.done && recipe.notes.length > 0)
  return flags.strictWarnings === true && isWarned ? EXIT.failed : code
}

/**
 * Where the run writes. What a recipe says of the way to a catalog stays in this process: it is never put into the run.
 * @throws UsageError where the running instance would carry the run out, which cannot be told
 */
function targetOf(
  { sink }: RecipeRun,
  at: { readonly file: string; readonly console: string; readonly isServed: boolean },
): Pick<RunAtHand, 'target' | 'connections'> {
  switch (sink.kind) {
    case 'own':
      return { target: undefined }
    case 'catalog': {
      const { server, ...way } = sink.catalog
      const isPlain = Object.values(way).every((value) => value === undefined)
      if (isPlain) return { target: server }
      refuseServed(at.isServed, `${at.file} holds a token or more of the way to its catalog`)
      return { target: server, connections: { [server]: connectionOf(sink.catalog) } }
    }
    case 'file':
      return { target: pathToFileURL(resolve(sink.path)).href }
    case 'console':
      mkdirSync(dirname(at.console), { recursive: true, mode: 0o700 })
      refuseServed(at.isServed, `${at.file} writes to the terminal`)
      return { target: pathToFileURL(at.console).href }
    default:
      return assertNever(sink)
  }
}

function refuseServed(isServed: boolean, what: string): void {
  if (!isServed) return
  throw new UsageError(`${what}, which cannot be handed to the running instance`, {
    remedy:
      'stop the instance, use another --data folder, or name the catalog under connections: in config/headwater.yaml',
  })
}

function connectionOf(catalog: RecipeCatalog): CatalogConnection {
  const { server, token, timeoutSeconds, extraHeaders, caFile, certificateFile } = catalog
  const certificate = certificateFile === undefined ? undefined : readNamed(certificateFile)
  const tls = {
    ...(caFile === undefined ? {} : { ca: readNamed(caFile) }),
    // One PEM file holds both, as the neighbours have it.
    ...(certificate === undefined ? {} : { cert: certificate, key: certificate }),
  }
  return {
    url: server,
    token: token ?? process.env['DATAHUB_GMS_TOKEN'],
    ...(timeoutSeconds === undefined ? {} : { timeoutMs: timeoutSeconds * 1000 }),
    ...(extraHeaders === undefined ? {} : { extraHeaders }),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
  }
}

function writeReport(path: string, { run, plan, applied }: RunEnding): void {
  const last = applied ?? run
  const report = {
    run: last.id,
    job: last.job,
    state: last.state,
    balance: last.balance,
    report: last.report,
    error: last.error,
    plan: plan?.counts ?? null,
  }
  writeFileSync(path, `${JSON.stringify(report, undefined, 2)}\n`)
}

function printConsole(path: string, { terminal }: CommandContext): void {
  try {
    terminal.print(readFileSync(path, 'utf8').trimEnd())
  } catch {
    // Nothing was sent: a dry run, or a run that ended before.
  } finally {
    rmSync(path, { force: true })
  }
}

function readNamed(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`cannot read ${file}: ${(cause as Error).message}`, { remedy: 'check the path' })
  }
}
