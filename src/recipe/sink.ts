/** The sink of a recipe: our own catalog, another one with all that is said of the way to it, a file, or the terminal. */
import { Type, type Static } from 'typebox'
import { decode } from '../model/decode.ts'
import { DecodeError } from '../model/errors.ts'
import { RecipeUnsupportedError } from './errors.ts'

export type RecipeSink =
  | { readonly kind: 'own' }
  | { readonly kind: 'catalog'; readonly catalog: RecipeCatalog }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'console' }

/** How to reach a catalog. Never put it into a job's input: it holds the token. */
export interface RecipeCatalog {
  readonly server: string
  readonly token: string | undefined
  readonly timeoutSeconds?: number
  readonly extraHeaders?: Readonly<Record<string, string>>
  /** Paths of PEM files. */
  readonly caFile?: string
  readonly certificateFile?: string
}

const optional = Type.Optional
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  optional(Type.Union([type, Type.Null()]))

const RestConfig = Type.Object(
  {
    server: Type.String({ pattern: '^https?://' }),
    token: nullable(Type.String()),
    timeout_sec: nullable(Type.Number({ exclusiveMinimum: 0 })),
    extra_headers: nullable(Type.Record(Type.String(), Type.String())),
    ca_certificate_path: nullable(Type.String()),
    client_certificate_path: nullable(Type.String()),
    disable_ssl_verification: optional(Type.Boolean()),
    retry_status_codes: optional(Type.Unknown()),
    retry_max_times: optional(Type.Unknown()),
    mode: optional(Type.Unknown()),
    endpoint: optional(Type.Unknown()),
    max_threads: optional(Type.Unknown()),
    max_pending_requests: optional(Type.Unknown()),
    max_per_batch: optional(Type.Unknown()),
    openapi_ingestion: optional(Type.Unknown()),
    server_config_refresh_interval: optional(Type.Unknown()),
    client_mode: optional(Type.Unknown()),
    datahub_component: optional(Type.Unknown()),
  },
  { additionalProperties: false },
)

/** Keys about how fast and how often; the emitter finds its own pace (README, "Configuration"). */
const PACE = [
  'retry_status_codes',
  'retry_max_times',
  'mode',
  'endpoint',
  'openapi_ingestion',
  'max_threads',
  'max_pending_requests',
  'max_per_batch',
] as const

const FileConfig = Type.Object({ filename: Type.String({ minLength: 1 }) }, { additionalProperties: false })
const ConsoleConfig = Type.Object({}, { additionalProperties: false })

export interface SinkPart {
  readonly type: string
  readonly config: Readonly<Record<string, unknown>>
}

/**
 * @param at where the sink stands, for messages
 * @returns the sink, and a sentence for each thing that it asks for and that is done otherwise
 * @throws DecodeError, RecipeUnsupportedError
 */
export function readSink(
  { type, config }: SinkPart,
  at: { readonly file: string; readonly path: string },
): { readonly sink: RecipeSink; readonly notes: readonly string[] } {
  const locate = (path: readonly string[]) => ({ file: at.file, path: [at.path, ...path].join('.') })
  switch (type) {
    case 'datahub-rest':
    case 'datahub-restli':
      return readRest(decode(RestConfig, config, locate), at)
    case 'file':
      return { sink: { kind: 'file', path: decode(FileConfig, config, locate).filename }, notes: [] }
    case 'console':
      decode(ConsoleConfig, config, locate)
      return { sink: { kind: 'console' }, notes: [] }
    default:
      throw new RecipeUnsupportedError(
        at.file,
        `there is no sink of type ${JSON.stringify(type)}`,
        'use datahub-rest, file or console, or leave the sink out to write to the catalog that ships with Headwater',
      )
  }
}

function readRest(
  config: Static<typeof RestConfig>,
  at: { readonly file: string; readonly path: string },
): { readonly sink: RecipeSink; readonly notes: readonly string[] } {
  const { server, token, timeout_sec: timeoutSeconds, extra_headers: extraHeaders } = config
  const { ca_certificate_path: caFile, client_certificate_path: certificateFile } = config
  if (config.disable_ssl_verification === true) {
    throw new RecipeUnsupportedError(
      at.file,
      'certificates are always verified, so disable_ssl_verification cannot be true',
      'give the authority of the certificate: ca_certificate_path',
    )
  }
  const url = URL.parse(server)
  if (url === null || url.username !== '' || url.password !== '') {
    throw new DecodeError('the server is no address without a name and a password in it', {
      file: at.file,
      path: `${at.path}.server`,
    })
  }
  const paced = PACE.filter((key) => config[key] !== undefined)
  const catalog: RecipeCatalog = {
    server,
    token: token === null || token === '' ? undefined : token,
    ...(timeoutSeconds === undefined || timeoutSeconds === null ? {} : { timeoutSeconds }),
    ...(extraHeaders === undefined || extraHeaders === null ? {} : { extraHeaders }),
    ...(caFile === undefined || caFile === null ? {} : { caFile }),
    ...(certificateFile === undefined || certificateFile === null ? {} : { certificateFile }),
  }
  const notes =
    paced.length === 0 ? [] : [`${paced.join(', ')} of the sink: the emitter finds its own pace and retries`]
  return { sink: { kind: 'catalog', catalog }, notes }
}
