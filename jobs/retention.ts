/** Index sizes, dry run, gate, truncation, verification. */
import { Type, type Static } from 'typebox'
import { readSourceText } from '../src/client/source-file.ts'
import { isJsonObject, type JsonObject } from '../src/model/json.ts'
import { drift, judge } from '../src/retention/gate.ts'
import { candidates, describeStep, idleRules, stepFor, type Blocked, type Step } from '../src/retention/plan.ts'
import { fits, readPolicy, type RetentionPolicy } from '../src/retention/policy.ts'
import { carryOut, requestOf, type StepResult } from '../src/retention/truncate.ts'
import { defineJob, type JobContext, type RunContext } from '../src/runner/define-job.ts'

const input = Type.Object(
  {
    policy: Type.String({
      default: 'config/retention.yaml',
      description: 'YAML file that says what is kept and who decides',
      path: true,
    }),
    aspect: Type.String({ default: '*', description: 'Only indexes of this aspect; * for any characters' }),
  },
  { additionalProperties: false },
)
type Input = Static<typeof input>

const HOUR_MS = 3_600_000

export default defineJob({
  name: 'retention',
  summary: 'Truncate timeseries indices by policy: sizes, dry run, gate, truncation, verification',
  input,
  examples: [
    ['', 'what config/retention.yaml would truncate'],
    ['--apply', 'truncate as far as the gate lets it'],
    ['--aspect operation --policy nightly.yaml', 'one aspect, another policy'],
  ],
  byHand: 'plan',
  queue: { concurrency: 1 },

  async plan(context) {
    const policy = await loadPolicy(context.input)
    const { steps, blocked, warnings, indexes } = await look(policy, context)
    const rows = steps.reduce((sum, step) => sum + step.matching, 0)
    return {
      counts: { indexes, truncate: steps.length, blocked: blocked.length, rows },
      lines: [
        ...steps.map(describeStep),
        ...blocked.map(({ indexName, reason }) => `${indexName}: left alone: ${reason}`),
        ...warnings.map((warning) => `warning: ${warning}`),
        ...(steps.length + blocked.length === 0
          ? [`nothing is older than the policy keeps, in ${indexes} indexes`]
          : []),
      ],
      body: { steps, blocked: blocked.map((one) => ({ ...one })), driftShare: policy.driftShare },
      expiresAtMs: context.clock.now() + policy.planLivesHours * HOUR_MS,
      nothingToDo: steps.length + blocked.length === 0,
    }
  },

  check(draft) {
    return judge(stepsOf(draft.body), blockedOf(draft.body))
  },

  async recheck(plan, context) {
    const share = Number(plan.body['driftShare'] ?? 0)
    const reasons: string[] = []
    for (const step of stepsOf(plan.body)) {
      const now = await context.connections.catalog().truncateDryRun(requestOf(step), context.signal)
      reasons.push(...drift(step, now, share))
    }
    return { holds: reasons.length === 0, reasons }
  },

  async run(context) {
    const steps = stepsOf(context.plan?.body ?? {})
    const results: StepResult[] = []
    for (const step of steps) {
      context.stop.throwIfAborted()
      results.push(await carryOutOnce(step, context))
    }
    return {
      report: { truncated: results },
      lines: results.map(
        (result) =>
          `${result.indexName}: ${result.deleted} rows deleted, ${result.rowsAfter} kept; ${result.sizeMbBefore.toFixed(1)} MB before, ${result.sizeMbAfter?.toFixed(1) ?? '?'} MB after`,
      ),
    }
  },
})

async function loadPolicy({ policy }: Input): Promise<RetentionPolicy> {
  return readPolicy(await readSourceText(policy), policy)
}

/** Sizes and dry runs: everything that a plan needs to know; nothing is changed. */
async function look(
  policy: RetentionPolicy,
  { connections, clock, signal, input: { aspect }, progress }: JobContext<Input>,
): Promise<{
  readonly steps: readonly Step[]
  readonly blocked: readonly Blocked[]
  readonly warnings: readonly string[]
  readonly indexes: number
}> {
  const client = connections.catalog()
  const sizes = (await client.indexSizes(signal)).filter((index) => fits(aspect, index.aspectName))
  const strictlyOlder = sizes.some((index) => index.rows !== undefined)
  const steps: Step[] = []
  const blocked: Blocked[] = []
  const found = candidates(sizes, policy, clock.now(), strictlyOlder)
  for (const [at, candidate] of found.entries()) {
    const { entityType, aspectName } = candidate.index
    const dryRun = await client.truncateDryRun(
      { entityType, aspectName, endTimeMillis: candidate.endTimeMillis },
      signal,
    )
    const step = stepFor(candidate, dryRun)
    if (step === undefined) continue
    if ('reason' in step) blocked.push(step as Blocked)
    else steps.push(step)
    progress.report({ phase: 'dry run', done: at + 1, total: found.length, unit: 'indexes' })
  }
  return { steps, blocked, warnings: aspect === '*' ? idleRules(policy, sizes) : [], indexes: sizes.length }
}

/**
 * A step that an earlier attempt finished is not begun again. What was counted before the first truncation is kept, too:
 * an attempt that was killed in between would find nothing left to count.
 */
async function carryOutOnce(step: Step, context: RunContext<Input>): Promise<StepResult> {
  const result = await remembered(context, `truncated.${step.indexName}`, async () => {
    const before = await remembered(context, `counted.${step.indexName}`, async () => {
      const { matching, total } = await context.connections.catalog().truncateDryRun(requestOf(step), context.signal)
      return { matching, total }
    })
    return carryOut(step, before, {
      client: context.connections.catalog(),
      clock: context.clock,
      signal: context.signal,
      onProgress: (deleted) =>
        context.progress.report({ phase: step.indexName, done: deleted, total: step.matching, unit: 'rows' }),
    })
  })
  context.balance.records({ read: result.deleted, used: result.deleted })
  return result
}

/** What an earlier attempt of the run saved under this name, else what `make` gives, saved. */
async function remembered<T extends JsonObject>(
  { checkpoints }: RunContext<Input>,
  name: string,
  make: () => Promise<T>,
): Promise<T> {
  const earlier = await checkpoints.read(name)
  if (isJsonObject(earlier)) return earlier as T
  const made = await make()
  await checkpoints.save(name, made)
  return made
}

function stepsOf(body: JsonObject): readonly Step[] {
  return (body['steps'] ?? []) as readonly Step[]
}

function blockedOf(body: JsonObject): readonly Blocked[] {
  return (body['blocked'] ?? []) as unknown as readonly Blocked[]
}
