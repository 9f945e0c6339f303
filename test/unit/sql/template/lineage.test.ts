import { describe, expect, test } from 'vitest'
import { createSession, parseLineage, type ScriptLineage } from '../../../../src/sql/index.ts'

const edges = ({ columns }: ScriptLineage) =>
  columns.map(({ downstream, upstreams }) => {
    const sources = upstreams.map(({ table, column }) => `${table}.${column}`)
    return `${downstream.table ?? ''}.${downstream.column} <- ${sources.join(', ')}`
  })

describe('one text', () => {
  test('a configuration in front is no statement', () => {
    const { statements } = parseLineage(
      "{{ config(materialized='view') }}\n{% set a = 1 %}\nselect id from {{ ref('a') }}",
    )
    expect(statements.map(({ kind, skipped }) => [kind, skipped])).toEqual([['query', 0]])
  })

  test('every branch counts, once', () => {
    const lineage = parseLineage(
      "select id, {% if target.name == 'prod' %}a{% elif target.name == 'ci' %}b{% else %}c{% endif %} as x from t",
    )
    expect(edges(lineage)).toEqual(['.id <- t.id', '.x <- t.a, t.b, t.c'])
    expect(lineage.statements).toHaveLength(1)
  })

  test('a table that only one branch reads is an input', () => {
    const { tables } = parseLineage(
      "select id from {% if var('new') %}{{ ref('a') }}{% else %}{{ ref('b') }}{% endif %}",
    )
    expect(tables.inputs).toEqual(['a', 'b'])
  })

  test('columns of both branches are outputs', () => {
    const lineage = parseLineage("select id {% if var('x') %}, a {% else %}, b {% endif %} from t")
    expect(edges(lineage)).toEqual(['.id <- t.id', '.a <- t.a', '.b <- t.b'])
  })

  test('spans lead to the template, whichever branch they are in', () => {
    const text = '{{ config(a=1) }}\nselect id,\n{% if x %}  a as one{% else %}b as two{% endif %}\nfrom t'
    const { columns } = parseLineage(text, { file: 'm.sql' })
    const spanned = columns.map(({ span }) => [text.slice(span?.start, span?.end), span?.line, span?.column])
    expect(spanned).toEqual([
      ['id', 2, 8],
      ['a as one', 3, 13],
      ['b as two', 3, 31],
    ])
  })

  test('transformations are those of their branch', () => {
    const { columns } = parseLineage(
      'select {% if x %}a + 1 as one{% else %}b + 2 as two{% endif %}, c + {{ f() }} as three from t',
    )
    expect(columns.map(({ transformation }) => transformation)).toEqual(['a + 1', 'c + …', 'b + 2'])
  })

  test('a hole is told with its place, and lowers the confidence', () => {
    const { diagnostics, confidence, columns } = parseLineage('select a,\n  {{ cents(b) }} as b\nfrom t', {
      file: 'm.sql',
    })
    expect(diagnostics).toEqual([
      {
        severity: 'info',
        code: 'TEMPLATE_HOLE',
        message: 'a template expression has no value that the text tells: cents(b)',
        statement: 0,
        line: 2,
        column: 6,
        file: 'm.sql',
      },
    ])
    expect(confidence).toBeLessThan(1)
    expect(columns[0]!.reasons).toContain('a template expression has no value that the text tells')
  })

  test('a tag that is not understood is told', () => {
    const { diagnostics } = parseLineage('select a from t {% oops %}')
    expect(diagnostics.map(({ code, line, column }) => [code, line, column])).toEqual([['TEMPLATE_SYNTAX', 1, 17]])
  })

  test('a file of macros has no statements', () => {
    const { statements, tables } = parseLineage("{% macro m() %}select * from {{ ref('a') }}{% endmacro %}")
    expect(statements).toEqual([])
    expect(tables.inputs).toEqual([])
  })

  test('a script with tags here and there', () => {
    const lineage = parseLineage(
      "create table {{ params.schema }}.a as select x from raw.t where ds = '{{ ds }}';\ninsert into b select x from {{ params.schema }}.a;",
    )
    expect(lineage.tables).toMatchObject({ inputs: ['raw.t', 'schema.a'], outputs: ['schema.a', 'b'] })
  })

  test('an output whose name nobody knows is left out; what it reads is known', () => {
    const { columns, tables } = parseLineage('select id, sum(a) as {{ m }}_total, {{ more() }}, b from t group by 1')
    expect(columns.map(({ downstream }) => downstream.column)).toEqual(['id', 'b'])
    expect(tables.inputs).toEqual(['t'])
  })

  test('columns of a query that nobody knows may be anything', () => {
    const lineage = parseLineage(
      "with a as ({{ f(ref('x')) }}), b as ({{ g() }}) select a.k, b.l from a join b on a.i = b.i",
    )
    expect(edges(lineage)).toEqual(['.k <- x.k', '.l <- '])
    expect(lineage.tables.inputs).toEqual(['x'])
    expect(lineage.diagnostics.map(({ code }) => code)).toEqual(['TEMPLATE_HOLE', 'TEMPLATE_HOLE'])
  })

  test('no character of the reader leaves the engine', () => {
    const text =
      'select {{ a() }}, x as {{ n }}, {{ q }}.y, {{ p }}_z as z from {{ this }} join {{ t() }} on {{ c }} where {{ d }} {{ e() }}'
    expect(JSON.stringify(parseLineage(text))).not.toMatch(/[\ue000-\uf8ff]/)
  })

  test('a combination of branches that is no SQL does not spoil those that are', () => {
    const { statements } = parseLineage(
      "select {% if target.name == 'a' %}x{% elif target.name == 'b' %}y{% endif %} + 1 as s from t where {% if u %}z = 1{% endif %}",
    )
    expect(statements.map(({ skipped }) => skipped)).toEqual([0])
  })
})

