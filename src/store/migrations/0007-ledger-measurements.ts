import type { Migration } from './migration.ts'

/** What jobs measured, by catalog and series, so that a later run can compare: sizes of indexes, rows that went. */
export const LEDGER_MEASUREMENTS: Migration = {
  name: 'measurements of jobs',
  sql: `
create table ledger.measurement (
  -- the catalog, as in ledger.run; '' for our own
  target text collate "C" not null,
  series text collate "C" not null,
  at_ms bigint not null,
  facts json not null,
  primary key (target, series, at_ms)
);
`,
}
