-- case: ref is the model's name
-- dialect: snowflake, bigquery, postgres
SELECT o.id, o.amount FROM {{ ref('orders') }} o
-- expect: id <- orders.id
-- expect: amount <- orders.amount

-- case: source is schema and table
-- dialect: snowflake, bigquery, postgres
{{ config(materialized='table') }}
SELECT o.id FROM {{ source('shop', 'orders') }} AS o
-- expect: id <- shop.orders.id

-- case: both branches of an if are read
-- dialect: snowflake, bigquery
SELECT o.id FROM {% if target.name == 'prod' %} shop.orders {% else %} shop.orders_sample {% endif %} o
-- expect: id <- shop.orders.id, shop.orders_sample.id

-- case: is_incremental adds a filter only
-- dialect: snowflake, postgres
SELECT o.id, o.at FROM {{ ref('orders') }} o
{% if is_incremental() %}
WHERE o.at > (SELECT MAX(t.at) FROM mart.daily t)
{% endif %}
-- expect: id <- orders.id
-- expect: at <- orders.at
-- inputs: orders, mart.daily

-- case: a loop over a literal list is unrolled
-- dialect: snowflake, postgres
{% set methods = ['card', 'cash'] %}
SELECT o.id{% for m in methods %}, SUM(CASE WHEN o.method = '{{ m }}' THEN o.{{ m }}_fee END) AS {{ m }}_total{% endfor %}
FROM {{ ref('orders') }} o GROUP BY o.id
-- expect: id <- orders.id
-- expect: card_total <- orders.method, orders.card_fee
-- expect: cash_total <- orders.method, orders.cash_fee

-- case: loop.last puts the commas
-- dialect: snowflake, postgres
SELECT {% for c in ['a', 'b'] %}o.{{ c }}{% if not loop.last %}, {% endif %}{% endfor %} FROM {{ ref('orders') }} o
-- expect: a <- orders.a
-- expect: b <- orders.b

-- case: a set variable is used as a name
-- dialect: snowflake, postgres
{% set src = 'shop.orders' %}
SELECT o.id FROM {{ src }} o
-- expect: id <- shop.orders.id

