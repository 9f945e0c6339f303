-- case: an output uses the name of an earlier one
-- dialect: snowflake, redshift, databricks, duckdb, teradata, clickhouse, spark
SELECT o.price * o.qty AS gross, gross * 0.2 AS tax FROM shop.orders o
-- expect: gross <- shop.orders.price, shop.orders.qty
-- expect: tax <- shop.orders.price, shop.orders.qty

-- case: a column of the table wins over the alias
-- dialect: snowflake, redshift, databricks, duckdb, teradata
-- table: shop.orders (amount, tax)
SELECT o.amount * 2 AS tax, tax + 1 AS next FROM shop.orders o
-- expect: tax <- shop.orders.amount
-- expect: next <- shop.orders.tax

-- case: where the dialect has no lateral aliases, the name is a column
-- dialect: postgres, mysql, tsql, oracle, bigquery, trino, sqlite
SELECT o.price * o.qty AS gross, gross AS g FROM shop.orders o
-- expect: gross <- shop.orders.price, shop.orders.qty
-- expect: g <- shop.orders.gross

-- case: a chain of three
-- dialect: snowflake, redshift, databricks
SELECT o.x + 1 AS a, a + o.y AS b, a + b AS c FROM shop.orders o
-- expect: a <- shop.orders.x
-- expect: b <- shop.orders.x, shop.orders.y
-- expect: c <- shop.orders.x, shop.orders.y

-- case: an alias in WHERE
-- dialect: snowflake, clickhouse, duckdb
SELECT o.price * o.qty AS gross FROM shop.orders o WHERE gross > 10
-- expect: gross <- shop.orders.price, shop.orders.qty
