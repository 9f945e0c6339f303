-- case: a table at a point in time
-- dialect: snowflake
SELECT o.id FROM shop.orders AT (TIMESTAMP => '2024-01-01'::timestamp) o
-- expect: id <- shop.orders.id

-- case: before a statement
-- dialect: snowflake
SELECT o.id FROM shop.orders BEFORE (STATEMENT => '8e5d0ca9') AS o
-- expect: id <- shop.orders.id

-- case: FOR SYSTEM_TIME AS OF
-- dialect: bigquery, tsql, mariadb
SELECT o.id FROM shop.orders FOR SYSTEM_TIME AS OF '2024-01-01' AS o
-- expect: id <- shop.orders.id

-- case: FOR SYSTEM_TIME BETWEEN
-- dialect: tsql, mariadb
SELECT o.id FROM shop.orders FOR SYSTEM_TIME BETWEEN '2024-01-01' AND '2024-02-01' AS o
-- expect: id <- shop.orders.id

-- case: VERSION AS OF and TIMESTAMP AS OF
-- dialect: databricks, spark
SELECT a.id, b.v FROM shop.orders VERSION AS OF 12 a JOIN shop.orders TIMESTAMP AS OF '2024-01-01' b ON b.id = a.id
-- expect: id <- shop.orders.id
-- expect: v <- shop.orders.v

-- case: FOR VERSION AS OF
-- dialect: trino, athena
SELECT o.id FROM lake.orders FOR VERSION AS OF 8954597067493422955 AS o
-- expect: id <- lake.orders.id

-- case: AS OF SCN
-- dialect: oracle
SELECT o.id FROM shop.orders AS OF SCN 12345 o
-- expect: id <- shop.orders.id

-- case: CHANGES of a table
-- dialect: snowflake
SELECT o.id FROM shop.orders CHANGES (INFORMATION => DEFAULT) AT (TIMESTAMP => '2024-01-01'::timestamp) o
-- expect: id <- shop.orders.id

-- case: TABLESAMPLE behind the alias
-- dialect: postgres, trino
SELECT o.id FROM shop.orders o TABLESAMPLE BERNOULLI (10)
-- expect: id <- shop.orders.id

-- case: FINAL and SAMPLE
-- dialect: clickhouse
SELECT o.id FROM shop.orders AS o FINAL SAMPLE 0.1 PREWHERE o.day = 1 WHERE o.x = 2
-- expect: id <- shop.orders.id

-- case: a partition of a table
-- dialect: mysql, oracle
SELECT o.id FROM shop.orders PARTITION (p2024) o
-- expect: id <- shop.orders.id
