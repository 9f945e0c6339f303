/** Adding and removing dataset edges by hand (interface §4.1 updateLineage, contract §9.2). */
import { objectsOf, textOf, type JsonObject } from '../../model/json.ts'
import { aspectNamed, type AspectType } from '../../model/registry/registry.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'
import { BadRequestError, EntityNotFoundError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { Reading } from '../read/read.ts'
import type { Change, StoredAspect } from '../write/write.ts'

export interface EdgeInput {
  readonly downstreamUrn: Urn
  readonly upstreamUrn: Urn
}

export interface UpdateLineage {
  /**
   * Adds edges, then removes edges, all or none. Both ends of an added edge must exist; a removed one may point anywhere.
   * @throws EntityNotFoundError, BadRequestError
   */
  update(
    edges: { readonly add: readonly EdgeInput[]; readonly remove: readonly EdgeInput[] },
    actor: Urn,
  ): Promise<void>
}

export function createUpdateLineage(ports: Ports, reading: Reading): UpdateLineage {
  return {
    async update({ add, remove }, actor) {
      for (const edge of add) checkTypes(edge)
      const downstreams = [...new Set([...add, ...remove].map((edge) => edge.downstreamUrn))]
      const upstreams = [...new Set(add.map((edge) => edge.upstreamUrn))]
      const nowMs = ports.clock.now()
      await ports.write({
        actor,
        mentions: upstreams,
        reads: { entities: [...downstreams, ...upstreams] },
        changes: downstreams.map((urn) => {
          const of = (edges: readonly EdgeInput[]) =>
            edges.filter((edge) => edge.downstreamUrn === urn).map((edge) => edge.upstreamUrn)
          return edgeChange(urn, { add: of(add), remove: of(remove) }, { time: nowMs, actor })
        }),
        async check(view) {
          for (const urn of downstreams) {
            if (await view.exists(urn)) continue
            const what = `Cannot upsert lineage as downstream urn ${urn} doesn't exist.`
            throw new EntityNotFoundError(what, urn, await reading.near(urn))
          }
          for (const urn of upstreams) {
            if (await view.exists(urn)) continue
            throw new EntityNotFoundError(`Error: urn does not exist: ${urn}.`, urn, await reading.near(urn))
          }
        },
      })
    },
  }
}

function checkTypes({ upstreamUrn, downstreamUrn }: EdgeInput): void {
  if (entityTypeOf(downstreamUrn) !== 'dataset') {
    throw new BadRequestError(`Cannot upsert lineage: the downstream urn ${downstreamUrn} is not a dataset`)
  }
  if (entityTypeOf(upstreamUrn) !== 'dataset') {
    throw new BadRequestError(
      `Tried to add lineage edge with non-dataset node when we expect a dataset. Upstream urn: ${upstreamUrn}`,
    )
  }
}

function edgeChange(
  urn: Urn,
  edges: { readonly add: readonly Urn[]; readonly remove: readonly Urn[] },
  stamp: JsonObject,
): Change {
  return {
    urn,
    aspect: UPSTREAM_LINEAGE,
    next(stored: StoredAspect | undefined) {
      const present = objectsOf(stored?.value.upstreams)
      const known = new Set(present.map((upstream) => textOf(upstream.dataset)))
      const added = [...new Set(edges.add)]
        .filter((dataset) => !known.has(dataset))
        .map((dataset) => ({
          dataset,
          type: 'TRANSFORMED',
          auditStamp: stamp,
          created: stamp,
          properties: { source: 'UI' },
        }))
      const gone = new Set<string>(edges.remove)
      const upstreams = [...present, ...added].filter((upstream) => !gone.has(textOf(upstream.dataset)))
      if (stored === undefined && upstreams.length === 0) return undefined
      // Column lineage stays as it is, also when its dataset edge goes (contract §9.2).
      return { ...stored?.value, upstreams }
    },
  }
}

const UPSTREAM_LINEAGE = aspectNamed('upstreamLineage') as AspectType
