/** `headwater recipe run FILE`: a DataHub ingestion recipe, unchanged, as a run of one of our jobs. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { JOBS } from '../../jobs/index.ts'
import { readInstance } from '../main/instance-file.ts'
import { readRecipe } from '../recipe/recipe.ts'
import { createJobRegistry } from '../runner/registry.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from './command.ts'
import { UsageError } from './exit-codes.ts'
import { runAndWait } from './run/run.ts'

interface RecipeFlags extends CommonFlags {
  readonly dryRun?: boolean
}

export function recipeCommand(): Command {
  const run = addCommonFlags(new Command('run'))
    .description('carry a recipe out; source types: csv-enricher, sql-queries, datahub-gc (its truncation)')
    .argument('<file>', 'recipe (YAML); ${NAME} and ${NAME:-default} are filled in from the environment')
    .option('--dry-run', 'say what would change, and change nothing')
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
  const { job, input, notes, server, token, mode } = readRecipe(readRecipeFile(file), file, process.env)
  const { dataFolder } = context.loadConfig()
  if (token !== undefined && readInstance(dataFolder) !== undefined) {
    throw new UsageError(`${file} holds a token, which cannot be handed to the running instance`, {
      remedy:
        'stop the instance, use another --data folder, or name the catalog under connections: in config/headwater.yaml',
    })
  }
  for (const note of notes) context.terminal.note(`${file}: ${note}`)
  const request = {
    input,
    mode: flags.dryRun === true ? ('plan' as const) : (mode ?? ('apply' as const)),
    target: server,
    ...(token === undefined ? {} : { environment: { DATAHUB_GMS_TOKEN: token } }),
  }
  return runAndWait(createJobRegistry(JOBS).get(job), request, context)
}

function readRecipeFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`cannot read ${file}: ${(cause as Error).message}`, { remedy: 'check the path' })
  }
}
