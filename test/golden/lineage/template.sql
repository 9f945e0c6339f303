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
