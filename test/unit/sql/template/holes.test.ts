import { expect, test } from 'vitest'
import { readTemplate } from '../../../../src/sql/template/read-template.ts'
import { holesOf, variantOf } from '../../../support/template.ts'

test.each([
  ['an item', 'select a, {{ f() }}, b, {{ g() }} from t', 'select a, ?f.*, b, ?g.* from t'],
  ['a value', 'select {{ f() }} + 1 as a, upper({{ f() }}) as b from t', 'select ⟨⟩ + 1 as a, upper(⟨⟩) as b from t'],
  ['a condition', 'select a from t where {{ f() }} and b = {{ x }}', 'select a from t where ⟨⟩ and b = ⟨⟩'],
  ['an operator', 'select a from t where a {{ op }} 3', 'select a from t where a = 3'],
  ['a table', 'select a from {{ f() }} as u join {{ x }} on u.a = b', 'select a from f as u join x on u.a = b'],
  ['a table over relations', "select a from {{ f(ref('x')) }} u", 'select a from (select * from x) u'],
  ['a table whose name is a word of SQL', 'select a from {{ table }}', 'select a from `table`'],
  [
    'a wrapped source or ref',
    "select a from {{ my_source('s', 't') }} join {{ ref_in_dev('m') }}",
    'select a from s.t join m',
  ],
  ['a schema', 'select a from {{ s }}.t, {{ d }}.{{ s }}_x.t', 'select a from s.t, d.s_x.t'],
  ['a qualifier', 'select {{ q }}.a from t where {{ q }}.b = 1', 'select a from t where b = 1'],
  ['part of a column', 'select {{ q }}_a + 1 as x, t.{{ c }} as y from t', 'select ⟨⟩ + 1 as x, ⟨⟩ as y from t'],
  [
    'a column whose name nobody knows',
    'select a, t.{{ c }}_x, {{ d }}_y from t',
    'select a, ?column.*, ?column.* from t',
  ],
  ['an alias', 'select a as {{ n }}, b as {{ n }}_x from t', 'select a as ?n, ?n.*, b as ?n_x, ?n_x.* from t'],
  ['a function', 'select {{ f }}(a) as x from t', 'select f(a) as x from t'],
  [
    'a type',
    'select a::{{ t }} as x, cast(b as {{ t() }}) as y from t',
    'select a::varchar as x, cast(b as varchar) as y from t',
  ],
  ['a clause at the end', 'select a from t {{ f() }}', 'select a from t'],
  ['a clause between', 'select a from t {{ f() }} group by a', 'select a from t group by a'],
  ['a limit', 'select a from t limit {{ n }}', 'select a from t limit 1'],
  [
    'a list',
    'select a from t where b in {{ l }} and c in ({{ l }})',
    'select a from t where b in (null) and c in (⟨⟩)',
  ],
  ['a query', '{{ f() }}', 'select * from ?f'],
  ['a query over relations', "{{ f([ref('a'), ref('b')]) }}", 'select * from a, b'],
  ['a query of a CTE', 'with a as ({{ f() }}) select x from a', 'with a as (select * from ?f) select x from a'],
  ['a branch of a union', 'select a from t union all {{ f() }}', 'select a from t union all select * from ?f'],
  ['something in front of a query', '{{ f() }} select 1 as a', 'select 1 as a'],
  [
    'CTEs',
    'with a as (select 1 as x), {{ f() }} select x from a',
    'with a as (select 1 as x), ?f as (select * from ?f) select x from a',
  ],
  ['a string', "select '{{ x }}' as a, 'it''s {{ y }}' as b from t", "select 'x' as a, 'it''s y' as b from t"],
  ['a quoted name', 'select a from "{{ d }}"."t"', 'select a from "d"."t"'],
  ['a comment', 'select a -- {{ f() }}\nfrom t /* {{ f() }} */', 'select a -- from t /* */'],
  [
    'the FROM of an expression',
    'select extract(year from {{ x }}) as y, a is distinct from {{ z }} as d from t',
    'select extract(year from ⟨⟩) as y, a is distinct from ⟨⟩ as d from t',
  ],
])('a hole for %s', (_what, text, expected) => {
  expect(variantOf(text)).toBe(expected)
})

test('holes are told once each, with their text and place', () => {
  const text = 'select {{ f( 1 ) }} as a,\n {{ x.y }} as b from t'
  const reading = readTemplate(text)
  expect(holesOf(reading)).toEqual(['f( 1 )', 'x.y'])
  expect(reading.holes.map(({ start, end }) => text.slice(start, end))).toEqual(['f( 1 )', 'x.y'])
})

test('a loop over an unknown list is read once', () => {
  const text =
    "select {% for c in run_query('q').columns[0].values() %}sum({{ c }}) as {{ c }}_sum{{ ',' if not loop.last }}{% endfor %} from t"
  expect(variantOf(text)).toBe('select sum(⟨⟩) as ?c_sum, ?c_sum.* from t')
})

test('offsets lead back to the template', () => {
  const text = "{{ config(a=1) }}\nselect {{ f('x') }} as a, total from {{ ref('orders') }} where {{ g() }} and z"
  const [variant] = readTemplate(text).variants
  const back = (word: string) => {
    const at = variant!.sql.indexOf(word)
    return text.slice(variant!.map.startOf(at), variant!.map.endOf(at + word.length))
  }
  expect(back('total')).toBe('total')
  expect(back('orders')).toBe("{{ ref('orders') }}")
  expect(back('and z')).toBe('and z')
})
