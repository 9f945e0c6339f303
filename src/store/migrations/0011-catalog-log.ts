import type { Migration } from './migration.ts'

/**
 * One row of the log a transaction, its lines packed: a row a line cost every write a third more, and trimming as many
 * rows again. Lines of before are forgotten; the floor makes every process load its graph anew.
 */
export const CATALOG_LOG: Migration = {
  name: 'the log of lineage by transactions',
  sql: `
update catalog.lineage_log_floor
  set floor = greatest(floor, (select coalesce(max(seq), 0) from catalog.lineage_log));
delete from catalog.lineage_log;
alter table catalog.lineage_log
  drop column kind, drop column up_id, drop column down_id, drop column change,
  -- how many lines, and the lines: kind, up_id, down_id, change, four bytes each (src/store/lineage-log.ts)
  add column size int not null,
  add column lines bytea not null;
alter table catalog.lineage_log alter column lines set storage main;
`,
}
