-- case: CTE over union over join over derived table
-- dialect: all but mysql, mariadb, sqlite, hive, impala
WITH u AS (
  SELECT d.k, d.v FROM (SELECT o.id AS k, o.amount AS v FROM shop.orders o) d JOIN crm.customers c ON c.id = d.k
  UNION ALL
  SELECT r.id, r.refund FROM shop.returns r
)
SELECT u.k, SUM(u.v) AS total FROM u GROUP BY u.k
-- expect: k <- shop.orders.id, shop.returns.id
-- expect: total <- shop.orders.amount AGGREGATED, shop.returns.refund AGGREGATED
-- inputs: shop.orders, crm.customers, shop.returns

-- case: a scalar subquery over a CTE that reads another
-- dialect: all
WITH a AS (SELECT o.id AS k, o.amount AS v FROM shop.orders o), b AS (SELECT a.k, a.v * 2 AS w FROM a)
SELECT c.name, (SELECT MAX(b.w) FROM b WHERE b.k = c.id) AS top FROM crm.customers c
-- expect: name <- crm.customers.name
-- expect: top <- shop.orders.amount AGGREGATED

-- case: the same alias on two levels means two things
-- dialect: all
SELECT x.v FROM (SELECT x.amount AS v FROM shop.orders x) x
-- expect: v <- shop.orders.amount

-- case: an inner alias does not leak out
-- dialect: all
-- table: shop.orders (id, amount)
-- table: crm.customers (id, name)
SELECT o.id, (SELECT o.name FROM crm.customers o WHERE o.id = 1) AS name FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: name <- crm.customers.name

-- case: a correlated subquery two levels down
-- dialect: all
SELECT o.id FROM shop.orders o WHERE EXISTS (SELECT 1 FROM shop.items i WHERE i.order_id = o.id AND i.sku IN (SELECT s.sku FROM shop.stock s WHERE s.day = o.day))
-- expect: id <- shop.orders.id
-- inputs: shop.orders, shop.items, shop.stock

-- case: CASE in CASE in a function in an aggregate
-- dialect: all
SELECT SUM(COALESCE(CASE WHEN o.a = 1 THEN CASE WHEN o.b = 2 THEN o.c ELSE o.d END END, 0)) AS s FROM shop.orders o
-- expect: s <- shop.orders.a AGGREGATED, shop.orders.b AGGREGATED, shop.orders.c AGGREGATED, shop.orders.d AGGREGATED

-- case: an aggregate of a window of an aggregate
-- dialect: all
SELECT SUM(SUM(o.amount)) OVER (ORDER BY o.country) AS running FROM shop.orders o GROUP BY o.country
-- expect: running <- shop.orders.amount, shop.orders.country

-- case: a star of a star of a CTE with one column more
-- dialect: all
-- table: shop.orders (id, amount)
WITH a AS (SELECT * FROM shop.orders), b AS (SELECT a.*, a.amount * 2 AS twice FROM a) SELECT * FROM b
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount
-- expect: twice <- shop.orders.amount TRANSFORMED

-- case: a star over a join of two CTEs with equal names
-- dialect: all
WITH a AS (SELECT o.id AS ak, o.x AS ax FROM s.a o), b AS (SELECT o.id AS bk, o.x AS bx FROM s.b o)
SELECT * FROM a JOIN b ON a.ak = b.bk
-- expect: ak <- s.a.id
-- expect: ax <- s.a.x
-- expect: bk <- s.b.id
-- expect: bx <- s.b.x

-- case: five levels of renaming down to one column
-- dialect: all
SELECT e.v5 FROM (SELECT d.v4 AS v5 FROM (SELECT c.v3 AS v4 FROM (SELECT b.v2 AS v3 FROM (SELECT a.v1 AS v2 FROM (SELECT t.v0 AS v1 FROM s.t t) a) b) c) d) e
-- expect: v5 <- s.t.v0 IDENTITY

-- case: an unqualified column of the known one among three tables
-- dialect: all
-- table: s.a (ka, xa)
-- table: s.b (kb, xb)
-- table: s.c (kc, xc)
SELECT xa, xb, xc FROM s.a JOIN s.b ON ka = kb LEFT JOIN s.c ON kc = kb
-- expect: xa <- s.a.xa
-- expect: xb <- s.b.xb
-- expect: xc <- s.c.xc

-- case: a derived table hides the schema of the table under it
-- dialect: all
-- table: s.a (k, x)
SELECT d.x FROM (SELECT k AS x FROM s.a) d
-- expect: x <- s.a.k

-- case: INSERT from a union of CTEs with a literal tag
-- dialect: all but sqlite, tsql
INSERT INTO mart.all_events (origin, id)
WITH a AS (SELECT id FROM raw.a), b AS (SELECT id FROM raw.b) SELECT 'a', id FROM a UNION ALL SELECT 'b', id FROM b
-- expect: mart.all_events.origin <- nothing
-- expect: mart.all_events.id <- raw.a.id, raw.b.id

-- case: EXISTS as a value reads a table and no column
-- dialect: postgres, mysql, sqlite, duckdb
SELECT o.id, EXISTS (SELECT 1 FROM shop.items i WHERE i.order_id = o.id) AS has_items FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: has_items <- nothing
-- inputs: shop.orders, shop.items

-- case: IN with a subquery as a value compares two columns
-- dialect: postgres, mysql, duckdb
SELECT o.id IN (SELECT w.id FROM shop.wanted w) AS wanted FROM shop.orders o
-- expect: wanted <- shop.orders.id, shop.wanted.id