describe('a model', () => {
  test('its query makes its table', () => {
    const lineage = parseLineage("select id from {{ ref('a') }} where x > (select max(x) from {{ this }})", {
      templateTarget: 'dwh.mart.m',
    })
    expect(lineage.tables).toMatchObject({ inputs: ['a'], outputs: ['dwh.mart.m'] })
    expect(edges(lineage)).toEqual(['dwh.mart.m.id <- a.id'])
  })

  test('its own table is no input where nobody says its name', () => {
    const { tables, columns } = parseLineage('select id, (select max(x) from {{ this }}) as y from a')
    expect(tables.inputs).toEqual(['a'])
    expect(columns.map(({ upstreams }) => upstreams.length)).toEqual([1, 0])
  })

  test('columns flow through models, and macros may ask for them', () => {
    const session = createSession({
      project: {
        name: 'shop',
        refs: { a: { schema: 's', identifier: 'a' } },
        sources: {},
        macros: [
          {
            package: 'shop',
            text: "{% macro all_of(r) %}{% for c in adapter.get_columns_in_relation(r) %}{{ c.name }} as {{ c.name }}_x{{ ', ' if not loop.last }}{% endfor %}{% endmacro %}",
          },
        ],
      },
    })
    session.add('select id, {% if x %}one{% else %}two{% endif %} from raw.t', {
      model: { target: { schema: 's', identifier: 'a' }, materialized: 'view' },
    })
    session.add("select {{ all_of(ref('a')) }} from {{ ref('a') }}", {
      model: { target: { schema: 's', identifier: 'b' }, materialized: 'table' },
    })
    expect(edges(session.lineage()).slice(3)).toEqual([
      's.b.id_x <- s.a.id',
      's.b.one_x <- s.a.one',
      's.b.two_x <- s.a.two',
    ])
  })

  test('an ephemeral model is read through, with every branch', () => {
    const session = createSession({ project: { refs: {}, sources: {}, macros: [] } })
    session.add('select id, {% if x %}a{% else %}b{% endif %} as v from {% if x %}t{% else %}u{% endif %}', {
      model: { target: { identifier: 'e' }, materialized: 'ephemeral' },
    })
    session.add("select v, count(*) as n from {{ ref('e') }} group by 1", {
      model: { target: { identifier: 'm' }, materialized: 'table' },
    })
    const lineage = session.lineage()
    expect(lineage.tables).toMatchObject({ inputs: ['t', 'u'], outputs: ['m'] })
    expect(edges(lineage)).toEqual(['m.v <- t.a, u.b', 'm.n <- '])
  })

  test('a snapshot has the columns that dbt adds', () => {
    const session = createSession()
    session.add(
      "{% snapshot s %}{{ config(unique_key='id', strategy='timestamp', updated_at='ts') }}select id, ts from a{% endsnapshot %}",
      {
        model: { target: { schema: 'h', identifier: 's' }, materialized: 'snapshot' },
      },
    )
    expect(edges(session.lineage())).toEqual([
      'h.s.id <- a.id',
      'h.s.ts <- a.ts',
      'h.s.dbt_scd_id <- a.id, a.ts',
      'h.s.dbt_updated_at <- a.ts',
      'h.s.dbt_valid_from <- a.ts',
      'h.s.dbt_valid_to <- ',
    ])
  })
})
