-- case: a star over a known table gives its columns in order
-- dialect: all
-- table: shop.orders (id, amount, country)
SELECT * FROM shop.orders
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount
-- expect: country <- shop.orders.country

-- case: a star over an unknown table stays a star
-- dialect: all
SELECT * FROM shop.orders
-- expect: "*" <- shop.orders."*"

-- case: a qualified star beside a column of the other table
-- dialect: all
-- table: shop.orders (id, customer_id)
-- table: crm.customers (id, name)
SELECT o.*, c.name FROM shop.orders o JOIN crm.customers c ON c.id = o.customer_id
-- expect: id <- shop.orders.id
-- expect: customer_id <- shop.orders.customer_id
-- expect: name <- crm.customers.name

-- case: a star over a derived table needs no schema
-- dialect: all
SELECT x.* FROM (SELECT o.id, o.amount * 2 AS twice FROM shop.orders o) x
-- expect: id <- shop.orders.id IDENTITY
-- expect: twice <- shop.orders.amount TRANSFORMED

-- case: a column named over a star of an unknown table is that table's column
-- dialect: all
SELECT x.amount FROM (SELECT * FROM shop.orders) x
-- expect: amount <- shop.orders.amount

-- case: a star of a join of a known and an unknown table keeps both
-- dialect: all
-- table: shop.orders (id, customer_id)
CREATE TABLE mart.wide AS SELECT * FROM shop.orders o JOIN crm.customers c ON c.id = o.customer_id
-- expect: mart.wide.id <- shop.orders.id
-- expect: mart.wide.customer_id <- shop.orders.customer_id
-- expect: mart.wide."*" <- crm.customers."*"

-- case: EXCEPT leaves columns out
-- dialect: bigquery, databricks, clickhouse
-- table: shop.orders (id, amount, secret)
SELECT * EXCEPT (secret) FROM shop.orders
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: EXCLUDE of one column without parentheses
-- dialect: snowflake, duckdb
-- table: shop.orders (id, amount, secret)
SELECT * EXCLUDE secret FROM shop.orders
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: EXCLUDE ignores the case of the name
-- dialect: snowflake, duckdb
-- table: shop.orders (id, amount, secret)
SELECT o.* EXCLUDE (SECRET, Amount) FROM shop.orders o
-- expect: id <- shop.orders.id

-- case: REPLACE computes one column of the star anew, in its place
-- dialect: bigquery, duckdb, snowflake
-- table: shop.orders (id, amount, rate)
SELECT * REPLACE (amount * rate AS amount) FROM shop.orders
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount, shop.orders.rate
-- expect: rate <- shop.orders.rate

-- case: EXCEPT and REPLACE together
-- dialect: bigquery
-- table: shop.orders (id, amount, rate, secret)
SELECT o.* EXCEPT (secret, rate) REPLACE (amount * rate AS amount) FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount, shop.orders.rate

-- case: RENAME gives a column of the star another name
-- dialect: snowflake
-- table: shop.orders (id, amount)
SELECT * RENAME (amount AS total) FROM shop.orders
-- expect: id <- shop.orders.id
-- expect: total <- shop.orders.amount

-- case: EXCLUDE before RENAME
-- dialect: snowflake
-- table: shop.orders (id, amount, secret)
SELECT o.* EXCLUDE secret RENAME amount AS total FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: total <- shop.orders.amount

-- case: a star merged by USING shows the joined column once
-- dialect: postgres, mysql, duckdb, trino, snowflake, sqlite, spark, bigquery, redshift
-- table: shop.orders (id, customer_id)
-- table: crm.customers (customer_id, name)
SELECT * FROM shop.orders JOIN crm.customers USING (customer_id)
-- expect: customer_id <- shop.orders.customer_id, crm.customers.customer_id
-- expect: id <- shop.orders.id
-- expect: name <- crm.customers.name

-- case: COLUMNS with a pattern picks the columns that match
-- dialect: duckdb
-- table: shop.orders (id, amount_net, amount_gross)
SELECT COLUMNS('amount_.*') FROM shop.orders
-- expect: amount_net <- shop.orders.amount_net
-- expect: amount_gross <- shop.orders.amount_gross

