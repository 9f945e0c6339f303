-- case: SEL, locking and qualified stars
-- dialect: teradata
LOCKING TABLE shop.orders FOR ACCESS SEL o.id, o.amount FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: a title and a format behind a column
-- dialect: teradata
SELECT o.amount (TITLE 'Amount') AS amount, o.day (FORMAT 'YYYY-MM-DD') AS d FROM shop.orders o
-- expect: amount <- shop.orders.amount
-- expect: d <- shop.orders.day

-- case: a volatile table is temporary
-- dialect: teradata
CREATE VOLATILE TABLE v AS (SELECT o.id AS k FROM shop.orders o) WITH DATA ON COMMIT PRESERVE ROWS;
INSERT INTO mart.sales (k) SELECT v.k FROM v
-- expect: mart.sales.k <- shop.orders.id

-- case: a declared global temporary table
-- dialect: db2
DECLARE GLOBAL TEMPORARY TABLE session.t AS (SELECT o.id AS k FROM shop.orders o) WITH DATA;
INSERT INTO mart.sales (k) SELECT t.k FROM session.t t
-- expect: mart.sales.k <- shop.orders.id

-- case: labels and isolation behind the query
-- dialect: db2
SELECT o.id FROM shop.orders o WHERE o.x = 1 FETCH FIRST 5 ROWS ONLY WITH UR
-- expect: id <- shop.orders.id

-- case: ON COMMIT and segmentation
-- dialect: vertica
CREATE TABLE mart.sales AS SELECT o.id AS k FROM shop.orders o ORDER BY k SEGMENTED BY HASH(k) ALL NODES
-- expect: mart.sales.k <- shop.orders.id

-- case: COPY of local files
-- dialect: vertica
COPY raw.orders (id, amount) FROM '/data/orders.csv' DELIMITER ','
-- inputs: "/data/orders.csv"
-- outputs: raw.orders

-- case: IMPORT from a file
-- dialect: exasol
IMPORT INTO raw.orders FROM LOCAL CSV FILE 'orders.csv'
-- expect: raw.orders.* <- "orders.csv".*
-- inputs: "orders.csv"
-- outputs: raw.orders

-- case: EXPORT of a query
-- dialect: exasol
EXPORT (SELECT o.id FROM shop.orders o) INTO LOCAL CSV FILE 'orders.csv'
-- inputs: shop.orders
-- outputs: "orders.csv"
-- expect: "orders.csv".id <- shop.orders.id

-- case: UPSERT is an insert
-- dialect: impala
UPSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: COMPUTE STATS moves nothing
-- dialect: impala
COMPUTE STATS shop.orders;
INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: a source and a view over it
-- dialect: materialize
CREATE MATERIALIZED VIEW mart.totals IN CLUSTER c AS SELECT o.country, sum(o.amount) AS total FROM shop.orders o GROUP BY o.country
-- expect: mart.totals.country <- shop.orders.country
-- expect: mart.totals.total <- shop.orders.amount

-- case: SUBSCRIBE reads its view
-- dialect: materialize
SUBSCRIBE (SELECT o.id FROM shop.orders o)
-- inputs: shop.orders
-- outputs: nothing

-- case: a table with its model and properties
-- dialect: doris, starrocks
CREATE TABLE mart.sales DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 8 PROPERTIES ("replication_num" = "1") AS SELECT o.id AS k FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: INSERT OVERWRITE
-- dialect: starrocks, doris
INSERT OVERWRITE mart.sales SELECT o.id AS k FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: INSERT OR REPLACE and OR IGNORE
-- dialect: sqlite
INSERT OR REPLACE INTO mart.sales (k) SELECT o.id FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: UPDATE OR IGNORE
-- dialect: sqlite
UPDATE OR IGNORE mart.sales SET v = k + 1
-- expect: mart.sales.v <- mart.sales.k

-- case: an attached database's table
-- dialect: sqlite
ATTACH DATABASE 'other.db' AS other;
INSERT INTO main.sales (k) SELECT o.id FROM other.orders o
-- expect: main.sales.k <- other.orders.id

-- case: INSERT SET
-- dialect: mysql, mariadb
INSERT INTO mart.sales SET k = 1, v = (SELECT MAX(o.amount) FROM shop.orders o)
-- expect: mart.sales.k <- nothing
-- expect: mart.sales.v <- shop.orders.amount

-- case: the row alias of an upsert
-- dialect: mysql
INSERT INTO mart.sales (k, v) SELECT o.id, o.amount FROM shop.orders o ON DUPLICATE KEY UPDATE v = VALUES(v) + mart.sales.v
-- expect: mart.sales.k <- shop.orders.id
-- expect: mart.sales.v <- shop.orders.amount, mart.sales.v
-- inputs: shop.orders

