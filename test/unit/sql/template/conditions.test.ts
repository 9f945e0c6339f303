import { expect, test } from 'vitest'
import { variantOf, variantsOf } from '../../../support/template.ts'

test('a condition that nobody can tell is read both ways', () => {
  expect(variantsOf('a {% if is_incremental() %}b{% endif %} c')).toEqual(['a b c', 'a c'])
})

test('the same condition goes the same way in one reading', () => {
  const text =
    '{% if is_incremental() %}a{% endif %} {% if not is_incremental() %}b{% endif %} {{ "c" if is_incremental() else "d" }}'
  expect(variantsOf(text)).toEqual(['a c', 'b d'])
})

test('independent conditions need two readings, not four', () => {
  expect(
    variantsOf('{% if var("a") %}a{% endif %} {% if var("b") %}b{% endif %} {% if var("c") %}c{% endif %}'),
  ).toEqual(['a b c', ''])
})

test('each way of a chain is seen', () => {
  const text = "{% if target.name == 'prod' %}a{% elif target.name == 'dev' %}b{% else %}c{% endif %}"
  expect(variantsOf(text)).toEqual(['a', 'b', 'c'])
})

test('a value cannot equal two things at once', () => {
  const text = "{% if target.name == 'prod' %}a{% endif %}{% if target.name == 'dev' %}b{% endif %}"
  expect(variantsOf(text)).toEqual(['a', 'b', ''])
})

test('what only shows inside of a branch is seen, too', () => {
  const text =
    '{% if var("a") %}{% if var("b") %}ab{% else %}a{% endif %}{% else %}{% if var("c") %}c{% else %}-{% endif %}{% endif %}'
  expect(variantsOf(text).toSorted()).toEqual(['-', 'a', 'ab', 'c'])
})

test('a condition kept in a variable', () => {
  expect(variantsOf("{% set prod = target.name == 'prod' %}{% if prod %}a{% else %}b{% endif %}")).toEqual(['a', 'b'])
})

test('readings that come to the same text are one', () => {
  expect(variantOf("{% if flags.FULL_REFRESH %}{% do log('x') %}{% endif %}a")).toBe('a')
})

test('the number of readings is bounded', () => {
  const chain = Array.from({ length: 40 }, (_item, index) => `{% elif var('x') == ${index} %}${index}`).join('')
  expect(variantsOf(`{% if false %}{% ${chain.slice(3)}{% endif %}`).length).toBeLessThanOrEqual(12)
})

test('the dialect settles the target type', () => {
  const text = "{% if target.type == 'snowflake' %}a{% else %}b{% endif %}"
  expect(variantOf(text, { dialect: 'snowflake' })).toBe('a')
  expect(variantOf(text, { dialect: 'bigquery' })).toBe('b')
  expect(variantsOf(text)).toEqual(['a', 'b'])
})

test('execute holds: the other way never runs', () => {
  expect(variantOf('{% if execute %}a{% else %}b{% endif %}')).toBe('a')
})

test('a variable with a value or a default settles its condition', () => {
  expect(variantOf("{% if var('on', true) %}a{% else %}b{% endif %}")).toBe('a')
  expect(variantOf("{% if var('on', true) %}a{% else %}b{% endif %}", { variables: { on: false } })).toBe('b')
})
