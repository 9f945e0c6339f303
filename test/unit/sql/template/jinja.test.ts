import { describe, expect, test } from 'vitest'
import { readTemplate } from '../../../../src/sql/template/read-template.ts'
import { variantOf, variantsOf } from '../../../support/template.ts'

describe('text', () => {
  test('without marks is its own only variant', () => {
    const reading = readTemplate('select 1')
    expect(reading.variants.map(({ sql }) => sql)).toEqual(['select 1'])
    expect(reading.variants[0]!.map.startOf(7)).toBe(7)
  })

  test('comments and raw', () => {
    expect(variantOf("select 1 {# ref('a') {{ x }} #}, {% raw %}'{{ x }}'{% endraw %}")).toBe("select 1, '{{ x }}'")
  })

  test('white space goes where a dash says so', () => {
    expect(variantOf('a_{%- if true -%} b {%- endif -%} _c')).toBe('a_b_c')
    expect(variantOf("a  {{- '_b' -}}  _c")).toBe('a_b_c')
  })

  test('a tag that does not end is noted and the rest is read', () => {
    const reading = readTemplate('select 1 {{ x from a')
    expect(reading.notes.map(({ message }) => message)).toEqual(['the tag does not end: {{'])
    expect(reading.variants).toHaveLength(1)
  })

  test('an unknown tag is noted and stepped over', () => {
    const reading = readTemplate('{% nonsense 1 %}select 1')
    expect(reading.notes).toHaveLength(1)
    expect(reading.variants[0]!.sql).toBe('select 1')
  })
})

describe('expressions', () => {
  test.each([
    ["'a' ~ 1 ~ 'b'", 'a1b'],
    ['1 + 2 * 3', '7'],
    ['7 // 2 ~ 7 % 4', '33'],
    ['2 ** 3', '8'],
    ['-(3)', '-3'],
    ["['a', 'b'] | join(', ')", 'a, b'],
    ["('a', 'b')", "('a', 'b')"],
    ["['a', 'b'][1]", 'b'],
    ["['a', 'b', 'c'][1:] | join('')", 'bc'],
    ["{'a': {'b': 'x'}}.a.b", 'x'],
    ["{'a': 'x'}['a']", 'x'],
    ["{'a': 1}.items() | length", '1'],
    ["'Abc' | upper ~ 'Abc' | lower", 'ABCabc'],
    ["' a ' | trim", 'a'],
    ["'a_b' | replace('_', '-')", 'a-b'],
    ["'abc' | length", '3'],
    ['[3, 1, 2] | sort | join', '123'],
    ['[1, 2, 2, 1] | unique | list | length', '2'],
    ["['a', 'b'] | first ~ ['a', 'b'] | last", 'ab'],
    ["['a', 'b'] | map('upper') | join('+')", 'A+B'],
    ["[{'n': 'a'}, {'n': 'b'}] | map(attribute='n') | join('+')", 'a+b'],
    ["[{'n': 'a', 'k': 1}, {'n': 'b', 'k': 0}] | selectattr('k') | map(attribute='n') | join", 'a'],
    ["[{'n': 'a'}, {'n': 'b'}] | rejectattr('n', 'equalto', 'a') | map(attribute='n') | join", 'b'],
    ["['a', 'b', 'c'] | reject('in', ['a', 'b']) | join", 'c'],
    ["none | default('x', true)", 'x'],
    ["'yes' if 1 < 2 <= 2 else 'no'", 'yes'],
    ["'yes' if 'a' in ['a'] and not 'b' in ['a'] else 'no'", 'yes'],
    ["'yes' if 'a' not in 'bcd' else 'no'", 'yes'],
    ["'yes' if 4 is even and 3 is divisibleby 3 else 'no'", 'yes'],
    ["'yes' if x is defined else 'no'", 'yes'],
    ["'a,b'.split(',') | join('|')", 'a|b'],
    ["'{}-{}'.format('a', 'b')", 'a-b'],
    ["'%s-%s' % ('a', 'b')", 'a-b'],
    ["'abc'.startswith('ab') and 'Abc'.upper()", 'ABC'],
    ["range(3) | join(',')", '0,1,2'],
    ["'a' 'b'", 'ab'],
    ['true', 'True'],
  ])('%s is %s', (expression, expected) => {
    expect(variantsOf(`{{ ${expression} }}`)[0]).toBe(expected)
  })

  test('names that every object has are no methods, filters or tests', () => {
    const reading = readTemplate(
      "select {{ 'a'.constructor('b') }} , {{ 'a' | constructor }} , {{ constructor }} from t",
    )
    expect(reading.holes).toHaveLength(3)
  })
})

