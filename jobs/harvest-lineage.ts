/**
 * Dataset and column lineage from SQL, query logs, dbt projects, databases and lineage files.
 *
 * Every harvest is planned first: the plan holds each change as data, its diff and what speaks against it. Where nothing
 * does, it is carried out at once, from the plan and without reading the source anew.
 */
import { basename, join, resolve } from 'node:path'
import { Type, type Static } from 'typebox'
import { BARRIER, type Comparison } from '../src/client/change.ts'
import { compareChanges, emit } from '../src/client/emitter.ts'
import { FileSink } from '../src/client/file-sink.ts'
import { changeOf } from '../src/harvest/aspects.ts'
import { EdgeDiff } from '../src/harvest/edge-diff.ts'
import type { LineageReader } from '../src/harvest/analyse.ts'
import { smallHeap } from '../src/harvest/heap-watch.ts'
import { GUARD_REMEDY, guardReasons, harvestAlarms } from '../src/harvest/guard.ts'
import { FailuresFile } from '../src/harvest/failures.ts'
import { HarvestPlanWriter, plannedChanges, plannedFacts, plannedRejects } from '../src/harvest/harvest-plan.ts'
import { HarvestState, isEarlyFact } from '../src/harvest/harvest-state.ts'
import type { StatementReject } from '../src/harvest/account.ts'
import { harvestIntents, type HarvestSettings } from '../src/harvest/harvest.ts'
import { emptyReport, type HarvestReport } from '../src/harvest/found.ts'
import { keepsOrigins } from '../src/harvest/kept-origins.ts'
import { foreignUpstreams, type Author } from '../src/harvest/lineage-aspect.ts'
import { LOG_FIELDS, LOG_PRESETS } from '../src/harvest/log/shape.ts'
import { DIALECTS } from '../src/harvest/naming.ts'
import { writeOutputs } from '../src/harvest/output/outputs.ts'
import { writeHarvestPage } from '../src/harvest/page/write-page.ts'
import { sharedLineageReader } from '../src/harvest/reader.ts'
import { otherSource } from '../src/harvest/source-place.ts'
import { foundLines, reportOf } from '../src/harvest/report.ts'
import { SOURCE_FORMATS, UNKNOWN_TABLE_RULES } from '../src/harvest/settings.ts'
import { USAGE_BUCKETS } from '../src/harvest/usage/usage-rules.ts'
import { sourceKind } from '../src/harvest/sources.ts'
import type { HarvestMemory } from '../src/harvest/unit-memory.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../src/model/json.ts'
import { asDatasetUrn, FABRICS } from '../src/model/urn.ts'
import { defineJob, type JobContext, type Plan, type RecordCounts } from '../src/runner/define-job.ts'
import { nothingToWrite, sinkOf } from './parts/changes.ts'

const share = (description: string, preset: number) =>
  Type.Number({ minimum: 0, maximum: 1, default: preset, description })

