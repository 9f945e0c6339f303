-- case: PIVOT keeps what it does not use and adds a column a value
-- dialect: snowflake, bigquery, spark, databricks, redshift
-- table: shop.sales (region, quarter, amount)
SELECT p.region, p.q1 FROM shop.sales PIVOT (SUM(amount) FOR quarter IN ('a' AS q1, 'b' AS q2)) AS p
-- expect: region <- shop.sales.region
-- expect: q1 <- shop.sales.amount

-- case: PIVOT over a derived table
-- dialect: tsql
SELECT p.region, p.[a], p.[b] FROM (SELECT s.region, s.quarter, s.amount FROM shop.sales s) d PIVOT (SUM(amount) FOR quarter IN ([a], [b])) AS p
-- expect: region <- shop.sales.region
-- expect: a <- shop.sales.amount
-- expect: b <- shop.sales.amount

-- case: two aggregates make two columns a value
-- dialect: oracle
-- table: shop.sales (region, quarter, amount)
SELECT region, q1_s, q1_n FROM shop.sales PIVOT (SUM(amount) AS s, COUNT(amount) AS n FOR quarter IN ('a' AS q1))
-- expect: region <- shop.sales.region
-- expect: q1_s <- shop.sales.amount
-- expect: q1_n <- shop.sales.amount

-- case: two aggregates, their aliases in front
-- dialect: bigquery
-- table: shop.sales (region, quarter, amount)
SELECT region, s_q1, n_q1 FROM shop.sales PIVOT (SUM(amount) AS s, COUNT(amount) AS n FOR quarter IN ('a' AS q1))
-- expect: region <- shop.sales.region
-- expect: s_q1 <- shop.sales.amount
-- expect: n_q1 <- shop.sales.amount

-- case: UNPIVOT turns columns into rows
-- dialect: snowflake, tsql, bigquery, oracle, redshift, databricks
-- table: shop.sales (region, q1, q2)
SELECT u.region, u.amount FROM shop.sales UNPIVOT (amount FOR quarter IN (q1, q2)) u
-- expect: region <- shop.sales.region
-- expect: amount <- shop.sales.q1, shop.sales.q2

-- case: the name column of UNPIVOT tells which of the columns it was
-- dialect: snowflake, tsql, bigquery
-- table: shop.sales (region, q1, q2)
SELECT u.quarter FROM shop.sales UNPIVOT (amount FOR quarter IN (q1, q2)) u
-- expect: quarter <- shop.sales.q1, shop.sales.q2

-- case: UNPIVOT of several columns at once
-- dialect: bigquery, oracle
-- table: shop.sales (region, a1, b1, a2, b2)
SELECT region, a, b FROM shop.sales UNPIVOT ((a, b) FOR half IN ((a1, b1), (a2, b2)))
-- expect: region <- shop.sales.region
-- expect: a <- shop.sales.a1, shop.sales.a2
-- expect: b <- shop.sales.b1, shop.sales.b2

-- case: UNPIVOT as a statement
-- dialect: duckdb
-- table: shop.sales (region, q1, q2)
UNPIVOT shop.sales ON q1, q2 INTO NAME quarter VALUE amount
-- expect: region <- shop.sales.region
-- expect: quarter <- shop.sales.q1, shop.sales.q2
-- expect: amount <- shop.sales.q1, shop.sales.q2

-- case: PIVOT as a statement
-- dialect: duckdb
-- table: shop.sales (region, quarter, amount)
PIVOT shop.sales ON quarter IN ('a', 'b') USING SUM(amount) GROUP BY region
-- expect: region <- shop.sales.region
-- expect: a <- shop.sales.amount
-- expect: b <- shop.sales.amount

-- case: a table read by PIVOT whose values are not known
-- dialect: snowflake
-- table: shop.sales (region, quarter, amount)
SELECT p.region FROM shop.sales PIVOT (SUM(amount) FOR quarter IN (ANY)) p
-- expect: region <- shop.sales.region

