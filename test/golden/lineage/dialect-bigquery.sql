-- case: a wildcard over shards is named like a shard
-- dialect: bigquery
SELECT e.user_id FROM `proj.logs.events_*` e WHERE _TABLE_SUFFIX = '20240101'
-- expect: user_id <- proj.logs.events_yyyymmdd.user_id

-- case: a date shard is named without its date
-- dialect: bigquery
SELECT e.user_id FROM `proj.logs.events_20240101` e
-- expect: user_id <- proj.logs.events_yyyymmdd.user_id

-- case: a partition decorator goes
-- dialect: bigquery
SELECT e.user_id FROM `proj.logs.events$20240101` e
-- expect: user_id <- proj.logs.events.user_id

-- case: pipe syntax from FROM to SELECT
-- dialect: bigquery
FROM shop.orders |> WHERE amount > 0 |> SELECT id, amount * 2 AS twice
-- expect: id <- shop.orders.id
-- expect: twice <- shop.orders.amount

-- case: pipe AGGREGATE and EXTEND
-- dialect: bigquery
FROM shop.orders |> AGGREGATE SUM(amount) AS total GROUP BY country |> EXTEND total * 2 AS twice |> ORDER BY total
-- expect: country <- shop.orders.country
-- expect: total <- shop.orders.amount
-- expect: twice <- shop.orders.amount

-- case: pipe JOIN, DROP and RENAME
-- dialect: bigquery
-- table: shop.orders (id, secret)
-- table: crm.customers (cid, name)
FROM shop.orders AS o |> JOIN crm.customers AS c ON c.cid = o.id |> DROP secret, cid |> RENAME name AS customer
-- expect: id <- shop.orders.id
-- expect: customer <- crm.customers.name

-- case: pipe SET replaces a column
-- dialect: bigquery
-- table: shop.orders (id, amount)
FROM shop.orders |> SET amount = amount * 2
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount TRANSFORMED

-- case: a model is no table that feeds the columns
-- dialect: bigquery
SELECT p.predicted FROM ML.PREDICT(MODEL mart.forecast, (SELECT o.amount FROM shop.orders o)) p
-- expect: predicted <- shop.orders.amount
-- inputs: shop.orders

-- case: dates with parts that are words
-- dialect: bigquery
SELECT DATE_TRUNC(o.day, MONTH) AS m, DATE_DIFF(o.a, o.b, DAY) AS n, TIMESTAMP_ADD(o.at, INTERVAL o.n HOUR) AS t FROM shop.orders o
-- expect: m <- shop.orders.day
-- expect: n <- shop.orders.a, shop.orders.b
-- expect: t <- shop.orders.at, shop.orders.n

-- case: SAFE functions and SAFE_OFFSET
-- dialect: bigquery
SELECT SAFE.PARSE_DATE('%F', o.d) AS d, o.tags[SAFE_OFFSET(0)] AS tag FROM shop.orders o
-- expect: d <- shop.orders.d
-- expect: tag <- shop.orders.tags

-- case: a trailing comma
-- dialect: bigquery, snowflake, duckdb, databricks
SELECT o.id, o.amount, FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: a table function of our own
-- dialect: bigquery
SELECT f.id FROM mart.orders_of(2024) AS f
-- expect: id <- nothing
-- inputs: nothing

-- case: fields of elements that have no alias
-- dialect: bigquery
SELECT o.id, (SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'session') AS session FROM raw.events o
-- expect: id <- raw.events.id
-- expect: session <- raw.events.event_params

-- case: a snapshot of a moment
-- dialect: bigquery
CREATE SNAPSHOT TABLE mart.s CLONE raw.t FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)
-- expect: mart.s.* <- raw.t.*

-- case: raw strings with quotes in them
-- dialect: bigquery
SELECT REGEXP_REPLACE(o.a, r"\d+\"x", "") AS b, r"""x"y""" AS c, rb'\'' AS d FROM raw.o o
-- expect: b <- raw.o.a
-- expect: c <- nothing
-- expect: d <- nothing

-- case: privacy options, windows behind a pipe
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1, privacy_unit_column = id) o.a, COUNT(*) AS n FROM raw.o o GROUP BY o.a; FROM raw.p |> WINDOW SUM(q) OVER (PARTITION BY r) AS w |> SELECT w
-- expect: a <- raw.o.a
-- expect: n <- nothing
-- expect: w <- raw.p.q, raw.p.r

-- case: a graph over tables
-- dialect: bigquery
CREATE OR REPLACE PROPERTY GRAPH fin.g NODE TABLES (fin.person KEY (id), fin.account KEY (id) LABEL Account PROPERTIES (id, nick)) EDGE TABLES (fin.owns SOURCE KEY (pid) REFERENCES person (id) DESTINATION KEY (aid) REFERENCES account (id))
-- inputs: fin.person, fin.account, fin.owns
-- outputs: fin.g

