/** Macros of dbt_utils. Those over relations use the relation's columns where they are known, and stars elsewhere. */

import { identifierText } from '../show.ts'
import { ListValue, type Value } from '../values.ts'
import { DBT_MACROS } from './dbt.ts'
import { constant, isUnknown, literal, type MacroCall, type Meanings, over, unknown } from './meaning.ts'

const without = (columns: readonly string[], names: readonly string[]): readonly string[] => {
  const dropped = new Set(names.map((name) => name.toLowerCase()))
  return columns.filter((column) => !dropped.has(column.toLowerCase()))
}

function exceptClause(names: readonly string[]): string {
  return names.length > 0 ? ` except (${names.map(identifierText).join(', ')})` : ''
}

/** star(from, relation_alias, except, prefix, suffix) */
function star(call: MacroCall): string {
  const alias = call.text(1, 'relation_alias', '')
  const qualifier = alias ? `${alias}.` : ''
  const except = call.texts(2, 'except')
  const columns = call.columns(call.value(0, 'from'))
  if (!columns) return `${qualifier}*${exceptClause(except)}`
  const [prefix, suffix] = [call.text(3, 'prefix', ''), call.text(4, 'suffix', '')]
  const items = without(columns, except).map((column) => {
    const item = `${qualifier}${identifierText(column)}`
    return prefix || suffix ? `${item} as ${identifierText(prefix + column + suffix)}` : item
  })
  return items.join(', ')
}

function surrogateKey(call: MacroCall): string {
  const [first] = call.args.positional
  const fields =
    call.args.positional.length > 1 && !(first instanceof ListValue)
      ? call.args.positional.flatMap((value) => call.textsOf(value))
      : call.texts(0, 'field_list')
  return `md5(concat(${fields.join(', ')}))`
}

/** pivot(column, values, alias, agg, cmp, prefix, suffix, then_value, else_value, quote_identifiers) */
function pivot(call: MacroCall): string {
  const [column, aggregate, compared] = [call.text(0, 'column'), call.text(3, 'agg', 'sum'), call.text(4, 'cmp', '=')]
  const [prefix, suffix] = [call.text(5, 'prefix', ''), call.text(6, 'suffix', '')]
  const [then, otherwise] = [call.text(7, 'then_value', '1'), call.text(8, 'else_value', '0')]
  const aliased = call.value(2, 'alias') !== false
  const items = call.texts(1, 'values').map((value) => {
    const choice = `case when ${column} ${compared} ${literal(value)} then ${then} else ${otherwise} end`
    return `${aggregate}(${choice})${aliased ? ` as ${identifierText(prefix + value + suffix)}` : ''}`
  })
  return items.join(', ')
}

/** unpivot(relation, cast_to, exclude, remove, field_name, value_name) */
function unpivot(call: MacroCall): Value {
  const relation = argumentOr(call, 0, 'relation', 'table')
  const [kept, removed] = [call.texts(2, 'exclude'), call.texts(3, 'remove')]
  const [field, value] = [call.text(4, 'field_name', 'field_name'), call.text(5, 'value_name', 'value')]
  const columns = call.columns(relation)
  const select = (name: string, from: string) =>
    `select ${[...kept, `${name} as ${field}`, `${from} as ${value}`].join(', ')} from ${call.show(relation)}`
  if (!columns) return select('cast(null as varchar)', 'null')
  const turned = without(columns, [...kept, ...removed])
  return turned.map((column) => select(literal(column), identifierText(column))).join('\nunion all\n')
}

function argumentOr(call: MacroCall, index: number, name: string, other: string): Value {
  return call.value(index, name) ?? call.args.named.get(other)
}

/** union_relations(relations, column_override, include, exclude, source_column_name, where) */
function unionRelations(call: MacroCall): Value {
  const relations = call.value(0, 'relations')
  if (!(relations instanceof ListValue)) return unknown(call)
  const [include, exclude] = [call.texts(2, 'include'), call.texts(3, 'exclude')]
  const source =
    call.value(4, 'source_column_name') === null ? [] : [call.text(4, 'source_column_name', '_dbt_source_relation')]
  const where = call.text(5, 'where', '')
  const all = relations.items.map((relation) => call.columns(relation))
  const superset = all.every((columns) => columns !== undefined) ? supersetOf(all, include, exclude) : undefined
  const selects = relations.items.map((relation, index) => {
    const own = new Set(all[index]?.map((column) => column.toLowerCase()))
    const columns = superset?.map((column) =>
      own.has(column.toLowerCase()) ? identifierText(column) : `null as ${identifierText(column)}`,
    )
    const open = include.length > 0 ? include.join(', ') : `*${exceptClause(exclude)}`
    const items = [...source.map((name) => `${literal(call.show(relation))} as ${name}`), ...(columns ?? [open])]
    return `select ${items.join(', ')} from ${call.show(relation)}${where ? ` where ${where}` : ''}`
  })
  return selects.join('\nunion all\n')
}

