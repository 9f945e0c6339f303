import { describe, expect, test } from 'vitest'
import type { TemplateProject } from '../../../../src/sql/template/options.ts'
import { parseTemplate as parsed } from '../../../../src/sql/template/parser.ts'
import { readTemplate } from '../../../../src/sql/template/read-template.ts'
import { variantOf, variantsOf } from '../../../support/template.ts'

describe('names', () => {
  test.each([
    ["{{ ref('a') }}", 'a'],
    ["{{ ref('pkg', 'a') }}", 'a'],
    ["{{ ref('a', v=2) }}", 'a_v2'],
    ["{{ source('s', 't') }}", 's.t'],
    ['{{ source("s", "t t") }}', 's.`t t`'],
    ["{{ ref('a').identifier }}", 'a'],
    ["{{ source('s', 't').schema }}.u", 's.u'],
    ["{{ api.Relation.create(schema='s', identifier='t') }}", 's.t'],
    ["{{ builtins.ref('a') }}", 'a'],
    ["{{ var('t', 'orders') }}", 'orders'],
    ["{{ env_var('T', 'orders') }}", 'orders'],
    ["{{ var('t') }}", 't'],
    ['{{ target.schema }}.orders', 'target_schema.orders'],
    ['{{ params.table_name }}', 'table_name'],
  ])('%s reads %s', (name, table) => {
    expect(variantOf(`select * from ${name}`)).toBe(`select * from ${table}`)
  })

  test('known values', () => {
    const options = {
      variables: { t: 'orders' },
      target: { schema: 'mart', identifier: 'm' },
      profile: { schema: 'dev' },
    }
    expect(variantOf("select * from {{ var('t') }}, {{ this }}, {{ target.schema }}.x, {{ t }}", options)).toBe(
      'select * from orders, mart.m, dev.x, orders',
    )
  })

  test('a variable may hold a template', () => {
    const options = { variables: { orders: "{{ source('shop', 'orders') }}" } }
    expect(variantOf("select * from {{ var('orders') }}", options)).toBe('select * from shop.orders')
  })

  test('refs, sources and this are told', () => {
    const reading = readTemplate("select * from {{ ref('p', 'a') }} join {{ source('s', 't') }} join {{ this }}")
    expect(reading.refs).toEqual([{ package: 'p', name: 'a', version: undefined }])
    expect(reading.sources).toEqual([{ source: 's', table: 't' }])
    expect(reading.usesThis).toBe(true)
  })
})

describe('configuration', () => {
  test('is told and leaves no text', () => {
    const reading = readTemplate(
      "{{ config(materialized='incremental', unique_key=['a', 'b'], alias='x', tags=var('t')) }}select 1",
    )
    expect(reading.config).toEqual({ materialized: 'incremental', unique_key: ['a', 'b'], alias: 'x' })
    expect(reading.variants[0]!.sql).toBe('select 1')
  })

  test('as a dict, and read back', () => {
    expect(variantOf("{{ config({'schema': 'x'}) }}{{ config.get('schema') }} {{ config.get('z', 'y') }}")).toBe('x y')
  })
})

describe('definitions', () => {
  test('macros, tests, docs and materializations are no statements', () => {
    const text =
      "{% macro m(a) %}select {{ a }}{% endmacro %}{% test t(model) %}select 1 from {{ model }}{% endtest %}{% docs d %}{{ '{{' }} # text{% enddocs %}{% materialization x, default %}{{ y }}{% endmaterialization %}"
    const reading = readTemplate(text)
    expect(reading.variants[0]!.sql.trim()).toBe('')
    expect(reading.definitions.map(({ sort, name }) => `${sort} ${name}`)).toEqual([
      'macro m',
      'test t',
      'docs d',
      'materialization x',
    ])
  })

  test('a snapshot is its query', () => {
    const text =
      "{% snapshot s %}{{ config(unique_key='id', target_schema='snap') }}select * from {{ source('a', 'b') }}{% endsnapshot %}"
    expect(variantOf(text)).toBe('select * from a.b ;')
    expect(readTemplate(text).config).toEqual({ unique_key: 'id', target_schema: 'snap' })
  })

  test('the text of a statement call is no part of the model', () => {
    expect(variantOf("{% call statement('x', fetch_result=True) %}select 2{% endcall %}select 1")).toBe('select 1')
  })
})

