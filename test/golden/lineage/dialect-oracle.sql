-- case: CONNECT BY with its pseudo columns
-- dialect: oracle
SELECT e.id, LEVEL AS depth, PRIOR e.name AS boss, SYS_CONNECT_BY_PATH(e.name, '/') AS path FROM hr.staff e START WITH e.boss IS NULL CONNECT BY PRIOR e.id = e.boss
-- expect: id <- hr.staff.id
-- expect: depth <- nothing
-- expect: boss <- hr.staff.name
-- expect: path <- hr.staff.name

-- case: ROWNUM, SYSDATE and USER are no columns
-- dialect: oracle
SELECT o.id, ROWNUM AS n, SYSDATE AS d, USER AS u FROM shop.orders o WHERE ROWNUM < 10
-- expect: id <- shop.orders.id
-- expect: n <- nothing
-- expect: d <- nothing
-- expect: u <- nothing

-- case: DUAL is no dataset
-- dialect: oracle, db2
INSERT INTO mart.sales (k) SELECT 1 FROM dual
-- expect: mart.sales.k <- nothing
-- inputs: nothing
-- outputs: mart.sales

-- case: a sequence's next value
-- dialect: oracle, snowflake
INSERT INTO mart.sales (k, v) SELECT mart.seq.NEXTVAL, o.id FROM shop.orders o
-- expect: mart.sales.k <- nothing
-- expect: mart.sales.v <- shop.orders.id

-- case: TABLE() of a collection column
-- dialect: oracle
SELECT o.id, t.sku FROM shop.orders o, TABLE(o.items) t
-- expect: id <- shop.orders.id
-- expect: sku <- shop.orders.items

-- case: DECODE and NVL2
-- dialect: oracle
SELECT DECODE(o.a, 1, o.b, o.c) AS d, NVL2(o.x, o.y, o.z) AS n FROM shop.orders o
-- expect: d <- shop.orders.a, shop.orders.b, shop.orders.c
-- expect: n <- shop.orders.x, shop.orders.y, shop.orders.z

-- case: SQL*Plus commands around a statement
-- dialect: oracle
SET SERVEROUTPUT ON
WHENEVER SQLERROR EXIT FAILURE
PROMPT loading sales
INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o;
COMMIT;
EXIT
-- expect: mart.sales.k <- shop.orders.id

-- case: MODEL reads its table
-- dialect: oracle
SELECT country, year, sales FROM shop.sales MODEL PARTITION BY (country) DIMENSION BY (year) MEASURES (sales) RULES (sales[2025] = sales[2024] * 2)
-- expect: country <- shop.sales.country
-- expect: year <- shop.sales.year
-- expect: sales <- shop.sales.sales

-- case: a compound trigger's moments
-- dialect: oracle
CREATE OR REPLACE TRIGGER ct FOR UPDATE OF a, b ON shop.t COMPOUND TRIGGER
  n NUMBER;
  BEFORE STATEMENT IS BEGIN NULL; END BEFORE STATEMENT;
  AFTER EACH ROW IS
    v NUMBER;
  BEGIN
    INSERT INTO shop.aud (a, b) VALUES (:new.a, :old.b);
  END AFTER EACH ROW;
END ct;
-- expect: shop.aud.a <- shop.t.a
-- expect: shop.aud.b <- shop.t.b

-- case: a trigger changes the row that is written
-- dialect: oracle
CREATE OR REPLACE TRIGGER trg BEFORE INSERT ON hr.emp FOR EACH ROW
BEGIN
  SELECT d.name INTO :new.dname FROM hr.dept d WHERE d.id = :new.did;
  :new.full_name := :new.first || ' ' || :new.last;
END;
-- expect: hr.emp.dname <- hr.dept.name
-- expect: hr.emp.full_name <- hr.emp.first, hr.emp.last
-- inputs: hr.dept

-- case: a record inserted whole
-- dialect: oracle
DECLARE r shop.t%ROWTYPE;
BEGIN
  SELECT * INTO r FROM shop.t WHERE id = 1;
  INSERT INTO shop.u VALUES r;
  FOR x IN (SELECT s.a, s.b AS c FROM shop.s) LOOP INSERT INTO shop.w VALUES x; END LOOP;
END;
-- expect: shop.u.* <- shop.t.*
-- expect: shop.w.a <- shop.s.a
-- expect: shop.w.c <- shop.s.b

