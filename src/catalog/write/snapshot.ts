import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { keyAspectValue, entityTypeNamed } from '../../model/registry/registry.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'
import { readAspects, readEntities, type AspectRow, type EntityRow } from '../../store/aspect-store.ts'
import type { Queryable } from '../../store/database.ts'
import type { UrnIds } from '../../store/urn-ids.ts'
import type { AspectRef, Soon, StoredAspect } from './write.ts'

/** What was committed when a transaction looked: loaded in bulk beforehand, the rest on demand. */
export class Snapshot {
  readonly #urnIds: UrnIds
  readonly #db: Queryable
  readonly #entities = new Map<Urn, EntityRow | undefined>()
  readonly #aspects = new Map<string, StoredAspect | undefined>()
  readonly #rows = new Map<string, AspectRow>()

  constructor(urnIds: UrnIds, db: Queryable) {
    this.#urnIds = urnIds
    this.#db = db
  }

  async load(entities: readonly Urn[], aspects: readonly AspectRef[]): Promise<void> {
    const ids = await this.#urnIds.find([...entities, ...aspects.map((ref) => ref.urn)], this.#db)
    const wanted = new Map(entities.flatMap((urn) => idOf(ids, urn).map((id) => [id, urn] as const)))
    const keys = new Map<string, { readonly ref: AspectRef; readonly urnId: number }>()
    for (const ref of aspects) {
      for (const urnId of idOf(ids, ref.urn)) keys.set(`${urnId} ${ref.name}`, { ref, urnId })
    }
    const [entityRows, aspectRows] = await Promise.all([
      readEntities(this.#db, [...wanted.keys()]),
      readAspects(
        this.#db,
        [...keys.values()].map(({ ref, urnId }) => ({ urnId, name: ref.name })),
      ),
    ])
    for (const urn of entities) this.#entities.set(urn, undefined)
    for (const row of entityRows) {
      const urn = wanted.get(row.urnId)
      if (urn !== undefined) this.#entities.set(urn, row)
    }
    for (const ref of aspects) this.#aspects.set(keyOf(ref.urn, ref.name), undefined)
    for (const row of aspectRows) {
      const ref = keys.get(`${row.urnId} ${row.name}`)?.ref
      if (ref === undefined) continue
      const key = keyOf(ref.urn, ref.name)
      this.#aspects.set(key, storedOf(row))
      this.#rows.set(key, row)
    }
  }

  entity(urn: Urn): Soon<EntityRow | undefined> {
    if (this.#entities.has(urn)) return this.#entities.get(urn)
    return this.load([urn], []).then(() => this.#entities.get(urn))
  }

  /** As {@link entity}, for entities that were loaded. */
  loadedEntity(urn: Urn): EntityRow | undefined {
    return this.#entities.get(urn)
  }

  /** The row of an aspect that was loaded. */
  loadedRow(urn: Urn, name: string): AspectRow | undefined {
    return this.#rows.get(keyOf(urn, name))
  }

  aspect(urn: Urn, name: string): Soon<StoredAspect | undefined> {
    if (name === entityTypeNamed(entityTypeOf(urn))?.keyAspect) return this.#key(urn)
    const key = keyOf(urn, name)
    if (this.#aspects.has(key)) return this.#aspects.get(key)
    return this.load([], [{ urn, name }]).then(() => this.#aspects.get(key))
  }

  async #key(urn: Urn): Promise<StoredAspect | undefined> {
    const entity = await this.entity(urn)
    return entity === undefined ? undefined : storedKey(urn, entity)
  }
}

/** The stored form of a row. */
export function storedOf(row: AspectRow): StoredAspect {
  return {
    value: parseObject(row.body),
    version: row.version,
    systemMetadata: row.systemMetadata === null ? {} : parseObject(row.systemMetadata),
    writtenMs: row.writtenMs,
    writtenBy: row.writtenBy as Urn,
  }
}

/** The key aspect of an entity, which is made from its URN and never changes. */
export function storedKey(urn: Urn, entity: EntityRow): StoredAspect {
  return {
    value: keyAspectValue(urn),
    version: 1,
    systemMetadata: entity.systemMetadata === null ? {} : parseObject(entity.systemMetadata),
    writtenMs: entity.createdMs,
    writtenBy: entity.createdBy as Urn,
  }
}

/** A stored value; what is no object is an empty one. */
export function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  return isJsonObject(value) ? value : {}
}

const keyOf = (urn: Urn, name: string): string => `${urn} ${name}`

function idOf(ids: ReadonlyMap<Urn, number>, urn: Urn): readonly number[] {
  const id = ids.get(urn)
  return id === undefined ? [] : [id]
}
