-- case: GROUPING SETS nested
-- dialect: postgres, snowflake, trino, oracle, tsql, duckdb, bigquery
SELECT o.country, o.city, SUM(o.amount) AS s FROM shop.orders o GROUP BY GROUPING SETS ((o.country), (o.country, o.city), ())
-- expect: country <- shop.orders.country
-- expect: city <- shop.orders.city
-- expect: s <- shop.orders.amount

-- case: ROLLUP and CUBE in one list
-- dialect: postgres, snowflake, oracle, tsql, trino
SELECT o.a, o.b, GROUPING(o.a) AS g, COUNT(*) AS n FROM shop.orders o GROUP BY ROLLUP (o.a), CUBE (o.b)
-- expect: a <- shop.orders.a
-- expect: b <- shop.orders.b
-- expect: g <- shop.orders.a
-- expect: n <- nothing

-- case: WITH ROLLUP behind the list
-- dialect: mysql, mariadb, hive, spark
SELECT o.a, SUM(o.v) AS s FROM shop.orders o GROUP BY o.a WITH ROLLUP
-- expect: a <- shop.orders.a
-- expect: s <- shop.orders.v

-- case: GROUP BY ALL
-- dialect: snowflake, duckdb, databricks, bigquery
SELECT o.a, MAX(o.v) AS m FROM shop.orders o GROUP BY ALL
-- expect: a <- shop.orders.a
-- expect: m <- shop.orders.v

-- case: GROUP BY the number of an output
-- dialect: all but oracle, tsql
SELECT UPPER(o.a) AS a, COUNT(*) AS n FROM shop.orders o GROUP BY 1
-- expect: a <- shop.orders.a
-- expect: n <- nothing

-- case: counting distinct pairs
-- dialect: postgres, mysql, snowflake, spark
SELECT COUNT(DISTINCT o.a, o.b) AS n FROM shop.orders o
-- expect: n <- shop.orders.a AGGREGATED, shop.orders.b AGGREGATED

-- case: LIMIT BY and totals
-- dialect: clickhouse
SELECT o.a, sum(o.v) AS s FROM shop.orders o GROUP BY o.a WITH TOTALS ORDER BY s LIMIT 2 BY o.a
-- expect: a <- shop.orders.a
-- expect: s <- shop.orders.v

-- case: a parameterised aggregate
-- dialect: clickhouse
SELECT quantile(0.9)(o.v) AS q, topK(3)(o.tag) AS top FROM shop.orders o
-- expect: q <- shop.orders.v AGGREGATED
-- expect: top <- shop.orders.tag AGGREGATED

-- case: an aggregate with -If
-- dialect: clickhouse
SELECT sumIf(o.v, o.ok = 1) AS s FROM shop.orders o
-- expect: s <- shop.orders.v AGGREGATED, shop.orders.ok AGGREGATED
