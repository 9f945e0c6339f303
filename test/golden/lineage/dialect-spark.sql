-- case: INSERT INTO TABLE with a static and a dynamic partition
-- dialect: spark, hive
INSERT INTO TABLE mart.sales PARTITION (country = 'NO', ds) SELECT o.id, o.amount, o.day FROM shop.orders o
-- expect: mart.sales.id <- shop.orders.id
-- expect: mart.sales.amount <- shop.orders.amount
-- expect: mart.sales.ds <- shop.orders.day

-- case: a table USING a format as a query
-- dialect: spark, databricks
CREATE TABLE mart.sales USING DELTA PARTITIONED BY (day) AS SELECT o.id, o.day FROM shop.orders o
-- expect: mart.sales.id <- shop.orders.id
-- expect: mart.sales.day <- shop.orders.day

-- case: a temporary view feeds an insert
-- dialect: spark, databricks
CREATE OR REPLACE TEMPORARY VIEW v AS SELECT o.id AS k FROM shop.orders o;
INSERT INTO mart.sales SELECT v.k FROM v
-- expect: mart.sales.k <- shop.orders.id

-- case: CACHE TABLE AS is a temporary table
-- dialect: spark
CACHE TABLE t AS SELECT o.id AS k FROM shop.orders o;
INSERT INTO mart.sales SELECT t.k FROM t
-- expect: mart.sales.k <- shop.orders.id

-- case: higher-order functions over structs
-- dialect: spark, databricks
SELECT aggregate(o.items, 0, (acc, x) -> acc + x.price * o.rate) AS total, filter(o.tags, t -> t <> o.bad) AS tags FROM shop.orders o
-- expect: total <- shop.orders.items, shop.orders.rate
-- expect: tags <- shop.orders.tags, shop.orders.bad

-- case: inline() gives the fields of an array of structs
-- dialect: spark, databricks, hive
SELECT o.id, i.sku, i.qty FROM shop.orders o LATERAL VIEW inline(o.items) i AS sku, qty
-- expect: id <- shop.orders.id
-- expect: sku <- shop.orders.items
-- expect: qty <- shop.orders.items

-- case: DISTRIBUTE BY and SORT BY are no values
-- dialect: spark, hive
SELECT o.id FROM shop.orders o DISTRIBUTE BY o.country SORT BY o.day
-- expect: id <- shop.orders.id

-- case: TRANSFORM reads its columns
-- dialect: hive, spark
SELECT TRANSFORM (o.id, o.amount) USING 'script.py' AS (k, v) FROM shop.orders o
-- expect: k <- shop.orders.id, shop.orders.amount
-- expect: v <- shop.orders.id, shop.orders.amount

-- case: a regular expression in backticks is a name here
-- dialect: spark
SELECT o.`a.b` AS ab FROM shop.orders o
-- expect: ab <- shop.orders."a.b"

-- case: CREATE TABLE LIKE
-- dialect: hive, impala, spark
CREATE TABLE mart.copy LIKE shop.orders
-- inputs: shop.orders
-- outputs: mart.copy

-- case: MSCK, REFRESH and ANALYZE move nothing
-- dialect: spark, impala, databricks
REFRESH TABLE shop.orders;
INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: a live table of a pipeline
-- dialect: databricks
CREATE OR REFRESH STREAMING TABLE mart.sales AS SELECT o.id AS k FROM STREAM(shop.orders) o
-- expect: mart.sales.k <- shop.orders.id

-- case: a function that makes rows names its column
-- dialect: spark, databricks
SELECT EXPLODE(o.items) FROM s.o o
-- expect: col <- s.o.items

-- case: a function that makes several columns names them all
-- dialect: spark, databricks
SELECT POSEXPLODE(o.items), o.id FROM s.o o UNION ALL SELECT 1, 'x', 2
-- expect: pos <- nothing
-- expect: col <- s.o.items
-- expect: id <- s.o.id

-- case: Hive names the position's value val
-- dialect: hive
SELECT POSEXPLODE(o.items) FROM s.o o
-- expect: pos <- nothing
-- expect: val <- s.o.items

-- case: STACK and JSON_TUPLE count their columns
-- dialect: spark, databricks, hive
SELECT x.c1, y.col1 FROM (SELECT JSON_TUPLE(o.doc, 'a,b', 'c') FROM s.o o) x, (SELECT STACK(2, 'p', p.a, 'q', p.b) FROM s.p p) y
-- expect: c1 <- s.o.doc
-- expect: col1 <- s.p.a, s.p.b

-- case: the column of a function in FROM does not take the alias
-- dialect: spark, databricks
SELECT v.col, r.id FROM s.o o, LATERAL EXPLODE(o.items) v, RANGE(3) r
-- expect: col <- s.o.items
-- expect: id <- nothing