const input = Type.Object(
  {
    source: Type.String({
      minLength: 1,
      path: true,
      description:
        'Folder of .sql files, dbt project or manifest.json, query log (NDJSON, JSON, CSV; a file or a folder), lineage file (.yaml), postgres://USER@HOST/DATABASE, or - for stdin',
    }),
    format: Type.Enum([...SOURCE_FORMATS], {
      default: 'auto',
      description: 'What the source is; told by its name, or what lies in the folder, when auto',
    }),
    include: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Patterns of paths below the source (*, **, ?); .sql files when absent',
      }),
    ),
    exclude: Type.Optional(Type.Array(Type.String(), { description: 'Patterns of paths that are left out' })),
    naming: Type.Optional(
      Type.String({
        path: true,
        description: 'YAML that says by path to which platform tables belong; headwater.yaml in the source when absent',
      }),
    ),
    platform: Type.Optional(Type.String({ description: 'Platform of the tables, as in URNs: snowflake, postgres, …' })),
    instance: Type.Optional(Type.String({ description: 'Platform instance' })),
    env: Type.Optional(Type.Enum([...FABRICS], { description: 'Environment; PROD when absent' })),
    dialect: Type.Optional(Type.Enum([...DIALECTS], { description: 'SQL dialect; that of the platform when absent' })),
    database: Type.Optional(Type.String({ description: 'Database of table names that have none' })),
    schema: Type.Optional(Type.String({ description: 'Schema of table names that have none' })),
    preset: Type.Optional(
      Type.Enum([...LOG_PRESETS], { description: 'Whose export a query log is; the sql-queries shape when absent' }),
    ),
    columns: Type.Optional(
      Type.Object(
        Object.fromEntries(LOG_FIELDS.map((field) => [field, Type.Optional(Type.String({ minLength: 1 }))])),
        { additionalProperties: false, description: 'Columns of a log by what they mean: {"query":"SQL_TEXT",…}' },
      ),
    ),
    session: Type.Optional(
      Type.Enum(['file', 'together'], {
        description: 'Whether each SQL file is a session of its own (default), or all run in order in one',
      }),
    ),
    sessionGapMinutes: Type.Number({
      default: 30,
      exclusiveMinimum: 0,
      description: 'In a log without session ids, a user who rests for longer begins a new session',
    }),
    temporary: Type.Array(Type.String(), {
      default: [],
      description: 'Regular expressions of full names, from their start: such tables are temporary',
    }),
    declared: Type.Optional(
      Type.String({ path: true, description: 'Lineage file (YAML) whose edges belong to the harvest, too' }),
    ),
    origin: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
        description:
          'Whose edges these are: a harvest replaces those of its own origin only; name of the source when absent',
      }),
    ),
    removeGone: Type.Optional(
      Type.Boolean({
        description:
          'Take away edges of this origin that the source no longer yields; done for all but logs, when absent',
      }),
    ),
    replaceSeen: Type.Boolean({
      default: false,
      description: 'Of a log: edges into the tables that it fills are replaced by what it shows; others stay',
    }),
    grace: Type.Integer({
      default: 0,
      minimum: 0,
      description: 'Harvests for which an edge stays that the source no longer yields',
    }),
    full: Type.Boolean({
      default: false,
      description: 'Read everything anew, and search the whole catalog for what is gone',
    }),
    unknownTables: Type.Enum([...UNKNOWN_TABLE_RULES], {
      default: 'stub',
      description:
        'Tables that neither the catalog nor any DDL knows: draw their edges, create them, too, or leave their edges out',
    }),
    maxVanish: share('Share of the edges of this origin that may vanish at once', 0.5),
    maxFailures: share('Share of statements that may fail', 0.8),
    maxCoverageFall: share('By how much the share of what is understood may fall', 0.3),
    alarmCoverageFall: share('By how much it may fall before receivers of notices are told', 0.05),
    onGuard: Type.Enum(['stop', 'ask'], {
      default: 'stop',
      description: 'What happens beyond these limits: nothing is written, or a person is asked',
    }),
    schemas: Type.Boolean({ default: true, description: 'Write the columns that DDL, views and CTAS tell, too' }),
    queries: Type.Boolean({ default: true, description: 'Write the statements behind edges as query entities' }),
    mask: Type.Boolean({
      default: false,
      description: 'Keep statements and expressions with ? in the place of literals',
    }),
    statementLength: Type.Integer({
      default: 20_000,
      minimum: 100,
      maximum: 1_000_000,
      description: 'Characters of a statement that are kept',
    }),
    usage: Type.Boolean({
      default: false,
      description: 'From a log with times: write usage statistics of what is read, and operations on what is written',
    }),
    usageRules: Type.Optional(
      Type.Object(
        {
          bucket: Type.Optional(Type.Enum([...USAGE_BUCKETS])),
          from: Type.Optional(Type.String({ minLength: 1 })),
          until: Type.Optional(Type.String({ minLength: 1 })),
          top: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
          queryLength: Type.Optional(Type.Integer({ minimum: 20, maximum: 100_000 })),
          allow: Type.Optional(Type.Array(Type.String())),
          deny: Type.Optional(Type.Array(Type.String())),
        },
        {
          additionalProperties: false,
          description:
            'How usage is counted: bucket (DAY, HOUR), window (from and until: a time, or -7d), top statements shown, their queryLength, users by pattern (allow, deny)',
        },
      ),
    ),
    readQueries: Type.Boolean({
      default: false,
      description: 'With usage: write statements that only read as query entities, too, and count how often each ran',
    }),
    mcpFile: Type.Optional(
      Type.String({ path: 'written', description: 'Write what is found to a file of MCPs, too, one a line' }),
    ),
    openlineage: Type.Optional(
      Type.String({
        path: 'written',
        description:
          'Tell lineage as OpenLineage events, too: a file, or the address of a receiver (token in OPENLINEAGE_API_KEY)',
      }),
    ),
    partial: Type.Boolean({
      default: false,
      description: 'The source is a part of what the origin stands for: its coverage is not compared, nor remembered',
    }),
    actor: Type.String({ default: 'urn:li:corpuser:ingestion', description: 'Who stands in the audit stamps' }),
  },
  { additionalProperties: false },
)
type Input = Static<typeof input>

