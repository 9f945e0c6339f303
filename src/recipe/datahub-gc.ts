import { Type } from 'typebox'
import { decode } from '../model/decode.ts'
import type { JobRequest } from './job-request.ts'

const Whatever = Type.Optional(Type.Unknown())

const Config = Type.Object(
  {
    dry_run: Type.Boolean({ default: false }),
    truncate_indices: Type.Optional(Type.Boolean()),
    truncate_index_older_than_days: Type.Integer({ default: 30, minimum: 1 }),
    truncation_watch_until: Type.Optional(Type.Integer()),
    truncation_sleep_between_seconds: Type.Optional(Type.Integer()),
    truncate_aspect_retentions: Type.Optional(
      Type.Array(
        Type.Object(
          { entity_type: Type.String(), aspect: Type.String(), days: Type.Integer({ minimum: 1 }) },
          { additionalProperties: false },
        ),
      ),
    ),
    cleanup_expired_tokens: Type.Optional(Type.Boolean()),
    dataprocess_cleanup: Whatever,
    soft_deleted_entities_cleanup: Whatever,
    execution_request_cleanup: Whatever,
    query_cleanup: Whatever,
  },
  { additionalProperties: false },
)

/** Of a policy; a recipe that says less is believed, since a person decides. */
const DEFAULT_FLOOR = 7

/** What that source truncates. */
const TRUNCATED = [
  ['dataset', 'operation'],
  ['dataset', 'datasetusagestatistics'],
  ['chart', 'chartUsageStatistics'],
  ['dashboard', 'dashboardUsageStatistics'],
  ['query', 'queryusagestatistics'],
] as const

const NOT_DONE = [
  'cleanup_expired_tokens',
  'dataprocess_cleanup',
  'soft_deleted_entities_cleanup',
  'execution_request_cleanup',
  'query_cleanup',
] as const

/**
 * The truncation of a `datahub-gc` source as a retention that a person approves. Unlike there, `dry_run` covers it, and
 * nothing is truncated unless `truncate_indices: true` is written down.
 */
export function datahubGcRun(config: Readonly<Record<string, unknown>>, file: string): JobRequest {
  const locate = (path: readonly string[]) => ({ file, path: ['source', 'config', ...path].join('.') })
  const read = decode(Config, config, locate)
  const truncates = read.truncate_indices === true
  const listed = read.truncate_aspect_retentions?.map(({ entity_type, aspect, days }) =>
    rule(entity_type, aspect, days),
  )
  const usual = TRUNCATED.map(([entityType, aspect]) => rule(entityType, aspect, read.truncate_index_older_than_days))
  const rules = truncates ? [...(listed ?? []), ...usual] : []
  return {
    job: 'retention',
    input: {
      inlinePolicy: { keepDaysFloor: Math.min(DEFAULT_FLOOR, ...rules.map(({ keepDays }) => keepDays)), rules },
    },
    ...(read.dry_run ? { mode: 'plan' as const } : {}),
    notes: [
      ...(truncates ? [] : ['nothing is truncated: that asks for truncate_indices: true']),
      ...(truncates && !read.dry_run
        ? ['a person decides; a policy file (headwater run retention) may decide by itself']
        : []),
      ...NOT_DONE.filter((key) => isAskedFor(read[key])).map((key) => `${key} is not carried out`),
    ],
  }
}

function rule(entityType: string, aspect: string, keepDays: number) {
  return { entityType, aspect, keepDays, decide: 'ask' } as const
}

/** Written down and not switched off. */
function isAskedFor(block: unknown): boolean {
  if (block === undefined || block === null || block === false) return false
  return typeof block !== 'object' || !('enabled' in block) || block.enabled !== false
}
