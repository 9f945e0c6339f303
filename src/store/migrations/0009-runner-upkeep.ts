import type { Migration } from './migration.ts'

/** What many machines need: queue jobs of runs that lost their worker, versions side by side, notices to the outside. */
export const RUNNER_UPKEEP: Migration = {
  name: 'carriers and protocol of runs, notices',
  // New columns have defaults and nothing is taken away: programs of the version before go on.
  least: 8,
  sql: `
-- Which of its jobs in the queue carries a run: one more each time that a worker was lost with the one before, which the
-- queue gives up only when its lock has run out.
alter table ledger.run add column carrier int not null default 0;
-- The least protocol of a worker that can carry it out.
alter table ledger.run add column protocol int not null default 1;
create index run_by_end on ledger.run (finished_ms) where finished_ms is not null;

-- A receiver of notices, and since when: what happened before it was configured is not told.
create table ledger.webhook (
  name text collate "C" primary key,
  since_ms bigint not null
);

-- What is told to a receiver, once per key.
create table ledger.notice (
  webhook text collate "C" not null references ledger.webhook on delete cascade,
  key text collate "C" not null,
  kind text not null,
  -- the schedule, job or plan that it is about; equal ones are folded for a while
  subject text not null,
  body json not null,
  state text not null check (state in ('waiting', 'sent', 'folded', 'dead')),
  attempts int not null default 0,
  not_before_ms bigint not null,
  error text,
  created_ms bigint not null,
  finished_ms bigint,
  primary key (webhook, key),
  check ((state = 'waiting') = (finished_ms is null))
);
create index notice_waiting on ledger.notice (not_before_ms) where state = 'waiting';
create index notice_by_subject on ledger.notice (webhook, kind, subject, created_ms desc);
`,
}
