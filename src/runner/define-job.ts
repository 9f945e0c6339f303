/**
 * All that a job needs to know of the runner. A job is one file: a name, an input schema, queue settings and `run`.
 *
 *   import { defineJob, Type } from 'headwater/job'       // jobs of this repository: '../src/runner/define-job.ts'
 *
 *   export default defineJob({
 *     name: 'count-lines', summary: 'Count the lines of a file', byHand: 'apply',
 *     input: Type.Object({ file: Type.String() }, { additionalProperties: false }),
 *     async run({ input, balance }) {
 *       for await (const line of linesOf(input.file)) balance.records({ read: 1, used: line === '' ? 0 : 1, … })
 *       return { report: { … }, lines: ['…'] }
 *     },
 *   })
 *
 * Ways of a run. The runner owns all of them; a job supplies only its diff (`plan`) and its check (`check`):
 *
 *   no plan             apply: run                                    (asking it to plan is an error)
 *   plan, no check      plan: plan, a person may approve it → run     apply: run, without context.plan
 *   plan and check      plan: plan, check, a person approves → run    apply: plan, check: auto → run, ask → a person → run
 *
 * So a job with a check never takes effect without an approved plan, and `run` then finds it frozen in `context.plan`.
 * A run may be executed more than once (a worker dies, an error is worth another attempt): what it does must be safe to
 * repeat, and `journal` and `checkpoints` say how far the earlier attempts came. Balances start at zero in each attempt.
 */
import type { Static, TObject } from 'typebox'
import type { CatalogClient } from '../client/catalog-client.ts'
import type { Sink } from '../client/sink.ts'
import type { BeforeImage, Journal, ProposalCounts } from '../client/journal.ts'
import type { Place } from '../model/errors.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import type { Clock } from '../observe/clock.ts'
import type { Logger } from '../observe/logger.ts'
import type { Progress } from '../observe/progress.ts'

export { Type } from 'typebox'
export type { Logger } from '../observe/logger.ts'
export type { Progress, ProgressReport } from '../observe/progress.ts'
export type { Clock } from '../observe/clock.ts'

/** What a run is asked for: say what would change, or change it. */
export type RunMode = 'plan' | 'apply'

/** Input of a job of which only the name is known. */
export type JobInput = Static<TObject>

/** A job: what it is asked for, and what it does. Give it to `defineJob`. */
export interface JobDefinition<Input extends TObject = TObject> {
  /** Lower-case words joined by dashes; also the name of its queue. */
  readonly name: string
  /** One line for `headwater run --help`. */
  readonly summary: string
  /** Flags that show its use, each with what they do, for `headwater run NAME --help`. */
  readonly examples?: readonly (readonly [flags: string, what: string])[]
  /** Schema of the input; its keys are the command's flags, its defaults are filled in before `run` sees it. */
  readonly input: Input
  readonly queue?: JobQueueSettings
  /** Whether a run that read nothing is nothing unusual; else receivers of notices are told. */
  readonly quietWhenEmpty?: boolean
  /** What `headwater run` does when it is asked neither for `--plan` nor for `--apply`. */
  readonly byHand: RunMode
  /** Names of what the run must have for itself, for example `catalog:own`; two runs that share one never overlap. */
  resources?(input: Static<Input>): readonly string[]
  /** What the run would change. Reads, never writes. */
  plan?(context: JobContext<Static<Input>>): Promise<PlanDraft>
  /** The job's own check of its plan, pure: carry it out, ask a person, or never. Not asked when there is nothing to do. */
  check?(draft: PlanDraft, context: CheckContext<Static<Input>>): GateVerdict
  /** The second look, before the effect of an approved plan: is what was approved still so? */
  recheck?(plan: Plan, context: JobContext<Static<Input>>): Promise<Recheck>
  /** The effect. */
  run(context: RunContext<Static<Input>>): Promise<RunOutcome>
}

/** How the queue treats runs of the job. */
export interface JobQueueSettings {
  /** Runs of this job at once in one worker process. Default 1. */
  readonly concurrency?: number
  /** Attempts of one run before it fails for good; only errors with `retryable` are tried again. Default 3. */
  readonly attempts?: number
  /** Longest time of one attempt; it then stops at a batch border and fails. Default 6 hours. */
  readonly deadlineMs?: number
  /** How long a worker that went silent keeps the run. Default 60 s. */
  readonly lockDurationMs?: number
}

