-- case: a struct path stays whole
-- dialect: bigquery, snowflake, databricks, spark, trino, clickhouse
SELECT o.widget.asset.id AS asset_id FROM shop.orders o
-- expect: asset_id <- shop.orders."widget.asset.id"

-- case: under another profile the path stops at the column
-- dialect: bigquery, spark
-- profile: sqllineage
SELECT o.widget.asset.id AS asset_id FROM shop.orders o
-- expect: asset_id <- shop.orders.widget

-- case: the output is named by the last part
-- dialect: bigquery, databricks, spark
SELECT o.widget.asset.id FROM shop.orders o
-- expect: id <- shop.orders."widget.asset.id"

-- case: a struct built from columns
-- dialect: bigquery
SELECT STRUCT(o.a AS x, o.b AS y) AS s FROM shop.orders o
-- expect: s <- shop.orders.a, shop.orders.b

-- case: named_struct and a map
-- dialect: spark, hive, databricks
SELECT named_struct('x', o.a, 'y', o.b) AS s, map(o.k, o.v) AS m FROM shop.orders o
-- expect: s <- shop.orders.a, shop.orders.b
-- expect: m <- shop.orders.k, shop.orders.v

-- case: a composite's field in parentheses
-- dialect: postgres
SELECT (o.address).city AS city FROM shop.orders o
-- expect: city <- shop.orders."address.city"

-- case: an array by index and by slice
-- dialect: postgres, duckdb, clickhouse
SELECT o.tags[1] AS first_tag FROM shop.orders o
-- expect: first_tag <- shop.orders.tags

-- case: an array literal
-- dialect: bigquery, duckdb, clickhouse
SELECT [o.a, o.b] AS both_of FROM shop.orders o
-- expect: both_of <- shop.orders.a, shop.orders.b

-- case: ARRAY with brackets
-- dialect: postgres, trino, snowflake
SELECT ARRAY[o.a, o.b] AS both_of FROM shop.orders o
-- expect: both_of <- shop.orders.a, shop.orders.b

-- case: an object literal
-- dialect: snowflake, duckdb
SELECT {'x': o.a, 'y': o.b} AS s FROM shop.orders o
-- expect: s <- shop.orders.a, shop.orders.b

-- case: a lambda's parameter is no column
-- dialect: trino, spark, databricks, duckdb, clickhouse, snowflake
SELECT transform(o.tags, x -> x + o.plus) AS t FROM shop.orders o
-- expect: t <- shop.orders.tags, shop.orders.plus

-- case: a lambda with two parameters
-- dialect: trino, spark, databricks
SELECT reduce(o.xs, 0, (acc, x) -> acc + x * o.w, acc -> acc) AS s FROM shop.orders o
-- expect: s <- shop.orders.xs, shop.orders.w

-- case: AT TIME ZONE and casts with colons
-- dialect: postgres, snowflake, redshift, duckdb
SELECT (o.at::timestamp AT TIME ZONE 'UTC')::date AS d FROM shop.orders o
-- expect: d <- shop.orders.at

-- case: SELECT AS STRUCT in a subquery
-- dialect: bigquery
SELECT o.id, ARRAY_AGG(STRUCT(o.sku, o.qty)) AS items FROM shop.orders o GROUP BY o.id
-- expect: id <- shop.orders.id
-- expect: items <- shop.orders.sku AGGREGATED, shop.orders.qty AGGREGATED

-- case: a field of a struct that an aggregate keeps
-- dialect: bigquery, spark, databricks
WITH l AS (SELECT o.id, ARRAY_AGG(STRUCT(o.status AS s, o.ts) ORDER BY o.day DESC LIMIT 1)[0] AS last_one FROM shop.orders o GROUP BY o.id)
SELECT l.id, l.last_one.s, last_one.ts AS t FROM l
-- expect: id <- shop.orders.id
-- expect: s <- shop.orders.status AGGREGATED
-- expect: t <- shop.orders.ts AGGREGATED

-- case: the last row of each group, spread by a star
-- dialect: bigquery
-- table: shop.orders (id, status, ts)
CREATE TABLE mart.last AS SELECT row.* FROM (SELECT ARRAY_AGG(t ORDER BY t.ts DESC LIMIT 1)[OFFSET(0)] AS row FROM shop.orders t GROUP BY t.id)
-- expect: mart.last.id <- shop.orders.id
-- expect: mart.last.status <- shop.orders.status
-- expect: mart.last.ts <- shop.orders.ts

-- case: elements of an array that a subquery builds
-- dialect: bigquery
WITH a AS (SELECT o.id, ARRAY(SELECT AS STRUCT i.sku, i.qty * i.price AS total FROM shop.items i WHERE i.o = o.id) AS lines FROM shop.orders o)
SELECT a.id, l.sku, total FROM a, UNNEST(a.lines) AS l
-- expect: id <- shop.orders.id
-- expect: sku <- shop.items.sku
-- expect: total <- shop.items.qty, shop.items.price

-- case: a struct in a struct, read by its path
-- dialect: bigquery, databricks, spark, duckdb
SELECT x.s.b.c AS c, x.s.a AS a FROM (SELECT struct(o.p AS a, struct(o.q + 1 AS c) AS b) AS s FROM raw.o o) x
-- expect: c <- raw.o.q
-- expect: a <- raw.o.p IDENTITY

-- case: rows that are structs
-- dialect: bigquery
INSERT mart.t (a, b) SELECT x.a, b FROM (SELECT AS VALUE STRUCT(o.p AS a, o.q AS b) FROM raw.o o) x
-- expect: mart.t.a <- raw.o.p
-- expect: mart.t.b <- raw.o.q
