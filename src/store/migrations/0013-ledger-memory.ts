import type { Migration } from './migration.ts'

/** What a job remembers from run to run; `scope` is the job and the catalog that it writes to. */
export const LEDGER_MEMORY: Migration = {
  name: 'memory of jobs',
  sql: `
create table ledger.memory (
  scope text collate "C" not null,
  key text collate "C" not null,
  -- as text: it is read and written whole, and compressed by itself where it is long
  value text not null,
  run_id text collate "C" not null,
  saved_ms bigint not null,
  primary key (scope, key)
);
`,
}
