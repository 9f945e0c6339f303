/** Metadata that stands in files already: MCPs and MCEs, property definitions, datasets, lineage and tags in YAML. */
import type { Static } from 'typebox'
import type { AspectChange } from '../src/client/change.ts'
import { METADATA_FORMATS, metadataChanges } from '../src/import/metadata/import-metadata.ts'
import { checkRemovals } from '../src/import/removal-gate.ts'
import { defineJob, Type, type JobContext } from '../src/runner/define-job.ts'
import { carryOut, conditionLines, draftOf, endOf, sinkOf } from './parts/changes.ts'

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
    const { items, ...draft } = await draftOf(changes(context), context)
    const { added, removed, replaced, held } = items
    return {
      ...draft,
      counts: { ...draft.counts, added, removed, replaced },
      lines: [
        ...draft.lines,
        draft.nothingToDo
          ? `nothing to write: all ${draft.counts['unchanged']} aspects are as the files want them`
          : `items: ${added} added, ${removed} removed, ${replaced} replaced`,
        recordsLine(context),
      ],
      body: { removed, held },
    }
  },

  check({ body }, context) {
    const { maxRemovals } = context.input
    return checkRemovals({ removed: Number(body['removed']), held: Number(body['held']) }, maxRemovals)
  },

  async run(context) {
    const emitted = await carryOut(changes(context), context)
    return {
      report: { files: context.input.file, conditions: { ...emitted.conditions } },
      lines: [
        ...(context.plan === undefined ? [recordsLine(context)] : []),
        endOf(emitted, 'the files want them'),
        ...conditionLines(emitted),
      ],
    }
  },
})

function recordsLine({ balance }: JobContext<Input>): string {
  const { read, used, noEffect, rejected } = balance.snapshot().records
  return `${read} records: ${used} used, ${noEffect} without effect, ${rejected} rejected`
}

function changes(context: JobContext<Input>): AsyncGenerator<AspectChange> {
  const { file, actor, format, preserveUpstream } = context.input
  return metadataChanges(
    { files: file, format, preserveUpstream },
    {
      sink: sinkOf(context),
      stamp: { time: context.clock.now(), actor },
      signal: context.signal,
      progress: context.progress,
      records: (add) => context.balance.records(add),
      reject: (...rejects) => context.rejects.add(...rejects),
    },
  )
}
