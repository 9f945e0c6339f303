-- case: a scalar subquery gives the value, its filter does not
-- dialect: all
SELECT o.id, (SELECT MAX(p.paid_at) FROM shop.payments p WHERE p.order_id = o.id) AS last_paid FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: last_paid <- shop.payments.paid_at AGGREGATED

-- case: IN (SELECT) makes the table an input and nothing more
-- dialect: all
SELECT o.id FROM shop.orders o WHERE o.customer_id IN (SELECT c.id FROM crm.customers c WHERE c.country = 'NO')
-- expect: id <- shop.orders.id
-- inputs: shop.orders, crm.customers

-- case: NOT EXISTS with a correlated column
-- dialect: all
SELECT o.id FROM shop.orders o WHERE NOT EXISTS (SELECT 1 FROM shop.payments p WHERE p.order_id = o.id)
-- expect: id <- shop.orders.id
-- inputs: shop.orders, shop.payments

-- case: a correlated column that only the outer table has
-- dialect: all
-- table: shop.orders (id, customer_id)
-- table: crm.customers (key, name)
SELECT (SELECT name FROM crm.customers WHERE key = customer_id) AS customer FROM shop.orders
-- expect: customer <- crm.customers.name
-- inputs: shop.orders, crm.customers

-- case: the outer column inside the scalar subquery's output
-- dialect: all
SELECT (SELECT MAX(r.rate * o.amount) FROM fx.rates r) AS eur FROM shop.orders o
-- expect: eur <- fx.rates.rate, shop.orders.amount

-- case: derived tables three deep
-- dialect: all
SELECT c.z FROM (SELECT b.y AS z FROM (SELECT a.x AS y FROM (SELECT t.id AS x FROM raw.t t) a) b) c
-- expect: z <- raw.t.id IDENTITY

-- case: a derived table's column list renames by position
-- dialect: postgres, tsql, trino, snowflake, duckdb, mysql, db2, greenplum, redshift
SELECT d.b, d.a FROM (SELECT id, amount FROM shop.orders) AS d (a, b)
-- expect: b <- shop.orders.amount
-- expect: a <- shop.orders.id

-- case: a subquery in FROM without an alias
-- dialect: oracle, snowflake, bigquery, spark, sqlite, clickhouse, duckdb
SELECT twice FROM (SELECT amount * 2 AS twice FROM shop.orders)
-- expect: twice <- shop.orders.amount

-- case: a comparison with ANY over a subquery in an output
-- dialect: postgres, mysql, trino, tsql
SELECT CASE WHEN o.amount > ALL (SELECT l.cap FROM shop.limits l) THEN 1 ELSE 0 END AS over_cap FROM shop.orders o
-- expect: over_cap <- shop.orders.amount, shop.limits.cap

-- case: a subquery in ORDER BY is an input
-- dialect: postgres, mysql, duckdb, sqlite
SELECT o.id FROM shop.orders o ORDER BY (SELECT p.rank FROM shop.priority p WHERE p.kind = o.kind)
-- expect: id <- shop.orders.id
-- inputs: shop.orders, shop.priority

-- case: a subquery in HAVING is an input
-- dialect: all
SELECT o.country, SUM(o.amount) AS total FROM shop.orders o GROUP BY o.country HAVING SUM(o.amount) > (SELECT MIN(t.floor) FROM shop.targets t)
-- expect: country <- shop.orders.country
-- expect: total <- shop.orders.amount
-- inputs: shop.orders, shop.targets

-- case: a lateral derived table sees its left neighbour
-- dialect: postgres, mysql, snowflake, trino, db2, databricks
SELECT o.id, l.last_paid FROM shop.orders o CROSS JOIN LATERAL (SELECT MAX(p.paid_at) AS last_paid FROM shop.payments p WHERE p.order_id = o.id) l
-- expect: id <- shop.orders.id
-- expect: last_paid <- shop.payments.paid_at

-- case: a lateral derived table computes from its neighbour alone
-- dialect: postgres, mysql, databricks, snowflake
SELECT x.net FROM shop.orders o, LATERAL (SELECT o.gross - o.tax AS net) x
-- expect: net <- shop.orders.gross, shop.orders.tax

-- case: CROSS APPLY and OUTER APPLY
-- dialect: tsql, oracle
SELECT o.id, a.net, b.paid_at FROM shop.orders o
CROSS APPLY (SELECT o.gross - o.tax AS net) a
OUTER APPLY (SELECT p.paid_at FROM shop.payments p WHERE p.order_id = o.id) b
-- expect: id <- shop.orders.id
-- expect: net <- shop.orders.gross, shop.orders.tax
-- expect: paid_at <- shop.payments.paid_at

-- case: a row of two columns against a subquery
-- dialect: postgres, mysql, oracle, trino
SELECT o.id FROM shop.orders o WHERE (o.a, o.b) IN (SELECT k.a, k.b FROM shop.keys k)
-- expect: id <- shop.orders.id
-- inputs: shop.orders, shop.keys

-- case: an ARRAY subquery
-- dialect: bigquery, postgres
SELECT o.id, ARRAY(SELECT i.sku FROM shop.items i WHERE i.order_id = o.id) AS skus FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: skus <- shop.items.sku