describe('macros of packages', () => {
  test.each([
    ["{{ dbt_utils.generate_surrogate_key(['a', 'b']) }} as k", 'md5(concat(a, b)) as k'],
    ["{{ dbt_utils.surrogate_key('a', 'b') }} as k", 'md5(concat(a, b)) as k'],
    ["{{ dbt.datediff('a', 'b', 'day') }} as d", "datediff('day', a, b) as d"],
    ["{{ dateadd('day', 1, 'a') }} as d", "dateadd('day', 1, a) as d"],
    ["{{ dbt.date_trunc('month', 'a') }} as d", "date_trunc('month', a) as d"],
    ["{{ dbt.concat(['a', \"' '\", 'b']) }} as n", "concat(a, ' ', b) as n"],
    ["{{ dbt.safe_cast('a', api.Column.translate_type('string')) }} as n", 'cast(a as varchar) as n'],
    ['a::{{ dbt.type_string() }} as n', 'a::varchar as n'],
    ['cast(a as {{ type() }}) as n', 'cast(a as varchar) as n'],
    ["{{ dbt_utils.safe_divide('a', 'b') }} as r", '(a / nullif(b, 0)) as r'],
    ["{{ dbt_utils.star(from=ref('x')) }}", '*'],
    ["{{ dbt_utils.star(from=ref('x'), relation_alias='y', except=['a']) }}", 'y.* except (a)'],
    [
      "{{ dbt_utils.pivot('k', ['x', 'y'], agg='max', then_value='v', else_value='null') }}",
      `max(case when k = 'x' then v else null end) as x, max(case when k = 'y' then v else null end) as y`,
    ],
    ['{{ current_timestamp() }} as t', 'current_timestamp as t'],
    ['{{ dbt_date.now() }} as t', 'current_timestamp as t'],
  ])('%s', (item, expected) => {
    expect(variantOf(`select ${item} from x`)).toBe(`select ${expected} from x`)
  })

  test('a relation that only the warehouse knows of is there and is not', () => {
    const text =
      "{% set r = adapter.get_relation(database='a', schema='b', identifier='c') %}{% set there = r is not none %}select * from {% if there %}{{ r }}{% else %}{{ ref('d') }}{% endif %}{% if not there %} x{% endif %}"
    expect(variantsOf(text)).toEqual(['select * from a.b.c', 'select * from d x'])
  })

  test('data vault models, with their metadata in YAML', () => {
    const text = `{%- set yaml -%}
source_model: stg_staff
src_pk: STAFF_HK
src_hashdiff: {source_column: STAFF_HASHDIFF, alias: HASHDIFF}
src_payload: [NAME, "START_DATE"]
{%- endset -%}
{% set m = fromyaml(yaml) %}
{{ automate_dv.sat(src_pk=m["src_pk"], src_hashdiff=m["src_hashdiff"], src_payload=m["src_payload"], src_eff=m["src_eff"], src_ldts="LOADED", src_source="ORIGIN", source_model=m["source_model"]) }}`
    expect(variantOf(text)).toBe(
      'select STAFF_HK, STAFF_HASHDIFF as HASHDIFF, NAME, START_DATE, LOADED, ORIGIN from stg_staff',
    )
    expect(readTemplate(text).refs.map(({ name }) => name)).toEqual(['stg_staff'])
    expect(
      variantOf(
        "{{ automate_dv.snowflake__stage(source_model='a', derived_columns={'ORIGIN': '!till', 'DAY': 'at'}, hashed_columns={'K': ['x', 'y']}) }}",
      ),
    ).toBe("select *, 'till' as ORIGIN, at as DAY, md5(concat(x, y)) as K from a")
  })

  test('queries', () => {
    expect(variantOf("{{ dbt_utils.union_relations([ref('a'), ref('b')], source_column_name='src') }}")).toBe(
      "select 'a' as src, * from a union all select 'b' as src, * from b",
    )
    expect(variantOf("{{ dbt_utils.deduplicate(relation=ref('a'), partition_by='x', order_by='y desc') }}")).toBe(
      'select * from a qualify row_number() over (partition by x order by y desc) = 1',
    )
    expect(
      variantOf("with d as ({{ dbt_utils.date_spine(datepart='day', start_date='a', end_date='b') }}) select * from d"),
    ).toBe('with d as (select cast(null as timestamp) as date_day) select * from d')
    expect(variantOf('select a, count(*) from x {{ dbt_utils.group_by(1) }}')).toBe(
      'select a, count(*) from x group by 1',
    )
  })
})