/** Statements that were not understood, in the shape of a query log. */
const FAILURES_FILE = 'failures.ndjson'
const PLAN_LIVES_MS = 7 * 24 * 3600 * 1000
/** A plan that waited for longer looks again at what was as it should be. */
const FRESH_MS = 60_000

export default defineJob({
  name: 'harvest-lineage',
  summary: 'Harvest dataset and column lineage from SQL files, query logs, dbt projects and databases',
  input,
  examples: [
    ['--source sql/ --platform snowflake --database dwh', 'a folder of SQL files'],
    ['--source queries.ndjson --platform bigquery', 'a query log'],
    ['--source history.csv --preset snowflake --platform snowflake', 'an export of QUERY_HISTORY'],
    ['--source postgres://reader@db.internal/dwh', 'views and routines of a database; its password in PGPASSWORD'],
    ['--source dbt-project/ --platform snowflake --plan', 'what a dbt project would change'],
  ],
  byHand: 'apply',

  resources({ origin, source }) {
    return [`harvest:${originOf(origin, source)}`]
  },

  async plan(context) {
    using _ = smallHeap()
    const artifact = join(context.artifacts, 'plan.ndjson')
    const settings = settingsOf(context.input)
    const state = await HarvestState.open(memoryOf(context), settings.origin)
    const found = emptyReport()
    const diff = new EdgeDiff(settings.origin)
    const counts = { change: 0, create: 0, unchanged: 0, refused: 0 }
    await using reader = sharedLineageReader()
    const writer = new HarvestPlanWriter(artifact)
    const failures = new FailuresFile(join(context.artifacts, FAILURES_FILE))
    const rejects: StatementReject[] = []
    const barriers = new Set<number>()
    const changes = foundChanges(settings, { context, state, reader, writer, failures, rejects, found, barriers })
    let compared = 0
    for await (const comparison of compareChanges(changes, sinkOf(context), context.signal)) {
      if (barriers.delete(compared)) await writer.barrier()
      await writer.change(comparison)
      diff.take(comparison)
      await rememberForeign(comparison, state, writer)
      context.progress.report({ phase: 'compare', done: ++compared, unit: 'aspects' })
      if (comparison.kind === 'differs') counts[comparison.before === undefined ? 'create' : 'change']++
      else counts[comparison.kind === 'same' ? 'unchanged' : 'refused']++
    }
    await writer.close()
    await failures.close()
    const { records } = context.balance.snapshot()
    const { onGuard } = context.input
    const failuresFile = failures.count === 0 ? null : join(context.artifacts, FAILURES_FILE)
    const facts = {
      edges: diff.counts,
      read: records.read,
      rejected: records.rejected,
      coverage: found.coverage,
      formerCoverage: settings.partial ? undefined : state.coverage,
      otherSource: context.input.origin === undefined ? otherSource(state.source, settings.source) : undefined,
    }
    const reasons = guardReasons(facts, context.input)
    const alarms = harvestAlarms(facts, context.input)
    const files = await writeHarvestPage(context.artifacts, {
      source: settings.source,
      origin: settings.origin,
      run: context.runId,
      atMs: context.clock.now(),
      found,
      records,
      edges: diff.counts,
      changes: diff.lines,
      failures: failuresFile,
      trend: state.trend,
      rejects,
      reasons,
    })
    const report = {
      ...reportOf(settings.source, found),
      origin: settings.origin,
      edges: { ...diff.counts },
      files: { ...files, failures: failuresFile },
    }
    const nothingToDo = counts.change + counts.create + counts.refused === 0
    const said = [
      ...foundLines(found, records),
      ...(failuresFile === null ? [] : [`statements that were not understood: ${failuresFile}`]),
      `report: ${files.html}`,
      ...(reasons.length > 0 && onGuard === 'stop' ? [GUARD_REMEDY] : []),
    ]
    if (nothingToDo && context.applies) {
      await remember(artifact, context, () => true)
      await learnWhatIsKept(artifact, context)
      said.push(...(await tellOthers(artifact, context)))
      context.balance.proposals({ made: counts.unchanged, unchanged: counts.unchanged })
    }
    // What will be done at once need not be announced edge by edge.
    const announced = context.applies && reasons.length === 0 ? [] : diff.lines
    return {
      // Told once: the run that carries the plan out has the report without them.
      report: alarms.length === 0 ? report : { ...report, alarms },
      counts: { ...counts, ...prefixed('edges', diff.counts), columnEdges: found.columnEdges },
      lines: [...announced, ...said, ...(nothingToDo ? [nothingToWrite(counts.unchanged, AS_SQL_SAYS)] : [])],
      body: {
        guard: { reasons: [...reasons], decision: onGuard === 'ask' ? 'ask' : 'deny' },
        records: { ...records },
        report,
        lastRun: state.lastRun ?? null,
      },
      artifact,
      expiresAtMs: context.clock.now() + PLAN_LIVES_MS,
      nothingToDo,
    }
  },

  check({ body }) {
    const { reasons, decision } = body['guard'] as unknown as {
      readonly reasons: readonly string[]
      readonly decision: 'ask' | 'deny'
    }
    return { decision: reasons.length === 0 ? 'auto' : decision, reasons }
  },

  /** Another harvest of the origin knew more than this plan does. */
  async recheck(plan, context) {
    const { lastRun = null } = await HarvestState.open(memoryOf(context), settingsOf(context.input).origin)
    const planned = plan.body['lastRun'] ?? null
    // A later attempt of this very run may find that it came to its end.
    const holds = lastRun === planned || lastRun === plan.runId
    return { holds, reasons: holds ? [] : [`${lastRun ?? 'no run'} harvested this origin after the plan was made`] }
  },

  async run(context) {
    const { plan } = context
    if (plan?.artifact === undefined) throw new TypeError('a harvest is carried out by its plan')
    using _ = smallHeap()
    await remember(plan.artifact, context, isEarlyFact)
    const author = authorOf(context)
    const isFresh = context.clock.now() - plan.createdAtMs < FRESH_MS
    const { counts } = await emit(plannedChanges(plan.artifact, author, { isFresh }), {
      sink: sinkOf(context),
      journal: context.journal,
      runId: context.runId,
      stop: context.stop,
      signal: context.signal,
      progress: context.progress,
      logger: context.logger,
      clock: context.clock,
      onBatch: (made, batch) => context.balance.proposals({ made, ...batch }),
    })
    await restate(plan.artifact, plan, context)
    await learnWhatIsKept(plan.artifact, context)
    await remember(plan.artifact, context, (fact) => !isEarlyFact(fact))
    const { written, unchanged, refused, dead } = counts
    const told = await tellOthers(plan.artifact, context)
    return {
      report: isJsonObject(plan.body['report']) ? plan.body['report'] : {},
      lines: [
        written + refused + dead === 0
          ? nothingToWrite(unchanged, AS_SQL_SAYS)
          : `${written} aspects written, ${unchanged} unchanged, ${refused} refused, ${dead} given up`,
        ...told,
      ],
    }
  },
})

