-- case: all fields of a struct, by the type that the table gives it
-- dialect: spark, databricks
CREATE TABLE raw.o (id INT, st STRUCT<f: INT, g: STRUCT<h: INT, i: STRING>>); INSERT INTO mart.t SELECT st.*, o.st.g.* FROM raw.o o
-- expect: mart.t.f <- raw.o."st.f"
-- expect: mart.t.g <- raw.o."st.g"
-- expect: mart.t.h <- raw.o."st.g.h"
-- expect: mart.t.i <- raw.o."st.g.i"
-- outputs: raw.o, mart.t

-- case: the same in BigQuery
-- dialect: bigquery
CREATE TABLE raw.o (id INT64, addr STRUCT<city STRING, geo STRUCT<lat FLOAT64, lng FLOAT64>>); INSERT INTO mart.t SELECT addr.* EXCEPT (geo), addr.geo.lat FROM raw.o
-- expect: mart.t.city <- raw.o."addr.city"
-- expect: mart.t.lat <- raw.o."addr.geo.lat"
-- outputs: raw.o, mart.t

-- case: rows of an array, by the type that the table gives it
-- dialect: spark, databricks, hive
CREATE TABLE raw.o (id INT, ls ARRAY<STRUCT<p: INT, q: STRING>>); INSERT INTO mart.t SELECT inline(o.ls) FROM raw.o o
-- expect: mart.t.p <- raw.o.ls
-- expect: mart.t.q <- raw.o.ls
-- outputs: raw.o, mart.t

-- case: explode of a map gives its keys and values
-- dialect: spark, databricks
CREATE TABLE raw.o (id INT, m MAP<STRING, INT>); INSERT INTO mart.t SELECT explode(o.m) FROM raw.o o
-- expect: mart.t.key <- raw.o.m
-- expect: mart.t.value <- raw.o.m
-- outputs: raw.o, mart.t

-- case: a star over the rows of an array
-- dialect: bigquery
CREATE TABLE raw.o (id INT64, items ARRAY<STRUCT<sku STRING, qty INT64>>); INSERT INTO mart.t SELECT * EXCEPT (items) FROM raw.o o, o.items
-- expect: mart.t.id <- raw.o.id
-- expect: mart.t.sku <- raw.o.items
-- expect: mart.t.qty <- raw.o.items
-- outputs: raw.o, mart.t

-- case: UNNEST of an array and a map, under the names of their types
-- dialect: trino, athena
CREATE TABLE raw.o (id BIGINT, items ARRAY(ROW(sku VARCHAR, qty BIGINT)), attrs MAP(VARCHAR, BIGINT)); INSERT INTO mart.t SELECT u.sku, v.k, v.v, v.n FROM raw.o o CROSS JOIN UNNEST(o.items) u CROSS JOIN UNNEST(o.attrs) WITH ORDINALITY AS v (k, v, n)
-- expect: mart.t.sku <- raw.o.items
-- expect: mart.t.k <- raw.o.attrs
-- expect: mart.t.v <- raw.o.attrs
-- expect: mart.t.n <- nothing
-- outputs: raw.o, mart.t

-- case: several arrays, one of them of rows
-- dialect: trino, athena
CREATE TABLE raw.o (id BIGINT, items ARRAY(ROW(sku VARCHAR, qty BIGINT)), tags ARRAY(VARCHAR)); INSERT INTO mart.t SELECT u.a, u.b, u.t FROM raw.o o CROSS JOIN UNNEST(o.items, o.tags) AS u (a, b, t)
-- expect: mart.t.a <- raw.o.items
-- expect: mart.t.b <- raw.o.items
-- expect: mart.t.t <- raw.o.tags
-- outputs: raw.o, mart.t

-- case: unnest of a struct column
-- dialect: duckdb
CREATE TABLE raw.o (id INT, st STRUCT(f INT, g INT), l STRUCT(p INT)[]); INSERT INTO mart.t SELECT unnest(o.st), unnest(o.l) AS e FROM raw.o o
-- expect: mart.t.f <- raw.o."st.f"
-- expect: mart.t.g <- raw.o."st.g"
-- expect: mart.t.e <- raw.o.l
-- outputs: raw.o, mart.t

-- case: a composite type's fields
-- dialect: postgres
CREATE TYPE addr AS (street text, zip text); CREATE TABLE raw.o (id int, a addr, others addr[]); INSERT INTO mart.t SELECT (o.a).*, u.zip AS z FROM raw.o o, unnest(o.others) u
-- expect: mart.t.street <- raw.o."a.street"
-- expect: mart.t.zip <- raw.o."a.zip"
-- expect: mart.t.z <- raw.o.others
-- outputs: raw.o, mart.t

-- case: tuples and nested columns by their types
-- dialect: clickhouse
CREATE TABLE raw.o (id UInt32, t Tuple(p Int32, q String), n Nested(a Int32, b String)) ENGINE = MergeTree ORDER BY id; INSERT INTO mart.t SELECT untuple(o.t) AS u, * EXCEPT (t) FROM raw.o o
-- expect: mart.t."u.p" <- raw.o."t.p"
-- expect: mart.t."u.q" <- raw.o."t.q"
-- expect: mart.t.id <- raw.o.id
-- expect: mart.t."n.a" <- raw.o."n.a"
-- expect: mart.t."n.b" <- raw.o."n.b"
-- outputs: raw.o, mart.t

-- case: fields that a schema lists beside their column are no columns of a star
-- dialect: bigquery, spark
-- table: raw.o (id, addr, addr.city, addr.geo, addr.geo.lat)
SELECT o.*, o.addr.geo.lat, addr.city AS c FROM raw.o o
-- expect: id <- raw.o.id
-- expect: addr <- raw.o.addr
-- expect: lat <- raw.o."addr.geo.lat"
-- expect: c <- raw.o."addr.city"

-- case: a star over such a column
-- dialect: bigquery, spark
-- table: raw.o (id, addr, addr.city, addr.geo, addr.geo.lat)
SELECT addr.*, o.addr.geo.* FROM raw.o o
-- expect: city <- raw.o."addr.city"
-- expect: geo <- raw.o."addr.geo"
-- expect: lat <- raw.o."addr.geo.lat"

-- case: under another profile a field is its column
-- dialect: spark
-- profile: openlineage
-- table: raw.o (id, addr, addr.city)
SELECT addr.* FROM raw.o
-- expect: city <- raw.o.addr
