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
