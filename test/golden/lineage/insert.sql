-- case: the column list is matched by position, whatever the outputs are called
-- dialect: all
INSERT INTO mart.sales (total, order_id) SELECT o.id, o.amount FROM shop.orders o
-- expect: mart.sales.total <- shop.orders.id IDENTITY
-- expect: mart.sales.order_id <- shop.orders.amount IDENTITY
-- statements: insert

-- case: without a list the target's known columns take the values in order
-- dialect: all
-- table: mart.sales (order_id, total)
INSERT INTO mart.sales SELECT o.nr, o.amount FROM shop.orders o
-- expect: mart.sales.order_id <- shop.orders.nr
-- expect: mart.sales.total <- shop.orders.amount

-- case: without list and schema the outputs name the columns
-- dialect: all
INSERT INTO mart.sales SELECT o.nr, o.amount AS total FROM shop.orders o
-- expect: mart.sales.nr <- shop.orders.nr
-- expect: mart.sales.total <- shop.orders.amount

-- case: INSERT of literal rows has an output and no edges
-- dialect: all
INSERT INTO mart.sales (order_id, total) VALUES (1, 2)
-- expect: mart.sales.order_id <- nothing
-- expect: mart.sales.total <- nothing

-- case: a subquery inside VALUES
-- dialect: postgres, mysql, sqlite, snowflake, duckdb
INSERT INTO mart.sales (order_id, total) VALUES (1, (SELECT MAX(o.amount) FROM shop.orders o))
-- expect: mart.sales.order_id <- nothing
-- expect: mart.sales.total <- shop.orders.amount

-- case: BY NAME pairs outputs and columns by name
-- dialect: duckdb, databricks
-- table: mart.sales (order_id, total)
INSERT INTO mart.sales BY NAME SELECT o.amount AS total, o.id AS order_id FROM shop.orders o
-- expect: mart.sales.total <- shop.orders.amount
-- expect: mart.sales.order_id <- shop.orders.id

-- case: INSERT OVERWRITE of a partition
-- dialect: hive, spark, databricks
INSERT OVERWRITE TABLE mart.sales PARTITION (ds = '2024-01-01') SELECT o.id, o.amount FROM shop.orders o
-- expect: mart.sales.id <- shop.orders.id
-- expect: mart.sales.amount <- shop.orders.amount

-- case: Hive's multi-insert writes every target from one FROM
-- dialect: hive, spark
FROM shop.orders o
INSERT OVERWRITE TABLE mart.paid SELECT o.id, o.amount WHERE o.status = 'paid'
INSERT INTO TABLE mart.open SELECT o.id AS open_id WHERE o.status = 'open'
-- expect: mart.paid.id <- shop.orders.id
-- expect: mart.paid.amount <- shop.orders.amount
-- expect: mart.open.open_id <- shop.orders.id

-- case: INSERT ALL writes several targets, conditional or not
-- dialect: oracle, snowflake
INSERT ALL
  WHEN amount > 100 THEN INTO mart.big (id, v) VALUES (oid, amount)
  ELSE INTO mart.small (id) VALUES (oid)
SELECT o.id AS oid, o.amount FROM shop.orders o
-- expect: mart.big.id <- shop.orders.id
-- expect: mart.big.v <- shop.orders.amount
-- expect: mart.small.id <- shop.orders.id

-- case: INSERT FIRST with an expression in VALUES
-- dialect: oracle, snowflake
INSERT FIRST
  WHEN kind = 'a' THEN INTO mart.a (v) VALUES (amount * 2)
  WHEN kind = 'b' THEN INTO mart.b (v) VALUES (amount + tax)
SELECT o.kind, o.amount, o.tax FROM shop.orders o
-- expect: mart.a.v <- shop.orders.amount
-- expect: mart.b.v <- shop.orders.amount, shop.orders.tax

-- case: INSERT ALL without VALUES takes the outputs by position
-- dialect: oracle, snowflake
INSERT ALL INTO mart.a (x, y) INTO mart.b (p, q) SELECT o.id, o.amount FROM shop.orders o
-- expect: mart.a.x <- shop.orders.id
-- expect: mart.a.y <- shop.orders.amount
-- expect: mart.b.p <- shop.orders.id
-- expect: mart.b.q <- shop.orders.amount

-- case: ON CONFLICT DO UPDATE writes from the proposed row
-- dialect: postgres, sqlite, duckdb
INSERT INTO mart.stock (sku, n) SELECT i.sku, i.pieces FROM shop.items i ON CONFLICT (sku) DO UPDATE SET n = EXCLUDED.n
-- expect: mart.stock.sku <- shop.items.sku
-- expect: mart.stock.n <- shop.items.pieces

-- case: ON DUPLICATE KEY UPDATE with VALUES
-- dialect: mysql, mariadb
INSERT INTO mart.stock (sku, n) SELECT i.sku, i.pieces FROM shop.items i ON DUPLICATE KEY UPDATE n = VALUES(n)
-- expect: mart.stock.sku <- shop.items.sku
-- expect: mart.stock.n <- shop.items.pieces

