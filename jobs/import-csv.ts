/** Tags, terms, owners, descriptions, domains and structured properties of entities and columns, from CSV files. */
import { join } from 'node:path'
import { BARRIER, type AspectChange } from '../src/client/change.ts'
import { readSourceText } from '../src/client/source-file.ts'
import { errorsPathOf, ImportAccount } from '../src/import/account.ts'
import type { AuditStamp } from '../src/import/aspects.ts'
import { definitionChanges, tagChanges } from '../src/import/definitions.ts'
import { importChanges } from '../src/import/import-csv.ts'
import { type ImportSettings } from '../src/import/import-context.ts'
import { importPlanned } from '../src/import/planned.ts'
import { readDefinition } from '../src/import/property-values.ts'
import { addRefusedRows, Refusals, type ErrorsPlace } from '../src/import/refused-rows.ts'
import { checkRemovals } from '../src/import/removal-gate.ts'
import { readRowsReport, reportJson, reportLines, writeReport, type RowsReport } from '../src/import/report.ts'
import { DecodeError, HeadwaterError } from '../src/model/errors.ts'
import { FABRICS } from '../src/model/urn.ts'
import { defineJob, Type, type JobContext } from '../src/runner/define-job.ts'
import type { Static } from 'typebox'
import { conditionLines, draftOf, endOf, nothingToWrite, send, sinkOf } from './parts/changes.ts'

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
      description:
        'Column of the file to a column of the shape (tags, terms, owners, domain, …), a property (id or URN), or ignore',
    }),
    unknownColumns: Type.Enum(['refuse', 'ignore'], {
      default: 'refuse',
      description: 'Columns of the file that mean nothing: refuse the file, or pass them over',
    }),
    missing: Type.Enum(['fail', 'skip', 'create'], {
      default: 'fail',
      description: 'Rows of entities that the catalog does not have: reject them, pass over them, or create the entity',
    }),
    platform: Type.Optional(
      Type.String({ description: 'Platform of datasets whose bare name stands in resource: snowflake, postgres, …' }),
    ),
    instance: Type.Optional(Type.String({ description: 'Platform instance of those datasets' })),
    env: Type.Enum([...FABRICS], { default: 'PROD', description: 'Environment of those datasets' }),
    maxRemovals: Type.Number({
      default: 0.2,
      minimum: 0,
      maximum: 1,
      description: 'Share of the items in the touched aspects that may go without a person approving it',
    }),
    errors: Type.Optional(
      Type.String({
        description: 'Where rejected rows are written, with their reasons; a file of the run when absent',
        path: 'written',
      }),
    ),
    compat: Type.Optional(
      Type.Enum(['strict'], { description: 'strict: read and write as csv-enricher does, its quirks included' }),
    ),
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

export default defineJob({
  name: 'import-csv',
  summary: 'Import tags, owners, descriptions and structured properties from CSV files',
  input,
  examples: [
    ['--file tags.csv', 'what the file would change'],
    ['--file tags.csv owners.csv --apply', 'write it'],
    ['--file - --mode override --missing skip --apply', 'from standard input, replacing what is there'],
    ['--file list.csv --columns Table=resource Label=tag --platform snowflake', 'a file with columns of its own'],
  ],
  byHand: 'plan',

  async plan(context) {
    await using account = accountOf(context)
    const { items, ...draft } = await draftOf(changes(context, account), context)
    const planned = { aspects: draft.counts, items }
    const rows = await account.close(context.balance.snapshot().records)
    const report = { ...rows, planned }
    await writeReport(context.artifacts, report)
    const { added, removed, replaced, held } = items
    return {
      ...draft,
      counts: { ...draft.counts, added, removed, replaced },
      lines: [
        ...draft.lines,
        draft.nothingToDo
          ? nothingToWrite(draft.counts['unchanged'] ?? 0, 'the files want them')
          : `items: ${added} added, ${removed} removed, ${replaced} replaced`,
        ...reportLines(report),
      ],
      body: { removed, held, rows: reportJson(rows) },
    }
  },

  check({ body }, context) {
    const { maxRemovals } = context.input
    return checkRemovals({ removed: Number(body['removed']), held: Number(body['held']) }, maxRemovals)
  },

  async run(context) {
    const { plan } = context
    if (plan?.artifact === undefined) throw new TypeError('an import is carried out by its plan')
    const rows = readRowsReport(plan.body['rows'])
    // The run that made the plan read the rows and keeps those that it rejected; here they are counted.
    context.balance.records({ ...rows.records, rejected: 0 })
    context.rejects.count(rows.rejectedByCode)
    const rules = { stamp: stampOf(context), ...context.input }
    const refusals = new Refusals(join(context.artifacts, 'refused.ndjson'))
    const emitted = await send(importPlanned(plan.artifact, rules), context, (letters) => refusals.add(letters))
    const refusedLines = await keepRefusedRows(await refusals.byAspect(), rows, context)
    const { conditions } = emitted
    const { proposals } = context.balance.snapshot()
    const report = { ...rows, proposals, ...(conditions === undefined ? {} : { conditions }) }
    await writeReport(context.artifacts, report)
    return {
      report: reportJson(report),
      lines: [endOf(emitted, 'the files want them'), ...conditionLines(emitted), ...refusedLines],
    }
  },
})

