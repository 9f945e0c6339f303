/** Cross-database macros of dbt itself: `dbt.datediff(…)`, and `datediff(…)` without the package's name. */

import { constant, functionOf, literal, type Meaning, type MacroCall, type Meanings, over } from './meaning.ts'

/** The date part is a word that must not be taken for a column. */
function withPart(name: string, part: number, ...parameters: readonly string[]): Meaning {
  return (call) => {
    const texts = parameters.map((parameter, index) => {
      const text = call.text(index, parameter)
      return index === part ? literal(text) : text
    })
    return `${name}(${texts.join(', ')})`
  }
}

function cast(call: MacroCall): string {
  return `cast(${call.text(0, 'field')} as ${call.text(1, 'type', 'varchar')})`
}

function concatenated(call: MacroCall): string {
  return `concat(${call.texts(0, 'fields').join(', ')})`
}

export const DBT_MACROS: Meanings = {
  any_value: over('any_value', 'expression'),
  array_append: functionOf('array_append', 'array', 'new_element'),
  array_concat: functionOf('array_concat', 'array_1', 'array_2'),
  array_construct: (call) => `array_construct(${call.texts(0, 'inputs').join(', ')})`,
  bool_or: over('bool_or', 'expression'),
  cast,
  cast_bool_to_text: (call) => `cast(${call.text(0, 'bool_expression')} as varchar)`,
  concat: concatenated,
  convert_timezone: (call) => `convert_timezone(${call.text(0, 'column')})`,
  current_timestamp: constant('current_timestamp'),
  current_timestamp_backcompat: constant('current_timestamp'),
  current_timestamp_in_utc: constant('current_timestamp'),
  current_timestamp_in_utc_backcompat: constant('current_timestamp'),
  date: functionOf('date', 'year', 'month', 'day'),
  date_spine: (call) =>
    `select cast(null as timestamp) as date_${call.text(0, 'datepart', 'day').replaceAll(/['"]/g, '')}`,
  date_trunc: withPart('date_trunc', 0, 'datepart', 'date'),
  dateadd: withPart('dateadd', 0, 'datepart', 'interval', 'from_date_or_timestamp'),
  datediff: (call) =>
    `datediff(${literal(call.text(2, 'datepart', 'day'))}, ${call.text(0, 'first_date')}, ${call.text(1, 'second_date')})`,
  equals: (call) => `(${call.text(0, 'expr1')} = ${call.text(1, 'expr2')})`,
  escape_single_quotes: (call) => call.text(0, 'expression', '').replaceAll("'", "''"),
  except: constant('except'),
  generate_series: constant('select cast(null as integer) as generated_number'),
  hash: over('md5', 'field'),
  intersect: constant('intersect'),
  last_day: (call) => `last_day(${call.text(0, 'date')})`,
  length: over('length', 'expression'),
  listagg: (call) => `listagg(${call.text(0, 'measure')}, ${call.text(1, 'delimiter_text', "','")})`,
  position: (call) => `position(${call.text(0, 'substring_text')} in ${call.text(1, 'string_text')})`,
  replace: functionOf('replace', 'field', 'old_chars', 'new_chars'),
  right: functionOf('right', 'string_text', 'length_expression'),
  safe_cast: cast,
  snapshot_get_time: constant('current_timestamp'),
  split_part: functionOf('split_part', 'string_text', 'delimiter_text', 'part_number'),
  string_literal: (call) => literal(call.text(0, 'value', '')),
  type_bigint: constant('bigint'),
  type_boolean: constant('boolean'),
  type_float: constant('float'),
  type_int: constant('integer'),
  type_numeric: constant('numeric'),
  type_string: constant('varchar'),
  type_timestamp: constant('timestamp'),
}