-- case: FORALL with SAVE EXCEPTIONS, locks between statements
-- dialect: oracle
CREATE OR REPLACE PROCEDURE p IS
  CURSOR c IS WITH x AS (SELECT * FROM hr.emp) SELECT x.id, x.nm FROM x FOR UPDATE OF x.sal NOWAIT;
BEGIN
  LOCK TABLE hr.emp IN EXCLUSIVE MODE NOWAIT;
  SET TRANSACTION READ WRITE;
  OPEN c;
  FETCH c BULK COLLECT INTO l_tab LIMIT 1000;
  FORALL i IN INDICES OF l_tab SAVE EXCEPTIONS
    INSERT INTO dwh.x (id, nm) VALUES (l_tab(i).id, l_tab(i).nm) RETURNING id BULK COLLECT INTO l_ids;
END;
-- expect: dwh.x.id <- hr.emp.id
-- expect: dwh.x.nm <- hr.emp.nm

-- case: pseudo columns have no source
-- dialect: oracle
SELECT e.name, CONNECT_BY_ISLEAF AS leaf, ROWID AS rid, ORA_ROWSCN AS scn FROM hr.emp e CONNECT BY PRIOR e.id = e.mgr
-- expect: name <- hr.emp.name
-- expect: leaf <- nothing
-- expect: rid <- nothing
-- expect: scn <- nothing

-- case: how columns are stored is no query
-- dialect: oracle
CREATE TABLE dwh.d (id NUMBER, x XMLTYPE, l CLOB) XMLTYPE COLUMN x STORE AS BINARY XML LOB (l) STORE AS SECUREFILE (CACHE)
-- outputs: dwh.d

-- case: MODEL: measures and dimensions under the names given there
-- dialect: oracle
INSERT INTO forecast (country, year, sales)
SELECT v.country, yr, s FROM sales_view v WHERE v.kind = 'A'
MODEL RETURN UPDATED ROWS
  PARTITION BY (country) DIMENSION BY (year yr) MEASURES (sale s)
  RULES (s[2025] = s[2024] * 1.1, s[2026] = CV(yr) + s[2025])
ORDER BY 1;
-- expect: forecast.country <- sales_view.country
-- expect: forecast.year <- sales_view.year
-- expect: forecast.sales <- sales_view.sale

-- case: a cursor's parameters are no columns
-- dialect: oracle
CREATE OR REPLACE PROCEDURE p IS
  CURSOR c_cust (cp_from DATE, cp_x IN NUMBER DEFAULT 1) IS
    SELECT a.id, b.nm FROM t1 a, t2 b WHERE a.d >= cp_from AND b.x = cp_x AND a.id = b.id;
BEGIN
  FOR r IN c_cust(SYSDATE) LOOP INSERT INTO o (id, nm, err) VALUES (r.id, r.nm, SQLERRM); END LOOP;
END;
/
-- expect: o.id <- t1.id
-- expect: o.nm <- t2.nm
-- expect: o.err <- nothing

-- case: a trigger changes the row by the name that REFERENCING gives it
-- dialect: oracle
CREATE OR REPLACE TRIGGER t_biu BEFORE INSERT OR UPDATE OF amt ON orders
REFERENCING NEW AS n OLD AS o FOR EACH ROW
DECLARE
  l_rate NUMBER;
BEGIN
  SELECT rate INTO l_rate FROM fx_rates WHERE cur = :n.cur;
  :n.amt_usd := :n.amt * l_rate;
END;
/
-- expect: orders.amt_usd <- orders.amt, fx_rates.rate
-- inputs: fx_rates

-- case: a pipelined function gives the rows that it pipes
-- dialect: oracle
CREATE FUNCTION f RETURN t_tab PIPELINED IS
BEGIN
  FOR r IN (SELECT o.order_id, o.amt AS total FROM orders o) LOOP
    PIPE ROW (r);
  END LOOP;
  RETURN;
END;
/
INSERT INTO fx (a, b) SELECT p.order_id, p.total FROM TABLE(f()) p;
-- expect: fx.a <- orders.order_id
-- expect: fx.b <- orders.amt

-- case: a collection cast to its type
-- dialect: oracle
INSERT INTO coll (id)
SELECT t.COLUMN_VALUE FROM orders o, TABLE(CAST(o.ids AS sys.odcinumberlist)) t;
-- expect: coll.id <- orders.ids

