-- case: a column copied through a table alias
-- dialect: all
SELECT o.amount FROM shop.orders o
-- expect: amount <- shop.orders.amount IDENTITY

-- case: an alias without AS renames the output
-- dialect: all
SELECT o.amount total FROM shop.orders o
-- expect: total <- shop.orders.amount IDENTITY

-- case: an unqualified column over the only table
-- dialect: all
SELECT amount FROM shop.orders
-- expect: amount <- shop.orders.amount

-- case: an expression has every column in it as source
-- dialect: all
SELECT o.price * o.quantity - o.discount AS net FROM shop.orders o
-- expect: net <- shop.orders.price TRANSFORMED, shop.orders.quantity TRANSFORMED, shop.orders.discount TRANSFORMED

-- case: a literal has no source
-- dialect: all
SELECT 1 AS one, 'x' AS letter, o.id FROM shop.orders o
-- expect: one <- nothing
-- expect: letter <- nothing
-- expect: id <- shop.orders.id

-- case: an aggregate is marked as one, also inside arithmetic
-- dialect: all
SELECT o.country, SUM(o.amount) / COUNT(*) AS mean FROM shop.orders o GROUP BY o.country
-- expect: country <- shop.orders.country IDENTITY
-- expect: mean <- shop.orders.amount AGGREGATED

-- case: both the condition and the results of a CASE are sources
-- dialect: all
SELECT CASE WHEN o.status = 'void' THEN 0 ELSE o.amount END AS amount FROM shop.orders o
-- expect: amount <- shop.orders.status, shop.orders.amount

-- case: a cast is no plain copy
-- dialect: all
SELECT CAST(o.amount AS INTEGER) AS amount FROM shop.orders o
-- expect: amount <- shop.orders.amount TRANSFORMED

-- case: WHERE columns are inputs of the rows, not of the value
-- dialect: all
SELECT o.id FROM shop.orders o WHERE o.status = 'paid' AND o.amount > 10
-- expect: id <- shop.orders.id
-- indirect: FILTER shop.orders.status, FILTER shop.orders.amount

-- case: ORDER BY is an indirect use
-- dialect: all
SELECT o.id FROM shop.orders o ORDER BY o.placed_at
-- expect: id <- shop.orders.id
-- indirect: SORT shop.orders.placed_at

-- case: GROUP BY and HAVING are indirect uses
-- dialect: all
SELECT o.country, COUNT(*) AS n FROM shop.orders o GROUP BY o.country HAVING MAX(o.amount) > 5
-- expect: country <- shop.orders.country
-- expect: n <- nothing
-- indirect: GROUP_BY shop.orders.country, FILTER shop.orders.amount

-- case: the same column twice under two names
-- dialect: all
SELECT o.id AS a, o.id AS b FROM shop.orders o
-- expect: a <- shop.orders.id
-- expect: b <- shop.orders.id

-- case: DISTINCT does not change the sources
-- dialect: all
SELECT DISTINCT o.country FROM shop.orders o
-- expect: country <- shop.orders.country IDENTITY

-- case: a function over two columns and a literal
-- dialect: all
SELECT COALESCE(c.nickname, c.name, 'unknown') AS shown FROM crm.customers c
-- expect: shown <- crm.customers.nickname, crm.customers.name

-- case: BETWEEN, IN and LIKE inside an output
-- dialect: all
SELECT CASE WHEN o.amount BETWEEN o.low AND o.high AND o.kind IN ('a', 'b') AND o.note LIKE '%x%' THEN 1 ELSE 0 END AS flag
FROM shop.orders o
-- expect: flag <- shop.orders.amount, shop.orders.low, shop.orders.high, shop.orders.kind, shop.orders.note

-- case: an unnamed expression is compared by its sources
-- dialect: all
SELECT o.amount + o.tax FROM shop.orders o
-- expect: ? <- shop.orders.amount, shop.orders.tax

-- case: a column qualified by schema and table
-- dialect: all
SELECT shop.orders.amount FROM shop.orders
-- expect: amount <- shop.orders.amount

-- case: a table named by database, schema and table
-- dialect: all but mysql, mariadb, sqlite, hive, impala, doris, starrocks, oracle, clickhouse, teradata
SELECT o.amount FROM dwh.shop.orders o
-- expect: amount <- dwh.shop.orders.amount

-- case: the default database and schema are put in front of bare names
-- dialect: postgres, snowflake, tsql, trino, redshift
-- default: dwh.shop
SELECT o.amount, c.name FROM orders o JOIN crm.customers c ON c.id = o.customer_id
-- expect: amount <- dwh.shop.orders.amount
-- expect: name <- dwh.crm.customers.name

-- case: a column that the known table does not have belongs to the unknown one
-- dialect: all
-- table: shop.orders (id, customer_id, amount)
SELECT amount, name FROM shop.orders JOIN crm.customers ON customer_id = crm.customers.id
-- expect: amount <- shop.orders.amount
-- expect: name <- crm.customers.name

-- case: NULL, TRUE, CURRENT_DATE and CURRENT_TIMESTAMP are no columns
-- dialect: all but tsql, sqlite, oracle
SELECT NULL AS a, TRUE AS b, CURRENT_DATE AS c, CURRENT_TIMESTAMP AS d, o.id FROM shop.orders o
-- expect: a <- nothing
-- expect: b <- nothing
-- expect: c <- nothing
-- expect: d <- nothing
-- expect: id <- shop.orders.id

-- case: a date literal and an interval are no columns
-- dialect: postgres, redshift, snowflake, trino, presto, duckdb, spark, databricks, greenplum, materialize, vertica
SELECT o.placed_at + INTERVAL '1' DAY AS due, DATE '2024-01-01' AS start_day FROM shop.orders o
-- expect: due <- shop.orders.placed_at
-- expect: start_day <- nothing

-- case: EXTRACT takes a field name, not a column
-- dialect: postgres, redshift, snowflake, bigquery, trino, presto, mysql, duckdb, oracle, teradata, vertica, greenplum, spark, databricks
SELECT EXTRACT(YEAR FROM o.placed_at) AS y FROM shop.orders o
-- expect: y <- shop.orders.placed_at

-- case: TRIM, SUBSTRING and POSITION with their words inside
-- dialect: postgres, mysql, trino, greenplum, duckdb, materialize
SELECT TRIM(BOTH ' ' FROM c.name) AS a, SUBSTRING(c.code FROM 1 FOR 3) AS b, POSITION('x' IN c.note) AS p
FROM crm.customers c
-- expect: a <- crm.customers.name
-- expect: b <- crm.customers.code
-- expect: p <- crm.customers.note

-- case: a query in parentheses with ORDER BY and LIMIT outside
-- dialect: postgres, mysql, mariadb, snowflake, trino, duckdb, spark, redshift
(SELECT o.id, o.amount FROM shop.orders o) ORDER BY amount LIMIT 3
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: a cast stands in front of a comparison
-- dialect: postgres, duckdb, redshift
SELECT o.a::int < 5 AS low, o.b > 3 AS high, o.c::text <> '' AS told FROM shop.orders o WHERE o.d::date < o.e
-- expect: low <- shop.orders.a TRANSFORMED
-- expect: high <- shop.orders.b TRANSFORMED
-- expect: told <- shop.orders.c TRANSFORMED