/** What every phase of a job is handed. */
export interface JobContext<Input> {
  readonly runId: string
  readonly mode: RunMode
  /** Which attempt this is, from 1. */
  readonly attempt: number
  /** Decoded, defaults filled in. */
  readonly input: Input
  /**
   * Aborted when the run shall end at the next batch border (cancelled, deadline, worker stops): between batches call
   * `stop.throwIfAborted()`. What is under way may be finished.
   */
  readonly stop: AbortSignal
  /** Aborted when everything must end at once; hand it to whatever waits. */
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly clock: Clock
  readonly progress: Progress
  readonly balance: Balance
  /** Records of the input that could not be used, each with its reason and place. Also counts them in the balance. */
  readonly rejects: Rejects
  readonly connections: Connections
  /** Small facts that survive a crash of the worker. */
  readonly checkpoints: Checkpoints
  /** What runs of this catalog measured, this one and earlier ones. */
  readonly measurements: Measurements
  /** What earlier runs left, for jobs that undo or repeat them. */
  readonly past: Past
  /** What earlier runs of the job left for later ones, apart for each catalog that they write to. */
  readonly memory: Memory
  /** True where the plan that is being made will be carried out by itself if the gate lets it pass. */
  readonly applies: boolean
  /** A folder of this run for large results; absolute, exists. It goes when the run is pruned. */
  readonly artifacts: string
  /** A folder for what must outlive the run; absolute, may not exist yet. */
  readonly keepsakes: string
}

/** What `run` is handed besides. */
export interface RunContext<Input> extends JobContext<Input> {
  /** The approved plan that this run carries out; absent where the run was not planned. */
  readonly plan?: Plan
  /** What was sent and answered, kept with the dead letters in the ledger; give it to the emitter. */
  readonly journal: Journal
}

/** What the check of a plan may look at. */
export interface CheckContext<Input> {
  readonly input: Input
  readonly nowMs: number
}

/** Catalogs that a job may talk to; opened and closed by whoever composed the process. */
export interface Connections {
  /** The catalog of a named connection; without a name, the one that this run was pointed to, else our own. */
  catalog(name?: string): CatalogClient
  /** Where this run's proposals go: that catalog, or a file; absent where it can only be the catalog. */
  sink?(): ProposalSink
}

/** A sink that may be asked which datasets it has; a file has none. */
export type ProposalSink = Sink & Pick<CatalogClient, 'scrollDatasets'>

/**
 * The two sums that a finished run keeps, held by the database as well:
 * records `read = used + duplicate + noEffect + rejected`, proposals `made = written + unchanged + refused + dead`.
 * Count what comes in and what became of it at different places, so that a loss between them shows.
 */
export interface Balance {
  records(add: Partial<RecordCounts>): void
  proposals(add: Partial<ProposalBalance>): void
  /** The counts so far. */
  snapshot(): BalanceCounts
}

/** What became of the records of a source: `read` is the sum of the others. */
export interface RecordCounts {
  /** Taken from the source: a statement, a CSV row, a timeseries row. */
  readonly read: number
  /** Went into at least one proposal. */
  readonly used: number
  /** The same as one that was used. */
  readonly duplicate: number
  /** Understood, and there is nothing to propose for it. */
  readonly noEffect: number
  /** Not understood or not allowed; each has its reason in `rejects`. */
  readonly rejected: number
}

/** Proposals that the run made, and where they ended. */
export interface ProposalBalance extends ProposalCounts {
  readonly made: number
}

/** Both sums of a run. */
export interface BalanceCounts {
  readonly records: RecordCounts
  readonly proposals: ProposalBalance
}

/** Records that could not be used. */
export interface Rejects {
  /** Adds rejected records; the first 10,000 of a run are kept one by one, all are counted by their code. */
  add(...rejects: readonly Reject[]): Promise<void>
  /** Counts, by their codes, records that the run which made the plan has rejected and keeps. */
  count(byCode: Readonly<Record<string, number>>): void
}

/** One record that could not be used. */
export interface Reject {
  /** Name of the reason in UPPER_SNAKE. */
  readonly code: string
  readonly message: string
  readonly place: Place
  /** The record, shortened if it is long. */
  readonly record?: string
}

/** Small facts of a run by name, for its next attempt. */
export interface Checkpoints {
  read(name: string): Promise<JsonValue | undefined>
  /** At most 64 KB of JSON. */
  save(name: string, value: JsonValue): Promise<void>
}

/** Figures over time, kept apart by the catalog that the run was pointed to. */
export interface Measurements {
  /** A second point of the same series and moment replaces the first. Points older than 800 days go. */
  record(...points: readonly Measurement[]): Promise<void>
  /** Points from a moment on, of all series whose names begin with `prefix`; by series, oldest first. */
  read(prefix: string, sinceMs: number): Promise<readonly Measurement[]>
}