-- case: a piped row made by a type's constructor of another schema, and an outer join to a collection
-- dialect: oracle
CREATE TYPE dw.t_row AS OBJECT (acc VARCHAR2(9), net NUMBER);
/
CREATE TYPE dw.t_rows AS TABLE OF dw.t_row;
/
CREATE FUNCTION dw.net_rows RETURN dw.t_rows PIPELINED IS
BEGIN
  FOR r IN (SELECT o.code, o.amount FROM shop.orders o) LOOP
    PIPE ROW (dw.t_row(r.code, -r.amount));
  END LOOP;
END;
/
INSERT INTO mart.a (acc, net, tag)
SELECT t.acc, t.net, x.tag FROM TABLE(dw.net_rows()) t, shop.docs d, XMLTABLE('/tags/tag' PASSING d.doc COLUMNS tag VARCHAR2(9) PATH '.') (+) x;
-- expect: mart.a.acc <- shop.orders.code
-- expect: mart.a.net <- shop.orders.amount
-- expect: mart.a.tag <- shop.docs.doc

-- case: a table made for an exchange has the other's columns
-- dialect: oracle
CREATE TABLE dw.fact (k NUMBER, v NUMBER) PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (9));
CREATE TABLE dw.swap FOR EXCHANGE WITH TABLE dw.fact;
INSERT INTO dw.swap SELECT s.a, s.b FROM stg.lines s;
-- expect: dw.swap.k <- stg.lines.a
-- expect: dw.swap.v <- stg.lines.b
-- inputs: dw.fact, stg.lines
-- outputs: dw.fact, dw.swap

-- case: a rule of MODEL computes a measure from another
-- dialect: oracle
INSERT INTO mart.sales (country, year, amount) SELECT country, year, sale FROM raw.v MODEL PARTITION BY (country) DIMENSION BY (year) MEASURES (sales AS sale, cost) RULES UPSERT (sale[2002] = sale[2001] + cost[CV(year) - 1], cost[2003] = 0)
-- expect: mart.sales.country <- raw.v.country
-- expect: mart.sales.year <- raw.v.year
-- expect: mart.sales.amount <- raw.v.sales, raw.v.cost

-- case: a table macro is expanded
-- dialect: oracle
CREATE OR REPLACE FUNCTION mart.top_orders(n NUMBER) RETURN VARCHAR2 SQL_MACRO IS
BEGIN
  RETURN q'[SELECT o.id AS oid, o.amount AS amt FROM shop.orders o FETCH FIRST n ROWS ONLY]';
END;
/
INSERT INTO mart.t (a, b) SELECT x.oid, x.amt FROM mart.top_orders(5) x;
-- expect: mart.t.a <- shop.orders.id
-- expect: mart.t.b <- shop.orders.amount

-- case: a table macro over a table argument
-- dialect: oracle
-- table: shop.orders (id, amount)
CREATE FUNCTION take(t DBMS_TF.TABLE_T, n NUMBER) RETURN CLOB SQL_MACRO(TABLE) AS
BEGIN
  RETURN 'SELECT * FROM t WHERE ROWNUM <= n';
END take;
/
INSERT INTO mart.t (a, b) SELECT id, amount FROM take(shop.orders, 5);
-- expect: mart.t.a <- shop.orders.id
-- expect: mart.t.b <- shop.orders.amount

-- case: a scalar macro
-- dialect: oracle
CREATE FUNCTION full_nm(a VARCHAR2, b VARCHAR2) RETURN VARCHAR2 SQL_MACRO(SCALAR) IS
BEGIN
  RETURN q'{a || ' ' || b}';
END;
/
INSERT INTO mart.t (n) SELECT full_nm(e.first, e.last) FROM hr.emp e;
-- expect: mart.t.n <- hr.emp.first, hr.emp.last

-- case: MATCH_RECOGNIZE, all rows per match, classifier
-- dialect: oracle
-- table: fx.ticks (sym, at, price)
SELECT sym, at, price, cls, mno, st FROM fx.ticks MATCH_RECOGNIZE (PARTITION BY sym ORDER BY at MEASURES CLASSIFIER() AS cls, MATCH_NUMBER() AS mno, FIRST(strt.at) AS st, FINAL AVG(up.price) AS av ALL ROWS PER MATCH AFTER MATCH SKIP TO LAST up PATTERN (strt dn+ up+) SUBSET u2 = (strt, up) DEFINE dn AS price < PREV(price), up AS price > PREV(price))
-- expect: sym <- fx.ticks.sym
-- expect: at <- fx.ticks.at
-- expect: price <- fx.ticks.price
-- expect: cls <- nothing
-- expect: mno <- nothing
-- expect: st <- fx.ticks.at

