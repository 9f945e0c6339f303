-- case: a filter in a CTE shapes the rows of the whole
-- dialect: all
WITH o AS (SELECT id FROM shop.orders WHERE status = 'paid') SELECT o.id FROM o
-- expect: id <- shop.orders.id
-- indirect: FILTER shop.orders.status

-- case: USING is a join on both sides
-- dialect: postgres, mysql, duckdb, snowflake
SELECT o.id FROM shop.orders o JOIN crm.customers c USING (customer_id)
-- expect: id <- shop.orders.id
-- inputs: shop.orders, crm.customers
-- indirect: JOIN shop.orders.customer_id, JOIN crm.customers.customer_id

-- case: the condition of a CASE chooses and is conditional
-- dialect: all
SELECT CASE WHEN o.status = 'void' THEN 0 ELSE o.amount END AS v FROM shop.orders o
-- expect: v <- shop.orders.status, shop.orders.amount
-- indirect: CONDITIONAL shop.orders.status

-- case: a window's partition and order are window uses
-- dialect: all
SELECT LAG(o.amount) OVER (PARTITION BY o.country ORDER BY o.day) AS v FROM shop.orders o
-- expect: v <- shop.orders.amount, shop.orders.country, shop.orders.day
-- indirect: WINDOW shop.orders.country, WINDOW shop.orders.day

-- case: QUALIFY filters by its columns
-- dialect: snowflake, bigquery, databricks
SELECT o.id FROM shop.orders o QUALIFY ROW_NUMBER() OVER (PARTITION BY o.k ORDER BY o.day) = 1
-- expect: id <- shop.orders.id

-- case: the join of an UPDATE
-- dialect: postgres
UPDATE mart.sales AS s SET v = p.amount FROM shop.payments p WHERE p.order_id = s.id
-- expect: mart.sales.v <- shop.payments.amount
-- inputs: mart.sales, shop.payments
-- indirect: FILTER shop.payments.order_id, FILTER mart.sales.id

-- case: the ON of a MERGE is a join, its AND a filter
-- dialect: snowflake, tsql, postgres
MERGE INTO mart.stock t USING shop.items s ON t.sku = s.sku WHEN MATCHED AND s.kind = 'x' THEN UPDATE SET n = s.pieces
-- expect: mart.stock.n <- shop.items.pieces
-- indirect: JOIN mart.stock.sku, JOIN shop.items.sku, FILTER shop.items.kind

-- case: both sides of EXCEPT, the right one as a filter
-- dialect: postgres, snowflake, tsql
SELECT a.x FROM s.a a EXCEPT SELECT b.y FROM s.b b
-- expect: x <- s.a.x
-- inputs: s.a, s.b
-- indirect: FILTER s.b.y
