-- case: SEL, locking and qualified stars
-- dialect: teradata
LOCKING TABLE shop.orders FOR ACCESS SEL o.id, o.amount FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: a title and a format behind a column
-- dialect: teradata
SELECT o.amount (TITLE 'Amount') AS amount, o.day (FORMAT 'YYYY-MM-DD') AS d FROM shop.orders o
-- expect: amount <- shop.orders.amount
-- expect: d <- shop.orders.day

-- case: a volatile table is temporary
-- dialect: teradata
CREATE VOLATILE TABLE v AS (SELECT o.id AS k FROM shop.orders o) WITH DATA ON COMMIT PRESERVE ROWS;
INSERT INTO mart.sales (k) SELECT v.k FROM v
-- expect: mart.sales.k <- shop.orders.id

-- case: a declared global temporary table
-- dialect: db2
DECLARE GLOBAL TEMPORARY TABLE session.t AS (SELECT o.id AS k FROM shop.orders o) WITH DATA;
INSERT INTO mart.sales (k) SELECT t.k FROM session.t t
-- expect: mart.sales.k <- shop.orders.id

-- case: labels and isolation behind the query
-- dialect: db2
SELECT o.id FROM shop.orders o WHERE o.x = 1 FETCH FIRST 5 ROWS ONLY WITH UR
-- expect: id <- shop.orders.id

-- case: ON COMMIT and segmentation
-- dialect: vertica
CREATE TABLE mart.sales AS SELECT o.id AS k FROM shop.orders o ORDER BY k SEGMENTED BY HASH(k) ALL NODES
-- expect: mart.sales.k <- shop.orders.id

-- case: COPY of local files
-- dialect: vertica
COPY raw.orders (id, amount) FROM '/data/orders.csv' DELIMITER ','
-- expect: raw.orders.id <- "/data/orders.csv".id
-- expect: raw.orders.amount <- "/data/orders.csv".amount
-- inputs: "/data/orders.csv"
-- outputs: raw.orders

-- case: IMPORT from a file
-- dialect: exasol
IMPORT INTO raw.orders FROM LOCAL CSV FILE 'orders.csv'
-- expect: raw.orders.* <- "orders.csv".*
-- inputs: "orders.csv"
-- outputs: raw.orders

-- case: EXPORT of a query
-- dialect: exasol
EXPORT (SELECT o.id FROM shop.orders o) INTO LOCAL CSV FILE 'orders.csv'
-- inputs: shop.orders
-- outputs: "orders.csv"
-- expect: "orders.csv".id <- shop.orders.id

-- case: UPSERT is an insert
-- dialect: impala
UPSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: COMPUTE STATS moves nothing
-- dialect: impala
COMPUTE STATS shop.orders;
INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: a source and a view over it
-- dialect: materialize
CREATE MATERIALIZED VIEW mart.totals IN CLUSTER c AS SELECT o.country, sum(o.amount) AS total FROM shop.orders o GROUP BY o.country
-- expect: mart.totals.country <- shop.orders.country
-- expect: mart.totals.total <- shop.orders.amount

-- case: SUBSCRIBE reads its view
-- dialect: materialize
SUBSCRIBE (SELECT o.id FROM shop.orders o)
-- inputs: shop.orders
-- outputs: nothing

-- case: a table with its model and properties
-- dialect: doris, starrocks
CREATE TABLE mart.sales DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 8 PROPERTIES ("replication_num" = "1") AS SELECT o.id AS k FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: INSERT OVERWRITE
-- dialect: starrocks, doris
INSERT OVERWRITE mart.sales SELECT o.id AS k FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: INSERT OR REPLACE and OR IGNORE
-- dialect: sqlite
INSERT OR REPLACE INTO mart.sales (k) SELECT o.id FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: UPDATE OR IGNORE
-- dialect: sqlite
UPDATE OR IGNORE mart.sales SET v = k + 1
-- expect: mart.sales.v <- mart.sales.k

-- case: an attached database's table
-- dialect: sqlite
ATTACH DATABASE 'other.db' AS other;
INSERT INTO main.sales (k) SELECT o.id FROM other.orders o
-- expect: main.sales.k <- other.orders.id

-- case: INSERT SET
-- dialect: mysql, mariadb
INSERT INTO mart.sales SET k = 1, v = (SELECT MAX(o.amount) FROM shop.orders o)
-- expect: mart.sales.k <- nothing
-- expect: mart.sales.v <- shop.orders.amount

-- case: the row alias of an upsert
-- dialect: mysql
INSERT INTO mart.sales (k, v) SELECT o.id, o.amount FROM shop.orders o ON DUPLICATE KEY UPDATE v = VALUES(v) + mart.sales.v
-- expect: mart.sales.k <- shop.orders.id
-- expect: mart.sales.v <- shop.orders.amount, mart.sales.v
-- inputs: shop.orders

-- case: a generated series and RETURNING
-- dialect: greenplum
CREATE TABLE mart.sales AS SELECT o.id AS k FROM shop.orders o DISTRIBUTED BY (k)
-- expect: mart.sales.k <- shop.orders.id

-- case: an external table over a location
-- dialect: greenplum
CREATE EXTERNAL TABLE raw.orders (id int, amount int) LOCATION ('gpfdist://host/orders.csv') FORMAT 'CSV'
-- inputs: "gpfdist://host/orders.csv"
-- outputs: raw.orders

-- case: EXCLUDE behind the list
-- dialect: redshift
-- table: shop.orders (id, amount, secret)
SELECT o.id AS k, o.* EXCLUDE (secret, id) FROM shop.orders o
-- expect: k <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: late binding and a super path
-- dialect: redshift
SELECT o.doc.customer.name AS name, o.doc.items[0].sku AS sku FROM shop.orders o
-- expect: name <- shop.orders."doc.customer.name"
-- expect: sku <- shop.orders."doc.items.sku"

-- case: a federated table in three parts
-- dialect: trino, presto
INSERT INTO lake.mart.sales (k) SELECT o.id FROM pg.shop.orders o
-- expect: lake.mart.sales.k <- pg.shop.orders.id

-- case: TRY, casts to rows, and fields of them
-- dialect: trino
SELECT TRY(o.a / o.b) AS q, CAST(ROW(o.x, o.y) AS ROW(p BIGINT, q BIGINT)).p AS p FROM shop.orders o
-- expect: q <- shop.orders.a, shop.orders.b
-- expect: p <- shop.orders.x

-- case: a table in partitions, named by a dollar
-- dialect: trino
SELECT p.ds FROM lake."orders$partitions" p
-- expect: ds <- lake.orders$partitions.ds

-- case: a trigger changes the row that is written
-- dialect: mysql
CREATE TRIGGER b BEFORE INSERT ON shop.orders FOR EACH ROW SET NEW.total = NEW.qty * NEW.price, NEW.c = (SELECT c.code FROM shop.c)
-- expect: shop.orders.total <- shop.orders.qty, shop.orders.price
-- expect: shop.orders.c <- shop.c.code
-- inputs: shop.c

-- case: changes applied by a pipeline
-- dialect: databricks
APPLY CHANGES INTO LIVE.tgt FROM STREAM(LIVE.src) KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY ts COLUMNS * EXCEPT (op, ts) STORED AS SCD TYPE 2;
CREATE FLOW f AS AUTO CDC INTO tgt2 FROM stream(src2) KEYS (id) SEQUENCE BY ts COLUMNS (id, v) STORED AS SCD TYPE 1;
CREATE FLOW g AS INSERT INTO tgt3 BY NAME SELECT a, b FROM STREAM src3;
CREATE OR REFRESH STREAMING TABLE st AS SELECT a, b FROM STREAM read_files('/mnt/x', format => 'json');
-- expect: tgt.* <- src.*
-- expect: tgt2.id <- src2.id
-- expect: tgt2.v <- src2.v
-- expect: tgt3.a <- src3.a
-- expect: tgt3.b <- src3.b
-- expect: st.a <- "/mnt/x".a
-- expect: st.b <- "/mnt/x".b

-- case: clones and reads of a version
-- dialect: databricks
CREATE TABLE mart.t DEEP CLONE raw.s VERSION AS OF 3 LOCATION '/x'; INSERT INTO mart.u SELECT o.id FROM raw.orders@v3 o
-- expect: mart.t.* <- raw.s.*
-- expect: mart.u.id <- raw.orders.id
-- inputs: raw.s, "/x", raw.orders