-- case: RETURNING is no lineage of the target
-- dialect: postgres, mariadb, sqlite
INSERT INTO mart.stock (sku) SELECT i.sku FROM shop.items i RETURNING sku
-- expect: mart.stock.sku <- shop.items.sku

-- case: REPLACE INTO is an insert
-- dialect: mysql, mariadb, sqlite
REPLACE INTO mart.stock (sku, n) SELECT i.sku, i.n FROM shop.items i
-- expect: mart.stock.sku <- shop.items.sku
-- expect: mart.stock.n <- shop.items.n

-- case: INSERT INTO SELECT INTO the target's own rows under OpenLineage's rules
-- dialect: postgres
-- profile: openlineage
INSERT INTO mart.log (id) SELECT l.id FROM mart.log l
-- expect: mart.log.id <- mart.log.id
-- inputs: mart.log

-- case: a literal between columns keeps its place
-- dialect: all
INSERT INTO mart.sales (a, b, c) SELECT o.id, 'x', o.amount FROM shop.orders o
-- expect: mart.sales.a <- shop.orders.id
-- expect: mart.sales.b <- nothing
-- expect: mart.sales.c <- shop.orders.amount

-- case: the target's alias
-- dialect: postgres
INSERT INTO mart.stock AS s (sku) SELECT i.sku FROM shop.items i
-- expect: mart.stock.sku <- shop.items.sku

-- case: the INTO word left out
-- dialect: tsql, spark, mysql
INSERT mart.stock (sku) SELECT i.sku FROM shop.items i
-- expect: mart.stock.sku <- shop.items.sku

-- case: an INSERT that runs a procedure names no source columns
-- dialect: tsql
INSERT INTO mart.stock (sku) EXEC dbo.list_stock
-- expect: mart.stock.sku <- nothing
-- inputs: nothing
-- outputs: mart.stock

-- case: INSERT INTO FUNCTION writes to a location
-- dialect: clickhouse
INSERT INTO FUNCTION s3('https://lake/stock.csv', 'CSV') SELECT i.sku FROM shop.items i
-- inputs: shop.items
-- outputs: "https://lake/stock.csv"
-- expect: "https://lake/stock.csv".sku <- shop.items.sku

-- case: a join's star into a known target goes by position
-- dialect: postgres, mysql, snowflake, tsql
-- table: mart.t (p, q, r)
-- table: s.a (x, y)
-- table: s.b (z)
INSERT INTO mart.t SELECT * FROM s.a CROSS JOIN s.b
-- expect: mart.t.p <- s.a.x
-- expect: mart.t.q <- s.a.y
-- expect: mart.t.r <- s.b.z

-- case: fewer outputs than the known target has
-- dialect: postgres, mysql, snowflake
-- table: mart.t (p, q, r)
INSERT INTO mart.t SELECT o.a, o.b FROM s.o o
-- expect: mart.t.p <- s.o.a
-- expect: mart.t.q <- s.o.b

-- case: a DEFAULT in VALUES beside a subquery
-- dialect: postgres, mysql
INSERT INTO mart.t (p, q) VALUES (DEFAULT, (SELECT MAX(o.a) FROM s.o o))
-- expect: mart.t.p <- nothing
-- expect: mart.t.q <- s.o.a

-- case: a target in three parts, quoted
-- dialect: snowflake, tsql, trino, redshift
INSERT INTO "Dwh"."Mart"."T" ("P") SELECT o.a FROM s.o o
-- expect: Dwh.Mart.T.P <- s.o.a

-- case: ON CONFLICT with an expression over both rows
-- dialect: postgres
INSERT INTO mart.stock AS t (sku, n) SELECT i.sku, i.n FROM shop.items i ON CONFLICT (sku) DO UPDATE SET n = t.n + EXCLUDED.n
-- expect: mart.stock.sku <- shop.items.sku
-- expect: mart.stock.n <- shop.items.n, mart.stock.n
-- inputs: shop.items

-- case: a row without the word VALUES, values of all kinds
-- dialect: teradata
-- table: mart.sales (id, total)
INS mart.sales (1 + 2, (SEL MAX(p.amount) FROM shop.payments p))
-- expect: mart.sales.id <- nothing
-- expect: mart.sales.total <- shop.payments.amount

-- case: outputs that the database names alike are several columns of a table that is not known
-- dialect: postgres, redshift, greenplum
INSERT INTO mart.sums SELECT max(o.a), max(o.b), o.a + 1, o.b + 1, o.c, min(o.c) FROM shop.orders o
-- expect: mart.sums."max(o.a)" <- shop.orders.a
-- expect: mart.sums."max(o.b)" <- shop.orders.b
-- expect: mart.sums."o.a + 1" <- shop.orders.a
-- expect: mart.sums."o.b + 1" <- shop.orders.b
-- expect: mart.sums.c <- shop.orders.c
-- expect: mart.sums.min <- shop.orders.c

-- case: a query among the values, into a table that is not known, is a column by its text
-- dialect: ansi, postgres, snowflake
INSERT INTO mart.sums VALUES (1, (SELECT max(o.id) FROM shop.orders o), 'x')
-- expect: mart.sums."(SELECT max(o.id) FROM shop.orders o)" <- shop.orders.id
-- inputs: shop.orders