/** Puts the rows of what was refused into the errors files. @returns where they are */
async function keepRefusedRows(
  refused: Awaited<ReturnType<Refusals['byAspect']>>,
  { files }: RowsReport,
  context: JobContext<Input>,
): Promise<readonly string[]> {
  if (refused.size === 0) return []
  const { errors = join(context.artifacts, 'errors.csv') } = context.input
  const placeOf = (file: string): ErrorsPlace => {
    const index = files.findIndex((one) => one.file === file)
    const known = files[index]?.errors
    // Where no place was asked for, the rows that were rejected stand in the folder of the planning run.
    if (known !== undefined && context.input.errors !== undefined) return { path: known.path, begun: true }
    return { path: files.length > 1 ? errorsPathOf(errors, index + 1) : errors, begun: false }
  }
  try {
    const surroundings = {
      sink: sinkOf(context),
      stamp: stampOf(context),
      folder: context.artifacts,
      signal: context.signal,
    }
    const added = await addRefusedRows(
      refused,
      settingsOf(context, await definitionsOf(context)),
      surroundings,
      placeOf,
    )
    return [...added].map(
      ([path, count]) => `${count} rows of what was refused, to be mended and imported again: ${path}`,
    )
  } catch (error) {
    if (!(error instanceof HeadwaterError)) throw error
    // The proposals are kept as dead letters all the same.
    return [`the rows of what was refused are not listed, since the input cannot be read again: ${error.message}`]
  }
}

/** How the rows are read. @param defined definitions that are written in the same run */
function settingsOf(context: JobContext<Input>, defined: readonly AspectChange[]): ImportSettings {
  const { file, platform, instance, env, ...rest } = context.input
  return {
    ...rest,
    files: file,
    definitions: defined.flatMap(({ urn, intent }) => readDefinition(urn, intent) ?? []),
    naming: platform === undefined ? undefined : { platform, instance, env },
  }
}

async function definitionsOf({ input: { definitions } }: JobContext<Input>): Promise<readonly AspectChange[]> {
  return definitions === undefined ? [] : definitionChanges(await readSourceText(definitions), definitions)
}

function stampOf({ clock, input: { actor } }: JobContext<Input>): AuditStamp {
  return { time: clock.now(), actor }
}

/** @throws DecodeError where the rejected rows would overwrite what they are read from */
function accountOf({ input: { file, errors }, artifacts }: JobContext<Input>): ImportAccount {
  if (errors !== undefined && file.includes(errors)) {
    throw new DecodeError('rejected rows cannot be written over their own input', { path: 'errors' })
  }
  return new ImportAccount(errors ?? join(artifacts, 'errors.csv'), { several: file.length > 1 })
}

/** Definitions and tags are written before any row, since values are checked against them. */
async function* changes(
  context: JobContext<Input>,
  account: ImportAccount,
): AsyncGenerator<AspectChange | typeof BARRIER> {
  const { tags } = context.input
  const defined = await definitionsOf(context)
  yield* defined
  if (tags !== undefined) yield* tagChanges(await readSourceText(tags), tags)
  yield BARRIER
  yield* importChanges(settingsOf(context, defined), {
    sink: sinkOf(context),
    stamp: stampOf(context),
    folder: context.artifacts,
    signal: context.signal,
    progress: context.progress,
    onHeader: (path, header, text) => account.begin(path, header, text),
    records: (add) => context.balance.records(add),
    async reject(...rejects) {
      await account.add(...rejects)
      await context.rejects.add(...rejects)
    },
  })
}
