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

-- case: RESULT_SCAN of the last query
-- dialect: snowflake
SELECT o.id AS oid, o.amt FROM shop.o o;
INSERT INTO mart.t (a, b) SELECT oid, amt * 2 FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()));
SHOW TABLES;
CREATE TABLE mart.s AS SELECT "name", "rows" FROM TABLE(RESULT_SCAN(LAST_QUERY_ID(-1)))
-- expect: oid <- shop.o.id
-- expect: amt <- shop.o.amt
-- expect: mart.t.a <- shop.o.id
-- expect: mart.t.b <- shop.o.amt
-- expect: mart.s.name <- nothing
-- expect: mart.s.rows <- nothing
-- inputs: shop.o
-- outputs: mart.t, mart.s

-- case: RESULT_SCAN two back, by dollar columns
-- dialect: snowflake
SELECT a.x, a.y FROM raw.a a;
SELECT b.z FROM raw.b b;
INSERT INTO mart.t (p, q) SELECT $1, t.$2 FROM TABLE(RESULT_SCAN(LAST_QUERY_ID(-2))) t
-- expect: x <- raw.a.x
-- expect: y <- raw.a.y
-- expect: z <- raw.b.z
-- expect: mart.t.p <- raw.a.x
-- expect: mart.t.q <- raw.a.y

-- case: dollar chains
-- dialect: snowflake
INSERT INTO mart.t SELECT q.$2 AS b, c AS d FROM (SELECT $1 AS c, $2 || 'x' FROM (SELECT s.$1:id::int, s.$3 FROM @stg/x.json (FILE_FORMAT => 'f') s)) q
-- expect: mart.t.b <- "@stg/x.json".$3
-- expect: mart.t.d <- "@stg/x.json".$1

-- case: flow operator
-- dialect: snowflake
SELECT o.id, o.v FROM shop.o o ->> INSERT INTO mart.t (a, b) SELECT id, v + 1 FROM $1
-- expect: id <- shop.o.id
-- expect: v <- shop.o.v
-- expect: mart.t.a <- shop.o.id
-- expect: mart.t.b <- shop.o.v

-- case: ASOF JOIN
-- dialect: snowflake
SELECT t.sym, q.bid FROM fx.trades t ASOF JOIN fx.quotes q MATCH_CONDITION (t.at >= q.at) ON t.sym = q.sym
-- expect: sym <- fx.trades.sym
-- expect: bid <- fx.quotes.bid
-- indirect: JOIN fx.trades.at, JOIN fx.quotes.at, JOIN fx.trades.sym, JOIN fx.quotes.sym

-- case: star with everything
-- dialect: snowflake
-- table: s.t (id, emp_nm, emp_id, dept_id, note)
INSERT INTO m.x SELECT * ILIKE '%id%' EXCLUDE dept_id REPLACE (emp_id + 1 AS emp_id) RENAME (emp_id AS eid) FROM s.t;
INSERT INTO m.y SELECT t.* EXCLUDE (id, note) RENAME emp_nm AS nm, t.note AS n2 FROM s.t t
-- expect: m.x.id <- s.t.id
-- expect: m.x.eid <- s.t.emp_id
-- expect: m.y.nm <- s.t.emp_nm
-- expect: m.y.emp_id <- s.t.emp_id
-- expect: m.y.dept_id <- s.t.dept_id
-- expect: m.y.n2 <- s.t.note

-- case: GROUP BY ALL, ORDER BY ALL
-- dialect: snowflake
-- table: s.t (k, d, v)
SELECT k, DATE_TRUNC('month', d) AS mo, SUM(v) AS tot FROM s.t GROUP BY ALL ORDER BY ALL
-- expect: k <- s.t.k
-- expect: mo <- s.t.d
-- expect: tot <- s.t.v
-- indirect: GROUP_BY s.t.k, GROUP_BY s.t.d, SORT s.t.k, SORT s.t.d, SORT s.t.v

-- case: USING TEMPLATE
-- dialect: snowflake
CREATE TABLE raw.t USING TEMPLATE (SELECT ARRAY_AGG(OBJECT_CONSTRUCT(*)) WITHIN GROUP (ORDER BY order_id) FROM TABLE(INFER_SCHEMA(LOCATION => '@stg/p', FILE_FORMAT => 'pq')));
COPY INTO raw.t FROM @stg/p FILE_FORMAT = (FORMAT_NAME = pq) MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE INCLUDE_METADATA = (fn = METADATA$FILENAME)
-- expect: raw.t.* <- @stg/p.*
-- outputs: raw.t
-- inputs: @stg/p

-- case: streams
-- dialect: snowflake
-- table: raw.o (id, v)
CREATE STREAM stg.s ON TABLE raw.o APPEND_ONLY = TRUE;
MERGE INTO mart.t t USING (SELECT * FROM stg.s) x ON t.id = x.id WHEN MATCHED AND x.METADATA$ACTION = 'DELETE' AND NOT x.METADATA$ISUPDATE THEN DELETE WHEN MATCHED THEN UPDATE SET t.v = x.v WHEN NOT MATCHED THEN INSERT (id, v, act, rid) VALUES (x.id, x.v, x.METADATA$ACTION, x.METADATA$ROW_ID)
-- expect: stg.s.id <- raw.o.id
-- expect: stg.s.v <- raw.o.v
-- expect: mart.t.v <- stg.s.v
-- expect: mart.t.id <- stg.s.id
-- expect: mart.t.act <- stg.s.METADATA$ACTION
-- expect: mart.t.rid <- stg.s.METADATA$ROW_ID
-- inputs: raw.o, stg.s

-- case: COPY with transformation and metadata columns
-- dialect: snowflake
COPY INTO mart.t (a, b, f, n) FROM (SELECT s.$1, TO_DATE(s.$2), METADATA$FILENAME, METADATA$FILE_ROW_NUMBER FROM @stg/in/ s) PATTERN = '.*csv' ON_ERROR = CONTINUE
-- expect: mart.t.a <- @stg/in/.$1
-- expect: mart.t.b <- @stg/in/.$2
-- expect: mart.t.f <- @stg/in/.METADATA$FILENAME
-- expect: mart.t.n <- @stg/in/.METADATA$FILE_ROW_NUMBER

-- case: CHANGES, dynamic tables, tasks WHEN, MATCH_BY
-- dialect: snowflake
CREATE TASK stg.tk WAREHOUSE = w SCHEDULE = '5 minute' WHEN SYSTEM$STREAM_HAS_DATA('stg.s') AS INSERT INTO mart.t (a) SELECT c.id FROM raw.o CHANGES (INFORMATION => APPEND_ONLY) AT (TIMESTAMP => $ts) END (OFFSET => -60) AS c;
CREATE OR REPLACE DYNAMIC TABLE mart.d (k, v) TARGET_LAG = '1 hour' WAREHOUSE = w REFRESH_MODE = INCREMENTAL AS SELECT x.id, SUM(x.amt) FROM raw.x x GROUP BY 1
-- expect: mart.t.a <- raw.o.id
-- expect: mart.d.k <- raw.x.id
-- expect: mart.d.v <- raw.x.amt
