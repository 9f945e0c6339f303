/** Lineage written by hand (`datahub-lineage-file`): which datasets feed which, also column by column. */
import { Type, type Static } from 'typebox'
import type { AspectChange } from '../../client/change.ts'
import { decode } from '../../model/decode.ts'
import { DecodeError, InvalidUrnError } from '../../model/errors.ts'
import { canonicalJson, objectsAt, type JsonObject } from '../../model/json.ts'
import { datasetUrn, type DatasetUrn } from '../../model/urn.ts'
import { decodeYaml } from '../../model/yaml.ts'
import type { Ruled } from './rules.ts'

const optional = Type.Optional
const Urns = Type.Array(Type.String({ minLength: 1 }))

const Entity = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    type: Type.Enum(['dataset']),
    env: Type.String({ default: 'PROD' }),
    platform: Type.String({ minLength: 1 }),
    platform_instance: optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
  },
  { additionalProperties: false },
)

const FineGrained = Type.Object(
  {
    upstreamType: Type.Enum(['FIELD_SET', 'DATASET', 'NONE'], { default: 'FIELD_SET' }),
    upstreams: optional(Urns),
    downstreamType: Type.Enum(['FIELD', 'FIELD_SET'], { default: 'FIELD' }),
    downstreams: optional(Urns),
    transformOperation: optional(Type.String()),
    confidenceScore: Type.Number({ default: 1, minimum: 0, maximum: 1 }),
  },
  { additionalProperties: false },
)

/** A node may hold nodes of its own; how deep is bounded by the reader below. */
const Node = Type.Object(
  {
    entity: Entity,
    upstream: optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
    fineGrainedLineages: optional(Type.Union([Type.Array(FineGrained), Type.Null()])),
  },
  { additionalProperties: false },
)
const LineageFile = Type.Object(
  { version: Type.Union([Type.Literal(1), Type.Literal('1')]), lineage: Type.Array(Type.Unknown()) },
  { additionalProperties: false },
)
const NodeFile = Type.Object({ version: Type.Unknown(), lineage: Type.Array(Node) }, { additionalProperties: false })

const DEEPEST = 50

/**
 * @param options.preserve keeps the upstreams that the catalog has; without it they are replaced
 * @throws DecodeError at file, line and column
 */
export function lineageFileChanges(
  text: string,
  file: string,
  options: { readonly preserve: boolean; readonly ruled: Ruled },
): readonly AspectChange[] {
  decodeYaml(LineageFile, text, file)
  const { lineage } = decodeYaml(NodeFile, text, file)
  const byUrn = new Map<DatasetUrn, JsonObject[]>()
  for (const [index, node] of lineage.entries()) collect(node, { file, path: `lineage.${index}` }, byUrn, 0)
  const rule = options.preserve ? 'add-upstreams' : 'replace-upstreams'
  return [...byUrn].map(([urn, parts]) => {
    return options.ruled(rule, { urn, aspectName: 'upstreamLineage', intent: joined(parts) })
  })
}

interface NodePlace {
  readonly file: string
  readonly path: string
}

/** Adds what a node says of its entity, and what its upstream nodes say of theirs. */
function collect(
  node: Static<typeof Node>,
  place: NodePlace,
  byUrn: Map<DatasetUrn, JsonObject[]>,
  depth: number,
): void {
  if (depth > DEEPEST) throw new DecodeError(`more than ${DEEPEST} nodes in each other`, place)
  const upstreamNodes = (node.upstream ?? []).map((value, index) => {
    const at = { ...place, path: `${place.path}.upstream.${index}` }
    return { node: decodeYamlNode(value, at), at }
  })
  const fineGrainedLineages = (node.fineGrainedLineages ?? []).map((entry) => ({ ...entry }))
  const urn = urnOf(node.entity, place)
  const upstreams = upstreamNodes.map(({ node: upstream, at }) => ({
    dataset: urnOf(upstream.entity, at),
    type: 'TRANSFORMED',
  }))
  if (upstreams.length + fineGrainedLineages.length > 0) {
    const part = { upstreams, fineGrainedLineages } as unknown as JsonObject
    byUrn.set(urn, [...(byUrn.get(urn) ?? []), part])
  }
  for (const { node: upstream, at } of upstreamNodes) collect(upstream, at, byUrn, depth + 1)
}

function decodeYamlNode(value: unknown, place: NodePlace): Static<typeof Node> {
  return decode(Node, value, (path) => ({ file: place.file, path: [place.path, ...path].join('.') }))
}

function urnOf(
  { name, platform, platform_instance: instance, env }: Static<typeof Entity>,
  place: NodePlace,
): DatasetUrn {
  if (name.startsWith('urn:li:')) {
    throw new DecodeError(`the name of an entity is no URN: ${name}`, place, {
      remedy: 'give name, platform and env apart',
    })
  }
  try {
    return datasetUrn({ platform, name, env, instance: instance ?? undefined })
  } catch (error) {
    if (error instanceof InvalidUrnError) throw new DecodeError(error.message, place, { cause: error })
    throw error
  }
}

/** The nodes of one dataset may stand at several places of the file. */
function joined(parts: readonly JsonObject[]): JsonObject {
  const distinct = (name: string): readonly JsonObject[] => [
    ...new Map(parts.flatMap((part) => objectsAt(part, name)).map((item) => [canonicalJson(item), item])).values(),
  ]
  return { upstreams: distinct('upstreams'), fineGrainedLineages: distinct('fineGrainedLineages') }
}
