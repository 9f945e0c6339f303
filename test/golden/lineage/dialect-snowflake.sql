-- case: a stream is read like its table
-- dialect: snowflake
INSERT INTO mart.sales (k, act) SELECT s.id, s.METADATA$ACTION FROM shop.orders_stream s
-- expect: mart.sales.k <- shop.orders_stream.id
-- expect: mart.sales.act <- shop.orders_stream.METADATA$ACTION

-- case: casts of a path into a variant, then a CTE, then an aggregate
-- dialect: snowflake
WITH e AS (SELECT v:customer.id::string AS customer_id, v:total::number AS total FROM raw.events)
SELECT customer_id, SUM(total) AS total FROM e GROUP BY customer_id
-- expect: customer_id <- raw.events.v TRANSFORMED
-- expect: total <- raw.events.v AGGREGATED

-- case: OBJECT_CONSTRUCT of a star takes every column
-- dialect: snowflake
-- table: shop.orders (id, amount)
SELECT OBJECT_CONSTRUCT(*) AS doc FROM shop.orders
-- expect: doc <- shop.orders.id, shop.orders.amount

-- case: the second of two windows through QUALIFY in a CTE that is inserted
-- dialect: snowflake
INSERT INTO mart.latest (k, v)
WITH r AS (SELECT e.id, e.v FROM raw.events e QUALIFY ROW_NUMBER() OVER (PARTITION BY e.id ORDER BY e.at DESC) = 1)
SELECT r.id, r.v FROM r
-- expect: mart.latest.k <- raw.events.id
-- expect: mart.latest.v <- raw.events.v

-- case: INSERT OVERWRITE INTO
-- dialect: snowflake
INSERT OVERWRITE INTO mart.sales (k) SELECT o.id FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: a table function joined by a lateral comma
-- dialect: snowflake
SELECT o.id, g.n FROM shop.orders o, TABLE(mart.explain(o.code)) AS g
-- expect: id <- shop.orders.id
-- expect: n <- shop.orders.code

-- case: dollar columns of a derived table
-- dialect: snowflake
SELECT t.$2 AS v FROM (SELECT o.id, o.amount FROM shop.orders o) t
-- expect: v <- shop.orders.amount

-- case: CREATE TABLE USING TEMPLATE has no columns of its own
-- dialect: snowflake
CREATE TABLE raw.orders USING TEMPLATE (SELECT ARRAY_AGG(OBJECT_CONSTRUCT(*)) FROM TABLE(INFER_SCHEMA(LOCATION => '@landing.stage/o', FILE_FORMAT => 'f')))
-- outputs: raw.orders
-- inputs: nothing

-- case: an alert, a pipe with its COPY
-- dialect: snowflake
CREATE PIPE etl.p AUTO_INGEST = TRUE AS COPY INTO raw.orders FROM @landing.stage/orders
-- expect: raw.orders.* <- "@landing.stage/orders".*
-- inputs: "@landing.stage/orders"
-- outputs: raw.orders

-- case: the flow operator
-- dialect: snowflake
SELECT o.a, IFF(o.x > 0, o.y, o.z) AS f, NVL(o.n, o.m) AS n, ZEROIFNULL(o.q) AS q FROM shop.orders o
-- expect: a <- shop.orders.a
-- expect: f <- shop.orders.x, shop.orders.y, shop.orders.z
-- expect: n <- shop.orders.n, shop.orders.m
-- expect: q <- shop.orders.q

-- case: columns of VALUES by position without an alias
-- dialect: snowflake
INSERT INTO mart.t (a, b) SELECT $1, PARSE_JSON($2) FROM VALUES (1, '{}'), (2, '{}')
-- expect: mart.t.a <- nothing
-- expect: mart.t.b <- nothing

-- case: all columns as one object
-- dialect: snowflake
-- table: raw.t (a, b, c)
SELECT {*} AS o, {* EXCLUDE (a, c)} AS p, {'k': t.a, 'm': t.b} AS q FROM raw.t
-- expect: o <- raw.t.a, raw.t.b, raw.t.c
-- expect: p <- raw.t.b
-- expect: q <- raw.t.a, raw.t.b

-- case: names given to the columns of PIVOT over ANY
-- dialect: snowflake
SELECT * FROM (SELECT s.id, s.m, s.amt FROM shop.sales s) PIVOT (SUM(amt) FOR m IN (ANY ORDER BY m)) AS p (id, jan, feb)
-- expect: id <- shop.sales.id
-- expect: jan <- shop.sales.amt
-- expect: feb <- shop.sales.amt

-- case: a session variable names the table
-- dialect: snowflake
SET tgt = 'dwh.mart.orders';
SET sch = 'raw';
INSERT INTO IDENTIFIER($tgt) (id) SELECT o.id FROM IDENTIFIER($sch || '.orders') o;
CREATE VIEW mart.v AS SELECT t.id FROM TABLE($tgt) t;
-- expect: dwh.mart.orders.id <- raw.orders.id
-- expect: mart.v.id <- dwh.mart.orders.id

-- case: a procedure that lives for one call
-- dialect: snowflake
WITH get_tot AS PROCEDURE (d DATE) RETURNS NUMBER LANGUAGE SQL AS $$
BEGIN
  INSERT INTO mart.anon (x) SELECT s.y FROM raw.src s WHERE s.d = :d;
  RETURN 1;
END;
$$ CALL get_tot(CURRENT_DATE());
-- expect: mart.anon.x <- raw.src.y

