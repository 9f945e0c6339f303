import type { Migration } from './migration.ts'

/** Words by their source stand beside the search fields: in the indexed column each word cost an index entry of its own. */
export const CATALOG_WORDS: Migration = {
  name: 'words apart from search fields',
  sql: `
alter table catalog.entity add column word_sources jsonb not null default '{}';
update catalog.entity set
  word_sources = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(fields) where starts_with(key, '_words.')),
  fields = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(fields) where not starts_with(key, '_words.'));
`,
}
