/**
 * Which table of a database's own catalog has a column. Nobody hands in a schema for these, yet scripts join them with
 * bare names. PostgreSQL begins the columns of each catalog table with that table's prefix (its documentation, "System
 * Catalogs"); the columns of information_schema's views are those of ISO/IEC 9075-11,
 * with MySQL's own.
 */

const PREFIXES: ReadonlyMap<string, string> = new Map(Object.entries({
  pg_class: 'rel', pg_namespace: 'nsp', pg_attribute: 'att', pg_type: 'typ', pg_proc: 'pro', pg_index: 'ind',
  pg_constraint: 'con', pg_extension: 'ext', pg_inherits: 'inh', pg_roles: 'rol', pg_authid: 'rol', pg_database: 'dat',
  pg_trigger: 'tg', pg_partitioned_table: 'part', pg_language: 'lan', pg_operator: 'opr', pg_am: 'am',
  pg_tablespace: 'spc', pg_enum: 'enum', pg_policy: 'pol', pg_attrdef: 'ad', pg_group: 'gro', pg_user: 'use',
  pg_aggregate: 'agg', pg_sequence: 'seq', pg_foreign_table: 'ft', pg_foreign_server: 'srv', pg_event_trigger: 'evt',
  pg_collation: 'coll', pg_opclass: 'opc',
})) // prettier-ignore

const TABLE = 'table_catalog table_schema table_name'
const CONSTRAINT = 'constraint_catalog constraint_schema constraint_name'

/** Whichever of all these names a view has; a view may have more of its own. */
const VIEWS: Readonly<Record<string, string>> = {
  columns: `${TABLE} column_name ordinal_position column_default is_nullable data_type character_maximum_length character_octet_length numeric_precision numeric_scale datetime_precision udt_name is_identity is_generated character_set_name collation_name column_type column_key extra column_comment privileges`,
  tables: `${TABLE} table_type is_insertable_into engine version row_format table_rows avg_row_length data_length index_length auto_increment create_time update_time table_collation create_options table_comment`,
  views: `${TABLE} view_definition is_updatable check_option`,
  table_constraints: `${CONSTRAINT} ${TABLE} constraint_type is_deferrable initially_deferred`,
  key_column_usage: `${CONSTRAINT} ${TABLE} column_name ordinal_position position_in_unique_constraint referenced_table_schema referenced_table_name referenced_column_name`,
  constraint_column_usage: `${CONSTRAINT} ${TABLE} column_name`,
  referential_constraints: `${CONSTRAINT} unique_constraint_name unique_constraint_schema match_option update_rule delete_rule`,
  statistics: `${TABLE} column_name index_schema index_name non_unique seq_in_index cardinality sub_part index_type`,
  schemata: 'catalog_name schema_name schema_owner default_character_set_name default_collation_name',
  routines:
    'specific_name routine_catalog routine_schema routine_name routine_type data_type routine_body routine_definition',
}

const COLUMNS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(VIEWS).map(([view, names]) => [view, new Set(names.split(' '))]),
)
const LISTED: ReadonlySet<string> = new Set([...COLUMNS.values()].flatMap((names) => [...names]))

/** Whether the table at `path` (lower case) has the column for certain, has it not for certain, or nobody knows. */
export function catalogHas(path: readonly string[], key: string): boolean | undefined {
  const table = path.at(-1)
  if (table === undefined) return undefined
  if (path.at(-2) === 'information_schema') return LISTED.has(key) ? COLUMNS.get(table)?.has(key) : undefined
  const prefix = table.startsWith('pg_') ? PREFIXES.get(table) : undefined
  if (prefix === undefined) return undefined
  if (key === 'oid' || key === 'relid') return key === 'oid' ? undefined : false
  return key.startsWith(prefix)
}