-- case: a function whose body stands between dollars
-- dialect: databricks
CREATE FUNCTION mart.g(x STRING) RETURNS STRING LANGUAGE PYTHON AS $$ return x or "'" $$; INSERT INTO mart.u SELECT mart.g(o.a) AS a FROM raw.orders o
-- expect: mart.u.a <- raw.orders.a

-- case: columns by a pattern in backticks
-- dialect: hive
-- table: raw.t (id, ds, hr, v)
SELECT `(ds|hr)?+.+` FROM raw.t
-- expect: id <- raw.t.id
-- expect: v <- raw.t.v

-- case: columns as a file has them
-- dialect: impala
CREATE TABLE mart.p LIKE PARQUET '/x/y.parq' STORED AS PARQUET
-- inputs: "/x/y.parq"
-- outputs: mart.p

-- case: short forms of statements
-- dialect: teradata
REPLACE VIEW mart.v AS LOCKING ROW FOR ACCESS SEL t.a, t.b FROM raw.t t;
INS INTO mart.u SEL a, b FROM raw.u;
UPD mart.w SET c = 1 WHERE d = 2;
DEL FROM mart.x ALL
-- expect: mart.v.a <- raw.t.a
-- expect: mart.v.b <- raw.t.b
-- expect: mart.u.a <- raw.u.a
-- expect: mart.u.b <- raw.u.b
-- expect: mart.w.c <- nothing
-- inputs: raw.t, raw.u, mart.w
-- outputs: mart.v, mart.u, mart.w, mart.x

-- case: a macro's statements, a table operator's input
-- dialect: teradata
CREATE MACRO mart.m (x INTEGER) AS (SELECT a FROM raw.t WHERE b = :x; INSERT INTO mart.l (a) SELECT u.c FROM raw.u u;);
INSERT INTO mart.k (k) SELECT p.k FROM TD_UNPIVOT (ON raw.w USING VALUE_COLUMNS('v') UNPIVOT_COLUMN('k') COLUMN_LIST('a', 'b')) p
-- expect: mart.l.a <- raw.u.c
-- expect: mart.k.k <- raw.w.a, raw.w.b
-- inputs: raw.t, raw.u, raw.w

-- case: storage, statistics and periods carry nothing
-- dialect: teradata
CREATE MULTISET VOLATILE TABLE vt, NO LOG AS (SELECT a, b FROM raw.t) WITH DATA AND STATS PRIMARY INDEX (a) ON COMMIT PRESERVE ROWS;
INSERT INTO mart.y (a) SELECT a FROM vt; SELECT t.a FROM raw.t EXPAND ON pd AS x BY ANCHOR DAY
-- expect: mart.y.a <- raw.t.a
-- expect: a <- raw.t.a

-- case: files by their properties
-- dialect: starrocks
INSERT INTO FILES('path' = 's3://out/', 'format' = 'csv') SELECT t.a FROM raw.t;
INSERT OVERWRITE mart.t PARTITION (p1) WITH LABEL l1 (k, v) SELECT s.a, s.b FROM raw.s s;
INSERT INTO mart.f SELECT f.a FROM FILES('path' = 's3://in/x', 'format' = 'parquet') f
-- expect: "s3://out/".a <- raw.t.a
-- expect: mart.t.k <- raw.s.a
-- expect: mart.t.v <- raw.s.b
-- expect: mart.f.a <- "s3://in/x".a

-- case: search operators, a stage's properties, versions
-- dialect: doris
SELECT s.a FROM S3('uri' = 's3://in/x.csv', 'format' = 'csv') s; SELECT t.b FROM raw.t FOR TIME AS OF '2024-01-01 00:00:00' WHERE t.c MATCH_PHRASE 'x y';
BEGIN WITH LABEL l; INSERT INTO mart.t (a) SELECT a FROM raw.t; COMMIT
-- expect: a <- "s3://in/x.csv".a
-- expect: b <- raw.t.b
-- expect: mart.t.a <- raw.t.a

-- case: rows from files and to files
-- dialect: vertica
CREATE EXTERNAL TABLE raw.e (a INT) AS COPY FROM 's3://in/x' PARQUET;
EXPORT TO PARQUET (directory = 's3://out') OVER (PARTITION BY a) AS SELECT t.a, t.b FROM raw.t;
COPY mart.t FROM VERTICA db.raw.u; SELECT t.x::!INT AS x, EXPLODE(t.j) OVER (PARTITION BEST) AS (k, v) FROM raw.t
-- expect: "s3://out".a <- raw.t.a
-- expect: "s3://out".b <- raw.t.b
-- expect: mart.t.* <- db.raw.u.*
-- expect: x <- raw.t.x
-- expect: k <- raw.t.j
-- expect: v <- raw.t.j
-- inputs: "s3://in/x", raw.t, db.raw.u
-- outputs: raw.e, "s3://out", mart.t

-- case: outputs by LOCAL, columns that a script emits
-- dialect: exasol
SELECT t.a + 1 AS b, LOCAL.b * 2 AS c FROM raw.t; SELECT mart.split(t.x, t.y) EMITS (k INT, v VARCHAR(10)) FROM raw.t
-- expect: b <- raw.t.a
-- expect: c <- raw.t.a
-- expect: k <- raw.t.x, raw.t.y
-- expect: v <- raw.t.x, raw.t.y

-- case: a query that calls itself, with typed columns
-- dialect: materialize
WITH MUTUALLY RECURSIVE r (a int, b text) AS (SELECT t.a, t.b FROM raw.t UNION SELECT r.a, r.b FROM r), s (a int, b text) AS (SELECT r.a, r.b FROM r) SELECT * FROM s
-- expect: a <- raw.t.a
-- expect: b <- raw.t.b

-- case: a prepared query; columns that a function leaves out
-- dialect: trino
PREPARE p FROM INSERT INTO mart.t SELECT s.a FROM raw.s; EXECUTE p USING 1; SELECT x.b FROM TABLE(exclude_columns(input => TABLE(raw.u), columns => DESCRIPTOR(a))) x
-- expect: mart.t.a <- raw.s.a
-- expect: b <- raw.u.b

-- case: an external function in front
-- dialect: athena
USING EXTERNAL FUNCTION f(x VARCHAR) RETURNS VARCHAR LAMBDA 'l' SELECT f(t.a) AS a FROM raw.t
-- expect: a <- raw.t.a

-- case: positions of nested rows, estimates, merged duplicates
-- dialect: redshift
SELECT o.id, APPROXIMATE COUNT(DISTINCT i.sku) AS n FROM raw.cust c, c.orders o, o.items AS i AT pos GROUP BY o.id; MERGE INTO mart.t USING raw.s ON mart.t.id = raw.s.id REMOVE DUPLICATES
-- expect: id <- raw.cust.orders
-- expect: n <- raw.cust.orders
-- expect: mart.t.* <- raw.s.*

-- case: rows named with columns of their own
-- dialect: mysql
INSERT INTO mart.t (a, b) SELECT s.x, s.y FROM raw.s s ON DUPLICATE KEY UPDATE b = s.y; INSERT INTO mart.u (a, b) VALUES (1, @v) AS new(m, n) ON DUPLICATE KEY UPDATE b = new.n + 1
-- expect: mart.t.a <- raw.s.x
-- expect: mart.t.b <- raw.s.y
-- expect: mart.u.a <- nothing
-- expect: mart.u.b <- nothing

-- case: PERFORM reads and gives nothing
-- dialect: postgres
DO $$ BEGIN PERFORM mart.f(t.a) FROM raw.t WHERE t.b > 0; INSERT INTO mart.x (a) SELECT a FROM raw.u; END $$
-- expect: mart.x.a <- raw.u.a
-- inputs: raw.t, raw.u

-- case: CONCAT between operands, MERGE with ELSE
-- dialect: db2
SELECT t.a CONCAT t.b AS c FROM raw.t; MERGE INTO mart.t AS t USING raw.s AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v ELSE IGNORE
-- expect: c <- raw.t.a, raw.t.b
-- expect: mart.t.v <- raw.s.v

-- case: a trigger raises
-- dialect: sqlite
CREATE TRIGGER tr BEFORE INSERT ON raw.t WHEN NEW.a IS NULL BEGIN SELECT RAISE(ABORT, 'no'); INSERT INTO log (a) VALUES (NEW.b); END
-- expect: log.a <- raw.t.b

