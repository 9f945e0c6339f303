/** Hard deletion: of entities with everything that hangs on them, of single aspects, of references to an entity. */
import { isJsonObject, objectsOf, sameJson, type JsonObject, type JsonValue } from '../../model/json.ts'
import { aspectNamed, entityTypeNamed, type AspectType } from '../../model/registry/registry.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'
import {
  deleteAspects,
  deleteEntities,
  lockEntities,
  readAllAspects,
  readEntities,
  type AspectRow,
} from '../../store/aspect-store.ts'
import { transaction, type Queryable, type Transaction } from '../../store/database.ts'
import { changeEdges, changeRelationships } from '../../store/edge-store.ts'
import { changeFields } from '../../store/search-store.ts'
import { deleteEventsOf, listIndexes } from '../../store/timeseries-store.ts'
import { relationshipOfKind } from '../lineage/edges.ts'
import type { Ports } from '../ports.ts'
import { valuesField } from '../search/fields.ts'
import { followUps, type FollowUps } from './follow-ups.ts'
import { storedOf } from './snapshot.ts'

export interface Deleted {
  /** Versions of aspects that went, the key aspect included. */
  readonly rows: number
  readonly timeseriesRows: number
}

/** An aspect of another entity that points to the one in question. */
export interface Reference {
  readonly entity: Urn
  readonly aspect: string
  readonly relationship: string
}

export interface Deletion {
  /**
   * Removes an entity; an unknown one is no error. With a structured property its values go from whatever carries them
   * (contract §5.3): otherwise nothing else of what carries them could be patched, since their definition is missing.
   */
  entity(urn: Urn, actor: Urn): Promise<Deleted>
  /** Removes aspects of an entity, with their history; the entity stays. Values go with their definition. */
  aspects(urn: Urn, names: readonly string[], actor: Urn): Promise<Deleted>
  /** The aspects that point to an entity. */
  references(urn: Urn): Promise<readonly Reference[]>
  /** Takes the entity out of all aspects that point to it; gives what was found. */
  dereference(urn: Urn, actor: Urn): Promise<readonly Reference[]>
}

/** Entities that lose their values of a property in one transaction. */
const VALUES_TOGETHER = 500
const VALUES = aspectNamed('structuredProperties') as AspectType

