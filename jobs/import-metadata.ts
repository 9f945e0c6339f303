/** Metadata that stands in files already: MCPs and MCEs, property definitions, datasets, lineage and tags in YAML. */
import type { Static } from 'typebox'
import type { AspectChange } from '../src/client/change.ts'
import { METADATA_FORMATS, metadataChanges } from '../src/import/metadata/import-metadata.ts'
import type { AuditStamp } from '../src/import/aspects.ts'
import { plannedMetadata } from '../src/import/metadata/rules.ts'
import { checkRemovals } from '../src/import/removal-gate.ts'
import { readRowsReport, reportJson, type RowsReport } from '../src/import/report.ts'
import { defineJob, Type, type JobContext } from '../src/runner/define-job.ts'
import { conditionLines, draftOf, endOf, nothingToWrite, send, sinkOf } from './parts/changes.ts'

const input = Type.Object(
  {
    file: Type.Array(Type.String({ minLength: 1, path: true }), {
      minItems: 1,
      description:
        'MCPs or MCEs as JSON or NDJSON (also .gz), or YAML: a path, a folder of JSON files, - for stdin, or an http(s) address; may be given several times',
    }),
    format: Type.Optional(
      Type.Enum([...METADATA_FORMATS], {
        description: 'What the files hold; found by their name and keys when absent',
      }),
    ),
    preserveUpstream: Type.Boolean({
      default: true,
      description: 'Of lineage files: keep the upstreams that the catalog has besides',
    }),
    maxRemovals: Type.Number({
      default: 0.2,
      minimum: 0,
      maximum: 1,
      description: 'Share of the items in the touched aspects that may go without a person approving it',
    }),
    actor: Type.String({ default: 'urn:li:corpuser:ingestion', description: 'Who stands in the audit stamps' }),
  },
  { additionalProperties: false },
)
type Input = Static<typeof input>

export default defineJob({
  name: 'import-metadata',
  summary: 'Import MCP and MCE files, property definitions, datasets and lineage written in YAML',
  input,
  examples: [
    ['--file dump.json.gz', 'what a file of MCPs would change'],
    ['--file properties.yaml datasets.yaml --apply', 'write definitions first, then datasets'],
    ['--file lineage.yaml --no-preserve-upstream --apply', 'replace the upstreams of the datasets in it'],
  ],
  byHand: 'plan',

  async plan(context) {
    const byCode = new Map<string, number>()
    const { items, ...draft } = await draftOf(changes(context, byCode), context)
    const { added, removed, replaced, held } = items
    const { records } = context.balance.snapshot()
    const rows: RowsReport = { files: [], records, rejectedByCode: Object.fromEntries(byCode) }
    return {
      ...draft,
      counts: { ...draft.counts, added, removed, replaced },
      lines: [
        ...draft.lines,
        draft.nothingToDo
          ? nothingToWrite(draft.counts['unchanged'] ?? 0, 'the files want them')
          : `items: ${added} added, ${removed} removed, ${replaced} replaced`,
        recordsLine(rows),
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
    const { records, rejectedByCode } = readRowsReport(plan.body['rows'])
    // The run that made the plan read the records and keeps those that it rejected; here they are counted.
    context.balance.records({ ...records, rejected: 0 })
    context.rejects.count(rejectedByCode)
    const emitted = await send(plannedMetadata(plan.artifact, stampOf(context)), context)
    return {
      report: { files: context.input.file, conditions: { ...emitted.conditions } },
      lines: [endOf(emitted, 'the files want them'), ...conditionLines(emitted)],
    }
  },
})

function recordsLine({ records: { read, used, noEffect, rejected } }: RowsReport): string {
  return `${read} records: ${used} used, ${noEffect} without effect, ${rejected} rejected`
}

function stampOf({ clock, input: { actor } }: JobContext<Input>): AuditStamp {
  return { time: clock.now(), actor }
}

/** @param byCode counts what is rejected */
function changes(context: JobContext<Input>, byCode: Map<string, number>): AsyncGenerator<AspectChange> {
  const { file, format, preserveUpstream } = context.input
  return metadataChanges(
    { files: file, format, preserveUpstream },
    {
      sink: sinkOf(context),
      stamp: stampOf(context),
      signal: context.signal,
      progress: context.progress,
      records: (add) => context.balance.records(add),
      async reject(...rejects) {
        for (const { code } of rejects) byCode.set(code, (byCode.get(code) ?? 0) + 1)
        await context.rejects.add(...rejects)
      },
    },
  )
}