-- case: BTEQ commands between statements, LOCKING in front of an inserted query, options in front of the columns
-- dialect: teradata
.SET WIDTH 254
.IF ERRORCODE <> 0 THEN .QUIT 8;
CREATE MULTISET TABLE dw.orders ,NO FALLBACK ,NO BEFORE JOURNAL, CHECKSUM = DEFAULT
  (id INTEGER NOT NULL, amt DECIMAL(15,2) FORMAT 'ZZZ9.99' COMPRESS 0.00) PRIMARY INDEX (id);
.EXPORT RESET
INSERT INTO dw.orders
LOCKING ROW FOR ACCESS
SEL s.a, ZEROIFNULL(s.b) FROM stg.s s;
.LOGOFF
-- expect: dw.orders.id <- stg.s.a
-- expect: dw.orders.amt <- stg.s.b

-- case: UPDATE … ELSE INSERT
-- dialect: teradata
UPDATE dw.bal SET bal = bal + :amt WHERE id = :id ELSE INSERT INTO dw.bal (id, bal) VALUES (:id, :amt);
-- expect: dw.bal.bal <- dw.bal.bal
-- expect: dw.bal.id <- nothing

-- case: USING in front of an INSERT, a loop over a cursor, a text that a procedure runs
-- dialect: teradata
USING (code VARCHAR(10), descr VARCHAR(100)) INSERT INTO dw.codes (code) VALUES (:code);
CREATE PROCEDURE dw.p() BEGIN
  DECLARE v_sql VARCHAR(1000);
  SET v_sql = 'INSERT INTO dw.dyn (a) SELECT o.id FROM dw.orders o WHERE d = ''' || p_dt || '''';
  CALL DBC.SysExecSQL(:v_sql);
  L1: FOR c AS cur1 CURSOR FOR SELECT o.id AS oid FROM dw.orders o DO
    INSERT INTO dw.t (oid, code) VALUES (c.oid, SQLCODE);
  END FOR L1;
END;
-- expect: dw.codes.code <- nothing
-- expect: dw.dyn.a <- dw.orders.id
-- expect: dw.t.oid <- dw.orders.id
-- expect: dw.t.code <- nothing

-- case: a script of Db2 with a terminator of its own; VALUES INTO, rows of changed tables, cursor loops
-- dialect: db2
--#SET TERMINATOR @
CREATE TABLE mart.orders (id INTEGER NOT NULL GENERATED ALWAYS AS IDENTITY, amt DECIMAL(15,2), ts TIMESTAMP) IN ts1@
CREATE PROCEDURE mart.p (IN p_dt DATE) LANGUAGE SQL
P1: BEGIN
  DECLARE v_max DECIMAL(15,2);
  DECLARE at_end CONDITION FOR SQLSTATE '02000';
  DECLARE CONTINUE HANDLER FOR at_end SET done = 1;
  VALUES (SELECT MAX(o.amt) FROM stg.orders o) INTO v_max;
  INSERT INTO mart.stats (mx) VALUES (v_max);
  FOR r AS cur CURSOR WITH HOLD FOR SELECT o.id AS oid FROM stg.orders o DO
    INSERT INTO mart.x (oid) VALUES (r.oid);
  END FOR;
  INSERT INTO mart.log (new_id, a) SELECT f.id, f.amt FROM FINAL TABLE (INSERT INTO mart.orders (amt) SELECT s.amt FROM stg.s s) f;
  INSERT INTO mart.olds (id) SELECT d.id FROM OLD TABLE (DELETE FROM mart.gone WHERE amt = 0) d;
END P1
@
CREATE ALIAS mart.oa FOR stg.orders@
-- expect: mart.stats.mx <- stg.orders.amt
-- expect: mart.x.oid <- stg.orders.id
-- expect: mart.orders.amt <- stg.s.amt
-- expect: mart.log.new_id <- mart.orders.id
-- expect: mart.log.a <- stg.s.amt
-- expect: mart.olds.id <- mart.gone.id
-- expect: mart.oa.* <- stg.orders.*
-- outputs: mart.gone, mart.log, mart.oa, mart.olds, mart.orders, mart.stats, mart.x
-- inputs: stg.orders, stg.s, mart.orders, mart.gone

-- case: PERFORM before another statement
-- dialect: vertica
CREATE PROCEDURE mart.p(x INT) AS $$
BEGIN
  PERFORM INSERT INTO mart.log (v) SELECT s.v FROM mart.src s;
END;
$$;
-- expect: mart.log.v <- mart.src.v

-- case: sinks pass a relation on
-- dialect: materialize
CREATE SINK mart.snk IN CLUSTER c FROM mart.mv INTO KAFKA CONNECTION k (TOPIC 'out') FORMAT JSON ENVELOPE DEBEZIUM
-- expect: mart.snk.* <- mart.mv.*

-- case: CTEs that are recursive together
-- dialect: materialize
WITH MUTUALLY RECURSIVE (RETURN AT RECURSION LIMIT 10) s (x int, y int) AS (SELECT f.x, f.y FROM raw.f f), r (a int, b int) AS (SELECT e.x, e.y FROM raw.e e UNION SELECT r.a, s.y FROM r JOIN s ON r.b = s.x) SELECT a, b FROM r
-- expect: a <- raw.e.x
-- expect: b <- raw.e.y, raw.f.y

-- case: several locations
-- dialect: greenplum
CREATE READABLE EXTERNAL TABLE raw.ext (a int, b text) LOCATION ('gpfdist://h:8081/*.csv', 'gpfdist://h2:8081/*.csv') FORMAT 'CSV' (HEADER)
-- inputs: gpfdist://h:8081/*.csv, gpfdist://h2:8081/*.csv
-- outputs: raw.ext

-- case: a script in another language is named, and ends at the line with the slash
-- dialect: exasol
CREATE OR REPLACE PYTHON3 SCALAR SCRIPT s.clean(x VARCHAR(100)) RETURNS VARCHAR(100) AS
def run(ctx):
    return ctx.x.strip()
/
CREATE LUA SCRIPT s.load() AS
  query([[DELETE FROM mart.t]])
/
INSERT INTO mart.u (b) SELECT s.clean(r.b) FROM raw.u r
-- expect: mart.u.b <- raw.u.b
-- outputs: mart.t, mart.u
-- diagnostic: DYNAMIC_SQL

-- case: names, titles, types and formats behind values
-- dialect: teradata
INSERT INTO mart.a (nm, total, days, f)
SEL t.nm, t.total, t.days, t.f FROM (
  SEL c.Cust_Nm (NAMED nm), c.amt * 2 (DECIMAL(10,2)) (NAMED total, FORMAT 'z9'), c.until - c.since DAY(4) AS days,
    (c.b - c.a) HOUR(2) TO SECOND AS span, c.city NOT CASESPECIFIC AS city, CAST(c.d AS DATE FORMAT 'YYYYMMDD') (CHAR(8)) AS f
  FROM raw.c c) t
-- expect: mart.a.nm <- raw.c.Cust_Nm
-- expect: mart.a.total <- raw.c.amt
-- expect: mart.a.days <- raw.c.until, raw.c.since
-- expect: mart.a.f <- raw.c.d

-- case: periods normalised and expanded, ranges by number, TD_UNPIVOT
-- dialect: teradata
CREATE TABLE mart.p AS (SELECT NORMALIZE ON MEETS OR OVERLAPS s.id, PERIOD(s.a, s.b) AS dur FROM raw.s s) WITH DATA;
CREATE VIEW mart.v AS LOCK ROW FOR ACCESS SELECT p.id, BEGIN(pd) AS d FROM mart.p p EXPAND ON p.dur AS pd BY INTERVAL '1' DAY;
CREATE VIEW mart.n AS SELECT CASE_N(o.x < 10, o.x < 20, NO CASE OR UNKNOWN) AS cn, RANGE_N(o.d BETWEEN DATE '2020-01-01' AND o.e EACH INTERVAL '1' MONTH, NO RANGE) AS rn FROM raw.o o;
CREATE VIEW mart.u AS SELECT x.id, x.amt, x.qtr FROM TD_UNPIVOT(ON (SELECT id, q1, q2 FROM raw.q) USING VALUE_COLUMNS('amt') UNPIVOT_COLUMN('qtr') COLUMN_LIST('q1', 'q2') COLUMN_ALIAS_LIST('1', '2')) x
-- expect: mart.p.id <- raw.s.id
-- expect: mart.p.dur <- raw.s.a, raw.s.b
-- expect: mart.v.id <- mart.p.id
-- expect: mart.v.d <- mart.p.dur
-- expect: mart.n.cn <- raw.o.x
-- expect: mart.n.rn <- raw.o.d, raw.o.e
-- expect: mart.u.id <- raw.q.id
-- expect: mart.u.amt <- raw.q.q1, raw.q.q2
-- expect: mart.u.qtr <- raw.q.q1, raw.q.q2

-- case: columns that are computed from others by their default
-- dialect: vertica
CREATE TABLE mart.s (px NUMERIC(10,2), qty INT, total NUMERIC(12,2) DEFAULT px * qty, d DATE SET USING ts::date, ts TIMESTAMP DEFAULT now(), n INT DEFAULT 0)
-- expect: mart.s.total <- mart.s.px, mart.s.qty
-- expect: mart.s.d <- mart.s.ts
-- inputs: nothing
-- outputs: mart.s

-- case: time slices without an alias of the table
-- dialect: vertica
SELECT slice, TS_FIRST_VALUE(px, 'LINEAR') AS fv FROM raw.s TIMESERIES slice AS '5 minutes' OVER (PARTITION BY sku ORDER BY ts)
-- expect: slice <- raw.s.ts
-- expect: fv <- raw.s.px

-- case: EXPORT, IMPORT and LOAD of Db2's command line
-- dialect: db2
SET CURRENT SCHEMA = 'SALES';
EXPORT TO /out/ord.del OF DEL MODIFIED BY NOCHARDEL MESSAGES /tmp/m.txt SELECT o.id, o.amt FROM orders o;
IMPORT FROM /in/cust.ixf OF IXF COMMITCOUNT 1000 INSERT_UPDATE INTO cust (id, name);
LOAD CLIENT FROM /in/x.del, '/in/y z.del' OF DEL METHOD P (1, 3) REPLACE INTO stage.x (a) NONRECOVERABLE;
DECLARE c1 CURSOR FOR SELECT c.id, c.name FROM cust c;
LOAD FROM c1 OF CURSOR INSERT INTO stage.cust2 (cid, cname);
CALL SYSPROC.ADMIN_CMD('EXPORT TO /out/c.ixf OF IXF SELECT id FROM raw.c')
-- expect: "/out/ord.del".id <- SALES.orders.id
-- expect: "/out/ord.del".amt <- SALES.orders.amt
-- expect: SALES.cust.id <- "/in/cust.ixf".id
-- expect: SALES.cust.name <- "/in/cust.ixf".name
-- expect: stage.x.a <- "/in/x.del".a, "/in/y z.del".a
-- expect: stage.cust2.cid <- SALES.cust.id
-- expect: stage.cust2.cname <- SALES.cust.name
-- expect: "/out/c.ixf".id <- raw.c.id

-- case: IMPORT and EXPORT of Exasol
-- dialect: exasol
OPEN SCHEMA retail;
IMPORT INTO stg.o FROM ORA AT con TABLE scott.emp (empno, ename);
IMPORT INTO stg.j (a, b) FROM JDBC AT con STATEMENT 'SELECT x.p, x.q FROM src.x' STATEMENT 'SELECT y.r, y.s FROM src.y';
IMPORT INTO f (k, v) FROM CSV AT 'https://x.org/dir' FILE 'f.csv' (1, 2 FORMAT='YYYY') SKIP = 1;
EXPORT (SELECT s.id, s.amt * 2 AS dbl FROM s) INTO JDBC AT con TABLE tgt.t (i, d) REPLACE;
EXPORT s (id, amt) INTO CSV AT con FILE 'out.csv';
CREATE TABLE d (id INT, cust VARCHAR(5), DISTRIBUTE BY cust, PARTITION BY id);
INSERT INTO e SELECT * FROM d PREFERRING HIGH id PLUS LOW cust
-- expect: stg.o.empno <- scott.emp.empno
-- expect: stg.o.ename <- scott.emp.ename
-- expect: stg.j.a <- src.x.p, src.y.r
-- expect: stg.j.b <- src.x.q, src.y.s
-- expect: retail.f.k <- "f.csv".k
-- expect: retail.f.v <- "f.csv".v
-- expect: tgt.t.i <- retail.s.id
-- expect: tgt.t.d <- retail.s.amt
-- expect: "out.csv".id <- retail.s.id
-- expect: "out.csv".amt <- retail.s.amt
-- expect: retail.e.id <- retail.d.id
-- expect: retail.e.cust <- retail.d.cust
-- outputs: out.csv, retail.d, retail.e, retail.f, stg.j, stg.o, tgt.t

-- case: projections, other databases, parameters of functions
-- dialect: vertica
CREATE PROJECTION mart.p (sku, tot ENCODING RLE) AS SELECT s.sku, SUM(s.px) FROM raw.s s GROUP BY s.sku;
EXPORT TO VERTICA other.public.s (k, v) AS SELECT s.sku, s.px FROM raw.s s;
EXPORT TO VERTICA other.public.t (k) FROM raw.t (x);
COPY mart.imp (a, b) FROM VERTICA other.public.src (x, y);
CREATE LOCAL TEMP TABLE tmp ON COMMIT PRESERVE ROWS AS AT EPOCH LATEST SELECT s.sku FROM raw.s s;
INSERT INTO mart.q (p, k) SELECT PREDICT_LINEAR_REG(s.px, s.qty USING PARAMETERS model_name = 'm', n = 2), t.sku FROM raw.s s, tmp t
-- expect: mart.p.sku <- raw.s.sku
-- expect: mart.p.tot <- raw.s.px
-- expect: other.public.s.k <- raw.s.sku
-- expect: other.public.s.v <- raw.s.px
-- expect: other.public.t.k <- raw.t.x
-- expect: mart.imp.a <- other.public.src.x
-- expect: mart.imp.b <- other.public.src.y
-- expect: mart.q.p <- raw.s.px, raw.s.qty
-- expect: mart.q.k <- raw.s.sku

-- case: a submitted task
-- dialect: starrocks
SUBMIT TASK etl PROPERTIES ("a" = "b") AS INSERT INTO mart.y (c) SELECT o.cust FROM raw.o o
-- expect: mart.y.c <- raw.o.cust

-- case: a table made with types and a query has the query's columns by name
-- dialect: mysql, mariadb
CREATE TABLE mart.sales (id INT AUTO_INCREMENT PRIMARY KEY, total INT) SELECT o.amount AS total, o.note FROM shop.orders o
-- expect: mart.sales.total <- shop.orders.amount
-- expect: mart.sales.note <- shop.orders.note

-- case: a right join gives the right side's columns first
-- dialect: mysql, mariadb
-- table: shop.orders (id, amount)
-- table: shop.rates (id, rate)
INSERT INTO mart.sales (a, b, c) SELECT * FROM shop.orders RIGHT JOIN shop.rates USING (id)
-- expect: mart.sales.a <- shop.orders.id, shop.rates.id
-- expect: mart.sales.b <- shop.rates.rate
-- expect: mart.sales.c <- shop.orders.amount

-- case: sequences, old rows and types are no columns
-- dialect: mariadb
-- table: shop.orders (id, note)
SELECT nextval(shop.seq) AS n, PREVIOUS VALUE FOR shop.seq AS p, CONVERT(id, CHAR) AS c, CAST(note AS CHAR CHARSET utf8mb4) AS t FROM shop.orders
-- expect: n <- nothing
-- expect: p <- nothing
-- expect: c <- shop.orders.id
-- expect: t <- shop.orders.note

-- case: what was to be inserted, and a default
-- dialect: mariadb
INSERT INTO mart.sales (id, n) SELECT o.id, o.qty FROM shop.orders o ON DUPLICATE KEY UPDATE n = VALUE(n), t = DEFAULT
-- expect: mart.sales.id <- shop.orders.id
-- expect: mart.sales.n <- shop.orders.qty
-- expect: mart.sales.t <- nothing

-- case: units of dates are strings, so a column may be called day
-- dialect: trino, presto, athena
-- table: shop.orders (id, day)
SELECT date_diff('day', day, current_date) AS age, date_add('week', 1, day) AS next FROM shop.orders
-- expect: age <- shop.orders.day
-- expect: next <- shop.orders.day

-- case: the columns of a star under new names
-- dialect: trino
-- table: shop.rates (currency, day, rate)
SELECT t.* AS (a, b, c) FROM shop.rates t
-- expect: a <- shop.rates.currency
-- expect: b <- shop.rates.day
-- expect: c <- shop.rates.rate

-- case: exclude_columns leaves out what DESCRIPTOR names
-- dialect: trino
-- table: crm.customers (id, name, email)
SELECT * FROM TABLE(exclude_columns(input => TABLE(crm.customers), columns => DESCRIPTOR(email)))
-- expect: id <- crm.customers.id
-- expect: name <- crm.customers.name

-- case: exclude_columns under other names
-- dialect: trino
SELECT t.a, t.b FROM TABLE(exclude_columns(TABLE(SELECT name, email, city FROM crm.customers), DESCRIPTOR(email))) AS t(a, b)
-- expect: a <- crm.customers.name
-- expect: b <- crm.customers.city

-- case: sequence gives a number of no column
-- dialect: trino
SELECT s.sequential_number AS n, o.id FROM TABLE(sequence(start => 1, stop => 3)) AS s JOIN shop.orders o ON o.n = s.sequential_number
-- expect: n <-
-- expect: id <- shop.orders.id

-- case: functions that a query has for itself
-- dialect: trino
WITH FUNCTION doubled(x bigint) RETURNS bigint RETURN x * 2, FUNCTION code(s varchar) RETURNS varchar DETERMINISTIC BEGIN DECLARE y varchar DEFAULT ''; IF s <> '' THEN SET y = upper(s); ELSEIF s IS NULL THEN SET y = CASE WHEN TRUE THEN 'x' END; END IF; WHILE length(y) < 3 DO SET y = y || '-'; END WHILE; RETURN y; END WITH t (n, c) AS (SELECT id, country FROM shop.orders) SELECT doubled(n) AS twice, code(c) AS code FROM t
-- expect: twice <- shop.orders.id
-- expect: code <- shop.orders.country

-- case: what a window's pattern measures
-- dialect: trino
-- table: shop.orders (id, customer, day, amount)
SELECT id, low OVER w AS lowest, kind OVER w AS kind FROM shop.orders WINDOW w AS (PARTITION BY customer ORDER BY day MEASURES CLASSIFIER() AS kind, LAST(down.amount) AS low ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW INITIAL PATTERN (start down*) DEFINE down AS down.amount < PREV(down.amount))
-- expect: id <- shop.orders.id
-- expect: lowest <- shop.orders.amount, shop.orders.customer, shop.orders.day
-- expect: kind <- shop.orders.customer, shop.orders.day

-- case: what the pattern of an unnamed window measures
-- dialect: trino
-- table: shop.orders (id, day, amount)
SELECT top OVER (ORDER BY day MEASURES FINAL LAST(u.amount) AS top ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (a b+) SUBSET u = (a, b) DEFINE b AS b.amount > 1) AS peak FROM shop.orders
-- expect: peak <- shop.orders.amount, shop.orders.day

-- case: partitions moved and swapped by meta-functions
-- dialect: vertica
SELECT MOVE_PARTITIONS_TO_TABLE('stage.sales', '2024-01-01', '2024-01-31', 'mart.sales');
SELECT SWAP_PARTITIONS_BETWEEN_TABLES('stage.live', 1, 2, 'mart.live')
-- expect: mart.sales.* <- stage.sales.*
-- expect: mart.live.* <- stage.live.*
-- expect: stage.live.* <- mart.live.*

-- case: COPY with fields that are no columns and columns that are computed
-- dialect: vertica
COPY mart.t (id, raw_ts FILLER VARCHAR(20), ts AS TO_TIMESTAMP(raw_ts, 'YYYY'), v) FROM '/data/x.csv' DELIMITER ','
-- expect: mart.t.id <- "/data/x.csv".id
-- expect: mart.t.ts <- "/data/x.csv".raw_ts
-- expect: mart.t.v <- "/data/x.csv".v

-- case: joining rows to the nearest before
-- dialect: vertica
SELECT a.ts, b.w FROM raw.a a FULL OUTER JOIN raw.b b ON a.ts INTERPOLATE PREVIOUS VALUE b.ts
-- expect: ts <- raw.a.ts
-- expect: w <- raw.b.w
-- indirect: JOIN raw.a.ts, JOIN raw.b.ts

-- case: events in patterns
-- dialect: vertica
SELECT uid, ts, PATTERN_ID() AS p FROM raw.clicks MATCH (PARTITION BY uid ORDER BY ts DEFINE entry AS ref = 'x', buy AS page = 'b' PATTERN p AS (entry buy) ROWS MATCH FIRST EVENT)
-- expect: uid <- raw.clicks.uid
-- expect: ts <- raw.clicks.ts
-- expect: p <- nothing

-- case: a labelled load of several tables
-- dialect: starrocks, doris
LOAD LABEL db.l1 (DATA INFILE('hdfs://h/a/*.csv') INTO TABLE t1 (a, b) SET (x = a + 1), DATA FROM TABLE hive_t INTO TABLE t2) WITH BROKER ('username' = 'u')
-- expect: t1.* <- "hdfs://h/a/*.csv".*
-- expect: t2.* <- hive_t.*

-- case: messages fill a table
-- dialect: starrocks, doris
CREATE ROUTINE LOAD db.job1 ON t1 COLUMNS (a, b, c = a + b), WHERE a > 1 PROPERTIES ('x' = '3') FROM KAFKA ('kafka_topic' = 'orders')
-- outputs: t1

-- case: BTEQ writes a query to a file and reads rows from another
-- dialect: teradata
.EXPORT REPORT FILE=/tmp/out.txt
SELECT a, b FROM raw.t;
.EXPORT RESET
SELECT c FROM raw.u;
.IMPORT VARTEXT ',' FILE=/tmp/in.csv
.REPEAT *
USING (x VARCHAR(10), y VARCHAR(10)) INSERT INTO mart.t (a, b) VALUES (:x, :y);
.QUIT
-- expect: "/tmp/out.txt".a <- raw.t.a
-- expect: "/tmp/out.txt".b <- raw.t.b
-- expect: c <- raw.u.c
-- expect: mart.t.a <- "/tmp/in.csv".x
-- expect: mart.t.b <- "/tmp/in.csv".y

-- case: FastLoad
-- dialect: teradata
LOGON h/u,p;
BEGIN LOADING stg.t ERRORFILES stg.e1, stg.e2 CHECKPOINT 1000;
DEFINE a (VARCHAR(10)), b (VARCHAR(20)) FILE=/data/in.txt;
INSERT INTO stg.t (x, y) VALUES (:a, :b);
END LOADING;
LOGOFF;
-- expect: stg.t.x <- "/data/in.txt".a
-- expect: stg.t.y <- "/data/in.txt".b

-- case: IMPORT in FROM, its columns named by position
-- dialect: exasol
INSERT INTO mart.t SELECT x.a, x.b FROM (IMPORT INTO (a INT, b VARCHAR(10)) FROM JDBC AT c STATEMENT 'SELECT u.k, u.v FROM raw.u u') x
-- expect: mart.t.a <- raw.u.k
-- expect: mart.t.b <- raw.u.v

-- case: IMPORT of a file in FROM
-- dialect: exasol
INSERT INTO mart.t (k) SELECT a FROM (IMPORT INTO (a INT, b INT) FROM CSV AT 'https://h' FILE 'x.csv')
-- expect: mart.t.k <- "x.csv".a

-- case: what is written to a writable external table goes to its place
-- dialect: greenplum
-- table: mart.t (id, v)
CREATE WRITABLE EXTERNAL TABLE ext.o (LIKE mart.t) LOCATION ('gpfdist://h:8081/o.csv') FORMAT 'CSV' DISTRIBUTED BY (id); INSERT INTO ext.o SELECT id, v FROM mart.t
-- expect: "gpfdist://h:8081/o.csv".id <- ext.o.id
-- expect: "gpfdist://h:8081/o.csv".v <- ext.o.v
-- expect: ext.o.id <- mart.t.id
-- expect: ext.o.v <- mart.t.v

-- case: the default database of a BTEQ script
-- dialect: teradata
.IF ERRORCODE <> 0 THEN .QUIT 12
DATABASE stg;
INSERT INTO mart.a (k) SEL o.id FROM orders o;
-- expect: mart.a.k <- stg.orders.id

-- case: a column under another type keeps its name
-- dialect: teradata
CREATE VOLATILE TABLE v AS (
  SEL o.amount (DECIMAL(18,2)), o.day (DATE) (FORMAT 'YYYY-MM-DD'), (o.n + 1) (INTEGER) AS n FROM shop.orders o
) WITH DATA;
INSERT INTO mart.a (x, y, z) SEL v.amount, v.day, v.n FROM v;
-- expect: mart.a.x <- shop.orders.amount
-- expect: mart.a.y <- shop.orders.day
-- expect: mart.a.z <- shop.orders.n

-- case: periods without an end
-- dialect: teradata
INSERT INTO mart.a (k, valid) SEL o.id, PERIOD(o.day, UNTIL_CHANGED) FROM shop.orders o WHERE END(o.valid) IS UNTIL_CHANGED OR END(o.valid) IS NOT UNTIL_CLOSED;
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.a.valid <- shop.orders.day

-- case: LOCAL names an output, also one under its column's name
-- dialect: exasol
CREATE VIEW v AS SELECT o.id, o.amount * 2 AS twice, local.twice + 1 AS more, LOCAL.id AS k FROM shop.orders o WHERE local.twice > 3 GROUP BY local.id
-- expect: v.id <- shop.orders.id
-- expect: v.twice <- shop.orders.amount
-- expect: v.more <- shop.orders.amount
-- expect: v.k <- shop.orders.id

-- case: IREGEXP
-- dialect: impala
SELECT o.id, o.name IREGEXP '^a' AS is_a FROM shop.orders o WHERE o.code IREGEXP 'b' AND o.n > 1
-- expect: id <- shop.orders.id
-- expect: is_a <- shop.orders.name

-- case: FINAL TABLE with INCLUDE
-- dialect: db2
SELECT f.id, f.src, f.amt FROM FINAL TABLE (INSERT INTO mart.t (id, amt) INCLUDE (src VARCHAR(10)) SELECT s.k, s.v, s.origin FROM raw.s s) AS f
-- expect: mart.t.id <- raw.s.k
-- expect: mart.t.amt <- raw.s.v
-- expect: id <- raw.s.k
-- expect: src <- raw.s.origin
-- expect: amt <- raw.s.v
-- inputs: raw.s

-- case: OLD TABLE of an UPDATE with INCLUDE
-- dialect: db2
SELECT o.id, o.before FROM FINAL TABLE (UPDATE mart.t INCLUDE (before INT) SET before = amt, amt = amt + 1 WHERE id = 3) o
-- expect: mart.t.amt <- mart.t.amt
-- expect: id <- mart.t.id
-- expect: before <- mart.t.amt
-- inputs: mart.t

-- case: OLD TABLE of a DELETE into an INSERT
-- dialect: db2
INSERT INTO mart.arch (id, v) SELECT d.id, d.v FROM OLD TABLE (DELETE FROM mart.t WHERE d < CURRENT DATE) d;
WITH n AS (SELECT * FROM NEW TABLE (INSERT INTO mart.u (a, b) VALUES (1, 2))) SELECT n.a FROM n
-- expect: mart.arch.id <- mart.t.id
-- expect: mart.arch.v <- mart.t.v
-- expect: mart.u.a <- nothing
-- expect: mart.u.b <- nothing
-- expect: a <- nothing
-- inputs: mart.t
-- outputs: mart.arch, mart.t, mart.u

-- case: FINAL TABLE of a MERGE
-- dialect: db2
SELECT x.id, x.act FROM FINAL TABLE (MERGE INTO mart.t t INCLUDE (act CHAR(1)) USING raw.s s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v, act = 'U' WHEN NOT MATCHED THEN INSERT (id, v, act) VALUES (s.id, s.v, s.a)) x
-- expect: mart.t.v <- raw.s.v
-- expect: mart.t.id <- raw.s.id
-- expect: id <- mart.t.id
-- expect: act <- raw.s.a
-- inputs: raw.s

-- case: FOR PORTION OF
-- dialect: db2
UPDATE mart.pol FOR PORTION OF BUSINESS_TIME FROM '2020-01-01' TO '2020-07-01' AS p SET p.rate = p.rate * 2, cov = (SELECT c.cov FROM ref.c c WHERE c.id = p.id) WHERE p.id = 1;
DELETE FROM mart.pol FOR PORTION OF BUSINESS_TIME FROM DATE '2020-01-01' TO DATE '2021-01-01' WHERE id = 2;
SELECT p.id, q.rate FROM mart.pol FOR SYSTEM_TIME AS OF '2020-01-01' p JOIN mart.pol FOR BUSINESS_TIME FROM '2020-01-01' TO '2021-01-01' AS q ON p.id = q.id
-- expect: mart.pol.rate <- mart.pol.rate
-- expect: mart.pol.cov <- ref.c.cov
-- expect: id <- mart.pol.id
-- expect: rate <- mart.pol.rate
-- inputs: mart.pol, ref.c

-- case: a temporal table and its history
-- dialect: db2
CREATE TABLE mart.pol (id INT NOT NULL, bs DATE NOT NULL, be DATE NOT NULL, ss TIMESTAMP(12) GENERATED ALWAYS AS ROW BEGIN NOT NULL, se TIMESTAMP(12) GENERATED ALWAYS AS ROW END NOT NULL, ts TIMESTAMP(12) GENERATED ALWAYS AS TRANSACTION START ID, PERIOD SYSTEM_TIME (ss, se), PERIOD BUSINESS_TIME (bs, be), PRIMARY KEY (id, BUSINESS_TIME WITHOUT OVERLAPS));
CREATE TABLE mart.pol_h LIKE mart.pol;
ALTER TABLE mart.pol ADD VERSIONING USE HISTORY TABLE mart.pol_h;
INSERT INTO mart.x SELECT * FROM mart.pol
-- expect: mart.x.id <- mart.pol.id
-- expect: mart.x.bs <- mart.pol.bs
-- expect: mart.x.be <- mart.pol.be
-- expect: mart.x.ss <- mart.pol.ss
-- expect: mart.x.se <- mart.pol.se
-- expect: mart.x.ts <- mart.pol.ts
-- inputs: mart.pol
-- outputs: mart.pol, mart.pol_h, mart.x

-- case: MQT, nickname, federated
-- dialect: db2
CREATE TABLE mart.m AS (SELECT s.k, COUNT(*) AS n, SUM(s.v) AS tot FROM raw.s s GROUP BY s.k) DATA INITIALLY DEFERRED REFRESH DEFERRED MAINTAINED BY SYSTEM ENABLE QUERY OPTIMIZATION;
CREATE NICKNAME mart.n FOR srv.raw.orders;
SELECT n.id FROM mart.n n
-- expect: mart.m.k <- raw.s.k
-- expect: mart.m.n <- nothing
-- expect: mart.m.tot <- raw.s.v
-- expect: mart.n.* <- srv.raw.orders.*
-- expect: id <- mart.n.id
-- inputs: raw.s, srv.raw.orders, mart.n
-- outputs: mart.m, mart.n

-- case: full text table as a function
-- dialect: sqlite
CREATE VIRTUAL TABLE mail USING fts5(subject, body, tokenize = 'porter ascii', content='raw_mail', content_rowid='id');
INSERT INTO hits (s, b, r) SELECT subject, snippet(mail, 1, '[', ']', '…', 10), rank FROM mail('foo AND bar')
-- expect: hits.s <- mail.subject
-- expect: hits.b <- mail.subject, mail.body
-- expect: hits.r <- mail.rank
-- inputs: mail
-- outputs: mail, hits

-- case: IN a table without parentheses
-- dialect: sqlite
SELECT a.id FROM a WHERE a.x IN b AND a.y NOT IN main.c AND a.z IN generate_series(1, 3)
-- expect: id <- a.id
-- inputs: a, b, main.c

-- case: UPSERT with excluded, twice
-- dialect: sqlite
INSERT INTO t AS tt (k, v, n) SELECT s.k, s.v, 1 FROM s WHERE true ON CONFLICT (k) DO UPDATE SET v = excluded.v || tt.v, n = n + 1 WHERE excluded.v <> tt.v ON CONFLICT (n) DO NOTHING RETURNING k, v AS nv
-- expect: t.k <- s.k
-- expect: t.v <- s.v, t.v
-- expect: t.n <- t.n
-- inputs: s

-- case: UPDATE FROM with join
-- dialect: sqlite
UPDATE OR REPLACE inv AS i SET qty = i.qty - d.amt, (a, b) = (SELECT x.a, x.b FROM x WHERE x.id = i.id) FROM (SELECT item, SUM(q) AS amt FROM sales GROUP BY 1) AS d JOIN z ON z.id = d.item WHERE i.id = d.item RETURNING *
-- expect: inv.qty <- inv.qty, sales.q
-- expect: inv.a <- x.a
-- expect: inv.b <- x.b
-- inputs: inv, sales, x, z

-- case: virtual tables of other modules
-- dialect: sqlite
CREATE VIRTUAL TABLE temp.csvt USING csv(filename='a.csv', header=YES);
CREATE VIRTUAL TABLE geo USING rtree(id, minx, maxx, +label TEXT);
INSERT INTO geo SELECT p.id, p.x, p.x + 1, p.nm FROM p
-- expect: geo.id <- p.id
-- expect: geo.minx <- p.x
-- expect: geo.maxx <- p.x
-- expect: geo.label <- p.nm
-- inputs: p, a.csv
-- outputs: geo, temp.csvt

-- case: fts match by table name
-- dialect: sqlite
CREATE VIRTUAL TABLE docs USING fts5(title, body);
SELECT rowid AS r, title, bm25(docs) AS s, highlight(docs, 0, '<', '>') AS h FROM docs WHERE docs MATCH 'x' ORDER BY rank
-- expect: r <- docs.rowid
-- expect: title <- docs.title
-- expect: s <- docs.title, docs.body
-- expect: h <- docs.title, docs.body
-- inputs: docs
-- outputs: docs

-- case: json_each and pragma functions
-- dialect: sqlite
SELECT u.id, j.value AS v, j.key AS k, p.name AS c FROM u, json_each(u.tags, '$.a') j, pragma_table_info('u') p
-- expect: id <- u.id
-- expect: v <- u.tags
-- expect: k <- u.tags
-- expect: c <- nothing
-- inputs: u

-- case: WITH in front of INSERT, RETURNING into nothing; REPLACE
-- dialect: sqlite
WITH RECURSIVE cnt(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM cnt WHERE x < 5) REPLACE INTO n (x, y) SELECT cnt.x, m.y FROM cnt, m
-- expect: n.x <- nothing
-- expect: n.y <- m.y

-- case: IMPORT STATEMENT
-- dialect: exasol
IMPORT INTO stg.t (a, b) FROM JDBC DRIVER = 'x' AT 'jdbc:mysql://h' USER 'u' IDENTIFIED BY 'p' STATEMENT 'SELECT o.id, CONCAT(o.nm, ''x'') FROM crm.o o WHERE o.k = ''1''' ERRORS INTO stg.err (CURRENT_TIMESTAMP) REJECT LIMIT 5;
CREATE TABLE stg.u AS IMPORT FROM EXA AT c TABLE src.u (x, y);
IMPORT INTO stg.v FROM SCRIPT etl.import_path WITH BUCKET_PATH = 's3a://b/*' FORMAT = 'PARQUET'
-- expect: stg.t.a <- crm.o.id
-- expect: stg.t.b <- crm.o.nm
-- expect: stg.u.x <- src.u.x
-- expect: stg.u.y <- src.u.y
-- inputs: crm.o, src.u
-- outputs: stg.t, stg.u, stg.v