-- case: ILIKE behind a star picks by pattern
-- dialect: snowflake
-- table: shop.orders (id, amount_net, amount_gross)
SELECT * ILIKE '%net%' FROM shop.orders
-- expect: amount_net <- shop.orders.amount_net

-- case: a star in a CTE with EXCLUDE over an unknown table, then a named column
-- dialect: snowflake, duckdb
WITH o AS (SELECT * EXCLUDE (secret) FROM shop.orders) SELECT o.amount FROM o
-- expect: amount <- shop.orders.amount

-- case: two stars in one list
-- dialect: all
-- table: a.t (x)
-- table: b.u (y)
SELECT t.*, u.* FROM a.t t CROSS JOIN b.u u
-- expect: x <- a.t.x
-- expect: y <- b.u.y

-- case: a star of a struct column gives its fields
-- dialect: bigquery
-- table: shop.orders (id, customer)
SELECT o.id, o.customer.name FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: name <- shop.orders."customer.name"

-- case: COLUMNS inside a function is one output for each column
-- dialect: duckdb
-- table: s.o (id, a, b)
SELECT MIN(COLUMNS(*)), COALESCE(COLUMNS(* EXCLUDE (id)), 0) FROM s.o
-- expect: id <- s.o.id AGGREGATED
-- expect: a <- s.o.a AGGREGATED
-- expect: b <- s.o.b AGGREGATED
-- expect: a <- s.o.a TRANSFORMED
-- expect: b <- s.o.b TRANSFORMED

-- case: a star leaves out columns that the table hides, and INSERT without a list does not fill them
-- dialect: tsql
CREATE TABLE shop.e (id INT, since DATETIME2 GENERATED ALWAYS AS ROW START HIDDEN, until DATETIME2 GENERATED ALWAYS AS ROW END HIDDEN, v INT, PERIOD FOR SYSTEM_TIME (since, until));
INSERT INTO shop.e SELECT s.a, s.b FROM raw.s s;
INSERT INTO mart.e SELECT *, e.since FROM shop.e e
-- expect: shop.e.id <- raw.s.a
-- expect: shop.e.v <- raw.s.b
-- expect: mart.e.id <- shop.e.id
-- expect: mart.e.v <- shop.e.v
-- expect: mart.e.since <- shop.e.since

-- case: a star leaves out invisible columns, through a derived table as well
-- dialect: mysql, mariadb, oracle
CREATE TABLE shop.e (id INT, note VARCHAR(9) INVISIBLE, v INT);
INSERT INTO mart.e (a, b) SELECT * FROM (SELECT * FROM shop.e) x;
INSERT INTO mart.f (n) SELECT note FROM shop.e
-- expect: mart.e.a <- shop.e.id
-- expect: mart.e.b <- shop.e.v
-- expect: mart.f.n <- shop.e.note
-- outputs: shop.e, mart.e, mart.f

-- case: a star leaves out what the database computes
-- dialect: clickhouse
CREATE TABLE shop.e (ts DateTime, day Date MATERIALIZED toDate(ts), label String ALIAS toString(ts), v Int8, PROJECTION p (SELECT v, count() GROUP BY v)) ENGINE = MergeTree ORDER BY ts;
ALTER TABLE shop.e ADD PROJECTION q (SELECT ts, count() GROUP BY ts);
INSERT INTO mart.e SELECT * FROM shop.e;
INSERT INTO mart.d (d) SELECT day FROM shop.e
-- expect: shop.e.day <- shop.e.ts
-- expect: shop.e.label <- shop.e.ts
-- expect: mart.e.ts <- shop.e.ts
-- expect: mart.e.v <- shop.e.v
-- expect: mart.d.d <- shop.e.day

-- case: versions of a table are no column of it
-- dialect: db2
CREATE TABLE shop.e (id INT, v INT, since TIMESTAMP GENERATED ALWAYS AS ROW BEGIN IMPLICITLY HIDDEN, until TIMESTAMP GENERATED ALWAYS AS ROW END, PERIOD SYSTEM_TIME (since, until));
ALTER TABLE shop.e ADD VERSIONING USE HISTORY TABLE shop.e_history;
INSERT INTO mart.e SELECT * FROM shop.e
-- expect: mart.e.id <- shop.e.id
-- expect: mart.e.v <- shop.e.v
-- expect: mart.e.until <- shop.e.until
-- outputs: shop.e, mart.e
