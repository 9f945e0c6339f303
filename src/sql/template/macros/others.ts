/** Macros of further packages that models call often. */

import { DATA_VAULT_MACROS } from './data-vault.ts'
import { DictValue, ListValue, type Value } from '../values.ts'
import { constant, functionOf, literal, type MacroCall, type Meaning, type Meanings, over, unknown } from './meaning.ts'

/** A function of one column, whatever else it is told. */
const of = (name: string, parameter = 'field'): Meaning => over(name, parameter)
const optional =
  (name: string, parameter: string): Meaning =>
  (call) => {
    const given = call.text(0, parameter, '')
    return given ? `${name}(${given})` : 'current_timestamp'
  }

const DATE_PARTS = [
  'date',
  'day_of_month',
  'day_of_week',
  'day_of_year',
  'iso_week_end',
  'iso_week_of_year',
  'iso_week_start',
  'month_name',
  'week_end',
  'week_of_year',
  'week_start',
  'from_unixtimestamp',
  'to_unixtimestamp',
  'day_name',
  'round_timestamp',
  'convert_timezone',
  'month',
]

const DBT_DATE_MACROS: Meanings = {
  ...Object.fromEntries(DATE_PARTS.map((part) => [part, optional(part, 'date')])),
  date_part: (call) => `date_part(${literal(call.text(0, 'datepart'))}, ${call.text(1, 'date')})`,
  n_days_ago: constant('current_date'),
  n_days_away: constant('current_date'),
  now: constant('current_timestamp'),
  periods_since: (call) => `datediff(${call.text(0, 'date_col')}, current_timestamp)`,
  today: constant('current_date'),
  tomorrow: constant('current_date'),
  yesterday: constant('current_date'),
  last_month: constant('current_date'),
  next_month: constant('current_date'),
  get_base_dates: (call) => `select cast(null as timestamp) as date_${call.text(3, 'datepart', 'day')}`,
  get_date_dimension: unknown,
}

/** fill_staging_columns(source_columns, staging_columns): each staging column, by its alias. */
function fillStagingColumns(call: MacroCall): Value {
  const staging = call.value(1, 'staging_columns')
  if (!(staging instanceof ListValue)) return unknown(call)
  const columns = staging.items.map((column) => {
    if (!(column instanceof DictValue)) return call.show(column)
    const name = call.show(column.get('name'))
    const alias = column.get('alias')
    return alias === undefined || alias === null ? name : `${name} as ${call.show(alias)}`
  })
  return columns.join(', ')
}

/** union_data(table_identifier, …, default_schema, default_variable): the one source, where there are not several. */
function unionData(call: MacroCall): string {
  const named = (name: string) => call.text(99, name, '')
  const variable = named('default_variable')
  const table =
    (variable && call.context.variable(variable)) || `${named('default_schema')}.${named('table_identifier')}`
  return `select *, cast('' as varchar) as source_relation from ${table}`
}

const FIVETRAN_MACROS: Meanings = {
  array_agg: of('array_agg', 'field_to_agg'),
  ceiling: of('ceiling', 'num'),
  dummy_coalesce_value: of('coalesce', 'column'),
  enabled_vars: unknown,
  fill_pass_through_columns: constant(''),
  fill_staging_columns: fillStagingColumns,
  first_value: (call) =>
    `first_value(${call.text(0, 'first_value_field')}) over (partition by ${call.text(1, 'partition_field')} order by ${call.text(2, 'order_by_field')})`,
  json_extract: (call) => `json_extract(${call.text(0, 'string')})`,
  json_parse: (call) => `json_parse(${call.text(0, 'string')})`,
  max_bool: of('bool_or', 'boolean_field'),
  percentile: (call) =>
    `percentile_cont(${call.text(0, 'percentile_field')}) over (partition by ${call.text(1, 'partition_field')})`,
  persist_pass_through_columns: constant(''),
  remove_prefix_from_columns: unknown,
  source_relation: constant(", '' as source_relation"),
  string_agg: functionOf('string_agg', 'field_to_agg', 'delimiter'),
  timestamp_add: (call) => `timestamp_add(${call.text(2, 'from_timestamp')}, ${call.text(1, 'interval')})`,
  timestamp_diff: (call) => `timestamp_diff(${call.text(0, 'first_date')}, ${call.text(1, 'second_date')})`,
  union_data: unionData,
  try_cast: (call) => `try_cast(${call.text(0, 'field')} as ${call.text(1, 'type', 'varchar')})`,
}

/** By package name. */
export const OTHER_PACKAGES: Readonly<Record<string, Meanings>> = {
  automate_dv: DATA_VAULT_MACROS,
  dbt_date: DBT_DATE_MACROS,
  dbtvault: DATA_VAULT_MACROS,
  fivetran_utils: FIVETRAN_MACROS,
}