-- case: statements in the strings of a JavaScript procedure
-- dialect: snowflake
CREATE PROCEDURE etl.p(TAB STRING, D FLOAT) RETURNS STRING LANGUAGE JAVASCRIPT AS $$
  var sql = `insert into mart.t (id, v)
     select s.id, s.v from raw.src s where s.d > ?`;
  snowflake.createStatement({sqlText: sql, binds: [D]}).execute();
  snowflake.execute({sqlText: "insert into mart.u (id) " + "select x.id from raw." + TAB + " x"});
  return "done from here";
$$;
-- diagnostic: DYNAMIC_SQL
-- expect: mart.t.id <- raw.src.id
-- expect: mart.t.v <- raw.src.v
-- expect: mart.u.id <- raw.${TAB}.id

-- case: statements in the strings of a Python procedure
-- dialect: snowflake
CREATE PROCEDURE etl.q() RETURNS STRING LANGUAGE PYTHON RUNTIME_VERSION = '3.11' HANDLER = 'run' AS $$
def run(session):
    session.sql("""
        insert into mart.t (a)
        select b.b from raw.b b
    """).collect()
    return 'ok'
$$;
-- diagnostic: DYNAMIC_SQL
-- expect: mart.t.a <- raw.b.b

-- case: a function that is an expression in a string
-- dialect: snowflake
CREATE FUNCTION etl.area(r FLOAT) RETURNS FLOAT AS 'pi() * r * r';
-- inputs: nothing

-- case: a semantic view is made of facts, dimensions and metrics
-- dialect: snowflake
CREATE OR REPLACE SEMANTIC VIEW mart.sales TABLES (o AS raw.orders PRIMARY KEY (id) WITH SYNONYMS ('sales'), c AS raw.customers PRIMARY KEY (id) COMMENT = 'x') RELATIONSHIPS (o_c AS o (cid) REFERENCES c) FACTS (o.net AS price * (1 - discount)) DIMENSIONS (c.name AS c.full_name WITH SYNONYMS = ('n'), PUBLIC o.day AS DATE(created)) METRICS (o.total AS SUM(o.net)) COMMENT = 'y'
-- expect: mart.sales.net <- raw.orders.price, raw.orders.discount
-- expect: mart.sales.name <- raw.customers.full_name IDENTITY
-- expect: mart.sales.day <- raw.orders.created
-- expect: mart.sales.total <- raw.orders.price AGGREGATED, raw.orders.discount AGGREGATED

-- case: LEVEL of a hierarchy is no column, elsewhere it is
-- dialect: snowflake
-- table: hr.emp (id, mgr, title, level)
SELECT LEVEL AS l, e.title FROM hr.emp e START WITH mgr IS NULL CONNECT BY mgr = PRIOR id; CREATE VIEW hr.v AS SELECT level AS l FROM hr.emp
-- expect: l <- nothing
-- expect: title <- hr.emp.title
-- expect: hr.v.l <- hr.emp.level

-- case: virtual columns of an external table are computed from its files
-- dialect: snowflake
CREATE EXTERNAL TABLE raw.x (url VARCHAR AS (VALUE:c1::VARCHAR), "Ts" TIMESTAMP AS (value:"ts"::TIMESTAMP), up VARCHAR AS UPPER(url), n INT)
  LOCATION = @land/clicks/ FILE_FORMAT = (TYPE = PARQUET)
-- expect: raw.x.url <- "@land/clicks/".VALUE
-- expect: raw.x.Ts <- "@land/clicks/".value
-- expect: raw.x.up <- raw.x.url
-- inputs: @land/clicks/

-- case: a database has the schema PUBLIC
-- dialect: snowflake
USE DATABASE dwh;
INSERT INTO t (a) SELECT s.b FROM other..s s;
USE SCHEMA mart;
INSERT INTO t (a) SELECT s.c FROM s
-- expect: dwh.PUBLIC.t.a <- other.PUBLIC.s.b
-- expect: dwh.mart.t.a <- dwh.mart.s.c

-- case: places in a stage are the stage's
-- dialect: snowflake
USE SCHEMA raw.web;
CREATE STAGE st URL = 's3://bucket/in/' FILE_FORMAT = (TYPE = JSON);
COPY INTO raw.web.events (v) FROM (SELECT t.$1 FROM @st/2024/ (PATTERN => '.*gz') t);
COPY INTO raw.web.more FROM @RAW.WEB.ST;
COPY INTO raw.web.other (v) FROM (SELECT t.$1 FROM @unknown/2024/ t);
-- expect: raw.web.st.* <- s3://bucket/in/.*
-- expect: raw.web.events.v <- raw.web.st.$1
-- expect: raw.web.more.* <- raw.web.st.*
-- expect: raw.web.other.v <- @unknown/2024/.$1
-- inputs: s3://bucket/in/, raw.web.st, @unknown/2024/
-- outputs: raw.web.st, raw.web.events, raw.web.more, raw.web.other

-- case: a flow of statements, each reading the ones before by number
-- dialect: snowflake
SELECT a, b FROM raw.t ->> INSERT INTO mart.x (a, b) SELECT a, b FROM $1 ->> SELECT x.a, y.c FROM $2 AS x JOIN raw.y y ON y.a = x.a
-- expect: a <- raw.t.a
-- expect: b <- raw.t.b
-- expect: c <- raw.y.c
-- expect: mart.x.a <- raw.t.a
-- expect: mart.x.b <- raw.t.b

-- case: a flow that begins with SHOW
-- dialect: snowflake
SHOW TABLES IN SCHEMA db.s ->> INSERT INTO mart.sizes (name, n) SELECT "name", "rows" FROM $1 WHERE "rows" > 0
-- expect: mart.sizes.name <- nothing
-- expect: mart.sizes.n <- nothing