interface Planning {
  readonly context: JobContext<Input>
  readonly state: HarvestState
  /** Released once all is read. */
  readonly reader: LineageReader & AsyncDisposable
  readonly writer: HarvestPlanWriter
  readonly failures: FailuresFile
  /** Gets the first of the statements that are not understood. */
  readonly rejects: StatementReject[]
  readonly found: HarvestReport
  /** Gets the number of changes before each barrier. */
  readonly barriers: Set<number>
}

/** Statements that are not understood and stand in the report. */
const REJECTS_SHOWN = 50

/** The harvest's changes; its facts and rejects go to the plan's file at once. */
async function* foundChanges(settings: HarvestSettings, planning: Planning) {
  const { context, state, reader, writer, failures, rejects: shown, found, barriers } = planning
  const author = authorOf(context)
  const intents = harvestIntents(
    settings,
    {
      reader,
      state,
      memory: memoryOf(context),
      sink: sinkOf(context),
      runId: context.runId,
      nowMs: context.clock.now(),
      signal: context.signal,
      progress: context.progress,
      scratchFolder: context.artifacts,
      environment: process.env,
      records: (add) => context.balance.records(add),
      reject: async (...rejects) => {
        await context.rejects.add(...rejects)
        shown.push(...rejects.slice(0, REJECTS_SHOWN - shown.length))
        for (const reject of rejects) {
          await failures.add(reject)
          await writer.reject(reject)
        }
      },
      remember: (key, value) => writer.remember(key, value),
    },
    found,
  )
  let made = 0
  for await (const intent of intents) {
    await reader[Symbol.asyncDispose]()
    if (intent === BARRIER) barriers.add(made)
    else made++
    yield intent === BARRIER ? BARRIER : changeOf(intent, author)
  }
}

