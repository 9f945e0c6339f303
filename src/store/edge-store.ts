/** Rows of lineage edges with their change log, and of all other relationships. */
import type { Queryable, Statement } from './database.ts'

export interface EdgeRow {
  readonly ownerId: number
  readonly kind: number
  readonly upId: number
  readonly downId: number
}

export interface RelationshipRow {
  readonly sourceId: number
  readonly aspect: string
  readonly type: string
  readonly destId: number
}

/** One line of the change log. */
export interface LogRow {
  readonly seq: number
  readonly kind: number
  readonly upId: number
  readonly downId: number
  readonly change: number
}

/** Kind of those log rows that say whether an entity (`upId`) is seen, not what its edges are. */
export const VISIBILITY_KIND = 0

/** Taken by every writer of the log just before its first line, so that seq grows in commit order. */
const LOG_LOCK = 4_812_002

const ADD_EDGES: Statement = {
  name: 'edge_add',
  text: `insert into catalog.lineage_edge (owner_id, kind, up_id, down_id)
    select * from unnest($1::int[], $2::smallint[], $3::int[], $4::int[]) on conflict do nothing`,
}
const REMOVE_EDGES: Statement = {
  name: 'edge_remove',
  text: `delete from catalog.lineage_edge e
    using unnest($1::int[], $2::smallint[], $3::int[], $4::int[]) as k (owner_id, kind, up_id, down_id)
    where (e.owner_id, e.kind, e.up_id, e.down_id) = (k.owner_id, k.kind, k.up_id, k.down_id)`,
}
const LOG: Statement = {
  name: 'edge_log',
  text: `insert into catalog.lineage_log (kind, up_id, down_id, change)
    select * from unnest($1::smallint[], $2::int[], $3::int[], $4::smallint[])`,
}
const LOCK_LOG: Statement = { name: 'edge_log_lock', text: `select pg_advisory_xact_lock(${LOG_LOCK})` }
const ADD_RELATIONSHIPS: Statement = {
  name: 'relationship_add',
  text: `insert into catalog.relationship (source_id, aspect, type, dest_id)
    select * from unnest($1::int[], $2::text[], $3::text[], $4::int[]) on conflict do nothing`,
}
const REMOVE_RELATIONSHIPS: Statement = {
  name: 'relationship_remove',
  text: `delete from catalog.relationship r
    using unnest($1::int[], $2::text[], $3::text[], $4::int[]) as k (source_id, aspect, type, dest_id)
    where (r.source_id, r.aspect, r.type, r.dest_id) = (k.source_id, k.aspect, k.type, k.dest_id)`,
}

export interface EdgeChanges {
  readonly added: readonly EdgeRow[]
  readonly removed: readonly EdgeRow[]
  /** Entities that began (1) or ceased (-1) to be seen. */
  readonly visibility: readonly { readonly urnId: number; readonly change: 1 | -1 }[]
}

/** Carries out changes of edges and writes the log; the log's lock is held until the transaction ends, so come here last. */
export async function changeEdges(tx: Queryable, changes: EdgeChanges): Promise<void> {
  const { added, removed, visibility } = changes
  if (removed.length > 0) await tx.execute(REMOVE_EDGES, edgeColumns(removed))
  if (added.length > 0) await tx.execute(ADD_EDGES, edgeColumns(added))
  const log = [
    ...removed.map((edge) => ({ kind: edge.kind, upId: edge.upId, downId: edge.downId, change: -1 })),
    ...added.map((edge) => ({ kind: edge.kind, upId: edge.upId, downId: edge.downId, change: 1 })),
    ...visibility.map(({ urnId, change }) => ({ kind: VISIBILITY_KIND, upId: urnId, downId: urnId, change })),
  ]
  if (log.length === 0) return
  await tx.execute(LOCK_LOG)
  await tx.execute(LOG, [
    log.map((row) => row.kind),
    log.map((row) => row.upId),
    log.map((row) => row.downId),
    log.map((row) => row.change),
  ])
}

export async function changeRelationships(
  tx: Queryable,
  changes: { readonly added: readonly RelationshipRow[]; readonly removed: readonly RelationshipRow[] },
): Promise<void> {
  if (changes.removed.length > 0) await tx.execute(REMOVE_RELATIONSHIPS, relationshipColumns(changes.removed))
  if (changes.added.length > 0) await tx.execute(ADD_RELATIONSHIPS, relationshipColumns(changes.added))
}

function edgeColumns(rows: readonly EdgeRow[]): unknown[] {
  return [
    rows.map((row) => row.ownerId),
    rows.map((row) => row.kind),
    rows.map((row) => row.upId),
    rows.map((row) => row.downId),
  ]
}

function relationshipColumns(rows: readonly RelationshipRow[]): unknown[] {
  return [
    rows.map((row) => row.sourceId),
    rows.map((row) => row.aspect),
    rows.map((row) => row.type),
    rows.map((row) => row.destId),
  ]
}
