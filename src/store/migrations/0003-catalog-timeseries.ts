import type { Migration } from './migration.ts'

/**
 * Each timeseries aspect of an entity type has a plain table of its own, made on its first write: exact sizes, and a
 * truncation that can rebuild the table without the rows that go.
 */
export const CATALOG_TIMESERIES: Migration = {
  name: 'timeseries tables and tasks',
  sql: `
create table catalog.timeseries_index (
  entity_type text collate "C" not null,
  aspect text collate "C" not null,
  table_name text collate "C" not null unique,
  primary key (entity_type, aspect)
);

create table catalog.task (
  id bigint generated always as identity primary key,
  kind text not null,
  subject jsonb not null,
  state text not null check (state in ('running', 'completed', 'failed', 'cancelled')),
  total bigint not null default 0,
  deleted bigint not null default 0,
  batches bigint not null default 0,
  error text,
  started_ms bigint not null,
  ended_ms bigint
);
`,
}
