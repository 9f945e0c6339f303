/** Rows of lineage edges, and of all other relationships. */
import { ints, smallints, texts } from './arrays.ts'
import type { Statement, Transaction } from './database.ts'
import { appendLog, VISIBILITY_KIND } from './lineage-log.ts'

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

/**
 * Carries out changes of edges and logs them; the log is others' turn to wait for, so this comes last.
 * @returns the number of lines logged
 */
export function changeEdges(tx: Transaction, { added, removed, visibility }: EdgeChanges): number {
  if (removed.length > 0) tx.send(REMOVE_EDGES, edgeColumns(removed))
  if (added.length > 0) tx.send(ADD_EDGES, edgeColumns(added))
  const lines = [
    ...removed.map(({ kind, upId, downId }) => ({ kind, upId, downId, change: -1 as const })),
    ...added.map(({ kind, upId, downId }) => ({ kind, upId, downId, change: 1 as const })),
    ...visibility.map(({ urnId, change }) => ({ kind: VISIBILITY_KIND, upId: urnId, downId: urnId, change })),
  ]
  appendLog(tx, lines)
  return lines.length
}

export function changeRelationships(
  tx: Transaction,
  changes: { readonly added: readonly RelationshipRow[]; readonly removed: readonly RelationshipRow[] },
): void {
  if (changes.removed.length > 0) tx.send(REMOVE_RELATIONSHIPS, relationshipColumns(changes.removed))
  if (changes.added.length > 0) tx.send(ADD_RELATIONSHIPS, relationshipColumns(changes.added))
}

function edgeColumns(rows: readonly EdgeRow[]): unknown[] {
  return [
    ints(rows.map((row) => row.ownerId)),
    smallints(rows.map((row) => row.kind)),
    ints(rows.map((row) => row.upId)),
    ints(rows.map((row) => row.downId)),
  ]
}

function relationshipColumns(rows: readonly RelationshipRow[]): unknown[] {
  return [
    ints(rows.map((row) => row.sourceId)),
    texts(rows.map((row) => row.aspect)),
    texts(rows.map((row) => row.type)),
    ints(rows.map((row) => row.destId)),
  ]
}
