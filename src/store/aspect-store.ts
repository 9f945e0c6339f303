/**
 * Rows of entities and their versioned aspects. Every statement takes whole batches as arrays (`unnest`), and every
 * batch comes sorted by key: eight writers with unsorted batches over the same keys deadlocked in 311 of 320 cases,
 * sorted ones never did (measured).
 */
import type { Urn } from '../model/urn.ts'
import { bigints, booleans, ints, jsonbs, texts, tsvectors } from './arrays.ts'
import type { Queryable, Statement, Transaction } from './database.ts'
import { splitWords } from './search-store.ts'

/** Names one aspect of one entity by the entity's id. */
export interface AspectKey {
  readonly urnId: number
  readonly name: string
}

export interface EntityRow {
  readonly urnId: number
  readonly removed: boolean
  readonly createdMs: number
  readonly createdBy: string
  readonly systemMetadata: string | null
}

export interface AspectRow extends AspectKey {
  readonly version: number
  /** The value as JSON text. */
  readonly body: string
  readonly systemMetadata: string | null
  readonly runId: string | null
  readonly writtenMs: number
  readonly writtenBy: string
  readonly createdMs: number
}

const ENTITY_COLUMNS = `e.urn_id as "urnId", e.removed, e.created_ms as "createdMs", e.created_by as "createdBy",
  e.system_metadata as "systemMetadata"`
const ASPECT_COLUMNS = `a.urn_id as "urnId", a.name, a.version, a.body, a.system_metadata as "systemMetadata",
  a.run_id as "runId", a.written_ms as "writtenMs", a.written_by as "writtenBy"`

const LOCK: Statement = {
  name: 'urn_lock',
  text: 'select id from catalog.urn where id = any($1) order by id for no key update',
}
const ENTITIES: Statement = {
  name: 'entity_read',
  text: `select ${ENTITY_COLUMNS} from catalog.entity e where e.urn_id = any($1)`,
}
const ASPECTS: Statement = {
  name: 'aspect_read',
  text: `select ${ASPECT_COLUMNS}, a.created_ms as "createdMs"
    from unnest($1::int[], $2::text[]) as k (urn_id, name) join catalog.aspect a using (urn_id, name)`,
}
const VALUES: Statement = {
  name: 'aspect_values',
  text: `select k.at::int as at, a.body
    from unnest($1::int[], $2::text[]) with ordinality as k (urn_id, name, at) join catalog.aspect a using (urn_id, name)`,
}
const VALUES_ALONG: Statement = {
  name: 'aspect_values_along',
  text: `select k.at::int as at, null::int as "urnId", a.name, a.body
    from unnest($1::int[], $2::text[]) with ordinality as k (urn_id, name, at) join catalog.aspect a using (urn_id, name)
    union all
    select null, a.urn_id, a.name, a.body
    from (
      select distinct r.dest_id as urn_id, s.along as name from unnest($3::int[], $4::text[], $5::text[]) as s (id, aspect, along)
      join catalog.relationship r on r.source_id = s.id and r.aspect = s.aspect) as k
    join catalog.aspect a using (urn_id, name)`,
}
const ALL_ASPECTS: Statement = {
  name: 'aspect_read_all',
  text: `select ${ASPECT_COLUMNS}, a.created_ms as "createdMs" from catalog.aspect a where a.urn_id = any($1)`,
}
const OLD_VERSION: Statement = {
  name: 'aspect_version',
  text: `select ${ASPECT_COLUMNS}, a.written_ms as "createdMs"
    from catalog.aspect_history a where a.urn_id = $1 and a.name = $2 and a.version = $3`,
}
/** On both sides in the order of URNs, those first that share the longest beginning. */
const NEIGHBOURS: Statement = {
  name: 'entity_neighbours',
  text: `(select u.urn from catalog.urn u join catalog.entity e on e.urn_id = u.id
      where u.urn > $1 and u.urn < $2 || chr(1114111) order by u.urn limit 100)
    union all
    (select u.urn from catalog.urn u join catalog.entity e on e.urn_id = u.id
      where u.urn < $1 and u.urn >= $2 order by u.urn desc limit 100)`,
}
const ADD_ENTITIES: Statement = {
  name: 'entity_add',
  text: `insert into catalog.entity (urn_id, entity_type, removed, created_ms, created_by, system_metadata, fields, words, word_sources)
    select * from unnest($1::int[], $2::text[], $3::boolean[], $4::bigint[], $5::text[], $6::text[], $7::jsonb[], $8::tsvector[], $9::jsonb[])`,
}
const ADD_HISTORY: Statement = {
  name: 'aspect_add_history',
  text: `insert into catalog.aspect_history (urn_id, name, version, body, system_metadata, run_id, written_ms, written_by)
    select * from unnest($1::int[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])`,
}
const WRITE: Statement = {
  name: 'aspect_write',
  text: `insert into catalog.aspect as a
      (urn_id, name, version, body, system_metadata, run_id, written_ms, written_by, created_ms)
    select * from unnest($1::int[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::bigint[])
    on conflict (urn_id, name) do update set version = excluded.version, body = excluded.body,
      system_metadata = excluded.system_metadata, run_id = excluded.run_id,
      written_ms = excluded.written_ms, written_by = excluded.written_by`,
}
const DELETE_ASPECTS: Statement = {
  name: 'aspect_delete',
  text: `with gone as (
      delete from catalog.aspect a using unnest($1::int[], $2::text[]) as k (urn_id, name)
      where a.urn_id = k.urn_id and a.name = k.name returning 1),
    old as (
      delete from catalog.aspect_history a using unnest($1::int[], $2::text[]) as k (urn_id, name)
      where a.urn_id = k.urn_id and a.name = k.name returning 1)
    select (select count(*) from gone) as current, (select count(*) from old) as old`,
}
const DELETE_ENTITY: Statement = { name: 'entity_delete', text: 'delete from catalog.entity where urn_id = any($1)' }

