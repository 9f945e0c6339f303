/**
 * A lineage file, as DataHub's source `datahub-lineage-file` reads it: who feeds whom, written by hand.
 *
 *     version: 1
 *     lineage:
 *       - entity: { name: mart.daily, type: dataset, env: PROD, platform: postgres }
 *         upstream:
 *           - entity: { name: raw.orders, type: dataset, env: PROD, platform: postgres }
 *         fineGrainedLineages:
 *           - { upstreams: [urn:li:schemaField:(…)], downstreams: [urn:li:schemaField:(…)] }
 *
 * Upstreams may have upstreams of their own. An entry that cannot be used is told, and the others count.
 */
import { Type, type Static, type TSchema } from 'typebox'
import { isSeq, LineCounter, parseDocument } from 'yaml'
import { openSource } from '../../client/source-file.ts'
import { decode } from '../../model/decode.ts'
import { DecodeError, HeadwaterError } from '../../model/errors.ts'
import {
  asDatasetUrn,
  datasetUrn,
  FABRICS,
  schemaFieldParts,
  type DatasetUrn,
  type SchemaFieldUrn,
} from '../../model/urn.ts'
import { decodeUtf8 } from '../../model/utf8.ts'
import { decodeYaml } from '../../model/yaml.ts'
import type { RuleBook } from '../naming.ts'
import type { DeclaredField, DeclaredLineage, SourceReject } from '../sql-unit.ts'

const Entity = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    type: Type.Literal('dataset'),
    env: Type.Enum([...FABRICS], { default: 'PROD' }),
    platform: Type.String({ minLength: 1 }),
    platform_instance: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
  },
  { additionalProperties: false },
)

const FineGrained = Type.Object(
  {
    upstreamType: Type.Enum(['FIELD_SET', 'DATASET', 'NONE'], { default: 'FIELD_SET' }),
    upstreams: Type.Array(Type.String(), { default: [] }),
    downstreamType: Type.Enum(['FIELD', 'FIELD_SET'], { default: 'FIELD' }),
    downstreams: Type.Array(Type.String(), { default: [] }),
    transformOperation: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    confidenceScore: Type.Number({ default: 1, minimum: 0, maximum: 1 }),
  },
  { additionalProperties: false },
)
type FineGrained = Static<typeof FineGrained>

/** Upstreams nest; how deep they may is bounded by the reader below. */
const Node = Type.Object(
  {
    entity: Entity,
    upstream: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
    fineGrainedLineages: Type.Optional(Type.Union([Type.Array(FineGrained), Type.Null()])),
  },
  { additionalProperties: false },
)

const LineageFile = Type.Object(
  { version: Type.Union([Type.Literal('1'), Type.Literal(1)]), lineage: Type.Array(Type.Unknown()) },
  { additionalProperties: false },
)

const DEEPEST = 100

/** @throws DecodeError where the file as a whole is not of that shape; SourceUnreadableError, WrongEncodingError */
export async function readLineageFile(
  location: string,
  rules: RuleBook,
  signal: AbortSignal,
): Promise<{ readonly declared: readonly DeclaredLineage[]; readonly rejected: readonly SourceReject[] }> {
  let text = ''
  for await (const piece of decodeUtf8(openSource(location, signal), location)) text += piece
  const { lineage } = decodeYaml(LineageFile, text, location)
  const declared: DeclaredLineage[] = []
  const rejected: SourceReject[] = []
  const file = location.split('/').at(-1) ?? location
  const lines = entryLines(text)
  for (const [at, entry] of lineage.entries()) {
    try {
      readNode(entry, ['lineage', String(at)], 0)
    } catch (error) {
      if (!(error instanceof HeadwaterError)) throw error
      const record = JSON.stringify(entry).slice(0, 2000)
      rejected.push({ code: 'LINEAGE_ENTRY_INVALID', message: error.message, file, line: lines[at] ?? 1, record })
    }
  }
  return { declared, rejected }

  function readNode(value: unknown, path: readonly string[], depth: number): DatasetUrn {
    const node = decodeAt(Node, value, file, path)
    const urn = urnOf(node.entity, file, path)
    const upstreams = (node.upstream ?? []).map((upstream, at) => {
      if (depth >= DEEPEST)
        throw new DecodeError(`upstreams nest deeper than ${DEEPEST}`, { file, path: path.join('.') })
      return readNode(upstream, [...path, 'upstream', String(at)], depth + 1)
    })
    const fields = (node.fineGrainedLineages ?? []).flatMap((fine) => fieldsOf(fine))
    if (upstreams.length + fields.length > 0) {
      const { platform, env, platform_instance: instance } = node.entity
      const own = { platform, env, ...(typeof instance === 'string' ? { instance } : {}) }
      declared.push({
        // Stands for a statement: one for each downstream.
        text: { sql: `-- declared: ${urn}`, file, line: lines[Number(path[1])] ?? 1, wholeFile: false },
        rules: rules.rulesFor(file, own),
        upstreams,
        downstreams: [urn],
        fields,
      })
    }
    return urn
  }
}

function decodeAt<S extends TSchema>(schema: S, value: unknown, file: string, path: readonly string[]): Static<S> {
  return decode(schema, value, (inner) => ({ file, path: [...path, ...inner].join('.') }))
}

function urnOf(entity: Static<typeof Entity>, file: string, path: readonly string[]): DatasetUrn {
  const { name, platform, env, platform_instance: instance } = entity
  if (name.startsWith('urn:li:')) {
    throw new DecodeError(
      'the name of an entity is no URN',
      { file, path: [...path, 'entity', 'name'].join('.') },
      { remedy: 'write name, platform and env apart' },
    )
  }
  return asDatasetUrn(datasetUrn({ platform, name, env, instance: instance ?? undefined }))
}

/** Lines where the entries begin. */
function entryLines(text: string): readonly number[] {
  const lineCounter = new LineCounter()
  const entries = parseDocument(text, { lineCounter }).get('lineage')
  if (!isSeq(entries)) return []
  return entries.items.map((item) => {
    const { range } = item as { readonly range?: readonly number[] | null }
    return lineCounter.linePos(range?.[0] ?? 0).line
  })
}

function fieldsOf(fine: FineGrained): readonly DeclaredField[] {
  const { upstreamType, upstreams, downstreams, transformOperation, confidenceScore } = fine
  if (upstreamType !== 'FIELD_SET') {
    throw new DecodeError(
      `fine-grained lineage with upstreams of type ${upstreamType} is not kept`,
      {},
      {
        remedy: 'name the fields (FIELD_SET); lineage between datasets stands under upstream',
      },
    )
  }
  for (const field of [...upstreams, ...downstreams]) schemaFieldParts(field)
  return downstreams.map((downstream) => ({
    downstream: downstream as SchemaFieldUrn,
    upstreams: new Set(upstreams.map((field) => field as SchemaFieldUrn)),
    operation: transformOperation ?? 'COPY',
    confidence: confidenceScore,
  }))
}
