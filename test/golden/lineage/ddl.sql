-- case: columns, keys, checks and comments are one table
-- dialect: postgres, mysql, snowflake, redshift
CREATE TABLE shop.orders (
  id INTEGER PRIMARY KEY,
  amount DECIMAL(10, 2) DEFAULT 0 NOT NULL,
  customer_id INTEGER REFERENCES crm.customers (id),
  CHECK (amount >= 0),
  UNIQUE (customer_id, id)
)
-- inputs: nothing
-- outputs: shop.orders
-- statements: table

-- case: DDL spells out a later star
-- dialect: all
CREATE TABLE shop.orders (id INTEGER, amount INTEGER);
SELECT * FROM shop.orders
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount
-- inputs: shop.orders
-- outputs: shop.orders

-- case: a view's columns are known to a later star
-- dialect: all
CREATE VIEW mart.v (k, v) AS SELECT o.id, o.amount FROM shop.orders o;
CREATE VIEW mart.w AS SELECT * FROM mart.v
-- expect: mart.v.k <- shop.orders.id
-- expect: mart.v.v <- shop.orders.amount
-- expect: mart.w.k <- mart.v.k
-- expect: mart.w.v <- mart.v.v

-- case: a dropped column is gone from the star
-- dialect: postgres, snowflake, mysql
CREATE TABLE shop.orders (id INTEGER, secret INTEGER, amount INTEGER);
ALTER TABLE shop.orders DROP COLUMN secret;
CREATE TABLE mart.copy AS SELECT * FROM shop.orders
-- expect: mart.copy.id <- shop.orders.id
-- expect: mart.copy.amount <- shop.orders.amount
-- outputs: shop.orders, mart.copy

-- case: a renamed column has its new name in the star
-- dialect: postgres, snowflake, mysql
CREATE TABLE shop.orders (id INTEGER, amt INTEGER);
ALTER TABLE shop.orders RENAME COLUMN amt TO amount;
CREATE TABLE mart.copy AS SELECT * FROM shop.orders
-- expect: mart.copy.id <- shop.orders.id
-- expect: mart.copy.amount <- shop.orders.amount
-- outputs: shop.orders, mart.copy

-- case: LIKE takes the columns over
-- dialect: snowflake, mysql, hive
CREATE TABLE shop.orders (id INTEGER, amount INTEGER);
CREATE TABLE shop.copy LIKE shop.orders;
CREATE TABLE mart.c AS SELECT * FROM shop.copy
-- expect: mart.c.id <- shop.copy.id
-- expect: mart.c.amount <- shop.copy.amount
-- inputs: shop.copy, shop.orders
-- outputs: shop.orders, shop.copy, mart.c

-- case: an index, a grant and a comment are no lineage
-- dialect: postgres, snowflake, oracle
CREATE INDEX ix ON shop.orders (customer_id);
GRANT SELECT ON shop.orders TO reader;
COMMENT ON TABLE shop.orders IS 'orders; all of them';
INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: types with parentheses, arrays and structs are no columns
-- dialect: bigquery
CREATE TABLE shop.orders (id INT64 NOT NULL OPTIONS (description = 'key'), tags ARRAY<STRING>, item STRUCT<sku STRING, qty INT64>);
CREATE TABLE mart.c AS SELECT * FROM shop.orders
-- expect: mart.c.id <- shop.orders.id
-- expect: mart.c.tags <- shop.orders.tags
-- expect: mart.c.item <- shop.orders.item
-- outputs: shop.orders, mart.c

-- case: a schema is made, transactions come and go
-- dialect: postgres, mysql, duckdb
CREATE SCHEMA IF NOT EXISTS mart;
BEGIN;
INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o;
COMMIT
-- expect: mart.sales.k <- shop.orders.id

-- case: elements of CREATE SCHEMA stand in the new schema, and what follows does not
-- dialect: postgres, ansi, db2
CREATE SCHEMA IF NOT EXISTS mart AUTHORIZATION etl
  CREATE TABLE orders (id int, amount numeric)
  CREATE VIEW totals AS SELECT id, sum(amount) AS total FROM orders o JOIN raw.rates r USING (id) GROUP BY id
  GRANT SELECT ON totals TO reader
  CREATE VIEW ids AS SELECT id FROM totals;
CREATE VIEW copy AS SELECT id FROM orders;
-- expect: mart.totals.id <- mart.orders.id, raw.rates.id
-- expect: mart.totals.total <- mart.orders.amount
-- expect: mart.ids.id <- mart.totals.id
-- expect: copy.id <- orders.id
-- inputs: mart.orders, raw.rates, mart.totals, orders
-- outputs: mart.orders, mart.totals, mart.ids, copy

