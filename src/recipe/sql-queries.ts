import { Type } from 'typebox'
import { decode } from '../model/decode.ts'
import { DecodeError } from '../model/errors.ts'
import type { JobRequest } from './job-request.ts'

const optional = Type.Optional
const Config = Type.Object(
  {
    query_file: Type.String(),
    platform: Type.String({ minLength: 1 }),
    platform_instance: optional(Type.Union([Type.String(), Type.Null()])),
    env: Type.String({ default: 'PROD' }),
    default_db: optional(Type.Union([Type.String(), Type.Null()])),
    default_schema: optional(Type.Union([Type.String(), Type.Null()])),
    override_dialect: optional(Type.Union([Type.String(), Type.Null()])),
    usage: optional(Type.Unknown()),
    use_schema_resolver: optional(Type.Boolean()),
    lazy_schema_loading: optional(Type.Boolean()),
    temp_table_patterns: Type.Array(Type.String(), { default: [] }),
    incremental_lineage: optional(Type.Boolean()),
    max_consecutive_aggregator_failures: optional(Type.Integer()),
    failure_ratio_threshold: Type.Number({ default: 0.8, minimum: 0, maximum: 1 }),
    aws_config: optional(Type.Unknown()),
  },
  { additionalProperties: false },
)

/**
 * A `sql-queries` source as a harvest of a query log. A log shows a window of time, so edges that it does not show stay,
 * those of other origins in any case.
 * @throws DecodeError
 */
export function sqlQueriesRun(config: Readonly<Record<string, unknown>>, file: string): JobRequest {
  const locate = (path: readonly string[]) => ({ file, path: ['source', 'config', ...path].join('.') })
  const read = decode(Config, config, locate)
  for (const pattern of read.temp_table_patterns) {
    if (!isRegularExpression(pattern)) {
      throw new DecodeError(`${JSON.stringify(pattern)} is no regular expression`, locate(['temp_table_patterns']))
    }
  }
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
      env: read.env,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === 'string' && value !== '')),
      temporary: read.temp_table_patterns,
      maxFailures: read.failure_ratio_threshold,
    },
    notes: [
      ...(read.usage === undefined ? [] : ['usage statistics and operations are not written']),
      ...(read.incremental_lineage === false
        ? ['edges that earlier logs showed stay, although incremental_lineage is false']
        : []),
      ...(read.max_consecutive_aggregator_failures === undefined
        ? []
        : ['max_consecutive_aggregator_failures is not needed: one bad statement never fails the next']),
      ...(read.aws_config === undefined ? [] : ['aws_config is not used: s3:// addresses are not read']),
    ],
  }
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
