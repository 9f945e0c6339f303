import type { Migration } from './migration.ts'

/** How far the log of lineage was trimmed, and finding what a run wrote without reading every aspect. */
export const CATALOG_UPKEEP: Migration = {
  name: 'trimmed log of lineage, aspects by run',
  sql: `
create table catalog.lineage_log_floor (
  one boolean primary key default true check (one),
  -- lines up to this seq may be gone
  floor bigint not null
);
insert into catalog.lineage_log_floor (floor) values (0);

-- most writes name no run: they share one default, which nobody looks for
create index aspect_by_run on catalog.aspect (run_id)
  where run_id is not null and run_id <> 'no-run-id-provided';
`,
}
