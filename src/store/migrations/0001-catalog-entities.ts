import type { Migration } from './migration.ts'

/**
 * URNs are interned: every other table names them by a 4-byte id (a seventh of the size of text keys, measured).
 * Aspect bodies are text: PostgreSQL never looks into them, and parsing them to jsonb would double the cost of a write.
 * What is searched stands apart, in `entity.fields` and `entity.words`.
 * Rows of `urn` are never deleted, so no foreign keys: their checks would cost more than the writes they guard.
 */
export const CATALOG_ENTITIES: Migration = {
  name: 'entities and their versioned aspects',
  sql: `
create schema if not exists catalog;

create table catalog.urn (
  id int generated always as identity primary key,
  urn text collate "C" not null unique
);

-- An entity exists when it has a row here; its key aspect is made from its URN. Writers lock its row in urn, in id order.
create table catalog.entity (
  urn_id int primary key,
  entity_type text collate "C" not null,
  removed boolean not null default false,
  created_ms bigint not null,
  created_by text not null,
  system_metadata text,
  -- search field -> list of its values as text, each from one aspect
  fields jsonb not null default '{}',
  -- the words to be found by; fields named '_words.<aspect>' hold them by their source
  words tsvector not null default ''
);
create index entity_by_type on catalog.entity (entity_type, urn_id);
create index entity_by_field on catalog.entity using gin (fields jsonb_path_ops);
create index entity_by_word on catalog.entity using gin (words);

create function catalog.words_of(fields jsonb) returns tsvector language sql immutable parallel safe
set search_path = pg_catalog as $$
  select coalesce(array_to_tsvector(array(
    select distinct word from jsonb_each(fields) as field (name, list), jsonb_array_elements_text(list) as word
    where starts_with(name, '_words.') and word <> '')), '')
$$;

create table catalog.aspect (
  urn_id int not null,
  name text collate "C" not null,
  -- 1 for the first write, one more with each that changed something; no gaps
  version int not null,
  body text not null,
  system_metadata text,
  run_id text,
  written_ms bigint not null,
  written_by text not null,
  created_ms bigint not null,
  primary key (urn_id, name)
);

create table catalog.aspect_history (
  urn_id int not null,
  name text collate "C" not null,
  version int not null,
  body text not null,
  system_metadata text,
  run_id text,
  written_ms bigint not null,
  written_by text not null,
  primary key (urn_id, name, version)
);
`,
}