-- case: a generated series and RETURNING
-- dialect: greenplum
CREATE TABLE mart.sales AS SELECT o.id AS k FROM shop.orders o DISTRIBUTED BY (k)
-- expect: mart.sales.k <- shop.orders.id

-- case: an external table over a location
-- dialect: greenplum
CREATE EXTERNAL TABLE raw.orders (id int, amount int) LOCATION ('gpfdist://host/orders.csv') FORMAT 'CSV'
-- inputs: "gpfdist://host/orders.csv"
-- outputs: raw.orders

-- case: EXCLUDE behind the list
-- dialect: redshift
-- table: shop.orders (id, amount, secret)
SELECT o.id AS k, o.* EXCLUDE (secret, id) FROM shop.orders o
-- expect: k <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: late binding and a super path
-- dialect: redshift
SELECT o.doc.customer.name AS name, o.doc.items[0].sku AS sku FROM shop.orders o
-- expect: name <- shop.orders."doc.customer.name"
-- expect: sku <- shop.orders."doc.items"

-- case: a federated table in three parts
-- dialect: trino, presto
INSERT INTO lake.mart.sales (k) SELECT o.id FROM pg.shop.orders o
-- expect: lake.mart.sales.k <- pg.shop.orders.id

-- case: TRY, casts to rows, and fields of them
-- dialect: trino
SELECT TRY(o.a / o.b) AS q, CAST(ROW(o.x, o.y) AS ROW(p BIGINT, q BIGINT)).p AS p FROM shop.orders o
-- expect: q <- shop.orders.a, shop.orders.b
-- expect: p <- shop.orders.x, shop.orders.y

-- case: a table in partitions, named by a dollar
-- dialect: trino
SELECT p.ds FROM lake."orders$partitions" p
-- expect: ds <- lake.orders$partitions.ds

-- case: a trigger changes the row that is written
-- dialect: mysql
CREATE TRIGGER b BEFORE INSERT ON shop.orders FOR EACH ROW SET NEW.total = NEW.qty * NEW.price, NEW.c = (SELECT c.code FROM shop.c)
-- expect: shop.orders.total <- shop.orders.qty, shop.orders.price
-- expect: shop.orders.c <- shop.c.code
-- inputs: shop.c

-- case: changes applied by a pipeline
-- dialect: databricks
APPLY CHANGES INTO LIVE.tgt FROM STREAM(LIVE.src) KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY ts COLUMNS * EXCEPT (op, ts) STORED AS SCD TYPE 2;
CREATE FLOW f AS AUTO CDC INTO tgt2 FROM stream(src2) KEYS (id) SEQUENCE BY ts COLUMNS (id, v) STORED AS SCD TYPE 1;
CREATE FLOW g AS INSERT INTO tgt3 BY NAME SELECT a, b FROM STREAM src3;
CREATE OR REFRESH STREAMING TABLE st AS SELECT a, b FROM STREAM read_files('/mnt/x', format => 'json');
-- expect: tgt.* <- src.*
-- expect: tgt2.id <- src2.id
-- expect: tgt2.v <- src2.v
-- expect: tgt3.a <- src3.a
-- expect: tgt3.b <- src3.b
-- expect: st.a <- "/mnt/x".a
-- expect: st.b <- "/mnt/x".b

-- case: clones and reads of a version
-- dialect: databricks
CREATE TABLE mart.t DEEP CLONE raw.s VERSION AS OF 3 LOCATION '/x'; INSERT INTO mart.u SELECT o.id FROM raw.orders@v3 o
-- expect: mart.t.* <- raw.s.*
-- expect: mart.u.id <- raw.orders.id
-- inputs: raw.s, "/x", raw.orders

-- case: a function whose body stands between dollars
-- dialect: databricks
CREATE FUNCTION mart.g(x STRING) RETURNS STRING LANGUAGE PYTHON AS $$ return x or "'" $$; INSERT INTO mart.u SELECT mart.g(o.a) AS a FROM raw.orders o
-- expect: mart.u.a <- raw.orders.a

-- case: columns by a pattern in backticks
-- dialect: hive
-- table: raw.t (id, ds, hr, v)
SELECT `(ds|hr)?+.+` FROM raw.t
-- expect: id <- raw.t.id
-- expect: v <- raw.t.v

-- case: columns as a file has them
-- dialect: impala
CREATE TABLE mart.p LIKE PARQUET '/x/y.parq' STORED AS PARQUET
-- inputs: "/x/y.parq"
-- outputs: mart.p