describe('a project', () => {
  const columns: Readonly<Record<string, readonly string[]>> = { a: ['id', 'x'], b: ['id', 'y'] }
  const macros: Readonly<Record<string, string>> = {
    cents: '{% macro cents(c) %}({{ c }} / 100){% endmacro %}',
    default__twice: '{% macro default__twice(c) %}{{ c }} * 2{% endmacro %}',
    twice: "{% macro twice(c) %}{{ return(adapter.dispatch('twice')(c)) }}{% endmacro %}",
    ids: "{% macro ids(r) %}{% for c in adapter.get_columns_in_relation(r) %}{{ c.name }}{{ ', ' if not loop.last }}{% endfor %}{% endmacro %}",
  }
  const project: TemplateProject = {
    ref: (name) => ({ database: 'dwh', schema: 'mart', identifier: name }),
    source: () => undefined,
    columnsOf: ({ identifier }) => columns[identifier],
    macro: (name) => {
      const text = macros[name]
      const node = text && readMacro(text)
      return node ? { node, text } : undefined
    },
    hasPackage: (name) => name === 'shop',
  }

  test('gives names, macros and columns', () => {
    expect(variantOf("select {{ cents('a') }} as a, {{ shop.cents('b') }} as b from {{ ref('a') }}", { project })).toBe(
      'select (a / 100) as a, (b / 100) as b from dwh.mart.a',
    )
    expect(variantOf("select {{ twice('a') }} as a from t", { project })).toBe('select a * 2 as a from t')
    expect(variantOf("select {{ ids(ref('a')) }} from {{ ref('a') }}", { project })).toBe(
      'select id, x from dwh.mart.a',
    )
  })

  test('lets star, union and unpivot list columns', () => {
    expect(
      variantOf("select {{ dbt_utils.star(ref('a'), except=['ID'], prefix='p_') }} from {{ ref('a') }}", { project }),
    ).toBe('select x as p_x from dwh.mart.a')
    expect(
      variantOf("{{ dbt_utils.union_relations([ref('a'), ref('b')], source_column_name=none) }}", { project }),
    ).toBe('select id, x, null as y from dwh.mart.a union all select id, null as x, y from dwh.mart.b')
    expect(
      variantOf("{{ dbt_utils.unpivot(ref('a'), exclude=['id'], field_name='k', value_name='v') }}", { project }),
    ).toBe("select id, 'x' as k, x as v from dwh.mart.a")
  })
})

function readMacro(text: string) {
  const [node] = parsed(text)
  return node?.kind === 'macro' ? node : undefined
}

test('the branches of a dispatch by target read both ways without a dialect', () => {
  expect(variantsOf("select {% if target.type == 'bigquery' %}a{% else %}b{% endif %} as x from t")).toEqual([
    'select a as x from t',
    'select b as x from t',
  ])
})