-- case: a template comment is none of the SQL
-- dialect: snowflake, postgres
SELECT o.id {# , o.secret #} FROM {{ ref('orders') }} o
-- expect: id <- orders.id

-- case: a macro call as a value is a hole without sources
-- dialect: snowflake, postgres
SELECT o.id, {{ cents_to_euros('o.amount') }} AS eur FROM {{ ref('orders') }} o
-- expect: id <- orders.id
-- expect: eur <- nothing

-- case: CTEs over refs, the common shape of a model
-- dialect: snowflake, bigquery, postgres
with orders as (select * from {{ ref('stg_orders') }}),
customers as (select * from {{ ref('stg_customers') }}),
final as (
  select orders.order_id, customers.name, orders.amount
  from orders left join customers on customers.id = orders.customer_id
)
select * from final
-- expect: order_id <- stg_orders.order_id
-- expect: name <- stg_customers.name
-- expect: amount <- stg_orders.amount

-- case: a var with a default is its default
-- dialect: snowflake, postgres
SELECT o.id FROM {{ var('source_schema', 'shop') }}.orders o
-- expect: id <- shop.orders.id

-- case: white space control marks change nothing
-- dialect: snowflake, postgres
{%- set cols = ['a', 'b'] -%}
SELECT
{%- for c in cols %}
  o.{{ c }}{{ ", " if not loop.last }}
{%- endfor %}
FROM {{ ref('orders') }} AS o
-- expect: a <- orders.a
-- expect: b <- orders.b

-- case: elif and else are alternatives of one place
-- dialect: snowflake
SELECT o.id FROM {% if a %}s.x{% elif b %}s.y{% else %}s.z{% endif %} o
-- expect: id <- s.x.id, s.y.id, s.z.id

-- case: an if around a column gives it where it is taken
-- dialect: snowflake, postgres
SELECT o.id{% if with_amount %}, o.amount{% endif %} FROM {{ ref('orders') }} o
-- expect: id <- orders.id
-- expect: amount <- orders.amount

-- case: ref with a package names the model
-- dialect: snowflake, bigquery
SELECT o.id FROM {{ ref('other_package', 'orders') }} o
-- expect: id <- orders.id

-- case: a raw block is text
-- dialect: postgres
SELECT o.id, '{% raw %}{{ not a tag }}{% endraw %}' AS t FROM {{ ref('orders') }} o
-- expect: id <- orders.id
-- expect: t <- nothing

-- case: union of refs made by a loop
-- dialect: snowflake, postgres
{% for m in ['jan', 'feb'] %}
SELECT o.id, '{{ m }}' AS month FROM {{ ref('orders_' ~ m) }} o
{% if not loop.last %}UNION ALL{% endif %}
{% endfor %}
-- expect: id <- orders_jan.id, orders_feb.id
-- expect: month <- nothing
-- inputs: orders_jan, orders_feb

-- case: a set block is a value
-- dialect: snowflake, postgres
{% set q %}shop.orders{% endset %}
SELECT o.id FROM {{ q }} o
-- expect: id <- shop.orders.id

-- case: config in front and a hook behind
-- dialect: snowflake
{{ config(materialized='incremental', unique_key='id', post_hook="GRANT SELECT ON {{ this }} TO r") }}
WITH o AS (SELECT id, amount FROM {{ source('shop', 'orders') }}) SELECT o.id, o.amount FROM o
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: names of one body
-- dialect: snowflake
{% with cols = ['id', 'amount'], src = ref('orders') %}SELECT {% for c in cols %}o.{{ c }}{{ ', ' if not loop.last }}{% endfor %} FROM {{ src }} o{% endwith %}
-- expect: id <- orders.id
-- expect: amount <- orders.amount

-- case: SqlRender: defaults make no text, both ways of a choice are read, also nested and as a whole clause
-- dialect: tsql
{DEFAULT @cdm = 'cdm.dbo'} {DEFAULT @era = 1}
SELECT p.person_id AS subject_id,
  {@era == 1} ? {e.era_end} : {{@late} ? {e.late_end} : {e.exposure_end}} AS cohort_end
INTO #cohort
FROM @cdm.person p
JOIN {@era == 1} ? {@cdm.drug_era} : {@cdm.drug_exposure} e ON e.person_id = p.person_id
{@adults} ? {WHERE p.year_of_birth < @year};
INSERT INTO @target.@cohort_table (subject_id, cohort_end) SELECT subject_id, cohort_end FROM #cohort;
-- expect: @target.@cohort_table.subject_id <- @cdm.person.person_id
-- expect: @target.@cohort_table.cohort_end <- @cdm.drug_era.era_end, @cdm.drug_exposure.late_end, @cdm.drug_exposure.exposure_end
-- inputs: @cdm.person, @cdm.drug_era, @cdm.drug_exposure
-- outputs: @target.@cohort_table

-- case: Snowflake CLI's marks are a template's; the same signs in a comparison are not
-- dialect: snowflake
INSERT INTO <% ctx.env.mart %>.daily (id) SELECT o.id FROM <% raw_db %>.shop.orders o WHERE o.a<%b AND o.day = '<% day %>';
-- expect: mart.daily.id <- raw_db.shop.orders.id

-- case: Dataform: references are names, blocks of settings are no SQL, those of statements are
-- dialect: bigquery
config {
  type: "table",
  bigquery: { partitionBy: "day" }
}
js { const limit = 3; }
pre_operations {
  INSERT INTO ops.log (n) SELECT COUNT(s.id) FROM ${ref("raw", "starts")} s
}
INSERT INTO mart.daily (id, name)
SELECT o.id, u.name FROM ${ref("orders")} o JOIN ${ref({ schema: "crm", name: "users" })} u ON u.id = o.user_id
WHERE o.day > '${dataform.projectConfig.vars.start}'
-- expect: ops.log.n <- raw.starts.id
-- expect: mart.daily.id <- orders.id
-- expect: mart.daily.name <- crm.users.name

-- case: Dataform: the query makes what the settings name
-- dialect: bigquery
config { type: "incremental", schema: "mart", name: "daily", assertions: { nonNull: ["id"] } }
SELECT o.id, SUM(o.amount) AS total FROM ${ref("shop", "orders")} o ${when(incremental(), `WHERE o.day > (SELECT MAX(day) FROM ${self()})`)} GROUP BY o.id
-- expect: mart.daily.id <- shop.orders.id
-- expect: mart.daily.total <- shop.orders.amount
-- diagnostic: UNKNOWN_NAME

-- case: braces that no tag begins with
-- dialect: postgres
-- %{%{User-Name}:-x} stands in a comment
SELECT format('{%s}', o.id) AS k FROM shop.orders o WHERE o.note LIKE '{%' AND o.note NOT LIKE '%}'
-- expect: k <- shop.orders.id