-- case: what runs by itself: an alert's condition is read, its action writes
-- dialect: snowflake
CREATE OR REPLACE ALERT ops.late WAREHOUSE = w SCHEDULE = '60 MINUTE'
  IF (EXISTS (SELECT 1 FROM shop.orders o JOIN shop.due d USING (id) WHERE o.sent IS NULL))
  THEN INSERT INTO ops.alarms (id, at) SELECT id, CURRENT_TIMESTAMP FROM shop.orders WHERE sent IS NULL;
-- expect: ops.alarms.id <- shop.orders.id
-- expect: ops.alarms.at <- nothing
-- inputs: shop.orders, shop.due
-- outputs: ops.alarms

-- case: a search service keeps a query's rows
-- dialect: snowflake
CREATE CORTEX SEARCH SERVICE docs.found ON body ATTRIBUTES author WAREHOUSE = w TARGET_LAG = '1 day' AS (
  SELECT d.body, a.name AS author FROM docs.pages d JOIN docs.authors a ON a.id = d.author_id
);
-- expect: docs.found.body <- docs.pages.body
-- expect: docs.found.author <- docs.authors.name

-- case: a join index keeps a query's rows
-- dialect: teradata
CREATE JOIN INDEX mart.j AS SELECT o.region, SUM(o.amount) AS total FROM shop.orders o GROUP BY o.region PRIMARY INDEX (region);
-- expect: mart.j.region <- shop.orders.region
-- expect: mart.j.total <- shop.orders.amount

-- case: scheduled queries
-- dialect: hive
CREATE SCHEDULED QUERY q EVERY 1 HOUR OFFSET BY '0:05:00' EXECUTED AS 'joe' ENABLED AS
INSERT OVERWRITE TABLE mart.t SELECT id FROM raw.s;
-- expect: mart.t.id <- raw.s.id

-- case: jobs on a schedule
-- dialect: doris
CREATE JOB j ON SCHEDULE EVERY 1 DAY STARTS '2024-01-01' COMMENT 'x' DO INSERT INTO mart.t (id) SELECT id FROM raw.s;
-- expect: mart.t.id <- raw.s.id

-- case: a model is trained on a query's rows
-- dialect: redshift
CREATE MODEL ml.churn FROM (SELECT age, calls, churned FROM crm.people WHERE day < '2024-01-01')
TARGET churned FUNCTION predict_churn IAM_ROLE 'arn' SETTINGS (S3_BUCKET 'b');
-- expect: ml.churn.age <- crm.people.age
-- expect: ml.churn.calls <- crm.people.calls
-- expect: ml.churn.churned <- crm.people.churned

-- case: dot commands of the shell
-- dialect: sqlite, duckdb
.mode csv
.headers on
CREATE VIEW v AS SELECT id FROM t;
.read other's.sql
INSERT INTO w (id) SELECT id FROM v;
-- expect: v.id <- t.id
-- expect: w.id <- v.id

-- case: a key that follows its parent is no UPDATE
-- dialect: postgres, mysql, tsql, oracle
ALTER TABLE shop.items ADD CONSTRAINT fk_order FOREIGN KEY (order_id) REFERENCES shop.orders (id) ON UPDATE CASCADE ON DELETE NO ACTION;
INSERT INTO mart.o (k) SELECT o.id FROM shop.orders o
-- expect: mart.o.k <- shop.orders.id
-- outputs: shop.items, mart.o

-- case: a default that stands in for NULL
-- dialect: oracle
CREATE TABLE shop.lots (id NUMBER DEFAULT ON NULL FOR INSERT AND UPDATE shop.seq.NEXTVAL PRIMARY KEY, n NUMBER DEFAULT ON NULL 4);
INSERT INTO mart.lots SELECT l.id, l.n FROM shop.lots l
-- expect: mart.lots.id <- shop.lots.id
-- expect: mart.lots.n <- shop.lots.n
-- outputs: shop.lots, mart.lots

-- case: numbers that the database gives unless somebody says one
-- dialect: oracle, postgres, db2
CREATE TABLE shop.runs (id INT GENERATED BY DEFAULT AS IDENTITY, n INT DEFAULT 4);
INSERT INTO mart.runs (k) SELECT r.id FROM shop.runs r
-- expect: mart.runs.k <- shop.runs.id
-- outputs: shop.runs, mart.runs
