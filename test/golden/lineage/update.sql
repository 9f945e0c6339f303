-- case: UPDATE FROM with the target's alias
-- dialect: postgres, sqlite, duckdb
UPDATE mart.sales AS s SET total = p.amount FROM shop.payments p WHERE p.order_id = s.id
-- expect: mart.sales.total <- shop.payments.amount
-- inputs: mart.sales, shop.payments

-- case: the alias is named first, its table stands in FROM
-- dialect: tsql
UPDATE s SET s.total = p.amount FROM mart.sales s JOIN shop.payments p ON p.order_id = s.id
-- expect: mart.sales.total <- shop.payments.amount
-- inputs: mart.sales, shop.payments

-- case: UPDATE of a join
-- dialect: mysql, mariadb
UPDATE mart.sales s JOIN shop.payments p ON p.order_id = s.id SET s.total = p.amount, s.state = 'paid'
-- expect: mart.sales.total <- shop.payments.amount
-- expect: mart.sales.state <- nothing
-- inputs: mart.sales, shop.payments

-- case: a column computed from the row itself
-- dialect: all
UPDATE mart.sales SET total = price * quantity
-- expect: mart.sales.total <- mart.sales.price, mart.sales.quantity

-- case: an update by literals still reads its target
-- dialect: all
UPDATE mart.sales SET total = 0 WHERE id = 7
-- expect: mart.sales.total <- nothing
-- inputs: mart.sales
-- outputs: mart.sales
-- statements: update

-- case: a scalar subquery as the value
-- dialect: all but clickhouse, impala
UPDATE mart.sales SET total = (SELECT SUM(p.amount) FROM shop.payments p WHERE p.order_id = mart.sales.id)
-- expect: mart.sales.total <- shop.payments.amount AGGREGATED
-- inputs: mart.sales, shop.payments

-- case: several columns from one subquery
-- dialect: postgres, oracle, db2
UPDATE mart.sales SET (total, paid_at) = (SELECT SUM(p.amount), MAX(p.at) FROM shop.payments p)
-- expect: mart.sales.total <- shop.payments.amount
-- expect: mart.sales.paid_at <- shop.payments.at
-- inputs: mart.sales, shop.payments

-- case: FROM a derived table
-- dialect: postgres, snowflake, redshift, bigquery
UPDATE mart.sales SET total = x.s FROM (SELECT p.order_id, SUM(p.amount) AS s FROM shop.payments p GROUP BY p.order_id) x WHERE x.order_id = mart.sales.id
-- expect: mart.sales.total <- shop.payments.amount
-- inputs: mart.sales, shop.payments

-- case: a CTE in front of the UPDATE
-- dialect: postgres, tsql, mysql
WITH x AS (SELECT p.order_id, p.amount FROM shop.payments p) UPDATE mart.sales SET total = (SELECT MAX(x.amount) FROM x)
-- expect: mart.sales.total <- shop.payments.amount
-- inputs: mart.sales, shop.payments

-- case: updating a CTE updates the table under it
-- dialect: tsql
WITH d AS (SELECT s.id, s.total FROM mart.sales s) UPDATE d SET total = total * 2
-- expect: mart.sales.total <- mart.sales.total

-- case: an update of literals reads nothing under OpenLineage's rules
-- dialect: postgres
-- profile: openlineage
UPDATE mart.sales SET total = 0
-- expect: mart.sales.total <- nothing
-- inputs: nothing
-- outputs: mart.sales

-- case: FROM with the target once more under an alias
-- dialect: redshift, postgres
UPDATE mart.sales SET total = p.amount FROM mart.sales s JOIN shop.payments p ON p.order_id = s.id WHERE mart.sales.id = s.id
-- expect: mart.sales.total <- shop.payments.amount
-- inputs: mart.sales, shop.payments

-- case: ALTER TABLE UPDATE is an update
-- dialect: clickhouse
ALTER TABLE mart.sales UPDATE total = price * 2 WHERE id = 1
-- expect: mart.sales.total <- mart.sales.price

-- case: FROM in front of SET
-- dialect: teradata
UPDATE s FROM mart.sales s, shop.payments p SET total = p.amount WHERE p.order_id = s.id
-- expect: mart.sales.total <- shop.payments.amount
-- inputs: mart.sales, shop.payments

-- case: a variable set along with a column is no column
-- dialect: tsql
UPDATE mart.sales SET @n = total = price + 1
-- expect: mart.sales.total <- mart.sales.price

-- case: FROM with two joins and a CASE
-- dialect: postgres, redshift, snowflake
UPDATE mart.t SET v = CASE WHEN b.x > 0 THEN a.y ELSE c.z END FROM s.a a JOIN s.b b ON b.k = a.k LEFT JOIN s.c c ON c.k = a.k WHERE a.k = mart.t.k
-- expect: mart.t.v <- s.b.x, s.a.y, s.c.z
-- inputs: mart.t, s.a, s.b, s.c

