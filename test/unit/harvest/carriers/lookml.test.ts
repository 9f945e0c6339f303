import { expect, test } from 'vitest'
import { carriedSql } from '../../../../src/harvest/carriers/read-carriers.ts'
import { parseLookml } from '../../../../src/harvest/carriers/lookml/parse.ts'
import { createSession } from '../../../../src/sql/index.ts'

function lineage(files: Readonly<Record<string, string>>): readonly string[] {
  const { texts } = carriedSql(Object.keys(files), { paths: Object.keys(files), textOf: (path) => files[path] })
  const session = createSession({ dialect: 'snowflake' })
  for (const { sql, file, model } of texts) session.add(sql, { file, ...(model ? { model } : {}) })
  const { statements, diagnostics } = session.lineage()
  return [
    ...statements.flatMap(({ outputs, columns, file }) =>
      columns.map(({ downstream, upstreams, span }) => {
        const from = upstreams.map((up) => `${up.table}.${up.column}`).join(', ')
        return `${outputs.join(',')}.${downstream.column} <- ${from} ${file}:${span?.line}`
      }),
    ),
    ...diagnostics.filter(({ severity }) => severity !== 'info').map(({ code, line }) => `${code} ${line}`),
  ]
}

test('a view gives its dimensions and measures, with what they read of one another', () => {
  const text = [
    'view: orders {',
    '  sql_table_name: @{schema}.orders ;; # the table',
    '  dimension: status {}',
    '  dimension_group: created { type: time timeframes: [raw, date] sql: ${TABLE}.created_at ;; }',
    "  dimension: is_new { sql: ${status} = 'new' AND ${created_date} > '2020-01-01' ;; }",
    '  dimension: size { case: { when: { sql: ${TABLE}.amount > 100 ;; label: "big" } else: "small" } }',
    '  parameter: gran { type: unquoted }',
    '  measure: count { type: count }',
    '  measure: total { type: sum sql: ${TABLE}.amount ;; filters: [status: "new"] }',
    '  measure: ratio { type: number sql: ${total} / ${customers.count} ;; }',
    '}',
    'view: +orders {',
    '  dimension: channel {',
    '    sql: {% if orders.f._in_query %} ${TABLE}.channel {% else %} ${TABLE}.old {% endif %} ;; } }',
  ].join('\n')
  expect(lineage({ 'a.view.lkml': text, 'manifest.lkml': 'constant: schema { value: "raw" }' })).toEqual([
    'lookml.orders.status <- raw.orders.status a.view.lkml:3',
    'lookml.orders.created_raw <- raw.orders.created_at a.view.lkml:4',
    'lookml.orders.created_date <- raw.orders.created_at a.view.lkml:4',
    'lookml.orders.is_new <- raw.orders.status, raw.orders.created_at a.view.lkml:5',
    'lookml.orders.size <- raw.orders.amount a.view.lkml:6',
    'lookml.orders.count <-  a.view.lkml:8',
    'lookml.orders.total <- raw.orders.status, raw.orders.amount a.view.lkml:9',
    'lookml.orders.ratio <- raw.orders.status, raw.orders.amount, lookml.customers.count a.view.lkml:10',
    'lookml.orders.channel <- raw.orders.channel, raw.orders.old a.view.lkml:14',
  ])
})

test('derived tables come after those that they read; conditions and parameters of liquid', () => {
  const facts = [
    'view: facts {',
    '  derived_table: {',
    '    sql:',
    '      SELECT o.customer_id, SUM(o.amount) AS lifetime',
    '      FROM ${orders.SQL_TABLE_NAME} o JOIN ${first.SQL_TABLE_NAME} f ON f.id = o.customer_id',
    '      WHERE {% condition orders.at %} o.at {% endcondition %} AND o.kind = {% parameter kind %}',
    '      GROUP BY 1 ;;',
    '  }',
    '  extends: [base]',
    '  measure: average { type: average sql: ${TABLE}.lifetime ;; }',
    '}',
    'view: base { extension: required dimension: customer_id {} }',
    'view: first { derived_table: { sql: SELECT r.id FROM raw.customers r ;; } }',
    'view: orders { sql_table_name: raw.orders ;; }',
  ].join('\n')
  expect(lineage({ 'f.view.lkml': facts })).toEqual([
    'first.id <- raw.customers.id f.view.lkml:13',
    'facts.customer_id <- raw.orders.customer_id f.view.lkml:4',
    'facts.lifetime <- raw.orders.amount f.view.lkml:4',
    'lookml.facts.average <- facts.lifetime f.view.lkml:10',
    'lookml.facts.customer_id <- facts.customer_id f.view.lkml:12',
  ])
})

test('a table made of an explore', () => {
  const files = {
    'daily.view.lkml': [
      'view: daily {',
      '  derived_table: {',
      '    explore_source: sales {',
      '      column: day { field: sales.created_date }',
      '      column: total {}',
      '      column: name { field: customers.name }',
      '      derived_column: rank { sql: RANK() OVER (ORDER BY total) ;; }',
      '    }',
      '  }',
      '}',
    ].join('\n'),
    'm.model.lkml': 'explore: sales { from: orders join: customers { sql_on: ${sales.c} = ${customers.id} ;; } }',
  }
  expect(lineage(files)).toEqual([
    'daily.day <- lookml.orders.created_date daily.view.lkml:3',
    'daily.total <- lookml.orders.total daily.view.lkml:3',
    'daily.name <- lookml.customers.name daily.view.lkml:3',
    'daily.rank <- lookml.orders.total daily.view.lkml:3',
  ])
})

test('what is no LookML is stepped over', () => {
  expect(parseLookml('view: a { ] } } "x" view: b { dimension: c { sql: x').blocks.map(({ name }) => name)).toEqual([
    'a',
  ])
  expect(lineage({ 'a.lkml': '{"not": "lookml"}' })).toEqual([])
})