-- case: MATCH_RECOGNIZE star over one row per match
-- dialect: oracle
-- table: fx.ticks (sym, at, price)
INSERT INTO mart.m SELECT * FROM (SELECT * FROM fx.ticks) MATCH_RECOGNIZE (PARTITION BY sym ORDER BY at MEASURES A.at AS st, LAST(price) AS lp ONE ROW PER MATCH PATTERN (a b*) DEFINE b AS price > a.price) mr
-- expect: mart.m.sym <- fx.ticks.sym
-- expect: mart.m.st <- fx.ticks.at
-- expect: mart.m.lp <- fx.ticks.price

-- case: FLASHBACK commands and queries
-- dialect: oracle
FLASHBACK TABLE shop.orders TO BEFORE DROP RENAME TO orders_old;
FLASHBACK TABLE shop.items TO TIMESTAMP SYSTIMESTAMP - INTERVAL '1' DAY;
INSERT INTO mart.t (a, b) SELECT o.id, VERSIONS_OPERATION FROM shop.orders VERSIONS BETWEEN TIMESTAMP MINVALUE AND MAXVALUE AS OF SCN 5 o;
SELECT id AS k FROM shop.items AS OF TIMESTAMP (SYSTIMESTAMP - 1) i
-- expect: mart.t.a <- shop.orders.id
-- expect: mart.t.b <- shop.orders.VERSIONS_OPERATION
-- expect: k <- shop.items.id
-- inputs: shop.orders, shop.items
-- outputs: mart.t

-- case: INSERT ALL over a subquery with aliases
-- dialect: oracle
INSERT ALL
  WHEN total > 10 THEN INTO mart.big (id, v) VALUES (oid, total)
  WHEN total <= 10 AND EXISTS (SELECT 1 FROM ref.x WHERE x.id = oid) THEN INTO mart.small VALUES (oid, total * 2)
  ELSE INTO mart.rest
SELECT s.oid, s.total FROM (SELECT o.id AS oid, SUM(i.amt) AS total FROM shop.o o JOIN shop.i i ON i.oid = o.id GROUP BY o.id) s
-- expect: mart.big.id <- shop.o.id
-- expect: mart.big.v <- shop.i.amt
-- expect: mart.small.oid <- shop.o.id
-- expect: mart.small.? <- shop.i.amt
-- expect: mart.rest.oid <- shop.o.id
-- expect: mart.rest.total <- shop.i.amt
-- inputs: shop.o, shop.i, ref.x

-- case: pivoting insert
-- dialect: oracle
-- table: mart.d (id, day, v)
INSERT ALL INTO mart.d VALUES (id, 1, mon) INTO mart.d VALUES (id, 2, tue) SELECT w.id, w.mon, w.tue FROM raw.w w
-- expect: mart.d.id <- raw.w.id
-- expect: mart.d.day <- nothing
-- expect: mart.d.v <- raw.w.mon, raw.w.tue

-- case: attribute dimensions, hierarchies, analytic views
-- dialect: oracle
CREATE OR REPLACE ATTRIBUTE DIMENSION mart.time_ad USING raw.times ATTRIBUTES (yr AS year_id, mon CLASSIFICATION caption VALUE 'm') LEVEL m KEY mon DETERMINES (yr);
CREATE OR REPLACE HIERARCHY mart.time_h USING mart.time_ad (m CHILD OF y);
CREATE OR REPLACE ANALYTIC VIEW mart.sales_av USING raw.sales DIMENSION BY (mart.time_ad KEY mon REFERENCES mon HIERARCHIES (mart.time_h DEFAULT)) MEASURES (units FACT units, amt FACT amount AGGREGATE BY AVG, ratio AS (amt / units));
SELECT units FROM mart.sales_av HIERARCHIES (time_h)
-- expect: mart.time_ad.year_id <- raw.times.yr
-- expect: mart.time_ad.mon <- raw.times.mon
-- expect: mart.sales_av.units <- raw.sales.units
-- expect: mart.sales_av.amt <- raw.sales.amount
-- expect: mart.sales_av.ratio <- raw.sales.amount, raw.sales.units
-- expect: mart.time_h.year_id <- mart.time_ad.year_id
-- expect: mart.time_h.mon <- mart.time_ad.mon
-- expect: units <- mart.sales_av.units
-- inputs: raw.times, raw.sales, mart.sales_av, mart.time_ad
-- outputs: mart.time_ad, mart.time_h, mart.sales_av