/** Locks the URNs of the entities to be written, in id order; held until the transaction ends. */
export async function lockEntities(tx: Queryable, sortedIds: readonly number[]): Promise<void> {
  await tx.execute(LOCK, [ints(sortedIds)])
}

export async function readEntities(db: Queryable, ids: readonly number[]): Promise<readonly EntityRow[]> {
  return ids.length === 0 ? [] : db.rows<EntityRow>(ENTITIES, [ints(ids)])
}

export async function readAspects(db: Queryable, keys: readonly AspectKey[]): Promise<readonly AspectRow[]> {
  if (keys.length === 0) return []
  return db.rows<AspectRow>(ASPECTS, keyColumns(keys))
}

/** Existing entities next to a URN in their order, which share at least half of it. */
export async function readNeighbours(db: Queryable, urn: Urn): Promise<readonly Urn[]> {
  const rows = await db.rows<{ urn: Urn }>(NEIGHBOURS, [urn, urn.slice(0, Math.ceil(urn.length / 2))])
  return rows.map((row) => row.urn)
}

/** A value that was read because another one points to its entity. */
export interface ValueAlong extends AspectKey {
  readonly body: string
}

/**
 * The values alone, as JSON text, in the order of their keys.
 * @param along for an aspect's name, the aspect to read along of each entity that it points to
 */