-- case: MERGE
-- dialect: exasol
MERGE INTO mart.t t USING (SELECT s.id, s.v FROM raw.s s) q ON t.id = q.id WHEN MATCHED THEN UPDATE SET t.v = q.v, t.w = DEFAULT WHERE q.v > 0 DELETE WHERE q.v IS NULL WHEN NOT MATCHED THEN INSERT (id, v) VALUES (q.id, q.v) WHERE q.id > 1
-- expect: mart.t.v <- raw.s.v
-- expect: mart.t.w <- nothing
-- expect: mart.t.id <- raw.s.id
-- inputs: raw.s

-- case: Lua script with query and pquery
-- dialect: exasol
CREATE OR REPLACE LUA SCRIPT etl.load_it(tab) RETURNS ROWCOUNT AS
  query([[INSERT INTO mart.a (x) SELECT r.x FROM raw.r r]])
  local ok, res = pquery([[TRUNCATE TABLE mart.b]])
  local ok2, res2 = pquery("INSERT INTO mart.c (y) SELECT q.y FROM raw.q q WHERE q.k = :k", {k = 5})
/
EXECUTE SCRIPT etl.load_it('x');
-- expect: mart.a.x <- raw.r.x
-- expect: mart.c.y <- raw.q.y
-- outputs: mart.a, mart.b, mart.c
-- diagnostic: DYNAMIC_SQL