-- case: hierarchical pseudo columns
-- dialect: oracle
-- table: hr.emp (id, nm, mgr)
INSERT INTO mart.h (a, b, c, d, e, f) SELECT CONNECT_BY_ROOT nm, CONNECT_BY_ROOT e.nm AS r, LEVEL, CONNECT_BY_ISCYCLE, SYS_CONNECT_BY_PATH(nm, '/'), PRIOR nm FROM hr.emp e CONNECT BY NOCYCLE PRIOR id = mgr ORDER SIBLINGS BY nm
-- expect: mart.h.a <- hr.emp.nm
-- expect: mart.h.b <- hr.emp.nm
-- expect: mart.h.c <- nothing
-- expect: mart.h.d <- nothing
-- expect: mart.h.e <- hr.emp.nm
-- expect: mart.h.f <- hr.emp.nm

-- case: XMLTABLE chains
-- dialect: oracle
-- table: raw.docs (id, x)
INSERT INTO mart.l (id, oid, sku, n) SELECT d.id, o.oid, l.sku, l.n FROM raw.docs d, XMLTABLE(XMLNAMESPACES('http://a' AS "p"), '/p:orders/order' PASSING d.x COLUMNS oid NUMBER PATH '@id', lines XMLTYPE PATH 'lines') o, XMLTABLE('/lines/line' PASSING o.lines COLUMNS sku VARCHAR2(9) PATH 'sku', n FOR ORDINALITY) l
-- expect: mart.l.id <- raw.docs.id
-- expect: mart.l.oid <- raw.docs.x
-- expect: mart.l.sku <- raw.docs.x
-- expect: mart.l.n <- nothing

-- case: XMLTABLE outer join and COLUMN_VALUE
-- dialect: oracle
SELECT d.id, t.COLUMN_VALUE AS v, EXTRACTVALUE(VALUE(e), '/a') AS ev FROM raw.docs d LEFT JOIN XMLTABLE('/a/b' PASSING d.x) t ON 1 = 1, TABLE(XMLSEQUENCE(EXTRACT(d.y, '/r/a'))) e
-- expect: id <- raw.docs.id
-- expect: v <- raw.docs.x
-- expect: ev <- raw.docs.y

-- case: JSON duality view and JSON_TABLE nested
-- dialect: oracle
INSERT INTO mart.j (a, b) SELECT j.a, j.c FROM raw.docs d, JSON_TABLE(d.doc, '$' COLUMNS (a PATH '$.a', NESTED PATH '$.items[*]' COLUMNS (c NUMBER PATH '$.c')))  j
-- expect: mart.j.a <- raw.docs.doc
-- expect: mart.j.b <- raw.docs.doc

-- case: MERGE with DELETE WHERE and LOG ERRORS
-- dialect: oracle
MERGE INTO mart.t t USING (SELECT s.k, s.v FROM raw.s s) q ON (t.k = q.k) WHEN MATCHED THEN UPDATE SET t.v = q.v DELETE WHERE q.v IS NULL WHEN NOT MATCHED THEN INSERT (t.k, t.v) VALUES (q.k, q.v) WHERE q.v > 1 LOG ERRORS INTO mart.err ('x') REJECT LIMIT UNLIMITED
-- expect: mart.t.k <- raw.s.k
-- expect: mart.t.v <- raw.s.v
-- inputs: raw.s
-- outputs: mart.t

-- case: partition-extended names, containers, sample, pivot xml
-- dialect: oracle
INSERT INTO mart.t PARTITION (p1) (a, b) SELECT x.a, y.b FROM raw.x PARTITION FOR (DATE '2020-01-01') SAMPLE BLOCK (5) x, CONTAINERS(raw.y) y
-- expect: mart.t.a <- raw.x.a
-- expect: mart.t.b <- raw.y.b
