import type { Migration } from './migration.ts'

/** Asynchronous writes: kept when they are accepted, carried out in their order, their outcome known by their trace. */
export const CATALOG_ACCEPTED: Migration = {
  name: 'accepted writes',
  sql: `
create table catalog.accepted_write (
  trace text collate "C" primary key,
  seq bigint generated always as identity,
  actor text not null,
  -- JSON; null once carried out
  proposals text,
  -- JSON, one outcome a proposal; null until carried out
  outcomes text,
  accepted_ms bigint not null,
  applied_ms bigint,
  check ((proposals is null) = (outcomes is not null))
);
create index accepted_write_pending on catalog.accepted_write (seq) where outcomes is null;
create index accepted_write_applied on catalog.accepted_write (applied_ms) where outcomes is not null;
`,
}
