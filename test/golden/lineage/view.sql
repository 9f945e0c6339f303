-- case: a view names its columns in front of the query
-- dialect: all
CREATE VIEW mart.v (k, total) AS SELECT o.id, o.amount FROM shop.orders o
-- expect: mart.v.k <- shop.orders.id
-- expect: mart.v.total <- shop.orders.amount
-- statements: view

-- case: OR REPLACE and options between name and AS
-- dialect: bigquery
CREATE OR REPLACE VIEW mart.v OPTIONS (description = 'x') AS SELECT o.id FROM shop.orders o
-- expect: mart.v.id <- shop.orders.id

-- case: a secure view with comments on its columns
-- dialect: snowflake
CREATE OR REPLACE SECURE VIEW mart.v (k COMMENT 'key', total COMMENT 'sum') COPY GRANTS COMMENT = 'all' AS SELECT o.id, o.amount FROM shop.orders o
-- expect: mart.v.k <- shop.orders.id
-- expect: mart.v.total <- shop.orders.amount

-- case: a masking policy on a view's column
-- dialect: snowflake
CREATE VIEW mart.v (k WITH MASKING POLICY gov.hide, total) AS SELECT o.id, o.amount FROM shop.orders o
-- expect: mart.v.k <- shop.orders.id
-- expect: mart.v.total <- shop.orders.amount

-- case: definer, algorithm and security
-- dialect: mysql, mariadb
CREATE ALGORITHM=MERGE DEFINER=`root`@`%` SQL SECURITY DEFINER VIEW mart.v AS SELECT o.id FROM shop.orders o
-- expect: mart.v.id <- shop.orders.id

-- case: WITH SCHEMABINDING in front and WITH CHECK OPTION behind
-- dialect: tsql
CREATE VIEW mart.v WITH SCHEMABINDING AS SELECT o.id FROM shop.orders o WITH CHECK OPTION
-- expect: mart.v.id <- shop.orders.id

-- case: no schema binding
-- dialect: redshift
CREATE VIEW mart.v AS SELECT o.id FROM shop.orders o WITH NO SCHEMA BINDING
-- expect: mart.v.id <- shop.orders.id

-- case: FORCE, EDITIONABLE and READ ONLY
-- dialect: oracle
CREATE OR REPLACE FORCE EDITIONABLE VIEW mart.v ("K") AS SELECT o.id FROM shop.orders o WITH READ ONLY
-- expect: mart.v.K <- shop.orders.id

-- case: a materialised view
-- dialect: postgres, snowflake, bigquery, redshift, materialize, databricks
CREATE MATERIALIZED VIEW mart.v AS SELECT o.country, SUM(o.amount) AS total FROM shop.orders o GROUP BY o.country
-- expect: mart.v.country <- shop.orders.country
-- expect: mart.v.total <- shop.orders.amount AGGREGATED
-- statements: materializedView

-- case: a materialised view writes its TO table
-- dialect: clickhouse
CREATE MATERIALIZED VIEW mart.mv TO mart.daily AS SELECT o.day, sum(o.amount) AS total FROM shop.orders o GROUP BY o.day
-- expect: mart.daily.day <- shop.orders.day
-- expect: mart.daily.total <- shop.orders.amount

-- case: build and refresh clauses
-- dialect: oracle
CREATE MATERIALIZED VIEW mart.v BUILD IMMEDIATE REFRESH COMPLETE ON DEMAND AS SELECT o.id FROM shop.orders o
-- expect: mart.v.id <- shop.orders.id

-- case: a dynamic table
-- dialect: snowflake
CREATE OR REPLACE DYNAMIC TABLE mart.d TARGET_LAG = '1 hour' WAREHOUSE = wh AS SELECT o.id FROM shop.orders o
-- expect: mart.d.id <- shop.orders.id

-- case: refresh settings between name and query
-- dialect: starrocks
CREATE MATERIALIZED VIEW mart.v DISTRIBUTED BY HASH(id) REFRESH ASYNC EVERY (INTERVAL 1 DAY) AS SELECT o.id FROM shop.orders o
-- expect: mart.v.id <- shop.orders.id

-- case: ALTER VIEW AS defines the view anew
-- dialect: tsql, mysql, hive, spark
ALTER VIEW mart.v AS SELECT o.id FROM shop.orders o
-- expect: mart.v.id <- shop.orders.id

-- case: CREATE OR ALTER
-- dialect: tsql
CREATE OR ALTER VIEW mart.v AS SELECT o.id FROM shop.orders o
-- expect: mart.v.id <- shop.orders.id

-- case: REPLACE VIEW with a lock modifier
-- dialect: teradata
REPLACE VIEW mart.v AS LOCKING ROW FOR ACCESS SELECT o.id FROM shop.orders o
-- expect: mart.v.id <- shop.orders.id

-- case: a recursive view
-- dialect: postgres
CREATE RECURSIVE VIEW mart.tree (id, up) AS SELECT n.id, n.up FROM hr.nodes n UNION ALL SELECT n.id, n.up FROM hr.nodes n JOIN mart.tree t ON n.up = t.id
-- expect: mart.tree.id <- hr.nodes.id
-- expect: mart.tree.up <- hr.nodes.up
-- inputs: hr.nodes
