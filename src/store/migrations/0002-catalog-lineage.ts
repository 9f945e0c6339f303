import type { Migration } from './migration.ts'

/**
 * Edges follow the aspects that declare them, in the same transaction. `lineage_edge` is compact because it is the one
 * table that is loaded whole (the graph in memory); `lineage_log` tells each process what changed since it loaded.
 */
export const CATALOG_LINEAGE: Migration = {
  name: 'lineage edges, their change log, other relationships',
  sql: `
create table catalog.lineage_edge (
  -- the entity whose aspect declares the edge, and which part of the aspect does (src/catalog/lineage/edges.ts)
  owner_id int not null,
  kind smallint not null,
  up_id int not null,
  down_id int not null,
  primary key (owner_id, kind, up_id, down_id)
);
create index lineage_edge_up on catalog.lineage_edge (up_id, kind) include (down_id);
create index lineage_edge_down on catalog.lineage_edge (down_id, kind) include (up_id);

-- seq grows in commit order: writers take it under one lock, so a reader never skips a late commit
create table catalog.lineage_log (
  seq bigint generated always as identity primary key,
  -- 0: the entity up_id began (1) or ceased (-1) to be seen, that is to exist and not be soft-deleted
  kind smallint not null,
  up_id int not null,
  down_id int not null,
  change smallint not null check (change in (-1, 1))
);

create table catalog.relationship (
  source_id int not null,
  aspect text collate "C" not null,
  type text collate "C" not null,
  dest_id int not null,
  primary key (source_id, aspect, type, dest_id)
);
create index relationship_by_dest on catalog.relationship (dest_id, type);
`,
}