-- case: pquery with ::tab and concatenation
-- dialect: exasol
CREATE SCRIPT etl.s2(tab) AS
  pquery([[INSERT INTO mart.d (z) SELECT p.z FROM raw.p p WHERE p.d = ']] .. tab .. [[']])
  pquery([[DELETE FROM ::t]], {t = tab})
/
-- expect: mart.d.z <- raw.p.z
-- diagnostic: UNKNOWN_NAME
-- diagnostic: DYNAMIC_SQL

-- case: UDF emits, GROUP_CONCAT, CONNECT BY, WITH INVALID
-- dialect: exasol
INSERT INTO mart.e (a, b) SELECT etl.split(r.x, r.y) EMITS (p VARCHAR(10), q INT) FROM raw.r r;
SELECT GROUP_CONCAT(DISTINCT o.k ORDER BY o.n SEPARATOR ',') AS g, LOCAL.g AS g2 FROM raw.o o GROUP BY LOCAL.x
-- expect: mart.e.a <- raw.r.x, raw.r.y
-- expect: mart.e.b <- raw.r.x, raw.r.y
-- expect: g <- raw.o.k, raw.o.n
-- expect: g2 <- raw.o.k, raw.o.n

-- case: COPY with FILLER and expression
-- dialect: vertica
COPY mart.t (a FILLER VARCHAR(10), x FILLER VARCHAR(10), b AS a || x, c, d FORMAT 'YYYY', e AS MD5(a)) FROM LOCAL '/d/a.csv', '/d/b.csv' ON ANY NODE DELIMITER '|' REJECTED DATA AS TABLE mart.rej DIRECT
-- expect: mart.t.b <- /d/a.csv.a, /d/a.csv.x, /d/b.csv.a, /d/b.csv.x
-- expect: mart.t.c <- /d/a.csv.c, /d/b.csv.c
-- expect: mart.t.d <- /d/a.csv.d, /d/b.csv.d
-- expect: mart.t.e <- /d/a.csv.a, /d/b.csv.a