-- case: an unqualified value that only the joined table has
-- dialect: postgres, snowflake
-- table: mart.t (k, v)
-- table: s.a (ak, amount)
UPDATE mart.t SET v = amount FROM s.a WHERE ak = k
-- expect: mart.t.v <- s.a.amount
-- inputs: mart.t, s.a

-- case: a row of columns from a row of values
-- dialect: postgres
UPDATE mart.t SET (a, b) = (s.x, s.y + 1) FROM shop.s s
-- expect: mart.t.a <- shop.s.x
-- expect: mart.t.b <- shop.s.y
-- inputs: mart.t, shop.s

-- case: a list of columns takes a list of values, each its own
-- dialect: db2, oracle, postgres, ansi
UPDATE mart.d SET (nm, upd, amt) = (UPPER(code), CURRENT_DATE, price * qty) WHERE id = 1;
-- expect: mart.d.nm <- mart.d.code
-- expect: mart.d.upd <- nothing
-- expect: mart.d.amt <- mart.d.price, mart.d.qty

-- case: a row of values, one of them a subquery
-- dialect: postgres, sqlite
UPDATE mart.t SET (a, b) = (x.v, (SELECT MAX(y.w) FROM raw.y y WHERE y.id = x.id)) FROM raw.x x WHERE x.id = t.id
-- expect: mart.t.a <- raw.x.v
-- expect: mart.t.b <- raw.y.w
-- inputs: mart.t, raw.x, raw.y

-- case: ROW(…) in the update of a conflict
-- dialect: postgres
INSERT INTO mart.t AS m (id, v) SELECT s.id, s.v FROM stg.s s ON CONFLICT (id) DO UPDATE SET (v, w) = ROW(excluded.v || m.v, excluded.id)
-- expect: mart.t.id <- stg.s.id
-- expect: mart.t.v <- stg.s.v, mart.t.v
-- expect: mart.t.w <- stg.s.id
-- inputs: stg.s

-- case: a struct's field where another table has the struct's name
-- dialect: bigquery
UPDATE d.t AS t SET t.s.field = s.v FROM d.src s WHERE t.id = s.id
-- expect: d.t."s.field" <- d.src.v
-- inputs: d.t, d.src

-- case: a variable and a column take the same value; what += adds to stays a source
-- dialect: tsql
UPDATE s SET @last = s.total = p.amount, @sum = s.paid += p.amount, tax -= p.tax FROM mart.sales s JOIN shop.payments p ON p.order_id = s.id
-- expect: mart.sales.total <- shop.payments.amount IDENTITY
-- expect: mart.sales.paid <- mart.sales.paid, shop.payments.amount
-- expect: mart.sales.tax <- mart.sales.tax, shop.payments.tax
-- inputs: mart.sales, shop.payments

-- case: written through a query: its names stand for columns of the table under it
-- dialect: oracle
UPDATE (SELECT s.total AS held, p.amount AS given FROM mart.sales s JOIN shop.payments p ON p.order_id = s.id) v SET v.held = v.given
-- expect: mart.sales.total <- shop.payments.amount IDENTITY
-- inputs: mart.sales, shop.payments

-- case: written through a CTE that renames
-- dialect: tsql
WITH d AS (SELECT s.id, s.total AS held, p.amount AS given FROM mart.sales s JOIN shop.payments p ON p.order_id = s.id) UPDATE d SET held = given * 2
-- expect: mart.sales.total <- shop.payments.amount TRANSFORMED
-- inputs: mart.sales, shop.payments

-- case: OpenLineage counts a target that FROM names, by its name or by the alias that is updated
-- dialect: tsql
-- profile: openlineage
UPDATE shop.orders SET total = s.total FROM shop.orders JOIN raw.sums s ON s.id = orders.id;
UPDATE o SET total = s.total FROM mart.orders o JOIN raw.sums s ON s.id = o.id
-- expect: shop.orders.total <- raw.sums.total
-- expect: mart.orders.total <- raw.sums.total
-- inputs: shop.orders, raw.sums, mart.orders
-- outputs: shop.orders, mart.orders

-- case: an UPDATE within a CTE reads its table, too
-- dialect: postgres
WITH u AS (UPDATE shop.orders SET status = 'x' RETURNING id, customer), i AS (INSERT INTO mart.log (id) SELECT 1 RETURNING id)
SELECT u.id AS a, c.name, i.id AS b FROM u JOIN shop.customers c ON c.id = u.customer CROSS JOIN i
-- expect: shop.orders.status <- nothing
-- expect: mart.log.id <- nothing
-- expect: a <- shop.orders.id
-- expect: name <- shop.customers.name
-- expect: b <- mart.log.id
-- inputs: shop.orders, shop.customers
-- outputs: shop.orders, mart.log
