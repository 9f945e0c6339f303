/**
 * Data vault packages: a model is one call that names its source model and columns. Hubs, links and satellites are the
 * columns named; a stage is its source's columns, derived ones and hashes.
 */

import { relationText } from '../show.ts'
import { DictValue, ListValue, RelationValue, type Value } from '../values.ts'
import type { MacroCall, Meaning, Meanings } from './meaning.ts'

/** The tables behind `source_model`: a model's name, several, or `{source: table}`. */
function sources(call: MacroCall): readonly string[] {
  const given = call.value(99, 'source_model')
  if (given instanceof DictValue) return [...given.entries].map(([source, table]) => `${source}.${call.show(table)}`)
  return call.textsOf(given).map((name) => {
    const relation = call.context.ref(name)
    return relation instanceof RelationValue ? relationText(relation) : name
  })
}

/** Columns of an argument: a name, `{source_column, alias}`, or a list of them. */
function columns(call: MacroCall, value: Value): readonly string[] {
  if (value === undefined || value === null || value === false) return []
  if (value instanceof ListValue) return value.items.flatMap((item) => columns(call, item))
  if (!(value instanceof DictValue)) return [call.show(value)]
  const source = value.get('source_column')
  if (source === undefined) return columns(call, value.get('columns'))
  const alias = value.get('alias')
  return [alias === undefined ? call.show(source) : `${call.show(source)} as ${call.show(alias)}`]
}

/** A table of the columns that the parameters name. */
function tableOf(...parameters: readonly string[]): Meaning {
  return (call) => {
    const items = [...new Set(parameters.flatMap((name) => columns(call, call.value(99, name))))]
    return sources(call)
      .map((from) => `select ${items.join(', ')} from ${from}`)
      .join('\nunion all\n')
  }
}

/** A table over its source model whose columns depend on others. */
const over: Meaning = (call) => `select * from ${sources(call).join(', ')}`

/** stage(include_source_columns, source_model, derived_columns, null_columns, hashed_columns, ranked_columns) */
function stage(call: MacroCall): string {
  const entries = (name: string) => {
    const value = call.value(99, name)
    return value instanceof DictValue ? [...value.entries] : []
  }
  const derived = entries('derived_columns').map(([name, value]) => `${derivation(call, value)} as ${name}`)
  const hashed = entries('hashed_columns').map(
    ([name, value]) => `md5(concat(${columns(call, value).join(', ')})) as ${name}`,
  )
  const ranked = entries('ranked_columns').map(
    ([name, value]) => `row_number() over (${ranking(call, value)}) as ${name}`,
  )
  const own = call.value(99, 'include_source_columns') === false ? [] : ['*']
  return `select ${[...own, ...derived, ...hashed, ...ranked].join(', ')} from ${sources(call).join(', ')}`
}

/** A derived column: an expression, several columns glued, or (behind `!`) a constant. */
function derivation(call: MacroCall, value: Value): string {
  if (value instanceof ListValue) return `concat(${value.items.map((item) => derivation(call, item)).join(', ')})`
  if (value instanceof DictValue) return derivation(call, value.get('source_column'))
  const text = call.show(value)
  return text.startsWith('!') ? `'${text.slice(1).replaceAll("'", "''")}'` : text
}

function ranking(call: MacroCall, value: Value): string {
  if (!(value instanceof DictValue)) return ''
  const order = value.get('order_by')
  const by = order instanceof DictValue ? [...order.entries.keys()] : columns(call, order)
  return `partition by ${columns(call, value.get('partition_by')).join(', ')} order by ${by.join(', ')}`
}

export const DATA_VAULT_MACROS: Meanings = {
  bridge: over,
  eff_sat: tableOf(
    'src_pk',
    'src_dfk',
    'src_sfk',
    'src_extra_columns',
    'src_start_date',
    'src_end_date',
    'src_eff',
    'src_ldts',
    'src_source',
  ),
  hub: tableOf('src_pk', 'src_nk', 'src_extra_columns', 'src_ldts', 'src_source'),
  link: tableOf('src_pk', 'src_fk', 'src_extra_columns', 'src_ldts', 'src_source'),
  ma_sat: tableOf(
    'src_pk',
    'src_cdk',
    'src_hashdiff',
    'src_payload',
    'src_extra_columns',
    'src_eff',
    'src_ldts',
    'src_source',
  ),
  nh_link: tableOf('src_pk', 'src_fk', 'src_payload', 'src_extra_columns', 'src_eff', 'src_ldts', 'src_source'),
  pit: over,
  sat: tableOf('src_pk', 'src_hashdiff', 'src_payload', 'src_extra_columns', 'src_eff', 'src_ldts', 'src_source'),
  stage,
  t_link: tableOf('src_pk', 'src_fk', 'src_payload', 'src_extra_columns', 'src_eff', 'src_ldts', 'src_source'),
  xts: over,
}
