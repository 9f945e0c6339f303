-- case: CREATE TABLE AS
-- dialect: all but oracle, tsql, teradata
CREATE TABLE mart.daily AS SELECT o.id, o.amount * 2 AS twice FROM shop.orders o
-- expect: mart.daily.id <- shop.orders.id IDENTITY
-- expect: mart.daily.twice <- shop.orders.amount TRANSFORMED
-- statements: ctas

-- case: column names in front of AS count by position
-- dialect: postgres, trino, mysql, redshift, oracle, greenplum
CREATE TABLE mart.daily (a, b) AS SELECT o.id, o.amount FROM shop.orders o
-- expect: mart.daily.a <- shop.orders.id
-- expect: mart.daily.b <- shop.orders.amount

-- case: SELECT INTO makes a table
-- dialect: tsql, postgres, redshift
SELECT o.id, o.amount AS total INTO mart.daily FROM shop.orders o
-- expect: mart.daily.id <- shop.orders.id
-- expect: mart.daily.total <- shop.orders.amount

-- case: storage clauses between the name and AS
-- dialect: hive, spark
CREATE TABLE mart.daily STORED AS PARQUET LOCATION 's3://lake/daily' TBLPROPERTIES ('k'='v') AS SELECT o.id FROM shop.orders o
-- expect: mart.daily.id <- shop.orders.id

-- case: distribution and sort keys
-- dialect: redshift
CREATE TABLE mart.daily DISTKEY(id) SORTKEY(id) AS SELECT o.id FROM shop.orders o
-- expect: mart.daily.id <- shop.orders.id

-- case: a transient table with clustering and copy of grants
-- dialect: snowflake
CREATE OR REPLACE TRANSIENT TABLE mart.daily CLUSTER BY (id) COPY GRANTS AS (SELECT o.id FROM shop.orders o)
-- expect: mart.daily.id <- shop.orders.id

-- case: partitions, clusters and options
-- dialect: bigquery
CREATE OR REPLACE TABLE mart.daily PARTITION BY DATE(ts) CLUSTER BY id OPTIONS (expiration_timestamp = NULL) AS
SELECT o.id, o.ts FROM shop.orders o
-- expect: mart.daily.id <- shop.orders.id
-- expect: mart.daily.ts <- shop.orders.ts

-- case: properties in WITH before AS
-- dialect: trino, presto, athena
CREATE TABLE mart.daily WITH (format = 'ORC', partitioned_by = ARRAY['ds']) AS SELECT o.id, o.ds FROM shop.orders o
-- expect: mart.daily.id <- shop.orders.id
-- expect: mart.daily.ds <- shop.orders.ds

-- case: an engine and an ordering
-- dialect: clickhouse
CREATE TABLE mart.daily ENGINE = MergeTree ORDER BY id AS SELECT o.id FROM shop.orders o
-- expect: mart.daily.id <- shop.orders.id

-- case: WITH DATA behind the query in parentheses
-- dialect: teradata, db2
CREATE TABLE mart.daily AS (SELECT o.id FROM shop.orders o) WITH DATA
-- expect: mart.daily.id <- shop.orders.id

-- case: a table of a CTE
-- dialect: postgres, snowflake, bigquery, redshift, spark, trino, duckdb
CREATE TABLE mart.daily AS WITH o AS (SELECT id AS k FROM shop.orders) SELECT k FROM o
-- expect: mart.daily.k <- shop.orders.id

-- case: LIKE reads the columns of another table, and no data
-- dialect: postgres, snowflake, mysql, redshift, hive
-- table: shop.orders (id, amount)
CREATE TABLE mart.orders_empty (LIKE shop.orders)
-- inputs: shop.orders
-- outputs: mart.orders_empty

-- case: CLONE copies every column
-- dialect: snowflake, databricks, bigquery
-- table: shop.orders (id, amount)
CREATE TABLE mart.orders_copy CLONE shop.orders
-- expect: mart.orders_copy.id <- shop.orders.id
-- expect: mart.orders_copy.amount <- shop.orders.amount

-- case: COPY of a table
-- dialect: bigquery
-- table: shop.orders (id, amount)
CREATE TABLE mart.orders_copy COPY shop.orders
-- expect: mart.orders_copy.id <- shop.orders.id
-- expect: mart.orders_copy.amount <- shop.orders.amount

-- case: a temporary table alone is still an output
-- dialect: postgres, snowflake, redshift
CREATE TEMPORARY TABLE t AS SELECT o.id FROM shop.orders o
-- expect: t.id <- shop.orders.id

-- case: TABLE as the query
-- dialect: postgres
-- table: shop.orders (id)
CREATE TABLE mart.daily AS TABLE shop.orders
-- expect: mart.daily.id <- shop.orders.id

-- case: plain DDL is an output without edges
-- dialect: all
CREATE TABLE mart.daily (id INTEGER NOT NULL, amount DECIMAL(10, 2))
-- inputs: nothing
-- outputs: mart.daily
-- statements: table

-- case: where the rows are kept stands right behind the last table
-- dialect: greenplum
CREATE TABLE mart.a AS SELECT o.id FROM shop.orders o DISTRIBUTED BY (id); CREATE TABLE mart.b AS SELECT id FROM shop.orders DISTRIBUTED RANDOMLY; CREATE TABLE mart.c AS SELECT id FROM shop.orders DISTRIBUTED REPLICATED; SELECT distributed.id FROM shop.orders distributed WHERE distributed.id > 1
-- expect: mart.a.id <- shop.orders.id
-- expect: mart.b.id <- shop.orders.id
-- expect: mart.c.id <- shop.orders.id
-- expect: id <- shop.orders.id

-- case: projections' clauses right behind the last table
-- dialect: vertica
CREATE TABLE mart.a AS SELECT id FROM shop.orders SEGMENTED BY HASH(id) ALL NODES KSAFE 1; CREATE TABLE mart.b AS SELECT id FROM shop.orders UNSEGMENTED ALL NODES; CREATE TABLE mart.c AS SELECT id FROM shop.orders ENCODED BY id ENCODING RLE
-- expect: mart.a.id <- shop.orders.id
-- expect: mart.b.id <- shop.orders.id
-- expect: mart.c.id <- shop.orders.id