export function createDeletion(ports: Ports): Deletion {
  const { database, urnIds } = ports

  async function remove(urn: Urn, names: readonly string[] | undefined): Promise<Deleted> {
    const urnId = (await urnIds.find([urn])).get(urn)
    if (urnId === undefined) return { rows: 0, timeseriesRows: 0 }
    return transaction(database, async (tx) => {
      await lockEntities(tx, [urnId])
      const [entity] = await readEntities(tx, [urnId])
      const all = await readAllAspects(tx, [urnId])
      const gone = names === undefined ? all : all.filter((row) => names.includes(row.name))
      const rows = await deleteAspects(
        tx,
        gone.map((row) => ({ urnId, name: row.name })),
      )
      const follow = followUps(gone.flatMap((row) => goneAspect(urn, row)))
      const whole = names === undefined
      const timeseriesRows = whole ? await deleteEvents(tx, urn, urnId) : 0
      if (whole) await deleteEntities(tx, [urnId])
      const shownAgain = !whole && entity?.removed === true && follow.removed.has(urn)
      await clean(tx, follow, urnId, {
        whole,
        removed: whole || follow.removed.has(urn) ? false : (entity?.removed ?? false),
        visibility: whole && entity?.removed === false ? -1 : shownAgain ? 1 : undefined,
      })
      return { rows: rows + (whole && entity !== undefined ? 1 : 0), timeseriesRows }
    })
  }

  async function clean(
    tx: Transaction,
    follow: FollowUps,
    urnId: number,
    state: { readonly whole: boolean; readonly removed: boolean; readonly visibility: 1 | -1 | undefined },
  ): Promise<void> {
    const ids = await urnIds.find(follow.urns, tx)
    const idOf = (one: Urn) => ids.get(one) ?? -1
    changeRelationships(tx, {
      added: [],
      removed: follow.relationships.removed.map((link) => ({ ...link, sourceId: urnId, destId: idOf(link.dest) })),
    })
    if (!state.whole) {
      const dropped = [...follow.fields.values()].flatMap((fields) => fields.dropped)
      changeFields(tx, [{ urnId, dropped, set: {}, removed: state.removed }])
    }
    changeEdges(tx, {
      added: [],
      removed: follow.edges.removed.map((edge) => ({
        ownerId: urnId,
        kind: edge.kind,
        upId: idOf(edge.up),
        downId: idOf(edge.down),
      })),
      visibility: state.visibility === undefined ? [] : [{ urnId, change: state.visibility }],
    })
  }

  async function references(urn: Urn): Promise<readonly Reference[]> {
    const urnId = (await urnIds.find([urn])).get(urn)
    if (urnId === undefined) return []
    const plain = await database.rows<{ id: number; aspect: string; relationship: string }>(
      'select source_id as id, aspect, type as relationship from catalog.relationship where dest_id = $1',
      [urnId],
    )
    const edges = await database.rows<{ id: number; kind: number }>(
      `select distinct owner_id as id, kind from catalog.lineage_edge
       where (up_id = $1 or down_id = $1) and owner_id <> $1 and kind < 100`,
      [urnId],
    )
    const owners = await urnIds.names([...plain, ...edges].map((row) => row.id))
    const nameOf = (id: number): readonly Urn[] => {
      const owner = owners.get(id)
      return owner === undefined ? [] : [owner]
    }
    return [
      ...plain.flatMap((row) =>
        nameOf(row.id).map((entity) => ({ entity, aspect: row.aspect, relationship: row.relationship })),
      ),
      ...edges.flatMap((row) =>
        nameOf(row.id).flatMap((entity) =>
          lineageAspects(entity).map((aspect) => ({ entity, aspect, relationship: relationshipOfKind(row.kind) })),
        ),
      ),
    ]
  }

  async function dereference(urn: Urn, actor: Urn): Promise<readonly Reference[]> {
    const found = await references(urn)
    for (const { entity, aspect: name } of found) {
      const aspect = aspectNamed(name)
      if (aspect === undefined) continue
      const next = (stored: { readonly value: JsonObject } | undefined) =>
        stored === undefined ? undefined : withoutReferences(stored.value, aspect, urn)
      await ports.write({ actor, changes: [{ urn: entity, aspect, next }] })
    }
    return found
  }

  async function removeWithValues(urn: Urn, names: readonly string[] | undefined, actor: Urn): Promise<Deleted> {
    const deleted = await remove(urn, names)
    const definition = names === undefined || names.includes('propertyDefinition')
    // After the definition: from then on nobody sets new values.
    if (definition && entityTypeOf(urn) === 'structuredProperty') await removeValues(urn, actor)
    return deleted
  }

  async function removeValues(property: Urn, actor: Urn): Promise<void> {
    const carriers = await database.rows<{ urn: Urn }>(
      'select u.urn from catalog.entity e join catalog.urn u on u.id = e.urn_id where e.fields ? $1 order by e.urn_id',
      [valuesField(property)],
    )
    const next = (stored: { readonly value: JsonObject } | undefined) =>
      stored && {
        ...stored.value,
        properties: objectsOf(stored.value.properties).filter((entry) => entry.propertyUrn !== property),
      }
    for (let start = 0; start < carriers.length; start += VALUES_TOGETHER) {
      const some = carriers.slice(start, start + VALUES_TOGETHER)
      await ports.write({ actor, changes: some.map(({ urn }) => ({ urn, aspect: VALUES, next })) })
    }
  }

  return {
    entity: (urn, actor) => removeWithValues(urn, undefined, actor),
    aspects: removeWithValues,
    references,
    dereference,
  }
}

function goneAspect(urn: Urn, row: AspectRow) {
  const aspect = aspectNamed(row.name)
  return aspect === undefined ? [] : [{ urn, aspect, before: storedOf(row), versions: [] }]
}

/** The aspects of an entity that declare lineage edges. */
function lineageAspects(urn: Urn): readonly string[] {
  const names = [...(entityTypeNamed(entityTypeOf(urn))?.aspects ?? [])]
  return names.filter((name) => aspectNamed(name)?.relationships.some((rule) => rule.lineage !== undefined))
}

/** The value without what points to the entity: list items that do go as a whole, single fields are left out. */
export function withoutReferences(value: JsonObject, aspect: AspectType, urn: Urn): JsonObject {
  let next: JsonObject = value
  for (const rule of aspect.relationships) {
    const [first = '', ...rest] = rule.path
    const member = next[first]
    if (member === undefined) continue
    const kept = without(member, rest, urn)
    next = kept === undefined ? omit(next, first) : { ...next, [first]: kept }
  }
  return sameJson(next, value) ? value : next
}

/** The value without references at the path; undefined where the value itself must go. */
function without(value: JsonValue, path: readonly string[], urn: Urn): JsonValue | undefined {
  const [segment, ...rest] = path
  if (segment === undefined) return value === urn ? undefined : value
  if (segment === '*' && Array.isArray(value)) {
    return value.flatMap((item: JsonValue) => without(item, rest, urn) ?? [])
  }
  if (!isJsonObject(value)) return value
  const member = value[segment]
  if (member === undefined) return value
  const kept = without(member, rest, urn)
  return kept === undefined ? undefined : { ...value, [segment]: kept }
}

function omit(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
}

async function deleteEvents(tx: Queryable, urn: Urn, urnId: number): Promise<number> {
  const entityType = entityTypeNamed(entityTypeOf(urn))?.name
  let rows = 0
  for (const index of await listIndexes(tx)) {
    if (index.entityType !== entityType) continue
    rows += await deleteEventsOf(tx, index, { urnId, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER })
  }
  return rows
}
