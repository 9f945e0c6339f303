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

-- case: outputs by their place
-- dialect: snowflake, postgres, spark, trino, duckdb, clickhouse, redshift, mysql, bigquery
-- table: shop.orders (country, day, amount)
SELECT country, upper(day) AS d, SUM(amount) AS total FROM shop.orders GROUP BY 1, 2 ORDER BY 3 DESC, 1
-- expect: country <- shop.orders.country
-- expect: d <- shop.orders.day
-- expect: total <- shop.orders.amount
-- indirect: GROUP_BY shop.orders.country, GROUP_BY shop.orders.day, SORT shop.orders.country, SORT shop.orders.amount

-- case: outputs by their place behind a set operation, each side with its own
-- dialect: snowflake, postgres, trino
SELECT a.k, COUNT(*) AS n FROM s.a a GROUP BY 1 UNION ALL SELECT b.k, 0 FROM s.b b ORDER BY 1
-- expect: k <- s.a.k, s.b.k
-- expect: n <- nothing
-- indirect: GROUP_BY s.a.k, SORT s.a.k, SORT s.b.k

-- case: GROUP BY ALL groups by what is no aggregate
-- dialect: snowflake, duckdb, databricks, bigquery, clickhouse, redshift
-- table: shop.orders (country, made, amount)
SELECT country, DATE(made) AS d, SUM(amount) AS total FROM shop.orders GROUP BY ALL HAVING COUNT(*) > 1
-- expect: country <- shop.orders.country
-- expect: d <- shop.orders.made
-- expect: total <- shop.orders.amount
-- indirect: GROUP_BY shop.orders.country, GROUP_BY shop.orders.made

-- case: a step of a pipe groups and orders
-- dialect: bigquery
-- table: shop.orders (country, amount)
FROM shop.orders |> AGGREGATE SUM(amount) AS total GROUP AND ORDER BY country DESC
-- expect: country <- shop.orders.country
-- expect: total <- shop.orders.amount
-- indirect: GROUP_BY shop.orders.country, SORT shop.orders.country

-- case: DISTINCT ON ends at its parenthesis, a star behind it is the list
-- dialect: postgres, duckdb, greenplum, materialize
-- table: shop.orders (id, customer, made)
INSERT INTO mart.newest (id, customer, made)
WITH newest AS (SELECT DISTINCT ON(customer)
* FROM shop.orders ORDER BY customer, made DESC)
SELECT n.id, n.customer, n.made FROM newest n
-- expect: mart.newest.id <- shop.orders.id
-- expect: mart.newest.customer <- shop.orders.customer
-- expect: mart.newest.made <- shop.orders.made

-- case: DISTINCT ON groups by expressions, and by outputs at their place
-- dialect: postgres, duckdb
-- table: shop.orders (id, customer, made)
SELECT DISTINCT ON (1, date_trunc('day', o.made)) o.customer, o.id FROM shop.orders o
-- expect: customer <- shop.orders.customer
-- expect: id <- shop.orders.id
-- indirect: GROUP_BY shop.orders.customer, GROUP_BY shop.orders.made
