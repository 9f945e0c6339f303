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
