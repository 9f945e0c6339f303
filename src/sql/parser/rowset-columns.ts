/** Columns of functions whose rows are known. */

import type { Dialect } from '../dialects/dialect.ts'
import type { RowsetColumn } from '../ir/query.ts'

/** Columns of functions whose schema is always the same. `+` marks what derives from the arguments. */
const KNOWN_COLUMNS: Readonly<Record<string, string>> = {
  flatten: 'seq,+key,+path,index,+value,+this',
  split_to_table: 'seq,index,+value',
  strtok_split_to_table: 'seq,index,+value',
  string_split: '+value,ordinal',
  sequence: 'sequential_number',
  openjson: '+key,+value,type',
  json_each: '+key,+value,+type,+atom,id,parent,+fullkey,+path',
  jsonb_each: '+key,+value',
  json_each_text: '+key,+value',
  jsonb_each_text: '+key,+value',
  json_tree: '+key,+value,+type,+atom,id,parent,+fullkey,+path',
  json_array_elements: '+value',
  jsonb_array_elements: '+value',
  json_array_elements_text: '+value',
  jsonb_array_elements_text: '+value',
  variant_explode: 'pos,+key,+value',
  variant_explode_outer: 'pos,+key,+value',
  posexplode: 'pos,+col',
  posexplode_outer: 'pos,+col',
  numbers: 'number',
  numbers_mt: 'number',
  zeros: 'zero',
  zeros_mt: 'zero',
  generator: '',
  changetable:
    'sys_change_version,sys_change_creation_version,sys_change_operation,sys_change_columns,sys_change_context',
  containstable: 'key,rank',
  freetexttable: 'key,rank',
}

/** SQLite and DuckDB have functions of these names with more columns. */
const POSTGRES_COLUMNS: Readonly<Record<string, string>> = {
  json_each: '+key,+value',
  jsonb_each: '+key,+value',
}

/** The columns of a function's rows; undefined where they are not known. */
export function knownColumns(name: string, dialect: Dialect): readonly RowsetColumn[] | undefined {
  const known = (dialect.unnamed === 'postgres' ? POSTGRES_COLUMNS[name] : undefined) ?? KNOWN_COLUMNS[name]
  if (known === undefined) return undefined
  return known
    .split(',')
    .filter(Boolean)
    .map((text) => (text.startsWith('+') ? { name: text.slice(1), from: 'args' } : { name: text, from: 'none' }))
}

/** Functions whose rows are the elements of their arguments: one column named by the alias. */
export const ELEMENT_FUNCTIONS = new Set(
  'unnest,explode,explode_outer,generate_series,range,regexp_split_to_table,string_to_table,generate_subscripts,jsonb_object_keys,json_object_keys,jsonb_path_query,generate_date_array,inline,inline_outer,stack,lateral_flatten,table_of,regexp_matches,xpath_table,arrayjoin'.split(
    ',',
  ),
)
