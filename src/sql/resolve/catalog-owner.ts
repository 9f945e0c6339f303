/**
 * Which table of a database's own catalog has a column. Nobody hands in a schema for these, yet scripts join them with
 * bare names. PostgreSQL begins the columns of each catalog table with that table's prefix (its documentation, "System
 * Catalogs"); of information_schema those columns are listed that only one view has (ISO/IEC 9075-11).
 */

const PREFIXES: Readonly<Record<string, string>> = {
  pg_class: 'rel', pg_namespace: 'nsp', pg_attribute: 'att', pg_type: 'typ', pg_proc: 'pro', pg_index: 'ind',
  pg_constraint: 'con', pg_extension: 'ext', pg_inherits: 'inh', pg_roles: 'rol', pg_authid: 'rol', pg_database: 'dat',
  pg_trigger: 'tg', pg_partitioned_table: 'part', pg_language: 'lan', pg_operator: 'opr', pg_am: 'am',
  pg_tablespace: 'spc', pg_enum: 'enum', pg_policy: 'pol', pg_attrdef: 'ad', pg_group: 'gro', pg_user: 'use',
  pg_aggregate: 'agg', pg_sequence: 'seq', pg_foreign_table: 'ft', pg_foreign_server: 'srv', pg_event_trigger: 'evt',
  pg_collation: 'coll', pg_opclass: 'opc',
} // prettier-ignore

const VIEWS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    columns:
      'ordinal_position column_default is_nullable data_type character_maximum_length character_octet_length numeric_precision numeric_scale datetime_precision udt_name is_identity column_type column_key extra column_comment',
    tables: 'table_type is_insertable_into engine table_rows row_format avg_row_length data_length table_comment',
    table_constraints: 'constraint_type',
    views: 'view_definition is_updatable check_option',
    referential_constraints: 'unique_constraint_name unique_constraint_schema match_option update_rule delete_rule',
    routines: 'routine_name routine_type routine_definition',
  }).flatMap(([view, names]) => names.split(' ').map((name) => [name, view] as const)),
)

/** Whether the table at `path` (lower case) has the column for certain, has it not for certain, or nobody knows. */
export function catalogHas(path: readonly string[], key: string): boolean | undefined {
  const table = path.at(-1)
  if (table === undefined) return undefined
  if (path.at(-2) === 'information_schema') return VIEWS.get(key) === table ? true : undefined
  const prefix = Object.hasOwn(PREFIXES, table) ? PREFIXES[table]! : undefined
  if (prefix === undefined) return undefined
  return key.startsWith(prefix) ? true : key === 'oid' ? undefined : false
}