/** Edges that somebody else drew before the harvest found them stay his, also where nothing in them says so. */
async function rememberForeign(
  { change, before }: Comparison,
  state: HarvestState,
  writer: HarvestPlanWriter,
): Promise<void> {
  if (change.aspectName !== 'upstreamLineage') return
  const fact = state.foreignFact(asDatasetUrn(change.urn), foreignUpstreams(before?.value, change.intent))
  if (fact !== undefined) await writer.remember(...fact)
}

/** Whether the catalog keeps whose an edge is: looked up once. */
async function learnWhatIsKept(artifact: string, context: JobContext<Input>): Promise<void> {
  const author = authorOf(context)
  const state = await HarvestState.open(memoryOf(context), author.origin)
  if (state.keepsOrigins !== undefined) return
  const changes = plannedChanges(artifact, author, { isFresh: false })
  const keeps = await keepsOrigins(changes, { sink: sinkOf(context), origin: author.origin, signal: context.signal })
  if (keeps !== undefined) await memoryOf(context).write(new Map([state.keepsFact(keeps)]))
}

/** What the plan found, for those who listen besides the catalog. */
function tellOthers(artifact: string, context: JobContext<Input>): Promise<readonly string[]> {
  const author = authorOf(context)
  return writeOutputs(plannedChanges(artifact, author, { isFresh: false }), context.input, {
    origin: author.origin,
    nowMs: context.clock.now(),
    token: process.env['OPENLINEAGE_API_KEY'],
    signal: context.signal,
  })
}

/** Saves the plan's facts for later runs. */
async function remember(
  artifact: string,
  context: JobContext<Input>,
  wanted: (fact: readonly [string, JsonValue | undefined]) => boolean,
): Promise<void> {
  for await (const facts of plannedFacts(artifact)) {
    const chosen = new Map([...facts].filter(wanted))
    if (chosen.size > 0) await memoryOf(context).write(chosen)
  }
}

/** What became of the statements belongs to the run that carries the plan out, too. */
async function restate(artifact: string, plan: Plan, { balance, rejects }: JobContext<Input>): Promise<void> {
  const { rejected: _, ...records } = plan.body['records'] as unknown as RecordCounts
  balance.records(records)
  for await (const reject of plannedRejects(artifact)) await rejects.add(reject)
}

/** Of what goes to a file or the terminal nothing is remembered: the next harvest shall find all of it again. */
function memoryOf({ connections, memory }: JobContext<Input>): HarvestMemory {
  return connections.sink?.() instanceof FileSink ? NO_MEMORY : memory
}

const NO_MEMORY: HarvestMemory = {
  read: () => Promise.resolve(new Map()),
  async *scan() {},
  async *keys() {},
  write: () => Promise.resolve(),
}

function authorOf({ input: { actor, origin, source }, clock, runId: run }: JobContext<Input>): Author {
  return { origin: originOf(origin, source), run, stamp: { time: clock.now(), actor } }
}

/** The name of the source; standard input has none of its own. */
function originOf(origin: string | undefined, source: string): string {
  if (origin !== undefined) return origin
  // The command keeps standard input in a file of this name.
  if (source === '-') return 'stdin'
  const last = /^[a-z][a-z0-9+.-]+:\/\//i.test(source)
    ? basename(source.replace(/[?#].*$/, ''))
    : basename(resolve(source))
  return last.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'source'
}

function settingsOf({ origin, removeGone, ...rest }: Input): HarvestSettings {
  // A log is a window of time: that a statement is not in it says nothing.
  const removes = removeGone ?? sourceKind(rest) !== 'log'
  return { ...rest, origin: originOf(origin, rest.source), adds: !removes && !rest.replaceSeen, takesAway: removes }
}

const AS_SQL_SAYS = 'the SQL says'

function prefixed(
  prefix: string,
  counts: Readonly<Record<string, number>> | object,
): JsonObject & Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([key, count]) => [`${prefix}.${key}`, Number(count)]))
}