-- case: flex tables
-- dialect: vertica
CREATE FLEX TABLE mart.f ();
COPY mart.f FROM '/d/x.json' PARSER fjsonparser();
CREATE FLEX EXTERNAL TABLE mart.fe() AS COPY FROM 's3://b/*.json' PARSER FJSONPARSER();
INSERT INTO mart.g (a, b) SELECT f.user.name::VARCHAR, maplookup(f.__raw__, 'x') FROM mart.f f
-- expect: mart.f.* <- /d/x.json.*
-- expect: mart.g.a <- mart.f.user.name
-- expect: mart.g.b <- mart.f.__raw__
-- inputs: /d/x.json, s3://b/*.json, mart.f
-- outputs: mart.f, mart.fe, mart.g

-- case: flex with columns and keys functions
-- dialect: vertica
CREATE FLEX TABLE mart.h (id INT, nm VARCHAR DEFAULT "name"::VARCHAR);
SELECT COMPUTE_FLEXTABLE_KEYS('mart.h');
CREATE TABLE mart.i AS SELECT id, nm, "extra" FROM mart.h
-- expect: compute_flextable_keys <- nothing
-- expect: mart.h.nm <- mart.h.name
-- expect: mart.i.id <- mart.h.id
-- expect: mart.i.nm <- mart.h.nm
-- expect: mart.i.extra <- mart.h.extra

