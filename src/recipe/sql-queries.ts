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
    max_consecutive_aggregator_failures: optional(Type.Number()),
    failure_ratio_threshold: optional(Type.Number()),
    aws_config: optional(Type.Unknown()),
  },
  { additionalProperties: false },
)

/** A `sql-queries` source as a harvest of a query log. */
export function sqlQueriesRun(config: Readonly<Record<string, unknown>>, file: string): JobRequest {
  const locate = (path: readonly string[]) => ({ file, path: ['source', 'config', ...path].join('.') })
  const read = decode(Config, config, locate)
  if (read.temp_table_patterns.length > 0) {
    throw new DecodeError('patterns of temporary tables are not known yet', locate(['temp_table_patterns']), {
      remedy: 'temporary tables are told by their CREATE; take the patterns out',
    })
  }
  const given = {
    instance: read.platform_instance,
    database: read.default_db,
    schema: read.default_schema,
    dialect: read.override_dialect,
  }
  return {
    job: 'harvest-lineage',
    input: {
      source: read.query_file,
      format: 'log',
      platform: read.platform,
      env: read.env,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === 'string' && value !== '')),
    },
    notes: [
      ...(read.usage === undefined ? [] : ['usage statistics and operations are not written']),
      ...(read.incremental_lineage === false
        ? ['edges of other origins stay, although incremental_lineage is false']
        : []),
    ],
  }
}
