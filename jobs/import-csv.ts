/** Tags, terms, owners, descriptions, domains and structured properties of entities and columns, from CSV files. */
import { join } from 'node:path'
import { BARRIER, type AspectChange } from '../src/client/change.ts'
import { compareChanges, emit } from '../src/client/emitter.ts'
import { bindToPlan, writePlanFile } from '../src/client/plan-file.ts'
import { readSourceText } from '../src/client/source-file.ts'
import { definitionChanges, tagChanges } from '../src/import/definitions.ts'
import { importChanges } from '../src/import/import-csv.ts'
import { readDefinition } from '../src/import/property-values.ts'
import { defineJob, Type, type JobContext } from '../src/runner/define-job.ts'
import type { Static } from 'typebox'

const input = Type.Object(
  {
    file: Type.Array(Type.String({ minLength: 1, path: true }), {
      description:
        'CSV in the csv-enricher shape: a path, - for stdin, or an http(s) address; may be given several times',
    }),
    mode: Type.Enum(['patch', 'override'], {
      default: 'patch',
      description: 'patch adds to what is there, override replaces it',
    }),
    delimiter: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1, description: 'Between cells; found by itself when absent' }),
    ),
    arrayDelimiter: Type.String({ default: '|', minLength: 1, description: 'Between the items of a cell' }),
    columns: Type.Record(Type.String(), Type.String(), {
      default: {},
      description: 'Column of the file to a column of the shape, a property (id or URN), or ignore',
    }),
    unknownColumns: Type.Enum(['refuse', 'ignore'], {
      default: 'refuse',
      description: 'Columns of the file that mean nothing: refuse the file, or pass them over',
    }),
    missing: Type.Enum(['fail', 'skip', 'create'], {
      default: 'fail',
      description: 'Rows of entities that the catalog does not have: reject them, pass over them, or create the entity',
    }),
    definitions: Type.Optional(
      Type.String({
        description: 'YAML of structured property definitions, written before the rows are read',
        path: true,
      }),
    ),
    tags: Type.Optional(
      Type.String({ description: 'YAML of tags (id, name, description, color), written first', path: true }),
    ),
    actor: Type.String({ default: 'urn:li:corpuser:ingestion', description: 'Who stands in the audit stamps' }),
  },
  { additionalProperties: false },
)
type Input = Static<typeof input>

const PLAN_LIVES_MS = 7 * 24 * 3600 * 1000

export default defineJob({
  name: 'import-csv',
  summary: 'Import tags, owners, descriptions and structured properties from CSV files',
  input,
  examples: [
    ['--file tags.csv', 'what the file would change'],
    ['--file tags.csv owners.csv --apply', 'write it'],
    ['--file - --mode override --missing skip --apply', 'from standard input, replacing what is there'],
  ],
  byHand: 'plan',

  async plan(context) {
    const artifact = join(context.artifacts, 'plan.ndjson')
    const sink = context.connections.catalog()
    const { counts, lines } = await writePlanFile(artifact, compareChanges(changes(context), sink, context.signal))
    return {
      counts,
      lines,
      body: {},
      artifact,
      expiresAtMs: context.clock.now() + PLAN_LIVES_MS,
      nothingToDo: counts.change + counts.create + counts.refused === 0,
    }
  },

  async run(context) {
    const { plan } = context
    const all = changes(context)
    const report = await emit(plan?.artifact === undefined ? all : bindToPlan(all, plan.artifact), {
      sink: context.connections.catalog(),
      journal: context.journal,
      runId: context.runId,
      stop: context.stop,
      signal: context.signal,
      progress: context.progress,
      logger: context.logger,
      clock: context.clock,
      onBatch: (made, counts) => context.balance.proposals({ made, ...counts }),
    })
    const { records } = context.balance.snapshot()
    const { written, unchanged, refused, dead } = report.counts
    return {
      report: { files: context.input.file },
      lines: [
        `${records.read} rows: ${records.used} used, ${records.duplicate} duplicate, ${records.noEffect} without effect, ${records.rejected} rejected`,
        written === 0 && refused + dead === 0
          ? `nothing to write: all ${unchanged} aspects are as the files want them`
          : `${report.made} aspects: ${written} written, ${unchanged} unchanged, ${refused} refused, ${dead} given up`,
      ],
    }
  },
})

/** Definitions and tags are written before any row, since values are checked against them. */
async function* changes(context: JobContext<Input>): AsyncGenerator<AspectChange | typeof BARRIER> {
  const { definitions, tags, file, actor, ...rest } = context.input
  const defined = definitions === undefined ? [] : definitionChanges(await readSourceText(definitions), definitions)
  yield* defined
  if (tags !== undefined) yield* tagChanges(await readSourceText(tags), tags)
  yield BARRIER
  yield* importChanges(
    { files: file, definitions: defined.flatMap(({ urn, intent }) => readDefinition(urn, intent) ?? []), ...rest },
    {
      sink: context.connections.catalog(),
      stamp: { time: context.clock.now(), actor },
      folder: context.artifacts,
      signal: context.signal,
      records: (add) => context.balance.records(add),
      reject: (...rejects) => context.rejects.add(...rejects),
    },
  )
}