-- case: EXPORT TO PARQUET, MERGE hints, top-k, explode
-- dialect: vertica
EXPORT TO PARQUET (directory = 's3://b/out', compression='snappy') OVER (PARTITION BY s.d) AS SELECT s.id, s.d FROM raw.s s;
SELECT s.id, s.v FROM raw.s s LIMIT 2 OVER (PARTITION BY s.k ORDER BY s.v DESC)
-- expect: s3://b/out.id <- raw.s.id
-- expect: s3://b/out.d <- raw.s.d
-- expect: id <- raw.s.id
-- expect: v <- raw.s.v

-- case: sources
-- dialect: materialize
CREATE SOURCE raw.k IN CLUSTER c FROM KAFKA CONNECTION kc (TOPIC 'orders') KEY FORMAT TEXT VALUE FORMAT AVRO USING CONFLUENT SCHEMA REGISTRY CONNECTION csr INCLUDE KEY AS kk, PARTITION ENVELOPE UPSERT;
CREATE SOURCE raw.pg FROM POSTGRES CONNECTION pc (PUBLICATION 'mz') FOR TABLES (public.orders AS raw.orders, public.items);
CREATE SOURCE raw.lg FROM LOAD GENERATOR AUCTION (TICK INTERVAL '1s') FOR ALL TABLES;
CREATE TABLE raw.t2 FROM SOURCE raw.pg (REFERENCE public.t2);
INSERT INTO mart.x (a) SELECT o.id FROM raw.orders o
-- expect: mart.x.a <- raw.orders.id
-- inputs: raw.orders
-- outputs: raw.k, raw.pg, raw.lg, raw.t2, mart.x

