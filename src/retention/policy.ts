/** `config/retention.yaml`: how long rows of each timeseries aspect are kept, and who decides that older ones may go. */
import { Type, type Static } from 'typebox'
import { decodeYaml } from '../model/yaml.ts'

const limits = {
  keepDays: Type.Number({
    exclusiveMinimum: 0,
    description: 'Rows older than this go. Never less than keepDaysFloor.',
  }),
  decide: Type.Enum(['auto', 'ask', 'never'], {
    default: 'ask',
    description: 'auto: truncate when all limits hold, else ask; ask: wait for a person; never: keep everything.',
  }),
  maxShare: Type.Number({
    default: 0.5,
    minimum: 0,
    maximum: 1,
    description: 'Largest share of the rows that may go without a person.',
  }),
  maxRows: Type.Integer({ default: 10_000_000, minimum: 0, description: 'Most rows that may go without a person.' }),
  minRowsKept: Type.Integer({
    default: 1,
    minimum: 0,
    description: 'If fewer rows than this would stay, the index is left alone, whoever approves.',
  }),
  method: Type.Enum(['auto', 'delete', 'rebuild'], {
    default: 'auto',
    description: 'How the rows go: the catalog decides, delete by query, or rebuild without them.',
  }),
  batchSize: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Rows a deletion batch; the catalog decides when absent.' }),
  ),
  timeoutMinutes: Type.Number({ default: 120, exclusiveMinimum: 0, description: 'Longest wait for one truncation.' }),
}

const Rule = Type.Object(
  {
    aspect: Type.String({ minLength: 1, description: 'Name in any case, * for any characters.' }),
    entityType: Type.String({ default: '*', description: 'Name in any case, * for any characters.' }),
    ...limits,
  },
  { additionalProperties: false },
)

export const RetentionFile = Type.Object(
  {
    keepDaysFloor: Type.Number({ default: 7, minimum: 0, description: 'No rule and no flag goes below this.' }),
    planLivesHours: Type.Number({
      default: 72,
      exclusiveMinimum: 0,
      description: 'A plan cannot be approved after that.',
    }),
    driftShare: Type.Number({
      default: 0.05,
      minimum: 0,
      description: 'How many more rows than planned may go at the second look, as a share of the planned ones.',
    }),
    rules: Type.Array(Rule, {
      default: [],
      description: 'The first rule that fits an index counts; none: it is kept.',
    }),
  },
  { additionalProperties: false, title: 'Headwater retention policy' },
)
export type RetentionPolicy = Static<typeof RetentionFile>
export type RetentionRule = RetentionPolicy['rules'][number]

/** @param file for messages @throws DecodeError at file, line and column */
export function readPolicy(text: string, file: string): RetentionPolicy {
  return decodeYaml(RetentionFile, text, file)
}

/** The first rule that fits, its days raised to the floor. */
export function ruleFor(
  policy: RetentionPolicy,
  index: { readonly entityType: string; readonly aspectName: string },
): RetentionRule | undefined {
  const rule = policy.rules.find(
    (candidate) => fits(candidate.aspect, index.aspectName) && fits(candidate.entityType, index.entityType),
  )
  return rule && { ...rule, keepDays: Math.max(rule.keepDays, policy.keepDaysFloor) }
}

/** Whether a name fits a pattern with `*`, whatever the case of both. */
export function fits(pattern: string, name: string): boolean {
  const parts = pattern
    .toLowerCase()
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(name.toLowerCase())
}
