-- case: join conditions are indirect uses
-- dialect: all
SELECT o.id, c.name FROM shop.orders o LEFT JOIN crm.customers c ON c.id = o.customer_id
-- expect: id <- shop.orders.id
-- expect: name <- crm.customers.name
-- indirect: JOIN crm.customers.id, JOIN shop.orders.customer_id

-- case: a comma join
-- dialect: all
SELECT o.id, c.name FROM shop.orders o, crm.customers c WHERE c.id = o.customer_id
-- expect: id <- shop.orders.id
-- expect: name <- crm.customers.name

-- case: an unqualified USING column comes from both sides
-- dialect: postgres, mysql, sqlite, trino, snowflake, duckdb, spark, redshift, bigquery
SELECT customer_id, o.id, c.name FROM shop.orders o JOIN crm.customers c USING (customer_id)
-- expect: customer_id <- shop.orders.customer_id, crm.customers.customer_id
-- expect: id <- shop.orders.id
-- expect: name <- crm.customers.name

-- case: a qualified USING column comes from its side only
-- dialect: postgres, mysql, sqlite, snowflake, duckdb, spark, redshift
SELECT c.customer_id FROM shop.orders o FULL JOIN crm.customers c USING (customer_id)
-- expect: customer_id <- crm.customers.customer_id
-- inputs: shop.orders, crm.customers

-- case: USING over three tables
-- dialect: postgres, mysql, duckdb, trino
SELECT k, a.x, b.y, c.z FROM s.a a JOIN s.b b USING (k) JOIN s.c c USING (k)
-- expect: k <- s.a.k, s.b.k, s.c.k
-- expect: x <- s.a.x
-- expect: y <- s.b.y
-- expect: z <- s.c.z

-- case: NATURAL JOIN merges the columns of the same name
-- dialect: postgres, mysql, sqlite, oracle, duckdb, snowflake
-- table: s.a (k, x)
-- table: s.b (k, y)
SELECT * FROM s.a NATURAL JOIN s.b
-- expect: k <- s.a.k, s.b.k
-- expect: x <- s.a.x
-- expect: y <- s.b.y

-- case: joins nested in parentheses
-- dialect: all but clickhouse
SELECT a.x, b.y, c.z FROM s.a a LEFT JOIN (s.b b INNER JOIN s.c c ON c.id = b.id) ON b.id = a.id
-- expect: x <- s.a.x
-- expect: y <- s.b.y
-- expect: z <- s.c.z

-- case: two ON clauses after two joins
-- dialect: postgres, tsql, snowflake, duckdb, db2, teradata
SELECT a.x, c.z FROM s.a a LEFT JOIN s.b b JOIN s.c c ON c.id = b.id ON b.id = a.id
-- expect: x <- s.a.x
-- expect: z <- s.c.z
-- inputs: s.a, s.b, s.c

-- case: a self join keeps both roles apart
-- dialect: all
SELECT e.name, b.name AS boss FROM hr.staff e LEFT JOIN hr.staff b ON b.id = e.boss_id
-- expect: name <- hr.staff.name
-- expect: boss <- hr.staff.name

-- case: Oracle's outer join marker
-- dialect: oracle
SELECT o.id, c.name FROM shop.orders o, crm.customers c WHERE c.id (+) = o.customer_id
-- expect: id <- shop.orders.id
-- expect: name <- crm.customers.name

-- case: an ASOF join
-- dialect: duckdb, snowflake
SELECT t.price, q.bid FROM fx.trades t ASOF JOIN fx.quotes q ON t.sym = q.sym AND t.ts >= q.ts
-- expect: price <- fx.trades.price
-- expect: bid <- fx.quotes.bid

-- case: ASOF with MATCH_CONDITION
-- dialect: snowflake
SELECT t.price, q.bid FROM fx.trades t ASOF JOIN fx.quotes q MATCH_CONDITION (t.ts >= q.ts) ON t.sym = q.sym
-- expect: price <- fx.trades.price
-- expect: bid <- fx.quotes.bid

-- case: ANY LEFT JOIN and GLOBAL joins
-- dialect: clickhouse
SELECT o.id, c.name FROM shop.orders o GLOBAL ANY LEFT JOIN crm.customers c ON c.id = o.customer_id
-- expect: id <- shop.orders.id
-- expect: name <- crm.customers.name

-- case: SEMI and ANTI joins give rows of the left side only
-- dialect: spark, databricks, hive, impala
SELECT o.id FROM shop.orders o LEFT SEMI JOIN crm.customers c ON c.id = o.customer_id
-- expect: id <- shop.orders.id
-- inputs: shop.orders, crm.customers

-- case: a star over a semi join has no columns of the right side
-- dialect: spark, databricks, hive
-- table: shop.orders (id, customer_id)
-- table: crm.customers (id, name)
SELECT * FROM shop.orders o LEFT ANTI JOIN crm.customers c ON c.id = o.customer_id
-- expect: id <- shop.orders.id
-- expect: customer_id <- shop.orders.customer_id
-- inputs: shop.orders, crm.customers

-- case: STRAIGHT_JOIN
-- dialect: mysql, mariadb
SELECT a.x, b.y FROM s.a a STRAIGHT_JOIN s.b b ON b.id = a.id
-- expect: x <- s.a.x
-- expect: y <- s.b.y

-- case: a star has the columns of USING before all others
-- dialect: postgres, mysql, oracle, snowflake, bigquery, trino, spark
-- table: s.a (x, k)
-- table: s.b (k, z)
CREATE TABLE s.t (c1, c2, c3) AS SELECT * FROM s.a JOIN s.b USING (k)
-- expect: s.t.c1 <- s.a.k, s.b.k
-- expect: s.t.c2 <- s.a.x
-- expect: s.t.c3 <- s.b.z

-- case: a star has the columns of USING where the left side has them
-- dialect: duckdb, sqlite
-- table: s.a (x, k)
-- table: s.b (k, z)
CREATE VIEW s.t (c1, c2, c3) AS SELECT * FROM s.a NATURAL JOIN s.b
-- expect: s.t.c1 <- s.a.x
-- expect: s.t.c2 <- s.a.k, s.b.k
-- expect: s.t.c3 <- s.b.z

-- case: the joined columns under an alias of their own
-- dialect: postgres
-- table: s.a (id, x)
-- table: s.b (id, y)
SELECT j.id, a.x FROM s.a a JOIN s.b b USING (id) AS j
-- expect: id <- s.a.id, s.b.id
-- expect: x <- s.a.x

-- case: unqualified names do not mean the other side of a semi join
-- dialect: hive, spark, databricks, duckdb, clickhouse
-- table: shop.seen (amount, id)
SELECT amount, s.id AS seen FROM shop.orders o LEFT SEMI JOIN shop.seen s ON o.id = s.id
-- expect: amount <- shop.orders.amount
-- expect: seen <- shop.seen.id

-- case: nor that of an anti join whose columns are unknown
-- dialect: hive, spark, databricks, duckdb, clickhouse
INSERT INTO mart.fresh SELECT id, amount * 2 AS twice FROM shop.orders LEFT ANTI JOIN shop.seen ON shop.orders.id = shop.seen.id
-- expect: mart.fresh.id <- shop.orders.id
-- expect: mart.fresh.twice <- shop.orders.amount
-- inputs: shop.orders, shop.seen