/** One point of a series that runs keep. */
export interface Measurement {
  /** For example `index-size/dataset_operationaspect_v1`. */
  readonly series: string
  readonly atMs: number
  readonly facts: JsonObject
}

/** Facts that outlive a run, in the ledger. Keys are the job's own; values are JSON, at most 16 MB each. */
export interface Memory {
  /** Values that are there, by key. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, JsonValue>>
  /** All whose keys begin so, in the order of their keys, in pages. */
  scan(prefix: string): AsyncIterable<readonly (readonly [key: string, value: JsonValue])[]>
  /** The keys alone that begin so, in their order, in pages. */
  keys(prefix: string): AsyncIterable<readonly string[]>
  /** Saves, and removes where the value is undefined; all of it or nothing. @throws where another worker has the run */
  write(entries: ReadonlyMap<string, JsonValue | undefined>): Promise<void>
}

/** A job's diff, before the runner freezes it as a plan. */
export interface PlanDraft {
  /** Figures of the diff by name, for example `{ add: 10, remove: 2, unchanged: 400 }`. */
  readonly counts: Readonly<Record<string, number>>
  /** What the planning run reports besides; the plan's id and counts are there already. */
  readonly report?: JsonObject
  /** The diff for a person to read, a screen or two. */
  readonly lines: readonly string[]
  /** What `run` needs to do exactly this and no more, for example an absolute cut-off. At most 256 KB of JSON. */
  readonly body: JsonObject
  /** A file below `artifacts` with the whole diff, where it is too large for `body`. */
  readonly artifact?: string
  /** After this moment the plan can no longer be approved or begun. */
  readonly expiresAtMs: number
  /** True when the world is already as wanted: the plan ends here, done. */
  readonly nothingToDo: boolean
}

/** What earlier runs on the same catalog left in the ledger. */
export interface Past {
  /**
   * A finished run; for one that planned, the run that carried its plan out. Undefined where the ledger knows none.
   * @throws RunStateError while it is not finished; OtherCatalogError where it wrote to another catalog than this run
   */
  run(id: string): Promise<PastRun | undefined>
  /** What aspects were before a run wrote them, each once. */
  images(id: string): AsyncIterable<readonly BeforeImage[]>
  /** Proposals that were refused or given up, and not settled since. @throws as `run` does */
  letters(which: PastLetters): AsyncIterable<readonly PastLetter[]>
  /** Notes that this run sent them with success, but for those whose aspect is among its own dead letters. */
  settle(letters: readonly number[]): Promise<void>
}

/** An earlier run, as far as undoing or repeating it goes. */
export interface PastRun {
  readonly id: string
  readonly job: string
  /** Proposals that it wrote. */
  readonly written: number
  /** Whether the ledger kept what it overwrote. */
  readonly hasImages: boolean
}

/** Whose letters, or which ones. */
export interface PastLetters {
  readonly run?: string | undefined
  readonly ids?: readonly number[] | undefined
}

/** A proposal that was refused or given up. */
export interface PastLetter {
  readonly id: number
  readonly code: string
  readonly reason: string
  readonly proposal: Proposal
  /** Hash of the aspect for which the proposal was made, empty where there was none; null where nothing can be sent. */
  readonly base: string | null
}

/** A plan as it was stored: it does not change any more, only its state does. */
export interface Plan extends Omit<PlanDraft, 'artifact'> {
  readonly id: string
  /** The run that made it. */
  readonly runId: string
  readonly job: string
  readonly createdAtMs: number
  /** Hash of job, input, counts, body, artifact and expiry: what was approved is what is carried out. */
  readonly hash: string
  /** Absolute path of the artifact. */
  readonly artifact?: string
  /** The person or `policy`. */
  readonly decidedBy?: string
}

/** Whether a plan is carried out by itself, waits for a person, or never is. */
export interface GateVerdict {
  readonly decision: 'auto' | 'ask' | 'deny'
  /** Why, each a sentence; shown with the plan. */
  readonly reasons: readonly string[]
}

/** `holds: false` stops the apply; the plan ends as failed with the reasons. */
export interface Recheck {
  readonly holds: boolean
  readonly reasons: readonly string[]
}

/** What a run has to say at its end. Its balance decides whether it is `succeeded` or `partial`. */
export interface RunOutcome {
  /** For programs: printed by `--json`, kept in the run's row. At most 256 KB of JSON. */
  readonly report: JsonObject
  /** For people. */
  readonly lines: readonly string[]
  /** True where something is missing that the balance does not show. */
  readonly partial?: boolean
}

/** Checks nothing and changes nothing: it ties the type of the input to its schema. */
export function defineJob<Input extends TObject>(definition: JobDefinition<Input>): JobDefinition<Input> {
  return definition
}