-- case: sinks
-- dialect: materialize
CREATE SINK mart.s IN CLUSTER c FROM mart.v INTO KAFKA CONNECTION k (TOPIC 't') KEY (id) NOT ENFORCED FORMAT AVRO USING CONFLUENT SCHEMA REGISTRY CONNECTION r ENVELOPE UPSERT
-- expect: mart.s.* <- mart.v.*

-- case: SUBSCRIBE
-- dialect: materialize
SUBSCRIBE mart.v WITH (SNAPSHOT = false, PROGRESS);
SUBSCRIBE TO (SELECT o.id, o.v FROM raw.o o) AS OF now() ENVELOPE UPSERT (KEY (id)) WITHIN TIMESTAMP ORDER BY id;
COPY (SUBSCRIBE mart.w) TO STDOUT
-- inputs: mart.v, raw.o, mart.w
-- outputs: nothing

-- case: index, temporal filter, lateral, map
-- dialect: materialize
CREATE VIEW mart.a AS SELECT o.id, t.v FROM raw.o o, LATERAL (SELECT i.v FROM raw.i i WHERE i.o = o.id ORDER BY i.v LIMIT 1) t WHERE mz_now() <= o.ts + INTERVAL '1 day' OPTIONS (GROUP SIZE = 10);
CREATE INDEX i IN CLUSTER c ON mart.a (id);
CREATE MATERIALIZED VIEW mart.b WITH (REFRESH EVERY '1 day') AS SELECT a.id, MAP['x' => a.v] AS m FROM mart.a a
-- expect: mart.a.id <- raw.o.id
-- expect: mart.a.v <- raw.i.v
-- expect: mart.b.id <- mart.a.id
-- expect: mart.b.m <- mart.a.v

-- case: table functions with table arguments
-- dialect: trino
-- table: raw.o (id, cust, v)
INSERT INTO mart.t SELECT r.id, r.score FROM TABLE(ml.score(input => TABLE(raw.o) PARTITION BY cust ORDER BY v, k => 5)) AS r;
SELECT * FROM TABLE(my_pass(input => TABLE(SELECT id, v FROM raw.o) AS x PRUNE WHEN EMPTY, cols => DESCRIPTOR(id)))
-- expect: mart.t.id <- raw.o.id
-- expect: mart.t.score <- raw.o.id, raw.o.cust, raw.o.v
-- expect: id <- raw.o.id
-- expect: v <- raw.o.v

-- case: query pass through
-- dialect: trino
INSERT INTO mart.t (a) SELECT q.id FROM TABLE(pg.system.query(query => 'SELECT c.id FROM crm.c c')) q
-- expect: mart.t.a <- crm.c.id

-- case: MATCH_RECOGNIZE
-- dialect: trino
-- table: fx.t (sym, at, px)
INSERT INTO mart.m (s, a, b, c) SELECT m.sym, m.st, m.lo, m.n FROM fx.t MATCH_RECOGNIZE (PARTITION BY sym ORDER BY at MEASURES A.at AS st, FINAL LAST(B.px) AS lo, MATCH_NUMBER() AS n, RUNNING COUNT(B.*) AS cnt ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+ C*) SUBSET U = (A, B) DEFINE B AS px < PREV(px), C AS px > FIRST(U.px)) AS m
-- expect: mart.m.s <- fx.t.sym
-- expect: mart.m.a <- fx.t.at
-- expect: mart.m.b <- fx.t.px
-- expect: mart.m.c <- nothing

-- case: MATCH_RECOGNIZE all rows with alias columns
-- dialect: trino
-- table: fx.t (sym, at, px)
SELECT x.a, x.b, x.c, x.d FROM (SELECT * FROM fx.t) AS q (s, w, p) MATCH_RECOGNIZE (PARTITION BY s ORDER BY w MEASURES CLASSIFIER(U) AS cl ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN (^ A (B | C){2,} $) SUBSET U = (B, C) DEFINE A AS true) AS x (a, b, c, d)
-- expect: a <- fx.t.sym
-- expect: b <- fx.t.at
-- expect: c <- fx.t.px
-- expect: d <- nothing

-- case: QUALIFY
-- dialect: redshift
INSERT INTO mart.t SELECT o.id, o.v FROM shop.o o QUALIFY ROW_NUMBER() OVER (PARTITION BY o.id ORDER BY o.ts DESC) = 1
-- expect: mart.t.id <- shop.o.id
-- expect: mart.t.v <- shop.o.v

-- case: PIVOT and UNPIVOT
-- dialect: redshift
-- table: raw.s (part, color, price, qty)
SELECT * FROM (SELECT part, color, price FROM raw.s) PIVOT (AVG(price) AS ap, MAX(price) AS mp FOR color IN ('red', 'green' AS g));
SELECT u.part, u.k, u.val FROM raw.s AS s UNPIVOT INCLUDE NULLS (val FOR k IN (price AS 'p', qty)) AS u
-- expect: part <- raw.s.part
-- expect: red_ap <- raw.s.price
-- expect: red_mp <- raw.s.price
-- expect: g_mp <- raw.s.price
-- expect: g_ap <- raw.s.price
-- expect: k <- raw.s.price, raw.s.qty
-- expect: val <- raw.s.price, raw.s.qty

-- case: UNLOAD with inner quotes
-- dialect: redshift
UNLOAD ('SELECT o.id, o.v || ''x'' AS vx FROM shop.o o WHERE o.day = ''2020-01-01''') TO 's3://b/o_' IAM_ROLE 'r' FORMAT AS PARQUET PARTITION BY (id) ALLOWOVERWRITE;
UNLOAD ($$SELECT 'a' AS k, p.z FROM shop.p p$$) TO 's3://b/p' CREDENTIALS 'x';
UNLOAD ('SELECT q.a FROM shop.q q WHERE q.n = \'it\'') TO 's3://b/q' IAM_ROLE default
-- expect: s3://b/o_.id <- shop.o.id
-- expect: s3://b/o_.vx <- shop.o.v
-- expect: s3://b/p.k <- nothing
-- expect: s3://b/p.z <- shop.p.z
-- expect: s3://b/q.a <- shop.q.a

-- case: APPEND, MERGE REMOVE DUPLICATES, external schema
-- dialect: redshift
ALTER TABLE mart.a APPEND FROM stg.a FILLTARGET;
MERGE INTO mart.t USING stg.t s ON mart.t.id = s.id REMOVE DUPLICATES;
COPY mart.c (a, b) FROM 's3://b/c' IAM_ROLE 'x' CSV IGNOREHEADER 1
-- expect: mart.a.* <- stg.a.*
-- expect: mart.t.* <- stg.t.*
-- expect: mart.c.a <- s3://b/c.a
-- expect: mart.c.b <- s3://b/c.b

-- case: IF as a function and as an operator
-- dialect: exasol
SELECT IF(o.a = 1, o.b, o.c) AS x, IF (o.d > 1) THEN o.e ELSE o.f ENDIF AS y FROM shop.orders o
-- expect: x <- shop.orders.a, shop.orders.b, shop.orders.c
-- expect: y <- shop.orders.d, shop.orders.e, shop.orders.f