export async function readValues(
  db: Queryable,
  keys: readonly AspectKey[],
  along: Readonly<Record<string, string>>,
): Promise<{ readonly bodies: readonly (string | undefined)[]; readonly along: readonly ValueAlong[] }> {
  const bodies: (string | undefined)[] = keys.map(() => undefined)
  if (keys.length === 0) return { bodies, along: [] }
  const sources = keys.filter((key) => along[key.name] !== undefined)
  if (sources.length === 0) {
    const rows = await db.rows<{ at: number; body: string }>(VALUES, keyColumns(keys))
    for (const { at, body } of rows) bodies[at - 1] = body
    return { bodies, along: [] }
  }
  const rows = await db.rows<ValueAlong & { at: number | null }>(VALUES_ALONG, [
    ...keyColumns(keys),
    ...keyColumns(sources),
    texts(sources.map((key) => along[key.name] ?? null)),
  ])
  const others: ValueAlong[] = []
  for (const row of rows) {
    if (row.at === null) others.push(row)
    else bodies[row.at - 1] = row.body
  }
  return { bodies, along: others }
}

export async function readAllAspects(db: Queryable, ids: readonly number[]): Promise<readonly AspectRow[]> {
  return ids.length === 0 ? [] : db.rows<AspectRow>(ALL_ASPECTS, [ints(ids)])
}

/** An earlier version from the history; undefined where there is none. */
export async function readOldVersion(db: Queryable, key: AspectKey, version: number): Promise<AspectRow | undefined> {
  const [row] = await db.rows<AspectRow>(OLD_VERSION, [key.urnId, key.name, version])
  return row
}

export interface NewEntity extends EntityRow {
  readonly entityType: string
  /** Search fields, each with its values (search-store.ts). */
  readonly fields: Readonly<Record<string, readonly string[]>>
}

/** @param rows sorted by id */
export function addEntities(tx: Transaction, rows: readonly NewEntity[]): void {
  if (rows.length === 0) return
  const searched = rows.map((row) => splitWords(row.fields))
  tx.send(ADD_ENTITIES, [
    ints(rows.map((row) => row.urnId)),
    texts(rows.map((row) => row.entityType)),
    booleans(rows.map((row) => row.removed)),
    bigints(rows.map((row) => row.createdMs)),
    texts(rows.map((row) => row.createdBy)),
    texts(rows.map((row) => row.systemMetadata)),
    jsonbs(searched.map((one) => JSON.stringify(one.fields))),
    tsvectors(searched.map((one) => one.words)),
    jsonbs(searched.map((one) => JSON.stringify(one.sources))),
  ])
}

/**
 * Stores the newest versions of aspects.
 * @param rows sorted by key, each key once
 * @param earlier for the history: what stands there now, as it was read, and versions that came and went within this
 * transaction. Sent, not copied by the server from table to table: that took a statement of its own, as dear as all rows.
 */
export function writeAspects(tx: Transaction, rows: readonly AspectRow[], earlier: readonly AspectRow[]): void {
  if (rows.length === 0) return
  if (earlier.length > 0) tx.send(ADD_HISTORY, columnsOf(earlier))
  tx.send(WRITE, [...columnsOf(rows), bigints(rows.map((row) => row.createdMs))])
}

/** Removes aspects and their history; gives the number of versions that went. */
export async function deleteAspects(tx: Queryable, keys: readonly AspectKey[]): Promise<number> {
  if (keys.length === 0) return 0
  const [row] = await tx.rows<{ current: number; old: number }>(DELETE_ASPECTS, keyColumns(keys))
  return (row?.current ?? 0) + (row?.old ?? 0)
}

export async function deleteEntities(tx: Queryable, ids: readonly number[]): Promise<number> {
  return tx.execute(DELETE_ENTITY, [ints(ids)])
}

function keyColumns(keys: readonly AspectKey[]): unknown[] {
  return [ints(keys.map((key) => key.urnId)), texts(keys.map((key) => key.name))]
}

function columnsOf(rows: readonly AspectRow[]): unknown[] {
  return [
    ...keyColumns(rows),
    ints(rows.map((row) => row.version)),
    texts(rows.map((row) => row.body)),
    texts(rows.map((row) => row.systemMetadata)),
    texts(rows.map((row) => row.runId)),
    bigints(rows.map((row) => row.writtenMs)),
    texts(rows.map((row) => row.writtenBy)),
  ]
}