describe('statements', () => {
  test('set, inline and as a block', () => {
    expect(variantOf("{% set a = 'x' %}{% set b %}{{ a }}_y{% endset %}{{ b }}")).toBe('x_y')
    expect(variantOf("{% set a, b = 'x', 'y' %}{{ b }}{{ a }}")).toBe('yx')
    expect(variantOf('{% set b | upper %}x{% endset %}{{ b }}')).toBe('X')
  })

  test('a loop over a list has its commas right', () => {
    expect(variantOf("{% for c in ['a', 'b'] %}{{ c }}{{ ', ' if not loop.last }}{% endfor %}")).toBe('a, b')
    expect(variantOf("{% for c in ['a', 'b'] %}{% if not loop.first %}, {% endif %}{{ c }}{% endfor %}")).toBe('a, b')
    expect(
      variantOf("{% for c in ['a', 'b'] -%}{{ c }}{{ loop.index }}{{ '' if loop.last else ', ' }}{%- endfor %}"),
    ).toBe('a1, b2')
  })

  test('loops over dicts, nested loops, filters and else', () => {
    expect(variantOf("{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }} {% endfor %}")).toBe('a=1 b=2')
    expect(variantOf("{% for a in ['x', 'y'] %}{% for b in [1, 2] %}{{ a }}{{ b }} {% endfor %}{% endfor %}")).toBe(
      'x1 x2 y1 y2',
    )
    expect(variantOf('{% for a in range(5) if a is odd %}{{ a }}{% endfor %}')).toBe('13')
    expect(variantOf('{% for a in [] %}x{% else %}none{% endfor %}')).toBe('none')
  })

  test('what a loop sets stays in it, what a namespace holds does not', () => {
    expect(variantOf('{% set a = 1 %}{% for i in [2, 3] %}{% set a = i %}{% endfor %}{{ a }}')).toBe('1')
    expect(variantOf('{% set n = namespace(a=1) %}{% for i in [2, 3] %}{% set n.a = i %}{% endfor %}{{ n.a }}')).toBe(
      '3',
    )
  })

  test('do changes lists and dicts', () => {
    expect(variantOf("{% set l = [] %}{% do l.append('a') %}{% do l.extend(['b']) %}{{ l | join('+') }}")).toBe('a+b')
    expect(variantOf("{% set d = {} %}{% do d.update({'a': 1}) %}{{ d.keys() | join }}")).toBe('a')
  })

  test('conditions that the text settles', () => {
    expect(variantOf('{% set a = 2 %}{% if a == 1 %}x{% elif a == 2 %}y{% else %}z{% endif %}')).toBe('y')
    expect(variantOf('{% if false or not true %}x{% endif %}y')).toBe('y')
  })

  test('macros of the file, with defaults, names and return', () => {
    expect(variantOf("{% macro m(a, b='2') %}{{ a }}/{{ b }}{% endmacro %}{{ m('1') }} {{ m('1', b='3') }}")).toBe(
      '1/2 1/3',
    )
    expect(
      variantOf("{{ m(['a']) | join('-') }}{% macro m(l) %}{% do l.append('b') %}{{ return(l) }}{% endmacro %}"),
    ).toBe('a-b')
    expect(
      variantOf(
        "{% macro outer(x) %}({{ inner(x) }}){% endmacro %}{% macro inner(x) %}<{{ x }}>{% endmacro %}{{ outer('a') }}",
      ),
    ).toBe('(<a>)')
  })

  test('call hands a body to a macro', () => {
    expect(variantOf("{% macro m(a) %}{{ a }}[{{ caller() }}]{% endmacro %}{% call m('x') %}body{% endcall %}")).toBe(
      'x[body]',
    )
  })

  test('break and continue', () => {
    expect(
      variantOf(
        '{% for i in range(9) %}{% if i == 1 %}{% continue %}{% elif i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}',
      ),
    ).toBe('02')
  })
})

describe('bounds', () => {
  test.each([
    ['a macro that calls itself', '{% macro m() %}{{ m() }}{% endmacro %}select {{ m() }}'],
    ['loops in loops', '{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}'],
    [
      'a string that doubles',
      "{% set n = namespace(a='x') %}{% for i in range(99) %}{% set n.a = n.a ~ n.a %}{{ n.a }}{% endfor %}",
    ],
    ['brackets', `{{ ${'('.repeat(5000)} }}`],
    ['blocks', '{% if x %}'.repeat(3000)],
  ])('%s end', (_name, text) => {
    const reading = readTemplate(text)
    expect(reading.notes.length).toBeGreaterThan(0)
  })

  test('a template cut at any place is read', () => {
    const text =
      "{{ config(a='b') }}{% set x = ['a'] %}select {% for i in x %}{{ i }}{% endfor %} from {{ ref('a') }} {# c #}"
    for (let end = 0; end < text.length; end++)
      expect(readTemplate(text.slice(0, end)).variants.length).toBeGreaterThan(0)
  })
})
