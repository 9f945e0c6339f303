/** The shape of `config/headwater.yaml`: every key with its safe value; the descriptions are what editors show. */
import { Type, type Static } from 'typebox'

/** Name of an environment variable. */
const VARIABLE = '^[A-Za-z_][A-Za-z0-9_]*$'

const closed = { additionalProperties: false } as const

const Catalog = Type.Object(
  {
    host: Type.String({
      default: '127.0.0.1',
      minLength: 1,
      description: 'Address that the catalog binds to. Beyond loopback it needs HEADWATER_TOKEN.',
    }),
    port: Type.Integer({
      default: 8080,
      minimum: 0,
      maximum: 65_535,
      description: 'Port of the catalog; 0 takes a free one.',
    }),
    graphEdges: Type.Integer({
      default: 30_000_000,
      minimum: 0,
      description:
        'Most lineage edges that a process holds in memory, about 13 bytes each; with more of them lineage is walked by SQL, slower and with the same answers.',
    }),
  },
  { ...closed, default: {} },
)

const Console = Type.Object(
  {
    host: Type.String({
      default: '127.0.0.1',
      minLength: 1,
      description: 'Address that the console binds to. Beyond loopback it needs HEADWATER_TOKEN.',
    }),
    port: Type.Integer({
      default: 8090,
      minimum: 0,
      maximum: 65_535,
      description: 'Port of the console (runs, plans, metrics, health) beside `up`; 0 takes a free one.',
    }),
  },
  { ...closed, default: {} },
)

const Connection = Type.Object(
  {
    url: Type.String({ pattern: '^https?://', description: 'Base URL of a DataHub-compatible catalog.' }),
    tokenEnv: Type.String({
      default: 'DATAHUB_GMS_TOKEN',
      pattern: VARIABLE,
      description: 'Environment variable that holds the access token. The token itself never stands in a file.',
    }),
    timeoutSeconds: Type.Number({ default: 30, exclusiveMinimum: 0, description: 'Limit of one request.' }),
    caFile: Type.Optional(Type.String({ description: 'PEM file of a further certificate authority to trust.' })),
    certFile: Type.Optional(
      Type.String({
        description: 'PEM file of our own certificate, for a catalog that asks for one; may hold the key.',
      }),
    ),
    keyFile: Type.Optional(
      Type.String({ description: 'PEM file of the key of that certificate; certFile when absent.' }),
    ),
  },
  // A record's values get their members' defaults only where they have one themselves.
  { ...closed, default: {}, description: 'A catalog that jobs may write to, chosen by --to NAME.' },
)

const Keep = Type.Object(
  {
    cron: Type.String({
      default: '40 3 * * *',
      description: 'When old rows are forgotten each night (job prune); an empty text switches it off.',
    }),
    timeZone: Type.String({ default: 'UTC', description: 'IANA name, for example Europe/Berlin.' }),
    runDays: Type.Integer({ default: 90, minimum: 1, description: 'Runs that ended, with plans, attempts and logs.' }),
    runCount: Type.Integer({ default: 100_000, minimum: 1, description: 'Most runs that ended, the newest.' }),
    journalDays: Type.Integer({
      default: 30,
      minimum: 1,
      description: 'What a run that ended had sent; no report needs it any more.',
    }),
    deadLetterDays: Type.Integer({
      default: 90,
      minimum: 1,
      description: 'Rejected records and dead letters; forgotten ones cannot be sent again.',
    }),
    deadLetterCount: Type.Integer({ default: 1_000_000, minimum: 1, description: 'Most of them, the newest.' }),
    historyDays: Type.Integer({
      default: 365,
      minimum: 1,
      description: 'Earlier versions of aspects in our own catalog; a version goes when it is older than that and ...',
    }),
    historyVersions: Type.Integer({
      default: 20,
      minimum: 1,
      description: '... not among so many newest ones of its aspect.',
    }),
  },
  { ...closed, default: {} },
)

const Webhook = Type.Object(
  {
    urlEnv: Type.String({
      pattern: VARIABLE,
      description: 'Environment variable that holds the address; such addresses are secrets and never stand in a file.',
    }),
    secretEnv: Type.Optional(
      Type.String({
        pattern: VARIABLE,
        description: 'Environment variable of a secret shared with the receiver; it signs what is sent.',
      }),
    ),
    on: Type.Array(Type.Enum(['failed', 'late', 'zero-rows', 'plan-waiting', 'alarm']), {
      default: ['failed', 'late', 'plan-waiting', 'alarm'],
      minItems: 1,
      description:
        'What is told: a failed run, a slot that did not begin in time, a run that read nothing, a plan that waits, what a job says a person should look at (coverage of a harvest that fell).',
    }),
    lateMinutes: Type.Number({
      default: 15,
      exclusiveMinimum: 0,
      description: 'How long after its slot a run must have begun.',
    }),
    foldMinutes: Type.Number({
      default: 60,
      minimum: 0,
      description:
        'How long the same of the same schedule is not told again; the next notice says how many were folded.',
    }),
  },
  { ...closed, default: {}, description: 'A receiver of notices.' },
)

export const HeadwaterFile = Type.Object(
  {
    data: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Folder of all state. Default ./.headwater; HEADWATER_HOME and --data come before it. A relative path starts at the folder above the configuration folder.',
      }),
    ),
    catalog: Catalog,
    console: Console,
    connections: Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }), Connection, {
      default: {},
      description: 'Catalogs by name, for --to NAME.',
    }),
    emitter: Type.Object(
      {
        batchCount: Type.Integer({
          default: 200,
          minimum: 1,
          maximum: 10_000,
          description: 'Most proposals in one batch.',
        }),
        batchBytes: Type.Integer({
          default: 15_728_640,
          minimum: 1024,
          maximum: 16_000_000,
          description: 'Most bytes in one batch. DataHub refuses more than 16,000,000.',
        }),
        maxConcurrency: Type.Integer({
          default: 8,
          minimum: 1,
          maximum: 64,
          description:
            'Most batches on their way at once; the emitter grows towards it, and halves when the catalog is busy.',
        }),
        deadlineSeconds: Type.Number({
          default: 300,
          exclusiveMinimum: 0,
          description:
            'How long one batch may be tried again while the catalog is away or busy; then the run fails, to be resumed.',
        }),
      },
      { ...closed, default: {} },
    ),
    worker: Type.Object(
      {
        concurrency: Type.Integer({
          default: 2,
          minimum: 1,
          maximum: 64,
          description: 'Most runs at once in one worker process.',
        }),
        stopWithinSeconds: Type.Number({
          default: 20,
          minimum: 0,
          description: 'How long running jobs may take to reach a batch border after SIGTERM.',
        }),
      },
      { ...closed, default: {} },
    ),
    webhooks: Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }), Webhook, {
      default: {},
      description: 'Receivers of notices by name; sent by the process that schedules.',
    }),
    keep: Keep,
    jobs: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: 'Modules with further jobs: package names, or paths from the configuration folder.',
    }),
    log: Type.Object(
      {
        level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
          default: 'info',
          description: 'Least level that is logged.',
        }),
      },
      { ...closed, default: {} },
    ),
  },
  { ...closed, title: 'Headwater' },
)
export type HeadwaterFile = Static<typeof HeadwaterFile>
