-- case: a generator has no input
-- dialect: snowflake
SELECT SEQ4() AS n FROM TABLE(GENERATOR(ROWCOUNT => 10)) g
-- expect: n <- nothing
-- inputs: nothing

-- case: a function over a table argument
-- dialect: snowflake
SELECT r.id FROM TABLE(RESULT_SCAN(LAST_QUERY_ID())) r
-- expect: id <- nothing
-- inputs: nothing

-- case: EXPLAIN reads what it explains
-- dialect: postgres, mysql, duckdb, snowflake
EXPLAIN SELECT o.id FROM shop.orders o
-- inputs: shop.orders
-- outputs: nothing
-- statements: explain
-- expect: id <- shop.orders.id

-- case: VALUES with an alias
-- dialect: postgres, duckdb, trino, snowflake, tsql
SELECT v.k, o.id FROM (VALUES (1, 'a'), (2, 'b')) AS v (k, t) JOIN shop.orders o ON o.kind = v.k
-- expect: k <- nothing
-- expect: id <- shop.orders.id

-- case: a table function with a subquery argument
-- dialect: trino
SELECT t.id FROM TABLE(mart.dedupe(TABLE(shop.orders) PARTITION BY id)) t
-- expect: id <- shop.orders.id

-- case: a table-valued function of a schema
-- dialect: tsql, postgres
SELECT f.id FROM mart.orders_of(2024) AS f
-- expect: id <- nothing
-- inputs: nothing