function supersetOf(
  all: readonly (readonly string[])[],
  include: readonly string[],
  exclude: readonly string[],
): readonly string[] {
  const names = new Map<string, string>()
  for (const column of all.flat()) if (!names.has(column.toLowerCase())) names.set(column.toLowerCase(), column)
  const wanted = new Set(include.map((name) => name.toLowerCase()))
  const columns = without([...names.values()], exclude)
  return wanted.size > 0 ? columns.filter((column) => wanted.has(column.toLowerCase())) : columns
}

/** deduplicate(relation, partition_by, order_by) */
function deduplicate(call: MacroCall): string {
  const partition = call.text(1, 'partition_by', call.text(1, 'group_by'))
  const order = call.text(2, 'order_by', '')
  const window = `partition by ${partition}${order ? ` order by ${order}` : ''}`
  return `select * from ${call.text(0, 'relation')} qualify row_number() over (${window}) = 1`
}

function filteredColumns(call: MacroCall): Value {
  const columns = call.columns(call.value(0, 'from'))
  return columns ? new ListValue([...without(columns, call.texts(1, 'except'))]) : unknown(call)
}

function allOf(joiner: string) {
  return (call: MacroCall): string => {
    const fields =
      call.args.positional.length > 1
        ? call.args.positional.flatMap((value) => call.textsOf(value))
        : call.texts(0, 'field_list')
    return `(${fields.map((field) => `coalesce(${field}, 0)`).join(joiner)})`
  }
}

function slugify(call: MacroCall): Value {
  const text = call.value(0, 'string')
  if (typeof text !== 'string') return isUnknown(text) ? text : ''
  const slug = text
    .toLowerCase()
    .replaceAll(/[ -]+/g, '_')
    .replaceAll(/[^a-z0-9_\ue000-\uf8ff]+/g, '')
  return slug.replace(/^(\d)/, '_$1')
}

function groupBy(call: MacroCall): string {
  const count = Number(call.value(0, 'n')) || 1
  return `group by ${Array.from({ length: Math.min(count, 1000) }, (_item, index) => index + 1).join(', ')}`
}

export const DBT_UTILS_MACROS: Meanings = {
  ...DBT_MACROS,
  deduplicate,
  degrees_to_radians: (call) => `radians(${call.text(0, 'degrees')})`,
  generate_surrogate_key: surrogateKey,
  get_filtered_columns_in_relation: filteredColumns,
  get_url_host: over('url_host', 'field'),
  get_url_parameter: (call) => `url_parameter(${call.text(0, 'field')})`,
  get_url_path: over('url_path', 'field'),
  group_by: groupBy,
  haversine_distance: (call) =>
    `haversine(${['lat1', 'lon1', 'lat2', 'lon2'].map((name, index) => call.text(index, name)).join(', ')})`,
  hour_of_day: over('hour', 'date'),
  log_info: constant(''),
  nullcheck: constant(''),
  pivot,
  pretty_log_format: constant(''),
  pretty_time: constant(''),
  safe_add: allOf(' + '),
  safe_divide: (call) => `(${call.text(0, 'numerator')} / nullif(${call.text(1, 'denominator')}, 0))`,
  safe_subtract: allOf(' - '),
  slugify,
  split_part: (call) =>
    `split_part(${call.text(0, 'string_text')}, ${call.text(1, 'delimiter_text')}, ${call.text(2, 'part_number')})`,
  star,
  surrogate_key: surrogateKey,
  union_relations: unionRelations,
  union_tables: unionRelations,
  unpivot,
  width_bucket: (call) =>
    `width_bucket(${['expr', 'min_value', 'max_value', 'num_buckets'].map((name, index) => call.text(index, name)).join(', ')})`,
}