-- case: rows that match are replaced
-- dialect: databricks
-- table: mart.t (a, b)
INSERT INTO mart.t AS t REPLACE ON t.a = s.x (SELECT o.x, o.y FROM raw.o o) AS s
-- expect: mart.t.a <- raw.o.x
-- expect: mart.t.b <- raw.o.y

-- case: a measure of a metric view aggregates
-- dialect: databricks
SELECT m.region, MEASURE(m.revenue) AS r FROM mart.metrics m GROUP BY ALL
-- expect: region <- mart.metrics.region IDENTITY
-- expect: r <- mart.metrics.revenue AGGREGATED

-- case: versions of tables
-- dialect: spark, databricks
SELECT a.x FROM raw.a@v3 a JOIN raw.b FOR SYSTEM_VERSION AS OF 3 AS b ON b.k = a.k
-- expect: x <- raw.a.x
-- inputs: raw.a, raw.b

-- case: a recursion with its level
-- dialect: databricks
WITH RECURSIVE r (n, label) MAX RECURSION LEVEL 100 AS (SELECT o.id, o.name FROM raw.o o UNION ALL SELECT n + 1, label FROM r WHERE n < 5) SELECT n, label FROM r
-- expect: n <- raw.o.id
-- expect: label <- raw.o.name

-- case: an INSERT into a folder behind another INSERT
-- dialect: hive
FROM (SELECT a.id, a.tags FROM raw.a a) x LATERAL VIEW explode(x.tags) t AS tag INSERT OVERWRITE DIRECTORY '/out/d' SELECT x.id, tag INSERT INTO TABLE mart.b SELECT tag
-- expect: /out/d.id <- raw.a.id
-- expect: /out/d.tag <- raw.a.tags
-- expect: mart.b.tag <- raw.a.tags

-- case: columns of a script without parentheses
-- dialect: hive, spark
SELECT TRANSFORM (o.id, o.amount) USING 'script.py' AS k, v FROM shop.orders o
-- expect: k <- shop.orders.id, shop.orders.amount
-- expect: v <- shop.orders.id, shop.orders.amount

-- case: words that Hive gives
-- dialect: hive, spark
-- table: raw.o (a, b)
SELECT a, grouping__id AS g, INPUT__FILE__NAME AS f FROM raw.o GROUP BY a, b GROUPING SETS ((a, b), a)
-- expect: a <- raw.o.a
-- expect: g <- nothing
-- expect: f <- nothing

-- case: what stack makes of each argument
-- dialect: spark, databricks, hive
SELECT stack(2, 'x', o.x, 'y', o.y) AS (name, val) FROM shop.orders o
-- expect: name <- nothing
-- expect: val <- shop.orders.x, shop.orders.y

-- case: what stack makes of each argument, beside the table
-- dialect: spark, databricks, hive
SELECT s.name, s.val FROM shop.orders o LATERAL VIEW stack(2, 'x', o.x, 'y', o.y) s AS name, val
-- expect: name <- nothing
-- expect: val <- shop.orders.x, shop.orders.y

-- case: positions come from nothing
-- dialect: spark, databricks, hive
SELECT posexplode(o.items) AS (i, item) FROM shop.orders o
-- expect: i <- nothing
-- expect: item <- shop.orders.items

-- case: columns of json_tuple without names
-- dialect: spark, databricks, hive
-- table: shop.orders (id, doc)
SELECT * FROM shop.orders LATERAL VIEW json_tuple(doc, 'a', 'b') j
-- expect: id <- shop.orders.id
-- expect: doc <- shop.orders.doc
-- expect: c0 <- shop.orders.doc
-- expect: c1 <- shop.orders.doc

-- case: a window of time that GROUP BY makes
-- dialect: spark, databricks
SELECT window.start, window.end AS until, sum(o.amount) AS total FROM shop.orders o GROUP BY window(o.ts, '1 hour')
-- expect: start <- shop.orders.ts
-- expect: until <- shop.orders.ts
-- expect: total <- shop.orders.amount

-- case: a script gives a key and a value
-- dialect: spark, databricks, hive
SELECT TRANSFORM (o.id, o.note) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' USING 'cat' FROM shop.orders o
-- expect: key <- shop.orders.id, shop.orders.note
-- expect: value <- shop.orders.id, shop.orders.note

-- case: MAP and REDUCE
-- dialect: spark, databricks, hive
FROM (FROM shop.orders o MAP o.id, o.note USING 'map.py' AS word, n CLUSTER BY word) m REDUCE m.word, m.n USING 'reduce.py' AS (word STRING, total INT)
-- expect: word <- shop.orders.id, shop.orders.note
-- expect: total <- shop.orders.id, shop.orders.note

