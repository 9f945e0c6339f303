import type { Migration } from './migration.ts'

/**
 * The ledger: what was asked for, what became of it, and what may happen next. The queue only carries ids of these rows,
 * so whatever it loses is put back from here. A finished run keeps two sums (`*_balance`); `unsettled` is what a run that
 * was stopped in the middle had taken on and not brought to an end, so only a failed or cancelled run may have any.
 */
export const LEDGER: Migration = {
  name: 'runs, attempts, journal, plans and schedules',
  sql: `
create schema if not exists ledger;

create table ledger.run (
  -- Also the id of its job in the queue: no colon, not a number.
  id text collate "C" primary key check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$' and id ~ '[^0-9]'),
  job text collate "C" not null,
  mode text not null check (mode in ('plan', 'apply')),
  -- a plan that is carried out without a person where the gate says auto
  applies boolean not null,
  trigger text not null check (trigger in ('hand', 'schedule', 'backfill', 'plan', 'retry')),
  requested_by text,
  schedule_id text collate "C",
  slot_ms bigint,
  plan_id text collate "C",
  retry_of text collate "C",
  -- the catalog it writes to: the name of a connection or a URL; our own when absent
  target text,
  -- never two at once that share one of these
  resources text[] not null default '{}',
  input json not null,
  input_hash text not null,
  state text not null check (state in
    ('queued', 'running', 'stalled', 'succeeded', 'partial', 'failed', 'cancelled', 'skipped')),
  -- why it waits, was skipped or was cancelled
  reason text,
  max_attempts int not null check (max_attempts > 0),
  attempt int not null default 0,
  failures int not null default 0,
  stalls int not null default 0,
  not_before_ms bigint not null,
  worker text,
  heartbeat_ms bigint,
  cancel_requested_ms bigint,
  cancel_requested_by text,
  progress json,
  records_read bigint not null default 0,
  records_used bigint not null default 0,
  records_duplicate bigint not null default 0,
  records_no_effect bigint not null default 0,
  records_rejected bigint not null default 0,
  records_unsettled bigint not null default 0,
  proposals_made bigint not null default 0,
  proposals_written bigint not null default 0,
  proposals_unchanged bigint not null default 0,
  proposals_refused bigint not null default 0,
  proposals_dead bigint not null default 0,
  proposals_unsettled bigint not null default 0,
  rejected_by_code json not null default '{}',
  report json,
  lines json not null default '[]',
  error json,
  created_ms bigint not null,
  started_ms bigint,
  finished_ms bigint,

  constraint run_records_balance check (finished_ms is null or records_read =
    records_used + records_duplicate + records_no_effect + records_rejected + records_unsettled),
  constraint run_proposals_balance check (finished_ms is null or proposals_made =
    proposals_written + proposals_unchanged + proposals_refused + proposals_dead + proposals_unsettled),
  constraint run_settled check (state not in ('succeeded', 'partial')
    or (records_unsettled = 0 and proposals_unsettled = 0)),
  constraint run_success_is_whole check (state <> 'succeeded'
    or (records_rejected = 0 and proposals_refused = 0 and proposals_dead = 0)),
  constraint run_end check ((finished_ms is not null) =
    (state in ('succeeded', 'partial', 'failed', 'cancelled', 'skipped'))),
  constraint run_failure_has_error check (state <> 'failed' or error is not null),
  constraint run_slot check ((schedule_id is null) = (slot_ms is null))
);
create index run_by_creation on ledger.run (created_ms desc, id desc);
create index run_by_job on ledger.run (job, created_ms desc);
create index run_by_schedule on ledger.run (schedule_id, slot_ms desc) where schedule_id is not null;
create index run_open on ledger.run (state, not_before_ms) where finished_ms is null;
create index run_resources on ledger.run using gin (resources) where finished_ms is null;

-- One try of a run.
create table ledger.attempt (
  run_id text collate "C" not null references ledger.run on delete cascade,
  number int not null,
  worker text not null,
  outcome text not null check (outcome in
    ('running', 'succeeded', 'partial', 'failed', 'cancelled', 'stalled', 'stopped')),
  error json,
  started_ms bigint not null,
  finished_ms bigint,
  primary key (run_id, number),
  check ((outcome = 'running') = (finished_ms is null))
);

-- Journal of what a run sent, and what was answered.
create table ledger.batch (
  run_id text collate "C" not null references ledger.run on delete cascade,
  key text collate "C" not null,
  state text not null check (state in ('sent', 'answered')),
  attempt int not null,
  members int not null,
  unchanged int not null,
  written int,
  refused int,
  dead int,
  sent_ms bigint not null,
  answered_ms bigint,
  primary key (run_id, key),
  check (state = 'sent' or members = written + unchanged + refused + dead),
  check ((state = 'answered') = (answered_ms is not null))
);

-- Records and proposals that did not make it, each with its reason, once per run.
create table ledger.dead_letter (
  id bigint generated always as identity primary key,
  run_id text collate "C" not null references ledger.run on delete cascade,
  fingerprint text collate "C" not null,
  outcome text not null check (outcome in ('rejected', 'refused', 'dead')),
  code text not null,
  reason text not null,
  place json,
  record text,
  entity_urn text collate "C",
  aspect text collate "C",
  proposal json,
  attempt int not null,
  created_ms bigint not null,
  unique (run_id, fingerprint)
);

-- Small facts of a run that survive a crash of its worker.
create table ledger.checkpoint (
  run_id text collate "C" not null references ledger.run on delete cascade,
  name text collate "C" not null,
  value json not null,
  saved_ms bigint not null,
  primary key (run_id, name)
);

create table ledger.plan (
  id text collate "C" primary key,
  -- the run that made it
  run_id text collate "C" not null unique references ledger.run on delete cascade,
  job text collate "C" not null,
  state text not null check (state in
    ('planned', 'awaiting', 'approved', 'rejected', 'applying', 'applied', 'failed', 'expired', 'empty')),
  verdict text check (verdict in ('auto', 'ask', 'deny')),
  reasons json not null default '[]',
  counts json not null,
  lines json not null,
  body json not null,
  artifact text,
  hash text not null,
  expires_ms bigint not null,
  created_ms bigint not null,
  -- a person, or 'policy'
  decided_by text,
  decided_ms bigint,
  apply_run_id text collate "C" references ledger.run on delete set null,
  -- why it failed
  outcome text,
  finished_ms bigint,
  constraint plan_decision check (state not in ('approved', 'rejected', 'applying', 'applied')
    or (decided_by is not null and decided_ms is not null)),
  constraint plan_end check ((finished_ms is not null) =
    (state in ('rejected', 'applied', 'failed', 'expired', 'empty')))
);
create index plan_by_creation on ledger.plan (created_ms desc, id desc);
create index plan_open on ledger.plan (expires_ms) where finished_ms is null;
alter table ledger.run add foreign key (plan_id) references ledger.plan on delete set null;

create table ledger.schedule (
  id text collate "C" primary key,
  cron text not null,
  time_zone text not null,
  job text collate "C" not null,
  input json not null,
  apply boolean not null,
  catch_up text not null check (catch_up in ('none', 'latest', 'all')),
  catch_up_max int not null check (catch_up_max > 0),
  overlap text not null check (overlap in ('skip', 'queue', 'cancel-old', 'allow')),
  resources text[] not null default '{}',
  -- from the file
  enabled boolean not null,
  -- by a command
  paused boolean not null default false,
  -- the slot that is due next; null when there is none
  next_run_ms bigint,
  updated_ms bigint not null
);
create index schedule_due on ledger.schedule (next_run_ms) where enabled and not paused;
`,
}
