-- case: a temporary table folds into its reader
-- dialect: postgres, snowflake, redshift, duckdb, mysql
CREATE TEMPORARY TABLE t AS SELECT o.id, o.amount * o.rate AS eur FROM shop.orders o;
INSERT INTO mart.sales (order_id, total) SELECT id, eur FROM t
-- expect: mart.sales.order_id <- shop.orders.id IDENTITY
-- expect: mart.sales.total <- shop.orders.amount TRANSFORMED, shop.orders.rate TRANSFORMED
-- statements: ctas, insert

-- case: a chain of three temporary tables
-- dialect: postgres, snowflake, redshift
CREATE TEMP TABLE a AS SELECT id AS x FROM shop.orders;
CREATE TEMP TABLE b AS SELECT x AS y FROM a;
CREATE TEMP TABLE c AS SELECT y AS z FROM b;
INSERT INTO mart.sales (order_id) SELECT z FROM c
-- expect: mart.sales.order_id <- shop.orders.id IDENTITY

-- case: a hash name is a temporary table
-- dialect: tsql
SELECT o.id, o.amount INTO #t FROM shop.orders o;
INSERT INTO mart.sales (order_id, total) SELECT id, amount FROM #t
-- expect: mart.sales.order_id <- shop.orders.id
-- expect: mart.sales.total <- shop.orders.amount

-- case: a temporary table filled in two steps has both sources
-- dialect: postgres, snowflake, redshift
CREATE TEMP TABLE t (id INT, v INT);
INSERT INTO t SELECT o.id, o.a FROM shop.orders o;
INSERT INTO t SELECT r.id, r.b FROM shop.returns r;
INSERT INTO mart.sales (order_id, total) SELECT id, v FROM t
-- expect: mart.sales.order_id <- shop.orders.id, shop.returns.id
-- expect: mart.sales.total <- shop.orders.a, shop.returns.b

-- case: an UPDATE of a temporary table adds its source
-- dialect: postgres, snowflake
CREATE TEMP TABLE t AS SELECT o.id, o.amount AS v FROM shop.orders o;
UPDATE t SET v = r.rate FROM fx.rates r WHERE r.id = t.id;
INSERT INTO mart.sales (total) SELECT v FROM t
-- expect: mart.sales.total <- shop.orders.amount, fx.rates.rate

-- case: the definition current at the read wins
-- dialect: snowflake, postgres
CREATE TEMP TABLE t AS SELECT o.id AS k FROM shop.orders o;
INSERT INTO mart.a (k) SELECT k FROM t;
DROP TABLE t;
CREATE TEMP TABLE t AS SELECT i.id AS k FROM shop.items i;
INSERT INTO mart.b (k) SELECT k FROM t
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.b.k <- shop.items.id

-- case: two permanent steps stay two edges
-- dialect: all but oracle, tsql, teradata, db2
CREATE TABLE mart.a AS SELECT o.id AS k FROM shop.orders o;
CREATE TABLE mart.b AS SELECT a.k AS key FROM mart.a a
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.b.key <- mart.a.k

-- case: a table made before gives its columns to a later star
-- dialect: postgres, snowflake, bigquery, mysql, spark
CREATE TABLE mart.a AS SELECT o.id AS k, o.amount AS v FROM shop.orders o;
CREATE TABLE mart.b AS SELECT * FROM mart.a
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.a.v <- shop.orders.amount
-- expect: mart.b.k <- mart.a.k
-- expect: mart.b.v <- mart.a.v

-- case: DDL teaches the order for an INSERT without a list
-- dialect: all
CREATE TABLE mart.sales (order_id INTEGER, total INTEGER);
INSERT INTO mart.sales SELECT o.nr, o.amount FROM shop.orders o
-- expect: mart.sales.order_id <- shop.orders.nr
-- expect: mart.sales.total <- shop.orders.amount

-- case: a column added later takes part in the star
-- dialect: postgres, snowflake, mysql
CREATE TABLE mart.a (k INTEGER);
ALTER TABLE mart.a ADD COLUMN v INTEGER;
CREATE TABLE mart.b AS SELECT * FROM mart.a
-- expect: mart.b.k <- mart.a.k
-- expect: mart.b.v <- mart.a.v
-- outputs: mart.a, mart.b

-- case: a swap exchanges what was built
-- dialect: snowflake
CREATE TABLE mart.new AS SELECT o.id AS k FROM shop.orders o;
ALTER TABLE mart.live SWAP WITH mart.new
-- expect: mart.live.k <- shop.orders.id

-- case: build under another name, then rename
-- dialect: postgres, redshift, snowflake
CREATE TABLE mart.sales_new AS SELECT o.id AS k FROM shop.orders o;
DROP TABLE mart.sales;
ALTER TABLE mart.sales_new RENAME TO sales
-- expect: mart.sales.k <- shop.orders.id

