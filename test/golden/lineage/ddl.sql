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
