/**
 * Truncation that cannot surprise: sizes, forecast, dry run, plan with frozen cut-offs, gate, a person where the policy
 * wants one, second look, archive, truncation, verification, report (docs/retention.md).
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { readSourceText } from '../src/client/source-file.ts'
import { SourceUnreadableError } from '../src/client/source-http.ts'
import { DecodeError } from '../src/model/errors.ts'
import { isJsonObject, objectsOf, type JsonObject } from '../src/model/json.ts'
import { DAY_MS, daysOf } from '../src/retention/duration.ts'
import { drift, judge, moved } from '../src/retention/gate.ts'
import { SIZE_SERIES, sizePoints, TRUNCATION_SERIES, truncationPoint } from '../src/retention/history.ts'
import type { StepMemory, StepResult, TaskStore } from '../src/retention/memory.ts'
import type { Blocked, Step } from '../src/retention/plan.ts'
import { readPolicy, ruleFor, type RetentionPolicy } from '../src/retention/policy.ts'
import {
  describeForecast,
  describeResult,
  describeStep,
  markdownReport,
  remarksOf,
  type StepOutcome,
} from '../src/retention/report.ts'
import { catalogKind, survey, type CatalogKind } from '../src/retention/survey.ts'
import { requestOf } from '../src/retention/truncate-context.ts'
import { carryOut } from '../src/retention/truncate.ts'
import { defineJob, type JobContext, type Plan, type RunContext } from '../src/runner/define-job.ts'

const input = Type.Object(
  {
    policy: Type.String({
      default: 'config/retention.yaml',
      description: 'YAML file that says what is kept and who decides',
      path: true,
    }),
    aspect: Type.String({
      default: '*',
      description: 'Only indexes of this aspect, in any case; * for any characters',
    }),
    entityType: Type.String({ default: '*', description: 'Only indexes of this entity type; * for any characters' }),
    keep: Type.Optional(
      Type.String({ description: 'Keep so much of the indexes selected, whatever the rules say: 14d, 36h, 8w' }),
    ),
    before: Type.Optional(
      Type.String({ description: 'Truncate what is older than this moment instead: 2026-01-01, 2026-01-01T06:00Z' }),
    ),
    inlinePolicy: Type.Optional(
      Type.Unsafe<JsonObject>({ type: 'object', description: 'A policy instead of the file' }),
    ),
  },
  { additionalProperties: false },
)
type Input = Static<typeof input>

const HOUR_MS = 3_600_000
/** Sizes of this long ago and younger say how an index grows. */
const HISTORY_MS = 120 * DAY_MS

export default defineJob({
  name: 'retention',
  summary: 'Truncate timeseries indexes by policy: sizes, dry run, gate, truncation, verification',
  input,
  examples: [
    ['', 'what config/retention.yaml would truncate'],
    ['--apply', 'truncate as far as the gate lets it'],
    ['--aspect operation --policy nightly.yaml', 'one aspect, another policy'],
  ],
  byHand: 'plan',
  queue: { concurrency: 1, deadlineMs: 24 * HOUR_MS },
  // Two truncations at once, of the same index at worst, are more than a catalog should bear.
  resources: () => ['truncation'],

  async plan(context) {
    const { clock, measurements } = context
    const nowMs = clock.now()
    const { policy, warnings } = await policyOf(context.input)
    const selection = { ...context.input, cutoffMs: cutoffByHand(context.input, policy, nowMs) }
    const history = [
      ...(await measurements.read(SIZE_SERIES, nowMs - HISTORY_MS)),
      ...(await measurements.read(TRUNCATION_SERIES, 0)),
    ]
    const client = context.connections.catalog()
    const found = await survey(policy, selection, { ...context, client, nowMs, history })
    await measurements.record(...sizePoints(found.sizes, found.forecasts, nowMs))
    const { steps, blocked, sizes, forecasts } = found
    const budgets = forecasts.filter(({ budgetMb }) => budgetMb !== undefined)
    return {
      counts: {
        indexes: sizes.length,
        truncate: steps.length,
        blocked: blocked.length,
        rows: steps.reduce((sum, step) => sum + step.matching, 0),
      },
      lines: [
        ...steps.map(describeStep),
        ...blocked.map(({ indexName, reason }) => `${indexName}: left alone: ${reason}`),
        ...budgets.flatMap((forecast) => describeForecast(forecast) ?? []),
        ...[...warnings, ...found.warnings].map((warning) => `warning: ${warning}`),
        ...(steps.length + blocked.length === 0
          ? [`nothing is older than the policy keeps, in ${sizes.length} indexes`]
          : []),
      ],
      body: {
        steps: [...steps],
        blocked: [...blocked],
        kind: { ...found.kind },
        forecasts: forecasts.map(({ growth, ...rest }) => ({
          ...rest,
          mbPerDay: growth?.mbPerDay ?? null,
          basis: growth?.basis ?? null,
        })),
        driftShare: policy.driftShare,
        samples: policy.samples,
        settleMs: Math.round(policy.settleSeconds * 1000),
      } as unknown as JsonObject,
      expiresAtMs: nowMs + policy.planLivesHours * HOUR_MS,
      nothingToDo: steps.length + blocked.length === 0,
    }
  },

  check(draft, { nowMs }) {
    return judge(stepsOf(draft.body), blockedOf(draft.body), { nowMs, streams: kindOf(draft.body).streams })
  },

  async recheck(plan, context) {
    const reasons = await changesSince(plan, context)
    return { holds: reasons.length === 0, reasons }
  },

  async run(context) {
    const { plan } = context
    if (plan === undefined) throw new TypeError('retention applies plans only')
    const outcomes: StepOutcome[] = stepsOf(plan.body).map((step) => ({ step }))
    for (const [at, { step }] of outcomes.entries()) {
      try {
        context.stop.throwIfAborted()
        outcomes[at] = { step, result: await truncateStep(step, plan, context) }
      } catch (error) {
        outcomes[at] = { step, failure: error instanceof Error ? error.message : String(error) }
        await writeReport(outcomes, plan, context)
        throw error
      }
    }
    const results = outcomes.flatMap(({ result }) => result ?? [])
    const files = await writeReport(outcomes, plan, context)
    return {
      report: { truncated: results, files },
      lines: [
        ...results.map(describeResult),
        ...results.flatMap(remarksOf).map((remark) => `  ${remark}`),
        `report: ${files.markdown}`,
      ],
    }
  },
})