-- case: stack() unpivots by hand
-- dialect: spark, databricks, hive
SELECT s.id, t.k, t.v FROM shop.sales s LATERAL VIEW stack(2, 'a', s.a, 'b', s.b) t AS k, v
-- expect: id <- shop.sales.id
-- expect: k <- nothing
-- expect: v <- shop.sales.a, shop.sales.b

-- case: rows of VALUES beside a table unpivot by hand
-- dialect: tsql
SELECT s.id, x.k, x.v FROM shop.sales s CROSS APPLY (VALUES ('a', s.a), ('b', s.b)) AS x (k, v)
-- expect: id <- shop.sales.id
-- expect: k <- nothing
-- expect: v <- shop.sales.a, shop.sales.b

-- case: PIVOT over ANY with a default for what is missing, behind a CTE
-- dialect: snowflake
-- table: shop.sales (region, quarter, amount)
WITH p AS (SELECT * FROM shop.sales PIVOT (SUM(amount) FOR quarter IN (ANY ORDER BY quarter) DEFAULT ON NULL (0))) SELECT p.region, p."'q1'" FROM p ORDER BY region
-- expect: region <- shop.sales.region
-- expect: 'q1' <- nothing
-- diagnostic: UNRESOLVED_COLUMN

-- case: the values of PIVOT come from another table
-- dialect: snowflake
-- table: shop.sales (region, quarter, amount)
SELECT p.region FROM shop.sales PIVOT (SUM(amount) FOR quarter IN (SELECT q.code FROM shop.quarters q WHERE q.open)) AS p
-- expect: region <- shop.sales.region
-- inputs: shop.sales, shop.quarters

-- case: values without an alias name their columns in quotes
-- dialect: snowflake
-- table: shop.sales (region, quarter, amount)
SELECT p.region, p."'2024_Q1'" AS a, p.b FROM shop.sales PIVOT (SUM(amount) FOR quarter IN ('2024_Q1', '2024_Q2' AS b)) AS p
-- expect: region <- shop.sales.region
-- expect: a <- shop.sales.amount AGGREGATED
-- expect: b <- shop.sales.amount AGGREGATED

-- case: numbers and dates as names of columns
-- dialect: bigquery
-- table: shop.sales (region, year, amount)
SELECT * FROM shop.sales PIVOT (SUM(amount) FOR year IN (2023, -1, 1.5, DATE '2024-01-31'))
-- expect: region <- shop.sales.region
-- expect: _2023 <- shop.sales.amount
-- expect: minus_1 <- shop.sales.amount
-- expect: _1_point_5 <- shop.sales.amount
-- expect: _2024_01_31 <- shop.sales.amount

-- case: PIVOT as a statement over two keys, as a table's query
-- dialect: duckdb
-- table: shop.sales (region, year, kind, amount)
CREATE TABLE mart.wide AS PIVOT shop.sales ON year IN (2023, 2024), kind IN ('a') USING SUM(amount) AS total, MAX(amount) AS top GROUP BY region
-- expect: mart.wide.region <- shop.sales.region
-- expect: mart.wide.2023_a_total <- shop.sales.amount
-- expect: mart.wide.2023_a_top <- shop.sales.amount
-- expect: mart.wide.2024_a_total <- shop.sales.amount
-- expect: mart.wide.2024_a_top <- shop.sales.amount

-- case: attributes of an object as rows, elements with their positions
-- dialect: redshift
SELECT c.id, o.price, n, attr, val FROM raw.cust c, c.orders AS o AT n, UNPIVOT o.props AS val AT attr
-- expect: id <- raw.cust.id
-- expect: price <- raw.cust.orders
-- expect: n <- nothing
-- expect: attr <- raw.cust.orders
-- expect: val <- raw.cust.orders

-- case: BigQuery's UNPIVOT puts values before the name
-- dialect: bigquery
-- table: raw.wide (product, q1, q2)
-- table: mart.long (product, sales, quarter)
INSERT INTO mart.long SELECT * FROM raw.wide UNPIVOT(s FOR q IN (q1, q2))
-- expect: mart.long.product <- raw.wide.product
-- expect: mart.long.sales <- raw.wide.q1, raw.wide.q2
-- expect: mart.long.quarter <- raw.wide.q1, raw.wide.q2