-- case: RENAME TABLE of two at once
-- dialect: mysql, mariadb
CREATE TABLE mart.fresh AS SELECT o.id AS k FROM shop.orders o;
RENAME TABLE mart.sales TO mart.old, mart.fresh TO mart.sales
-- expect: mart.sales.k <- shop.orders.id

-- case: USE puts a database in front
-- dialect: snowflake
USE DATABASE dwh;
USE SCHEMA shop;
CREATE TABLE mart.a AS SELECT id AS k FROM orders
-- expect: dwh.mart.a.k <- dwh.shop.orders.id

-- case: USE between statements changes only what follows
-- dialect: mysql, hive
CREATE TABLE mart.a AS SELECT o.id AS k FROM one.t o;
USE two;
CREATE TABLE mart.b AS SELECT t.id AS k FROM t
-- expect: mart.a.k <- one.t.id
-- expect: mart.b.k <- two.t.id

-- case: SET search_path
-- dialect: postgres, redshift
SET search_path TO shop, public;
CREATE TABLE mart.a AS SELECT id AS k FROM orders
-- expect: mart.a.k <- shop.orders.id

-- case: intermediates by sqllineage's rules
-- dialect: ansi
-- profile: sqllineage
INSERT INTO mart.a SELECT o.id FROM shop.orders o;
INSERT INTO mart.b SELECT a.id FROM mart.a a
-- expect: mart.b.id <- shop.orders.id
-- inputs: shop.orders
-- outputs: mart.b
-- intermediates: mart.a

-- case: a table written before is no input by OpenLineage's rules
-- dialect: postgres
-- profile: openlineage
INSERT INTO mart.a (k) SELECT o.id FROM shop.orders o;
INSERT INTO mart.b (k) SELECT a.k FROM mart.a a
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.b.k <- mart.a.k
-- inputs: shop.orders

-- case: independent statements each keep their own
-- dialect: all
INSERT INTO mart.a (x) SELECT o.id FROM shop.orders o;
INSERT INTO mart.b (y) SELECT i.id FROM shop.items i
-- expect: mart.a.x <- shop.orders.id
-- expect: mart.b.y <- shop.items.id

-- case: a broken statement does not sink the next
-- dialect: postgres, snowflake, tsql
FROB THE KNOB 7;
INSERT INTO mart.b (y) SELECT i.id FROM shop.items i
-- expect: mart.b.y <- shop.items.id
-- diagnostic: UNKNOWN_STATEMENT

-- case: a table variable is a temporary table
-- dialect: tsql
DECLARE @t TABLE (id INT, v INT);
INSERT INTO @t SELECT o.id, o.amount FROM shop.orders o;
INSERT INTO mart.sales (k, total) SELECT id, v FROM @t
-- expect: mart.sales.k <- shop.orders.id
-- expect: mart.sales.total <- shop.orders.amount

-- case: OUTPUT INTO carries deleted rows on
-- dialect: tsql
DELETE FROM shop.cart OUTPUT deleted.id, deleted.item INTO shop.archive (cart_id, item) WHERE old = 1
-- expect: shop.archive.cart_id <- shop.cart.id
-- expect: shop.archive.item <- shop.cart.item
-- outputs: shop.archive, shop.cart

-- case: a partition exchanged with a table
-- dialect: oracle
ALTER TABLE mart.sales EXCHANGE PARTITION p1 WITH TABLE stage.sales
-- expect: mart.sales."*" <- stage.sales."*"
-- expect: stage.sales."*" <- mart.sales."*"

-- case: rows appended from one table to another
-- dialect: redshift
ALTER TABLE mart.sales APPEND FROM stage.sales
-- expect: mart.sales."*" <- stage.sales."*"

-- case: a temporary table that is changed in place: its own columns are what filled them so far
-- dialect: tsql
SELECT id, v, w INTO #s FROM raw.t;
UPDATE #s SET v = v * 2;
UPDATE s SET s.v = s.w + u.x FROM #s s JOIN raw.u u ON u.id = s.id;
INSERT INTO mart.m (id, v) SELECT id, v FROM #s;
-- expect: mart.m.id <- raw.t.id
-- expect: mart.m.v <- raw.t.v, raw.t.w, raw.u.x
-- inputs: raw.t, raw.u
-- outputs: mart.m

-- case: MERGE into a temporary table fills it, in both branches
-- dialect: postgres, ansi
CREATE TEMP TABLE s AS SELECT id, v FROM raw.t;
MERGE INTO s USING raw.u u ON u.id = s.id
WHEN MATCHED THEN UPDATE SET v = s.v + u.w
WHEN NOT MATCHED THEN INSERT (id, v) VALUES (u.id, u.first);
INSERT INTO mart.m (id, v) SELECT id, v FROM s;
-- expect: mart.m.id <- raw.t.id, raw.u.id
-- expect: mart.m.v <- raw.t.v, raw.u.w, raw.u.first
-- inputs: raw.t, raw.u
-- outputs: mart.m

