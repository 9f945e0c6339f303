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
