import { Type, type Static } from 'typebox'
import { decode } from '../model/decode.ts'
import { DecodeError } from '../model/errors.ts'
import { RecipeUnsupportedError } from './errors.ts'
import type { JobRequest } from './job-request.ts'

const optional = Type.Optional
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  optional(Type.Union([type, Type.Null()]))

/** How reads are counted. Two keys of it have no effect there either, on this source. */
const Usage = Type.Object(
  {
    bucket_duration: Type.Enum(['DAY', 'HOUR'], { default: 'DAY' }),
    start_time: nullable(Type.String()),
    end_time: nullable(Type.String()),
    top_n_queries: Type.Integer({ default: 10, minimum: 1 }),
    queries_character_limit: Type.Integer({ default: 24_000, minimum: 20 }),
    include_top_n_queries: Type.Boolean({ default: true }),
    user_email_pattern: optional(
      Type.Object(
        {
          allow: optional(Type.Array(Type.String())),
          deny: optional(Type.Array(Type.String())),
          ignoreCase: optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
    ),
    format_sql_queries: optional(Type.Boolean()),
    include_operational_stats: optional(Type.Boolean()),
    include_read_operational_stats: optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const Config = Type.Object(
  {
    query_file: Type.String({ minLength: 1 }),
    platform: Type.String({ minLength: 1 }),
    platform_instance: nullable(Type.String()),
    env: Type.String({ default: 'PROD' }),
    default_db: nullable(Type.String()),
    default_schema: nullable(Type.String()),
    override_dialect: nullable(Type.String()),
    usage: Type.Union([Usage, Type.Null()], { default: {} }),
    use_schema_resolver: optional(Type.Boolean()),
    lazy_schema_loading: optional(Type.Boolean()),
    enable_lazy_schema_loading: optional(Type.Boolean()),
    temp_table_patterns: Type.Array(Type.String(), { default: [] }),
    incremental_lineage: optional(Type.Boolean()),
    max_consecutive_aggregator_failures: optional(Type.Integer()),
    failure_ratio_threshold: Type.Number({ default: 0.8, minimum: 0, maximum: 1 }),
    aws_config: optional(Type.Unknown()),
  },
  { additionalProperties: false },
)

/**
 * A `sql-queries` source as a harvest of a query log: lineage, statements, usage and operations, in its own words
 * (docs/compat.md). A log shows a window of time, so edges that it does not show stay unless `incremental_lineage: false`
 * is written down; those of other origins stay in any case.
 * @throws DecodeError; RecipeUnsupportedError for an address on S3
 */
export function sqlQueriesRun(config: Readonly<Record<string, unknown>>, file: string): JobRequest {
  const locate = (path: readonly string[]) => ({ file, path: ['source', 'config', ...path].join('.') })
  const read = decode(Config, config, locate)
  for (const pattern of read.temp_table_patterns) {
    if (!isRegularExpression(pattern)) {
      throw new DecodeError(`${JSON.stringify(pattern)} is no regular expression`, locate(['temp_table_patterns']))
    }
  }
  if (/^s3[an]?:/i.test(read.query_file)) {
    throw new RecipeUnsupportedError(
      file,
      's3:// addresses are not read',
      'copy the log first (aws s3 cp), or name its address over https',
    )
  }
  const usage = read.usage ?? decode(Usage, {}, locate)
  const given = {
    instance: read.platform_instance,
    database: read.default_db,
    schema: read.default_schema,
    dialect: dialectOf(read.override_dialect),
  }
  return {
    job: 'harvest-lineage',
    input: {
      source: read.query_file,
      format: 'log',
      platform: read.platform,
      env: read.env.toUpperCase(),
      ...present(given),
      temporary: read.temp_table_patterns,
      maxFailures: read.failure_ratio_threshold,
      // That source writes no schemas, and stamps what it writes with this name.
      schemas: false,
      actor: 'urn:li:corpuser:_ingestion',
      usage: true,
      usageRules: rulesOf(usage),
      readQueries: true,
      ...(read.incremental_lineage === false ? { replaceSeen: true } : {}),
    },
    notes: [
      ...(usage.format_sql_queries === true ? ['statements are kept as they are: format_sql_queries is not done'] : []),
      ...(usage.include_read_operational_stats === true
        ? ['include_read_operational_stats: reads are counted, and are no operations']
        : []),
      ...(read.use_schema_resolver === false
        ? ['use_schema_resolver: false: columns that the catalog knows are used all the same']
        : []),
      ...(read.max_consecutive_aggregator_failures === undefined
        ? []
        : ['max_consecutive_aggregator_failures is not needed: one bad statement never fails the next']),
      ...(read.aws_config === undefined || read.aws_config === null
        ? []
        : ['aws_config is not used: s3:// addresses are not read']),
    ],
  }
}

/** Characters are shared out among the statements that are shown, like there. */
function rulesOf(usage: Static<typeof Usage>): Readonly<Record<string, unknown>> {
  const { allow, deny } = usage.user_email_pattern ?? {}
  const times = { from: usage.start_time, until: usage.end_time }
  return {
    bucket: usage.bucket_duration,
    ...present(times),
    top: usage.include_top_n_queries ? usage.top_n_queries : 0,
    queryLength: Math.max(20, Math.floor(usage.queries_character_limit / usage.top_n_queries)),
    ...(allow === undefined ? {} : { allow }),
    ...(deny === undefined ? {} : { deny }),
  }
}

function present(given: Readonly<Record<string, string | null | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  )
}

/** Names that the neighbours' parser has for dialects that we call otherwise. */
const DIALECTS: Readonly<Record<string, string>> = { mssql: 'tsql', postgresql: 'postgres', sqlserver: 'tsql' }

function dialectOf(name: string | null | undefined): string | undefined {
  if (name === null || name === undefined) return undefined
  const lower = name.toLowerCase()
  return DIALECTS[lower] ?? lower
}

function isRegularExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}