-- case: sqllineage's outputs keep a column of an intermediate that nothing reads on
-- dialect: ansi
-- profile: sqllineage
INSERT INTO mart.a SELECT o.id, o.amount FROM shop.orders o;
INSERT INTO mart.b SELECT a.id AS k FROM mart.a a
-- expect: mart.a.amount <- shop.orders.amount
-- expect: mart.b.k <- shop.orders.id
-- inputs: shop.orders
-- outputs: mart.b
-- intermediates: mart.a

-- case: by sqllineage's rules rows of constants, or a definition, make an output that stays one
-- dialect: ansi
-- profile: sqllineage
CREATE TABLE mart.a (id INT);
INSERT INTO mart.b SELECT a.id FROM mart.a a
-- expect: mart.b.id <- mart.a.id
-- inputs: mart.a
-- outputs: mart.a, mart.b

-- case: by sqllineage's rules a bare query makes an input of what an earlier statement wrote
-- dialect: ansi
-- profile: sqllineage
INSERT INTO mart.a SELECT o.id FROM shop.orders o;
SELECT a.id FROM mart.a a
-- expect: mart.a.id <- shop.orders.id
-- expect: id <- mart.a.id
-- inputs: mart.a, shop.orders
-- outputs: mart.a

-- case: by sqllineage's rules the columns of a routine's statements are followed, its tables are not summed
-- dialect: tsql
-- profile: sqllineage
CREATE PROCEDURE dbo.load AS
BEGIN
  DELETE FROM mart.old;
  INSERT INTO mart.a (k) SELECT o.id FROM shop.orders o;
  INSERT INTO mart.b (n) SELECT a.k + 1 FROM mart.a a;
END
-- expect: mart.b.n <- shop.orders.id
-- inputs: mart.a, shop.orders
-- outputs: mart.a, mart.b
-- statements: routine

-- case: one statement's assignments are not followed into each other
-- dialect: postgres
-- profile: sqllineage
UPDATE mart.a SET x = b.x, y = a.x FROM shop.b b WHERE b.id = a.id;
INSERT INTO mart.c SELECT a.y FROM mart.a a
-- expect: mart.a.x <- shop.b.x
-- expect: mart.c.y <- mart.a.x
-- inputs: shop.b
-- outputs: mart.c
-- intermediates: mart.a

-- case: Hive's exchange takes the other table's partition
-- dialect: hive, spark
ALTER TABLE mart.sales EXCHANGE PARTITION (ds = '2024-01-01') WITH TABLE stage.sales
-- expect: mart.sales.* <- stage.sales.*

-- case: an exchange by sqllineage's rules goes one way
-- dialect: mysql, oracle
-- profile: sqllineage
ALTER TABLE mart.sales EXCHANGE PARTITION p1 WITH TABLE stage.sales
-- expect: mart.sales.* <- stage.sales.*

-- case: a swap that nothing else touches is a flow by sqllineage's rules
-- dialect: snowflake
-- profile: sqllineage
INSERT INTO mart.a SELECT o.id FROM shop.orders o;
ALTER TABLE mart.b SWAP WITH mart.c
-- expect: mart.a.id <- shop.orders.id
-- inputs: mart.c, shop.orders
-- outputs: mart.a, mart.b

-- case: CACHE and LOCATION are nothing by sqllineage's rules
-- dialect: spark, databricks
-- profile: sqllineage
CACHE TABLE hot AS SELECT o.id FROM shop.orders o;
CREATE TABLE raw.events (id INT) LOCATION '/data/events';
INSERT INTO mart.a SELECT h.id FROM hot h
-- expect: mart.a.id <- hot.id
-- outputs: mart.a, raw.events

-- case: under OpenLineage's rules a table that only constants were written to, or rows deleted from, is read still
-- dialect: postgres, tsql
-- profile: openlineage
DELETE FROM shop.orders WHERE id = 1;
UPDATE shop.parts SET n = 0;
INSERT INTO mart.sales (id, n) SELECT o.id, p.n FROM shop.orders o JOIN shop.parts p ON p.id = o.part
-- expect: shop.parts.n <- nothing
-- expect: mart.sales.id <- shop.orders.id
-- expect: mart.sales.n <- shop.parts.n
-- inputs: shop.orders, shop.parts
-- outputs: shop.orders, shop.parts, mart.sales

-- case: DATABASE is SCHEMA below a catalog; the schema alone is named anew
-- dialect: databricks, spark
USE CATALOG main;
USE DATABASE shop;
CREATE TABLE a AS SELECT id FROM orders JOIN raw.parts USING (id);
USE mart;
CREATE TABLE b AS SELECT id FROM a
-- expect: main.shop.a.id <- main.shop.orders.id, main.raw.parts.id
-- expect: main.mart.b.id <- main.mart.a.id

-- case: USE names the database above the schemas
-- dialect: redshift, tsql
USE dwh;
CREATE TABLE mart.a AS SELECT o.id FROM shop.orders o
-- expect: dwh.mart.a.id <- dwh.shop.orders.id
