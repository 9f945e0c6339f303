-- case: configuration, sets and comments in front are no statements
-- dialect: snowflake, bigquery, databricks
{{ config(materialized='incremental', unique_key=['id', 'at'], tags=["nightly"]) }}
{#- one row an order -#}
{%- set limit_at = "2024-01-01" -%}
SELECT o.id, o.at FROM {{ ref("stg_orders") }} AS o WHERE o.at > '{{ limit_at }}'
-- expect: id <- stg_orders.id
-- expect: at <- stg_orders.at
-- statements: query

-- case: a ref in another package, and one with a version
-- dialect: snowflake, postgres
SELECT a.id, b.total FROM {{ ref('shop', 'orders') }} a JOIN {{ ref('totals', v=2) }} b ON a.id = b.id
-- expect: id <- orders.id
-- expect: total <- totals_v2.total

-- case: the model's own table is no input of itself
-- dialect: snowflake, postgres
SELECT o.id FROM {{ ref('orders') }} o {% if is_incremental() %} WHERE o.at > (SELECT MAX(t.at) FROM {{ this }} t) {% endif %}
-- expect: id <- orders.id
-- inputs: orders

-- case: every branch of a chain is read
-- dialect: snowflake, postgres
SELECT o.id, {% if var('mode') == 'net' %}o.net{% elif var('mode') == 'gross' %}o.gross{% else %}o.listed{% endif %} AS price FROM {{ ref('orders') }} o
-- expect: id <- orders.id
-- expect: price <- orders.net, orders.gross, orders.listed

-- case: a branch inside of a branch
-- dialect: snowflake, postgres
SELECT {% if var('a') %}o.x{% if var('b') %} + o.y{% endif %}{% else %}{% if var('c') %}o.z{% else %}o.w{% endif %}{% endif %} AS v FROM {{ ref('orders') }} o
-- expect: v <- orders.x, orders.y, orders.z, orders.w

-- case: a CTE that one branch defines is read in the same branch
-- dialect: snowflake, postgres
WITH o AS (SELECT * FROM {{ ref('orders') }}){% if var('fx') %}, r AS (SELECT * FROM {{ ref('rates') }}){% endif %}
SELECT o.id, {% if var('fx') %}o.amount * r.rate{% else %}o.amount{% endif %} AS eur FROM o{% if var('fx') %} JOIN r ON r.code = o.code{% endif %}
-- expect: id <- orders.id
-- expect: eur <- orders.amount, rates.rate

-- case: a variable with a default settles its branch
-- dialect: snowflake, postgres
SELECT o.{% if var('net', true) %}net{% else %}gross{% endif %} AS price FROM {{ var('orders_table', 'shop.orders') }} o
-- expect: price <- shop.orders.net

-- case: a union over a list of models
-- dialect: snowflake, postgres, bigquery
{% set shops = ['north', 'south'] %}
{% for shop in shops %}
SELECT s.id, '{{ shop }}' AS shop FROM {{ ref('orders_' ~ shop) }} s
{% if not loop.last %}UNION ALL{% endif %}
{% endfor %}
-- expect: id <- orders_north.id, orders_south.id
-- expect: shop <- nothing

-- case: a pivot over a dict
-- dialect: snowflake, postgres
SELECT o.id, {% for name, column in {'net': 'amount', 'vat': 'tax'}.items() -%}
SUM(o.{{ column }}) AS {{ name }}_total {{- "," if not loop.last }}
{% endfor %} FROM {{ ref('orders') }} o GROUP BY o.id
-- expect: id <- orders.id
-- expect: net_total <- orders.amount
-- expect: vat_total <- orders.tax

-- case: loops in loops
-- dialect: snowflake, postgres
SELECT {% for a in ['x', 'y'] %}{% for b in [1, 2] %}o.{{ a }}{{ b }}{% if not loop.last %}, {% endif %}{% endfor %}{{ ', ' if not loop.last }}{% endfor %} FROM {{ ref('orders') }} o
-- expect: x1 <- orders.x1
-- expect: x2 <- orders.x2
-- expect: y1 <- orders.y1
-- expect: y2 <- orders.y2

-- case: a macro of the same file is expanded
-- dialect: snowflake, postgres
{% macro euros(column, digits=2) %}ROUND({{ column }} / 100, {{ digits }}){% endmacro %}
SELECT o.id, {{ euros('o.cents') }} AS price FROM {{ ref('orders') }} o
-- expect: id <- orders.id
-- expect: price <- orders.cents

-- case: a block assignment used as a derived table
-- dialect: snowflake, postgres
{% set totals %} SELECT p.id, SUM(p.amount) AS paid FROM {{ ref('payments') }} p GROUP BY p.id {% endset %}
SELECT o.id, t.paid FROM {{ ref('orders') }} o JOIN ({{ totals }}) t ON t.id = o.id
-- expect: id <- orders.id
-- expect: paid <- payments.amount

-- case: a list that grows by do, joined
-- dialect: snowflake, postgres
{% set columns = ['o.id'] %}{% do columns.append('o.at') %}
SELECT {{ columns | join(', ') }} FROM {{ ref('orders') }} o
-- expect: id <- orders.id
-- expect: at <- orders.at

-- case: a snapshot is its query
-- dialect: snowflake, postgres
{% snapshot orders_history %}
{{ config(target_schema='history', unique_key='id', strategy='check', check_cols=['status']) }}
SELECT o.id, o.status FROM {{ source('shop', 'orders') }} o
{% endsnapshot %}
-- expect: id <- shop.orders.id
-- expect: status <- shop.orders.status

-- case: a surrogate key reads its columns
-- dialect: snowflake, postgres, bigquery
SELECT {{ dbt_utils.generate_surrogate_key(['o.id', 'o.at']) }} AS k FROM {{ ref('orders') }} o
-- expect: k <- orders.id, orders.at

-- case: a star without some columns
-- dialect: snowflake, bigquery
-- table: orders (id, at, secret)
SELECT {{ dbt_utils.star(from=ref('orders'), except=["secret"]) }} FROM {{ ref('orders') }}
-- expect: id <- orders.id
-- expect: at <- orders.at

-- case: rows without doubles keep their columns
-- dialect: snowflake, bigquery
-- table: orders (id, at)
WITH one AS ({{ dbt_utils.deduplicate(relation=ref('orders'), partition_by='id', order_by='at desc') }}) SELECT one.id, one.at FROM one
-- expect: id <- orders.id
-- expect: at <- orders.at

-- case: date arithmetic reads its dates, not its parts
-- dialect: snowflake, postgres
SELECT {{ dbt.datediff('o.at', 'o.paid_at', 'day') }} AS days, {{ dbt.date_trunc('month', 'o.at') }} AS month FROM {{ ref('orders') }} o
-- expect: days <- orders.at, orders.paid_at
-- expect: month <- orders.at

-- case: casts to types that a macro names
-- dialect: snowflake, postgres
SELECT CAST(o.id AS {{ dbt.type_string() }}) AS id, o.at::{{ dbt.type_timestamp() }} AS at FROM {{ ref('orders') }} o
-- expect: id <- orders.id
-- expect: at <- orders.at

-- case: GROUP BY from a macro
-- dialect: snowflake, postgres
SELECT o.shop, COUNT(o.id) AS n FROM {{ ref('orders') }} o {{ dbt_utils.group_by(1) }}
-- expect: shop <- orders.shop
-- expect: n <- orders.id

-- case: the dialect settles the target's type
-- dialect: snowflake
SELECT {% if target.type == 'snowflake' %}o.a{% else %}o.b{% endif %} AS v FROM {{ ref('orders') }} o
-- expect: v <- orders.a
