import type { JsonObject } from '../../model/json.ts'
import { nearest } from '../../model/near.ts'
import { entityTypeNamed } from '../../model/registry/registry.ts'
import { entityTypeOf, parseUrn, type Urn } from '../../model/urn.ts'
import {
  readAllAspects,
  readAspects,
  readEntities,
  readNeighbours,
  readOldVersion,
  readValues,
  type AspectRow,
  type ValueAlong,
} from '../../store/aspect-store.ts'
import type { Ports } from '../ports.ts'
import { parseObject, storedKey, storedOf } from '../write/snapshot.ts'
import type { AspectRef, StoredAspect } from '../write/write.ts'
import { builtInAspects } from './built-in.ts'
import { hidingValues, VALUES_ASPECT } from './hidden-values.ts'

/** An entity with those of its aspects that were asked for; its key aspect is always among them. */
export interface EntityRecord {
  readonly urn: Urn
  /** Soft-deleted. */
  readonly removed: boolean
  readonly aspects: ReadonlyMap<string, StoredAspect>
}

export interface Values {
  /** One for each reference, in their order. */
  readonly values: readonly (JsonObject | undefined)[]
  readonly along: Along
}

/**
 * By aspect and URN, values of entities that others point to, read in the same statement. What is not in here may exist
 * all the same.
 */
export type Along = ReadonlyMap<string, ReadonlyMap<Urn, JsonObject>>

/** An aspect that points to entities → what is shown of them. */
const SHOWN_ALONG: Readonly<Record<string, string>> = {
  globalTags: 'tagProperties',
  editableSchemaMetadata: 'tagProperties',
  glossaryTerms: 'glossaryTermInfo',
  domains: 'domainProperties',
  container: 'containerProperties',
}

export interface Reading {
  /** Existing entities, each with the aspects named, or with all of them; unknown URNs are left out. */
  entities(urns: readonly Urn[], aspects?: readonly string[]): Promise<ReadonlyMap<Urn, EntityRecord>>
  /** Newest values of versioned aspects, and what is mostly asked for next. */
  values(refs: readonly AspectRef[]): Promise<Values>
  /** One aspect: the newest version (0), or an earlier one counted from 1, the oldest. */
  aspect(urn: Urn, name: string, version?: number): Promise<StoredAspect | undefined>
  exists(urn: Urn): Promise<boolean>
  /** How many entities have this aspect; `urnLike` is a pattern with `%`. */
  count(aspect: string, urnLike?: string): Promise<number>
  /** Existing entities whose URNs begin alike and whose names are nearly the same, the likest first; for messages. */
  near(urn: Urn): Promise<readonly Urn[]>
}

export function createReading({ database, urnIds }: Ports): Reading {
  const hiding = (values: readonly JsonObject[]) => hidingValues({ database, urnIds }, values)

  /** What rows of aspects are shown as, in their order. */
  async function shown(rows: readonly AspectRow[]): Promise<readonly StoredAspect[]> {
    const stored = rows.map(storedOf)
    const isValues = (index: number) => rows[index]?.name === VALUES_ASPECT
    const hide = await hiding(stored.filter((_, index) => isValues(index)).map((one) => one.value))
    return stored.map((one, index) => (isValues(index) ? { ...one, value: hide(one.value) } : one))
  }

  async function entities(urns: readonly Urn[], names?: readonly string[]): Promise<Map<Urn, EntityRecord>> {
    const ids = await urnIds.find(urns)
    const byId = new Map([...ids].map(([urn, id]) => [id, urn]))
    const [entityRows, aspectRows] = await Promise.all([
      readEntities(database, [...byId.keys()]),
      names === undefined
        ? readAllAspects(database, [...byId.keys()])
        : readAspects(
            database,
            [...byId.keys()].flatMap((urnId) => names.map((name) => ({ urnId, name }))),
          ),
    ])
    const values = await shown(aspectRows)
    const aspects = Map.groupBy(
      aspectRows.map((row, index) => ({ row, stored: values[index] ?? storedOf(row) })),
      ({ row }) => row.urnId,
    )
    const found = new Map<Urn, EntityRecord>()
    for (const row of entityRows) {
      const urn = byId.get(row.urnId)
      if (urn === undefined) continue
      const key = entityTypeNamed(entityTypeOf(urn))?.keyAspect ?? 'key'
      const own = (aspects.get(row.urnId) ?? []).map((one) => [one.row.name, one.stored] as const)
      found.set(urn, { urn, removed: row.removed, aspects: new Map([[key, storedKey(urn, row)], ...own]) })
    }
    for (const urn of urns) {
      const builtIn = found.has(urn) ? undefined : builtInAspects(urn, names)
      if (builtIn !== undefined) found.set(urn, { urn, removed: false, aspects: builtIn })
    }
    return found
  }

  async function aspect(urn: Urn, name: string, version = 0): Promise<StoredAspect | undefined> {
    const newest = (await entities([urn], [name])).get(urn)?.aspects.get(name)
    if (newest === undefined || version === 0 || version === newest.version) return newest
    const urnId = (await urnIds.find([urn])).get(urn)
    const row = urnId === undefined ? undefined : await readOldVersion(database, { urnId, name }, version)
    return row && (await shown([row]))[0]
  }

  async function byNameAndUrn(rows: readonly ValueAlong[]): Promise<Along> {
    const found = new Map<string, Map<Urn, JsonObject>>()
    if (rows.length === 0) return found
    const names = await urnIds.names(rows.map((row) => row.urnId))
    for (const { urnId, name, body } of rows) {
      const urn = names.get(urnId)
      if (urn === undefined) continue
      const named = found.get(name) ?? new Map<Urn, JsonObject>()
      found.set(name, named.set(urn, parseObject(body)))
    }
    return found
  }

  return {
    entities,
    aspect,
    async values(refs) {
      const ids = await urnIds.find(refs.map((ref) => ref.urn))
      const { bodies, along } = await readValues(
        database,
        // No row has the id 0.
        refs.map(({ urn, name }) => ({ urnId: ids.get(urn) ?? 0, name })),
        SHOWN_ALONG,
      )
      const values = bodies.map((body) => (body === undefined ? undefined : parseObject(body)))
      const isValues = (index: number) => refs[index]?.name === VALUES_ASPECT
      const hide = await hiding(
        values.flatMap((value, index) => (value !== undefined && isValues(index) ? [value] : [])),
      )
      return {
        values: values.map((value, index) => (value !== undefined && isValues(index) ? hide(value) : value)),
        along: await byNameAndUrn(along),
      }
    },
    async count(name, urnLike) {
      const [row] = await database.rows<{ count: number }>(
        `select count(*) as count from catalog.aspect a join catalog.urn u on u.id = a.urn_id
         where a.name = $1 and ($2::text is null or u.urn like $2)`,
        [name, urnLike ?? null],
      )
      return row?.count ?? 0
    },
    exists: async (urn) => (await entities([urn], [])).has(urn),
    async near(urn) {
      const named = new Map((await readNeighbours(database, urn)).map((one) => [one, nameIn(one)]))
      const names = nearest(nameIn(urn), new Set(named.values()), MOST_NEAR)
      return names.flatMap((name) => [...named.keys()].filter((one) => named.get(one) === name)).slice(0, MOST_NEAR)
    },
  }
}

/** Most that are given as meant. */
const MOST_NEAR = 3

/** What people mistype: of a dataset its name, of a column its path, of anything else its key. */
function nameIn(urn: Urn): string {
  const { key } = parseUrn(urn)
  return key.length > 1 ? (key[1] ?? '') : (key[0] ?? '')
}