async function policyOf(
  given: Input,
): Promise<{ readonly policy: RetentionPolicy; readonly warnings: readonly string[] }> {
  if (given.inlinePolicy !== undefined) {
    return { policy: readPolicy(JSON.stringify(given.inlinePolicy), 'inlinePolicy'), warnings: [] }
  }
  try {
    return { policy: readPolicy(await readSourceText(given.policy), given.policy), warnings: [] }
  } catch (error) {
    const byHand = given.keep !== undefined || given.before !== undefined
    if (!byHand || !isAbsent(error)) throw error
    return { policy: readPolicy('{}', given.policy), warnings: [`${given.policy} is not there: its defaults hold`] }
  }
}

function isAbsent(error: unknown): boolean {
  const cause = error instanceof SourceUnreadableError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
}

/** @throws DecodeError where it cannot be read, or lies below the floor */
function cutoffByHand({ keep, before }: Input, { keepDaysFloor }: RetentionPolicy, nowMs: number): number | undefined {
  if (keep === undefined && before === undefined) return undefined
  if (keep !== undefined && before !== undefined) {
    throw new DecodeError('keep and before exclude each other', { path: 'before' }, { remedy: 'give one of them' })
  }
  const days = keep === undefined ? undefined : daysOf(keep)
  const cutoffMs = keep === undefined ? momentOf(before ?? '') : nowMs - (days ?? Number.NaN) * DAY_MS
  if (Number.isNaN(cutoffMs)) {
    const remedy = 'days, hours or weeks read 14d, 36h, 8w; a moment reads 2026-01-01 or 2026-01-01T06:00Z'
    throw new DecodeError(
      `cannot read ${JSON.stringify(keep ?? before)}`,
      { path: keep === undefined ? 'before' : 'keep' },
      { remedy },
    )
  }
  if (cutoffMs > nowMs - keepDaysFloor * DAY_MS) {
    const remedy = 'keep more, or lower keepDaysFloor in the policy'
    throw new DecodeError(
      `the policy keeps at least ${keepDaysFloor} days`,
      { path: keep === undefined ? 'before' : 'keep' },
      { remedy },
    )
  }
  return Math.round(cutoffMs)
}

/** A date is midnight UTC; a time needs a zone, or it would be another moment on another machine. */
function momentOf(text: string): number {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return Number.NaN
  return Date.parse(text)
}

