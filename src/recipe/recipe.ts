/**
 * DataHub ingestion recipes (YAML), read as they are and turned into runs of our jobs: a source becomes a job with its
 * input, a sink says which catalog it writes to. Pure: text and environment in, a request out. What a recipe asks for
 * and we do not do is never passed over in silence: it is refused, or noted.
 */
import { Type, type Static } from 'typebox'
import { DecodeError, HeadwaterError } from '../model/errors.ts'
import { didYouMean } from '../model/near.ts'
import { decodeYaml } from '../model/yaml.ts'
import { csvEnricherRun } from './csv-enricher.ts'
import { datahubGcRun } from './datahub-gc.ts'
import type { JobRequest } from './job-request.ts'
import { sqlQueriesRun } from './sql-queries.ts'

/** A recipe asks for something that Headwater does not have. */
class RecipeUnsupportedError extends HeadwaterError {
  readonly code = 'RECIPE_UNSUPPORTED'
  override readonly badInput = true

  constructor(file: string, what: string, remedy: string) {
    super(`${file}: ${what}`, { remedy })
  }
}

export interface RecipeRun extends JobRequest {
  /** Address of the catalog to write to; undefined for our own. */
  readonly server: string | undefined
  /** Of that catalog; never put it into a job's input. */
  readonly token: string | undefined
}

const RecipeFile = Type.Object(
  {
    source: Type.Object({ type: Type.String(), config: Type.Record(Type.String(), Type.Unknown(), { default: {} }) }),
    sink: Type.Optional(
      Type.Object({ type: Type.String(), config: Type.Record(Type.String(), Type.Unknown(), { default: {} }) }),
    ),
    pipeline_name: Type.Optional(Type.String()),
    run_id: Type.Optional(Type.String()),
    datahub_api: Type.Optional(Type.Unknown()),
    transformers: Type.Optional(Type.Array(Type.Unknown())),
    failure_log: Type.Optional(Type.Unknown()),
    flags: Type.Optional(Type.Unknown()),
    reporting: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
)

const SOURCES: Readonly<Record<string, (config: Readonly<Record<string, unknown>>, file: string) => JobRequest>> = {
  'csv-enricher': csvEnricherRun,
  'datahub-gc': datahubGcRun,
  'sql-queries': sqlQueriesRun,
}

const REST_SINKS = ['datahub-rest', 'datahub-restli']

/**
 * @param file for messages
 * @param environment for `${NAME}` and `${NAME:-default}` in the text
 * @throws DecodeError at file, line and column; RecipeUnsupportedError
 */
export function readRecipe(
  text: string,
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): RecipeRun {
  const recipe = decodeYaml(RecipeFile, expand(text, file, environment), file)
  const toRun = SOURCES[recipe.source.type]
  if (toRun === undefined) {
    const known = Object.keys(SOURCES)
    const what = `there is no source of type ${JSON.stringify(recipe.source.type)}${didYouMean(recipe.source.type, known)}`
    throw new RecipeUnsupportedError(file, what, `types that are read: ${known.join(', ')}`)
  }
  if ((recipe.transformers?.length ?? 0) > 0) {
    throw new RecipeUnsupportedError(file, 'transformers are not carried out', 'take them out of the recipe')
  }
  return { ...toRun(recipe.source.config, file), ...sinkOf(recipe, file) }
}

function sinkOf(recipe: Static<typeof RecipeFile>, file: string): Pick<RecipeRun, 'server' | 'token'> {
  // Maintenance has no sink of its own: it speaks to the catalog that `datahub_api` names.
  const { source, datahub_api: api } = recipe
  const sink = source.type === 'datahub-gc' && isObject(api) ? { type: 'datahub-rest', config: api } : recipe.sink
  if (sink === undefined) return { server: undefined, token: undefined }
  if (!REST_SINKS.includes(sink.type)) {
    throw new RecipeUnsupportedError(
      file,
      `there is no sink of type ${JSON.stringify(sink.type)}`,
      'use datahub-rest, or leave the sink out to write to the catalog that ships with Headwater',
    )
  }
  const { server, token } = sink.config
  if (typeof server !== 'string') throw new DecodeError('missing key "server"', { file, path: 'sink.config' })
  return { server, token: typeof token === 'string' && token !== '' ? token : undefined }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws DecodeError where a variable is not set and has no default */
function expand(text: string, file: string, environment: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_, name: string, fallback?: string) => {
    const value = environment[name] ?? fallback
    if (value === undefined) {
      throw new DecodeError(`the variable ${name} is not set`, { file }, { remedy: `export ${name}=…` })
    }
    return value
  })
}
