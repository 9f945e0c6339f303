/**
 * DataHub ingestion recipes (YAML), read as they are and turned into runs of our jobs: a source becomes a job with its
 * input, a sink says where it writes. Pure: text and environment in, a request out. What a recipe asks for and we do not
 * do is never passed over in silence: it is refused, or noted.
 */
import { Type, type Static } from 'typebox'
import { DecodeError, HeadwaterError } from '../model/errors.ts'
import { didYouMean } from '../model/near.ts'
import { decodeYaml } from '../model/yaml.ts'
import { csvEnricherRun } from './csv-enricher.ts'
import { datahubGcRun } from './datahub-gc.ts'
import { RecipeUnsupportedError } from './errors.ts'
import { fileRun, lineageFileRun } from './file-sources.ts'
import { variablesOf } from './fill-in.ts'
import type { JobRequest } from './job-request.ts'
import { readSink, type RecipeSink, type SinkPart } from './sink.ts'
import { sqlQueriesRun } from './sql-queries.ts'

export interface RecipeRun extends JobRequest {
  readonly sink: RecipeSink
}

const Part = Type.Object(
  {
    type: Type.String(),
    config: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { default: {} }),
    // Of a source: how it is extracted. There is nothing to choose here.
    extractor: Type.Optional(Type.Unknown()),
    extractor_config: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
)

const RecipeFile = Type.Object(
  {
    source: Part,
    sink: Type.Optional(Part),
    pipeline_name: Type.Optional(Type.Unknown()),
    run_id: Type.Optional(Type.Unknown()),
    datahub_api: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
    transformers: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
    failure_log: Type.Optional(Type.Unknown()),
    flags: Type.Optional(Type.Unknown()),
    reporting: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
)
type RecipeFile = Static<typeof RecipeFile>

type ReadSource = (config: Readonly<Record<string, unknown>>, file: string) => JobRequest

const SOURCES: Readonly<Record<string, ReadSource>> = {
  'csv-enricher': csvEnricherRun,
  'datahub-gc': datahubGcRun,
  'datahub-lineage-file': lineageFileRun,
  file: fileRun,
  'sql-queries': sqlQueriesRun,
}

/** Types of sources that are read. */
export const SOURCE_TYPES: readonly string[] = Object.keys(SOURCES)

/** Parts of a recipe that a run of ours has no use for, and what there is instead. */
const INSTEAD: Readonly<Partial<Record<keyof RecipeFile, string>>> = {
  failure_log: 'failure_log: what is refused or given up is kept with the run: headwater dead list',
  flags: 'flags are of the other tool and have no effect',
  reporting: 'reporting: the run is reported in the ledger: headwater runs show',
  run_id: 'run_id: the run has an id of its own',
}

/**
 * @param file for messages
 * @param environment for the variables in its texts
 * @throws DecodeError at file, line and column; RecipeUnsupportedError. Values of variables do not stand in messages.
 */
export function readRecipe(
  text: string,
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): RecipeRun {
  const variables = variablesOf(environment, file)
  try {
    return recipeRun(decodeYaml(RecipeFile, text, file, undefined, variables.fillIn), file)
  } catch (error) {
    if (!(error instanceof HeadwaterError)) throw error
    const masked = variables.mask(error.message)
    if (masked === error.message) throw error
    throw new DecodeError(masked, {}, error.remedy === undefined ? {} : { remedy: variables.mask(error.remedy) })
  }
}

function recipeRun(recipe: RecipeFile, file: string): RecipeRun {
  const { type } = recipe.source
  const read = SOURCES[type]
  if (read === undefined) {
    const what = `there is no source of type ${JSON.stringify(type)}${didYouMean(type, SOURCE_TYPES)}`
    throw new RecipeUnsupportedError(file, what, `types that are read: ${SOURCE_TYPES.join(', ')}`)
  }
  if ((recipe.transformers ?? []).length > 0) {
    throw new RecipeUnsupportedError(file, 'transformers are not carried out', 'take them out of the recipe')
  }
  const { stateful_ingestion: stateful, ...config } = recipe.source.config ?? {}
  const request = read(config, file)
  const { sink, notes } = sinkOf(recipe, file)
  return {
    ...request,
    input: { ...request.input, ...originOf(recipe, request) },
    sink,
    notes: [
      ...request.notes,
      ...(isOn(stateful) ? ['stateful_ingestion: nothing is removed because a later run does not see it'] : []),
      ...notes,
      ...Object.entries(INSTEAD).flatMap(([key, note]) => (isOn(recipe[key as keyof RecipeFile]) ? [note] : [])),
    ],
  }
}

/** A pipeline's name says whose edges they are better than the name of a file. */
function originOf({ pipeline_name: name }: RecipeFile, { job }: JobRequest): { readonly origin?: string } {
  if (job !== 'harvest-lineage' || typeof name !== 'string') return {}
  const origin = name.replaceAll(/[^A-Za-z0-9._-]/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return origin === '' ? {} : { origin }
}

/** Without a sink, the server that the recipe names for itself; without that, our own catalog. */
function sinkOf({ source, sink, datahub_api: api }: RecipeFile, file: string): ReturnType<typeof readSink> {
  // Maintenance has no sink of its own: it speaks to the catalog that `datahub_api` names.
  const isMaintenance = source.type === 'datahub-gc'
  if (isMaintenance && (sink?.type === 'file' || sink?.type === 'console')) {
    throw new RecipeUnsupportedError(
      file,
      'datahub-gc works on a catalog',
      'name it under datahub_api: or as a datahub-rest sink',
    )
  }
  if (sink !== undefined && !(isMaintenance && isOn(api))) return readSink(partOf(sink), { file, path: 'sink.config' })
  if (api === undefined || api === null) return { sink: { kind: 'own' }, notes: [] }
  return readSink({ type: 'datahub-rest', config: api }, { file, path: 'datahub_api' })
}

function partOf({ type, config }: NonNullable<RecipeFile['sink']>): SinkPart {
  return { type, config: config ?? {} }
}

/** A block that is there and not switched off. */
function isOn(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false
  return !(typeof value === 'object' && 'enabled' in value && value.enabled === false)
}
