import type { Migration } from './migration.ts'

/** Personal access tokens: who they stand for, what they may do, and never the token itself. */
export const CATALOG_TOKENS: Migration = {
  name: 'access tokens',
  sql: `
create table catalog.access_token (
  id text collate "C" primary key,
  -- SHA-256 of the token, in hex; tokens are random, so nothing slower is needed
  digest text collate "C" not null unique,
  name text not null,
  description text,
  -- the user that the token stands for, and the one who made it
  actor text collate "C" not null,
  owner text collate "C" not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'operate']),
  created_ms bigint not null,
  -- null: never
  expires_ms bigint,
  -- kept to the minute
  last_used_ms bigint
);
create index access_token_by_actor on catalog.access_token (actor, created_ms);
`,
}
