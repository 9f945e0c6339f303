/** Dataset and column lineage from SQL files and query logs. */
import { basename, resolve } from 'node:path'
import { Type, type Static } from 'typebox'
import { emptyReport, harvestChanges, isQueryLog, type HarvestReport } from '../src/harvest/harvest.ts'
import { DIALECTS } from '../src/harvest/naming.ts'
import { openLineageReader } from '../src/harvest/reader.ts'
import { formatPlace } from '../src/model/errors.ts'
import { FABRICS } from '../src/model/urn.ts'
import { defineJob, type JobContext } from '../src/runner/define-job.ts'
import { carryOut, draftOf, endOf, sinkOf } from './parts/changes.ts'

const input = Type.Object(
  {
    source: Type.String({
      minLength: 1,
      path: true,
      description: 'Folder of .sql files, a dbt project, a .sql file, a query log (.ndjson), or - for stdin',
    }),
    format: Type.Enum(['auto', 'sql', 'log', 'dbt'], {
      default: 'auto',
      description: 'What the source is; by the name of the file, or the dbt_project.yml in the folder, when auto',
    }),
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
          'Take away edges of this origin from datasets that the source no longer yields; done for files, not for logs, when absent',
      }),
    ),
    schemas: Type.Boolean({ default: true, description: 'Write the columns that DDL, views and CTAS tell, too' }),
    queries: Type.Boolean({ default: true, description: 'Write the statements behind edges as query entities' }),
    actor: Type.String({ default: 'urn:li:corpuser:ingestion', description: 'Who stands in the audit stamps' }),
  },
  { additionalProperties: false },
)
type Input = Static<typeof input>

const DOUBTS_SHOWN = 20

export default defineJob({
  name: 'harvest-lineage',
  summary: 'Harvest dataset and column lineage from SQL files and query logs',
  input,
  examples: [
    ['--source sql/ --platform snowflake --database dwh', 'a folder of SQL files'],
    ['--source queries.ndjson --platform bigquery', 'a query log'],
    ['--source dbt-project/ --platform snowflake --plan', 'what a dbt project would change'],
  ],
  byHand: 'apply',

  async plan(context) {
    await using reader = openReader()
    const found = emptyReport()
    const changes = harvestChanges(settingsOf(context.input), harvestContext(context, reader), found)
    const { items: _, ...draft } = await draftOf(changes, context)
    return {
      ...draft,
      counts: { ...draft.counts, datasetEdges: found.datasetEdges, columnEdges: found.columnEdges },
      lines: [...draft.lines, ...foundLines(found, context)],
    }
  },

  async run(context) {
    await using reader = openReader()
    const found = emptyReport()
    const changes = harvestChanges(settingsOf(context.input), harvestContext(context, reader), found)
    const written = endOf(await carryOut(changes, context), 'the SQL says')
    const { doubts, ...figures } = found
    return {
      report: {
        source: context.input.source,
        ...figures,
        doubts: doubts
          .slice(0, DOUBTS_SHOWN)
          .map(({ code, message, place }) => `${formatPlace(place)}: ${code}: ${message}`),
      },
      lines: [...foundLines(found, context), written],
    }
  },
})

function openReader(): ReturnType<typeof openLineageReader> & AsyncDisposable {
  const reader = openLineageReader()
  return Object.assign(reader, {
    [Symbol.asyncDispose]: async () => {
      await reader.close()
    },
  })
}

function settingsOf({ origin, dialect, removeGone, ...rest }: Input): Parameters<typeof harvestChanges>[0] {
  const name = rest.source === '-' ? 'stdin' : basename(resolve(rest.source)).replace(/[^A-Za-z0-9._-]/g, '-')
  // A log is a window of time: that a statement is not in it says nothing.
  const isLog = rest.format === 'log' || (rest.format === 'auto' && isQueryLog(rest.source))
  return {
    ...rest,
    origin: origin ?? name,
    removeGone: removeGone ?? !isLog,
    dialect,
  }
}

function harvestContext(
  context: JobContext<Input>,
  reader: ReturnType<typeof openLineageReader>,
): Parameters<typeof harvestChanges>[1] {
  return {
    reader,
    sink: sinkOf(context),
    stamp: { time: context.clock.now(), actor: context.input.actor },
    signal: context.signal,
    progress: context.progress,
    records: (add) => context.balance.records(add),
    reject: (...rejects) => context.rejects.add(...rejects),
  }
}

function foundLines(found: HarvestReport, context: JobContext<Input>): readonly string[] {
  const { records } = context.balance.snapshot()
  const doubts = Object.entries(found.doubtsByCode).map(([code, count]) => `${count} × ${code}`)
  return [
    `${records.read} statements: ${records.used} used, ${records.duplicate} duplicate, ${records.noEffect} without lineage, ${records.rejected} not understood`,
    ...(found.gone === 0 ? [] : [`${found.gone} datasets lose the edges that the source no longer has`]),
    `${found.datasetEdges} edges into ${found.datasets} datasets, ${found.columnEdges} between columns, ${found.schemas} ${found.schemas === 1 ? 'schema' : 'schemas'}`,
    ...(doubts.length === 0 ? [] : [`in doubt: ${doubts.join(', ')}`]),
    ...found.doubts
      .slice(0, DOUBTS_SHOWN)
      .map(({ code, message, place }) => `  ${formatPlace(place)}: ${code}: ${message}`),
  ]
}