/** Why the plan is not what would happen now. */
async function changesSince(plan: Plan, context: JobContext<Input>): Promise<readonly string[]> {
  const { clock, connections, signal } = context
  const nowMs = clock.now()
  const memories = await Promise.all(stepsOf(plan.body).map((step) => memoryOf(step, context)))
  const begun = memories.some((memory) => memory !== undefined)
  if (!begun && nowMs >= plan.expiresAtMs) return [`it expired at ${new Date(plan.expiresAtMs).toISOString()}`]
  const client = connections.catalog()
  const kind = await catalogKind(client, signal)
  if (kind.strictlyOlder !== kindOf(plan.body).strictlyOlder) {
    return ['another kind of catalog answers, which treats the row at the cut-off otherwise']
  }
  if (!kind.byPlatform && stepsOf(plan.body).some(({ partOf }) => typeof partOf === 'string')) {
    return ['another kind of catalog answers, which truncates whole indexes only']
  }
  const { policy } = await policyOf(context.input)
  const facts = { nowMs, decidedBy: plan.decidedBy ?? '', floorDays: policy.keepDaysFloor }
  const reasons: string[] = []
  for (const [at, step] of stepsOf(plan.body).entries()) {
    // What an attempt before this one began is gone on with.
    if (memories[at] !== undefined) continue
    reasons.push(...moved(step, ruleFor(policy, step), facts))
    const now = await client.timeseries.truncateDryRun(requestOf(step), signal)
    reasons.push(...drift(step, now, Number(plan.body['driftShare'] ?? 0)))
  }
  return reasons
}

async function truncateStep(step: Step, plan: Plan, context: RunContext<Input>): Promise<StepResult> {
  const { clock, stop, signal, progress, checkpoints, measurements, balance } = context
  const { body } = plan
  const result = await carryOut(step, {
    client: context.connections.catalog(),
    kind: kindOf(body),
    clock,
    stop,
    signal,
    settings: {
      samples: Number(body['samples'] ?? 0),
      settleMs: Number(body['settleMs'] ?? 0),
      driftShare: Number(body['driftShare'] ?? 0),
      archiveFolder: context.keepsakes,
      plan: plan.id,
    },
    store: {
      read: () => memoryOf(step, context),
      save: (memory) => checkpoints.save(checkpointOf(step), memory),
    },
    tasks: tasksOf(step, context),
    onProgress: (phase, rows) =>
      progress.report({ phase: `${phase} ${step.indexName}`, done: rows, total: step.matching, unit: 'rows' }),
  })
  await measurements.record(truncationPoint(step.indexName, step.cutoffMs, result.deleted))
  balance.records({ read: result.deleted, used: result.deleted })
  return result
}

/** Markdown and JSON in the run's folder. */
async function writeReport(
  outcomes: readonly StepOutcome[],
  plan: Plan,
  { artifacts, clock, connections, runId }: RunContext<Input>,
): Promise<{ readonly markdown: string; readonly json: string }> {
  const files = { markdown: join(artifacts, 'report.md'), json: join(artifacts, 'report.json') }
  const facts = {
    run: runId,
    plan: plan.id,
    catalog: connections.catalog().address,
    decidedBy: plan.decidedBy ?? 'nobody',
    endedMs: clock.now(),
    reasons: judge(stepsOf(plan.body), blockedOf(plan.body), {
      nowMs: plan.createdAtMs,
      streams: kindOf(plan.body).streams,
    }).reasons,
    outcomes,
    blocked: blockedOf(plan.body),
  }
  await writeFile(files.markdown, markdownReport(facts), { mode: 0o600 })
  await writeFile(files.json, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 })
  return files
}

/** Of the whole index, whichever part of it a step is about. */
function tasksOf({ partOf, indexName }: Step, { memory }: RunContext<Input>): TaskStore {
  const key = `under-way/${partOf ?? indexName}`
  return {
    async read() {
      const taskId = (await memory.read([key])).get(key)
      return typeof taskId === 'string' ? taskId : undefined
    },
    save: (taskId) => memory.write(new Map([[key, taskId]])),
  }
}

function checkpointOf({ indexName }: Step): string {
  return `truncation.${indexName}`
}

async function memoryOf(step: Step, { checkpoints }: JobContext<Input>): Promise<StepMemory | undefined> {
  const memory = await checkpoints.read(checkpointOf(step))
  return isJsonObject(memory) ? (memory as StepMemory) : undefined
}

function stepsOf(body: JsonObject): readonly Step[] {
  return objectsOf(body['steps']) as readonly Step[]
}

function blockedOf(body: JsonObject): readonly Blocked[] {
  return objectsOf(body['blocked']) as readonly Blocked[]
}

function kindOf(body: JsonObject): CatalogKind {
  const kind = body['kind']
  const is = (name: string): boolean => isJsonObject(kind) && kind[name] === true
  return {
    byPlatform: is('byPlatform'),
    strictlyOlder: is('strictlyOlder'),
    streams: is('streams'),
    cancels: is('cancels'),
  }
}