-- case: rows without parentheses
-- dialect: spark, databricks
SELECT v.n FROM VALUES 1, 2 AS v(n)
-- expect: n <- nothing

-- case: adding a partition adds no column
-- dialect: hive, spark, databricks
CREATE TABLE raw.logs (id INT, url STRING) PARTITIONED BY (dt STRING);
ALTER TABLE raw.logs ADD IF NOT EXISTS PARTITION (dt = '2024-01-01') LOCATION '/data/x';
ALTER TABLE raw.logs ADD COLUMNS (n INT);
INSERT INTO mart.a SELECT * FROM raw.logs;
-- expect: mart.a.id <- raw.logs.id
-- expect: mart.a.url <- raw.logs.url
-- expect: mart.a.dt <- raw.logs.dt
-- expect: mart.a.n <- raw.logs.n
-- inputs: raw.logs
-- outputs: raw.logs, mart.a

-- case: REPLACE WHERE, REPLACE USING, REPLACE ON
-- dialect: databricks
INSERT INTO TABLE mart.t REPLACE WHERE day >= '2020-01-01' SELECT o.id, o.day FROM raw.o o;
INSERT INTO mart.u REPLACE USING (id, day) SELECT o.id, o.day, o.v FROM raw.o o;
INSERT INTO mart.w BY NAME REPLACE ON (w.id = s.id) (SELECT p.id, p.z FROM raw.p p) AS s
-- expect: mart.t.id <- raw.o.id
-- expect: mart.t.day <- raw.o.day
-- expect: mart.u.id <- raw.o.id
-- expect: mart.u.day <- raw.o.day
-- expect: mart.u.v <- raw.o.v
-- expect: mart.w.id <- raw.p.id
-- expect: mart.w.z <- raw.p.z

-- case: MERGE WITH SCHEMA EVOLUTION
-- dialect: databricks
-- table: raw.s (id, v, n)
MERGE WITH SCHEMA EVOLUTION INTO mart.t AS t USING (SELECT * FROM raw.s WHERE v > 1) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED BY TARGET THEN INSERT * WHEN NOT MATCHED BY SOURCE AND t.d < current_date() THEN UPDATE SET t.act = false
-- expect: mart.t.id <- raw.s.id
-- expect: mart.t.v <- raw.s.v
-- expect: mart.t.n <- raw.s.n
-- expect: mart.t.act <- nothing
-- inputs: raw.s

-- case: COPY INTO with SELECT
-- dialect: databricks
COPY INTO mart.t BY POSITION FROM (SELECT _c0::int AS id, upper(_c1) nm, _metadata.file_path FROM 's3://b/in/') FILEFORMAT = CSV PATTERN = '*.csv' FORMAT_OPTIONS ('header' = 'false') COPY_OPTIONS ('mergeSchema' = 'true');
COPY INTO delta.`/mnt/x` FROM 'abfss://c@a/in' FILEFORMAT = JSON
-- expect: mart.t.id <- s3://b/in/._c0
-- expect: mart.t.nm <- s3://b/in/._c1
-- expect: mart.t.file_path <- s3://b/in/."_metadata.file_path"
-- expect: /mnt/x.* <- abfss://c@a/in.*

-- case: CREATE FLOW
-- dialect: databricks
CREATE STREAMING TABLE mart.t;
CREATE FLOW f1 AS INSERT INTO mart.t BY NAME SELECT s.id, s.v FROM STREAM(raw.a) s;
CREATE FLOW f2 AS INSERT INTO ONCE mart.t BY NAME SELECT b.id FROM raw.b b;
CREATE FLOW f3 AS AUTO CDC INTO mart.c FROM STREAM raw.cdc KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY ts COLUMNS (id, v) STORED AS SCD TYPE 2
-- expect: mart.t.id <- raw.a.id, raw.b.id
-- expect: mart.t.v <- raw.a.v
-- expect: mart.c.id <- raw.cdc.id
-- expect: mart.c.v <- raw.cdc.v

-- case: SQL scripting
-- dialect: databricks
BEGIN
  DECLARE v_max BIGINT DEFAULT (SELECT max(o.id) FROM raw.o o);
  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN INSERT INTO mart.err (m) SELECT e.m FROM raw.e e; END;
  FOR r AS SELECT s.k, s.v FROM raw.s s DO
    INSERT INTO mart.t (k, v, m) VALUES (r.k, r.v * 2, v_max);
  END FOR;
  IF v_max > 5 THEN DELETE FROM mart.x; ELSEIF v_max = 1 THEN TRUNCATE TABLE mart.y; END IF;
  EXECUTE IMMEDIATE 'INSERT INTO mart.z (a) SELECT q.a FROM raw.q q WHERE q.b = :p' USING 5 AS p;