-- case: HAVING MAX chooses the row of any aggregate
-- dialect: bigquery
-- table: crm.customers (name, email, signup)
SELECT ANY_VALUE(name HAVING MAX signup) AS newest, MAX(email HAVING MIN signup) AS first FROM crm.customers
-- expect: newest <- crm.customers.name, crm.customers.signup
-- expect: first <- crm.customers.email, crm.customers.signup

-- case: a WITH expression names parts of a value
-- dialect: bigquery
-- table: shop.orders (id, amount)
SELECT id, WITH(a AS amount * 2, top AS (SELECT MAX(r.rate) FROM shop.rates r), a * top) AS share FROM shop.orders
-- expect: id <- shop.orders.id
-- expect: share <- shop.orders.amount, shop.rates.rate
-- inputs: shop.orders, shop.rates

-- case: a WITH expression shadows a column only behind its name
-- dialect: bigquery
-- table: shop.orders (id, amount)
SELECT WITH(amount AS amount + id, amount) FROM shop.orders
-- expect: f0_ <- shop.orders.amount, shop.orders.id

-- case: pipe WITH brings CTEs for the steps behind
-- dialect: bigquery
-- table: shop.orders (id, amount, currency)
FROM shop.orders |> WITH r AS (SELECT currency, MAX(rate) AS top FROM shop.rates GROUP BY 1) |> JOIN r USING (currency) |> SELECT id, amount * top AS value
-- expect: id <- shop.orders.id
-- expect: value <- shop.orders.amount, shop.rates.rate
-- inputs: shop.orders, shop.rates

-- case: pipe AGGREGATE by ROLLUP and by grouping sets
-- dialect: bigquery
FROM shop.orders |> AGGREGATE SUM(amount) AS total GROUP BY ROLLUP(country, status), GROUPING SETS ((day, kind), ()) |> EXTEND total * 2 AS twice
-- expect: country <- shop.orders.country
-- expect: status <- shop.orders.status
-- expect: day <- shop.orders.day
-- expect: kind <- shop.orders.kind
-- expect: total <- shop.orders.amount
-- expect: twice <- shop.orders.amount

-- case: CTEs are in reach of all steps of a pipe
-- dialect: bigquery
-- table: shop.orders (id, customer, country)
-- table: crm.customers (customer, name)
WITH o AS (FROM shop.orders |> EXTEND id * 2 AS twice), c AS (SELECT * FROM crm.customers) FROM o |> JOIN c USING (customer) |> SELECT twice, name, o.country
-- expect: twice <- shop.orders.id
-- expect: name <- crm.customers.name
-- expect: country <- shop.orders.country
-- inputs: shop.orders, crm.customers

-- case: an array's path as a table, with the place of each element
-- dialect: bigquery
-- table: shop.orders (id, items)
CREATE TABLE mart.a AS
SELECT o.id, i.sku, place, d.name FROM shop.orders o, o.items AS i WITH OFFSET AS place
LEFT JOIN shop.dim FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-01' d ON d.sku = i.sku
-- expect: mart.a.id <- shop.orders.id
-- expect: mart.a.sku <- shop.orders.items
-- expect: mart.a.place <- nothing
-- expect: mart.a.name <- shop.dim.name

-- case: a table function whose whole path is quoted
-- dialect: bigquery
CREATE OR REPLACE TABLE FUNCTION `my-project.fn.orders_of`(c STRING) RETURNS TABLE<id INT64> AS SELECT o.id FROM `my-project.shop.orders` o WHERE o.c = c;
CREATE VIEW mart.v AS SELECT f.id FROM `my-project.fn.orders_of`('a') f
-- expect: mart.v.id <- my-project.shop.orders.id

-- case: a query for another database between triple quotes
-- dialect: bigquery
INSERT INTO mart.t (id, name) SELECT e.id, e.name FROM EXTERNAL_QUERY('us.conn', """
  SELECT c.id, c.name FROM crm.customers AS c WHERE c.kind = 'x'
""") AS e
-- expect: mart.t.id <- crm.customers.id
-- expect: mart.t.name <- crm.customers.name

-- case: INFORMATION_SCHEMA and its view are one name in a dataset, a region or a project
-- dialect: bigquery
-- default: proj.
SELECT t.table_name, s.schema_name, r.job_id, p.x
FROM ds.information_schema.tables t, information_schema.schemata s, `region-us`.information_schema.jobs r,
  `other.ds.INFORMATION_SCHEMA.TABLES` p
-- expect: table_name <- proj.ds.information_schema.tables.table_name
-- expect: schema_name <- proj.information_schema.schemata.schema_name
-- expect: job_id <- proj.region-us.information_schema.jobs.job_id
-- expect: x <- other.ds.INFORMATION_SCHEMA.TABLES.x
