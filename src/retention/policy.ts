/** `config/retention.yaml`: how long rows of each timeseries aspect are kept, and who decides that older ones may go. */
import { Type, type Static } from 'typebox'
import { decodeYaml, type YamlFault } from '../model/yaml.ts'
import { faultOf, QuietHours } from './quiet-hours.ts'

const quietHours = Type.Array(QuietHours, {
  default: [],
  description: 'Times of the day at which a person is asked, whatever `decide` says.',
})

export const Rule = Type.Object(
  {
    aspect: Type.String({ minLength: 1, description: 'Name in any case, * for any characters.' }),
    entityType: Type.String({ default: '*', description: 'Name in any case, * for any characters.' }),
    platform: Type.Optional(
      Type.String({
        pattern: '^[^,()\\s]+$',
        description:
          'Only rows of entities of this data platform, as URNs name it (snowflake); the others are left to later rules.',
      }),
    ),
    keepDays: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'Rows older than this go. Never less than keepDaysFloor.' }),
    ),
    keepDaysFloor: Type.Number({
      default: 0,
      minimum: 0,
      description: 'Neither keepDays nor a budget goes below this here; the higher floor of file and rule counts.',
    }),
    maxGb: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'Budget of the index, in 1,000,000,000 bytes as after a rebuild: beyond it the oldest rows go.',
      }),
    ),
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
    usualTimes: Type.Number({
      default: 5,
      minimum: 1,
      description:
        'A person is asked where more than this many times the usual rows would go, or less than that part of them; usual follows from the truncations before, once there were four.',
    }),
    quietHours,
    method: Type.Enum(['auto', 'delete', 'rebuild'], {
      default: 'auto',
      description:
        'How the rows go: the catalog decides (a budget wants a rebuild), delete by query, or rebuild without them.',
    }),
    batchSize: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Rows a deletion batch; the catalog decides when absent.' }),
    ),
    timeoutMinutes: Type.Number({ default: 120, exclusiveMinimum: 0, description: 'Longest wait for one truncation.' }),
    archive: Type.Boolean({
      default: false,
      description: 'Keep the rows in a file before they go, where the catalog can stream them; else a person is asked.',
    }),
  },
  { additionalProperties: false },
)

export const RetentionFile = Type.Object(
  {
    keepDaysFloor: Type.Number({ default: 7, minimum: 0, description: 'No rule, budget or flag goes below this.' }),
    planLivesHours: Type.Number({
      default: 72,
      exclusiveMinimum: 0,
      description: 'A plan cannot be approved or begun after that.',
    }),
    driftShare: Type.Number({
      default: 0.05,
      minimum: 0,
      description: 'How many more rows than planned may go at the second look, as a share of the planned ones.',
    }),
    totalMaxGb: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'Budget of all indexes together; the oldest rows go first, whichever index with a rule has them.',
      }),
    ),
    quietHours,
    samples: Type.Integer({
      default: 20,
      minimum: 0,
      maximum: 200,
      description: 'Rows that stay which are read before and after each truncation.',
    }),
    settleSeconds: Type.Number({
      default: 60,
      minimum: 0,
      description: 'How long the counts of a catalog may lag behind the end of its task.',
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
  return decodeYaml(RetentionFile, text, file, faultsOf)
}

function faultsOf(policy: RetentionPolicy): readonly YamlFault[] {
  const rules = policy.rules.flatMap((rule, at) => {
    const path = ['rules', String(at)]
    const without = rule.keepDays === undefined && rule.maxGb === undefined && policy.totalMaxGb === undefined
    const aimless = without && rule.decide !== 'never'
    return [
      ...quietFaults(rule.quietHours, path),
      ...(aimless ? [{ path, what: 'the rule says neither keepDays nor maxGb, so nothing would ever go' }] : []),
    ]
  })
  return [...quietFaults(policy.quietHours, []), ...rules]
}

function quietFaults(all: readonly QuietHours[], path: readonly string[]): readonly YamlFault[] {
  return all.flatMap((each, at) => {
    const what = faultOf(each)
    return what === undefined ? [] : [{ path: [...path, 'quietHours', String(at)], what }]
  })
}

/** Names an index, or a part of one. */
export interface IndexNames {
  readonly entityType: string
  readonly aspectName: string
  /** Where only this data platform's rows are meant. */
  readonly platform?: string | null | undefined
}

/** A rule as it holds for an index, or a platform's part of it: floor and quiet hours of the file taken in. */
export function ruleFor(policy: RetentionPolicy, index: IndexNames): RetentionRule | undefined {
  const rule = rulesOf(policy, index).find(
    ({ platform }) => platform === undefined || platform === (index.platform ?? undefined),
  )
  return rule && effective(rule, policy)
}

/** The rules that hold for rows of an index: those of platforms first met, up to the one that takes all others. */
export function rulesOf(policy: RetentionPolicy, index: IndexNames): readonly RetentionRule[] {
  const fitting = policy.rules.filter(
    (rule) => fits(rule.aspect, index.aspectName) && fits(rule.entityType, index.entityType),
  )
  const last = fitting.findIndex(({ platform }) => platform === undefined)
  const met = last === -1 ? fitting : fitting.slice(0, last + 1)
  return met.filter(({ platform }, at) => met.findIndex((rule) => rule.platform === platform) === at)
}

/** The rule with the file's floor and quiet hours, its days raised to the floor. */
export function effective(rule: RetentionRule, policy: RetentionPolicy): RetentionRule {
  const keepDaysFloor = Math.max(rule.keepDaysFloor, policy.keepDaysFloor)
  return {
    ...rule,
    keepDaysFloor,
    quietHours: [...policy.quietHours, ...rule.quietHours],
    ...(rule.keepDays === undefined ? {} : { keepDays: Math.max(rule.keepDays, keepDaysFloor) }),
  }
}

/** Whether a name fits a pattern with `*`, whatever the case of both. */
export function fits(pattern: string, name: string): boolean {
  const parts = pattern
    .toLowerCase()
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(name.toLowerCase())
}
