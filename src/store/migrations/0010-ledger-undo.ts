import type { Migration } from './migration.ts'

/** What undoing a run and sending its dead letters again need. */
export const LEDGER_UNDO: Migration = {
  name: 'images of what runs overwrite, settled dead letters',
  // New columns that nothing older reads.
  least: 8,
  sql: `
-- What the aspects of a batch were before it was written: JSON, compressed by us.
alter table ledger.batch add column images bytea;
alter table ledger.batch alter column images set storage external;

alter table ledger.dead_letter
  -- hash of the aspect for which the proposal was made, empty where there was none; null where nothing can be sent
  add column base text,
  -- the run that sent it again with success
  add column settled_by text collate "C",
  add column settled_ms bigint;
create index dead_letter_open on ledger.dead_letter (id) where settled_by is null;
`,
}
