/**
 * Reads everything, entity by entity in the order of their URNs: an order that two databases with the same content
 * share, which ids are not.
 */
import type { AspectRow } from './aspect-store.ts'
import type { Queryable } from './database.ts'
import { tableOf, type IndexName, type StoredEvent } from './timeseries-store.ts'

export interface EntityName {
  readonly urnId: number
  readonly urn: string
}

/** The entities between two texts, both left out, in the order of their URNs. */
export async function entitiesBetween(
  db: Queryable,
  { after, before, limit }: { readonly after: string; readonly before: string; readonly limit: number },
): Promise<readonly EntityName[]> {
  return db.rows<EntityName>(
    `select u.id as "urnId", u.urn from catalog.urn u
     where u.urn > $1 and u.urn < $2 and exists (select 1 from catalog.entity e where e.urn_id = u.id)
     order by u.urn limit $3`,
    [after, before, limit],
  )
}

/** Those of the entities that have earlier versions of aspects. */
export async function withHistory(db: Queryable, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db.rows<{ id: number }>(
    'select distinct urn_id as id from catalog.aspect_history where urn_id = any($1)',
    [ids],
  )
  return new Set(rows.map((row) => row.id))
}

/** The earlier versions of an entity's aspects by name and version, from the one after `after` on. */
export async function historyPage(
  db: Queryable,
  urnId: number,
  after: { readonly name: string; readonly version: number },
  limit: number,
): Promise<readonly AspectRow[]> {
  return db.rows<AspectRow>(
    `select urn_id as "urnId", name, version, body, system_metadata as "systemMetadata", run_id as "runId",
       written_ms as "writtenMs", written_by as "writtenBy", written_ms as "createdMs"
     from catalog.aspect_history where urn_id = $1 and (name, version) > ($2, $3) order by name, version limit $4`,
    [urnId, after.name, after.version, limit],
  )
}

/** Those of the entities that have events in an index. */
export async function withEvents(
  db: Queryable,
  index: IndexName,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db.rows<{ id: number }>(
    `select id from unnest($1::int[]) as e (id) where exists (select 1 from ${tableOf(index)} t where t.urn_id = e.id)`,
    [ids],
  )
  return new Set(rows.map((row) => row.id))
}

/** The events of an entity by time and key, from the one after `after` on. */
export async function eventPage(
  db: Queryable,
  index: IndexName,
  urnId: number,
  after: { readonly timestampMs: number; readonly key: string },
  limit: number,
): Promise<readonly (StoredEvent & { readonly key: string })[]> {
  return db.rows(
    `select body, system_metadata as "systemMetadata", ts as "timestampMs", key from ${tableOf(index)}
     where urn_id = $1 and (ts, key) > ($2, $3) order by ts, key limit $4`,
    [urnId, after.timestampMs, after.key, limit],
  )
}