END
-- expect: mart.err.m <- raw.e.m
-- expect: mart.t.k <- raw.s.k
-- expect: mart.t.v <- raw.s.v
-- expect: mart.t.m <- raw.o.id
-- expect: mart.z.a <- raw.q.a
-- outputs: mart.err, mart.t, mart.x, mart.y, mart.z

-- case: read_files and streaming
-- dialect: databricks
CREATE OR REFRESH STREAMING TABLE mart.b AS SELECT f.id, f._metadata.file_name AS fn, f.v FROM STREAM read_files('/vol/in/*.json', format => 'json', schema => 'id INT, v STRING') f;
CREATE MATERIALIZED VIEW mart.mv AS SELECT * FROM read_files('s3://b/x', format => 'csv', schema => 'a INT, b STRING')
-- expect: mart.b.id <- /vol/in/*.json.id
-- expect: mart.b.fn <- nothing
-- expect: mart.b.v <- /vol/in/*.json.v
-- expect: mart.mv.a <- s3://b/x.a
-- expect: mart.mv.b <- s3://b/x.b

-- case: pipes
-- dialect: databricks, spark
INSERT INTO mart.t FROM raw.o |> WHERE amt > 1 |> EXTEND amt * 2 AS dbl |> AGGREGATE SUM(dbl) AS tot, COUNT(*) AS n GROUP BY cust |> SET tot = tot + 1 |> AS q |> JOIN raw.c c ON c.id = q.cust |> SELECT q.cust, tot, n, c.nm |> ORDER BY tot
-- expect: mart.t.cust <- raw.o.cust
-- expect: mart.t.tot <- raw.o.amt
-- expect: mart.t.n <- nothing
-- expect: mart.t.nm <- raw.c.nm

-- case: pipes with TABLE, set operations, pivot
-- dialect: databricks, spark
CREATE TABLE mart.p AS TABLE raw.s |> SELECT k, v |> UNION ALL (SELECT x.a, x.b FROM raw.x x) |> DROP v |> EXTEND k + 1 AS kk |> LIMIT 5
-- expect: mart.p.k <- raw.s.k, raw.x.a
-- expect: mart.p.kk <- raw.s.k, raw.x.a

-- case: multi insert with TRANSFORM
-- dialect: hive
FROM (FROM raw.pv p SELECT TRANSFORM(p.userid, p.day) USING 'map.py' AS (dt STRING, uid INT) CLUSTER BY dt) m
INSERT OVERWRITE TABLE mart.a PARTITION (ds = '1') SELECT m.dt, count(DISTINCT m.uid) AS n GROUP BY m.dt
INSERT INTO TABLE mart.b SELECT TRANSFORM(m.uid, m.dt) USING 'red.py' AS (x, y) WHERE m.uid > 1
-- expect: mart.a.dt <- raw.pv.userid, raw.pv.day
-- expect: mart.a.n <- raw.pv.userid, raw.pv.day
-- expect: mart.b.x <- raw.pv.userid, raw.pv.day
-- expect: mart.b.y <- raw.pv.userid, raw.pv.day

-- case: FROM with joins and several inserts, LATERAL VIEW
-- dialect: hive
FROM raw.a a JOIN raw.b b ON a.id = b.id
INSERT OVERWRITE TABLE mart.x SELECT a.id, b.v WHERE a.k = 1
INSERT OVERWRITE LOCAL DIRECTORY '/out/y' ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' SELECT a.id, b.w
INSERT INTO TABLE mart.z PARTITION (dt, hr = 3) (id, c) SELECT a.id, b.c, a.dt
-- expect: mart.x.id <- raw.a.id
-- expect: mart.x.v <- raw.b.v
-- expect: /out/y.id <- raw.a.id
-- expect: /out/y.w <- raw.b.w
-- expect: mart.z.id <- raw.a.id
-- expect: mart.z.c <- raw.b.c
-- expect: mart.z.dt <- raw.a.dt

-- case: FROM LATERAL VIEW then TRANSFORM with RECORDREADER
-- dialect: hive
FROM raw.t t LATERAL VIEW explode(t.arr) e AS el INSERT INTO mart.k SELECT t.id, el INSERT INTO mart.l SELECT TRANSFORM(t.id, el) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t' USING '/bin/cat' AS (i INT, j STRING) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
-- expect: mart.k.id <- raw.t.id
-- expect: mart.k.el <- raw.t.arr
-- expect: mart.l.i <- raw.t.id, raw.t.arr
-- expect: mart.l.j <- raw.t.id, raw.t.arr
