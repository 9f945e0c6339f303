-- case: the statements of a body are the routine's lineage
-- dialect: tsql
CREATE PROCEDURE dbo.load AS
BEGIN
  SET NOCOUNT ON;
  INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o;
END
-- expect: mart.sales.k <- shop.orders.id
-- statements: routine

-- case: no semicolons between the statements of a body
-- dialect: tsql
CREATE PROCEDURE dbo.load @day DATE = NULL WITH EXECUTE AS OWNER AS
BEGIN
  DECLARE @n INT = 0
  SELECT o.id INTO #t FROM shop.orders o WHERE o.day = @day
  UPDATE s SET s.total = t.id FROM mart.sales s JOIN #t t ON t.id = s.k
  INSERT INTO mart.log (k) SELECT id FROM #t
END
-- expect: mart.sales.total <- shop.orders.id
-- expect: mart.log.k <- shop.orders.id
-- inputs: shop.orders, mart.sales

-- case: IF, WHILE and TRY are walked through
-- dialect: tsql
CREATE PROCEDURE dbo.load AS
BEGIN TRY
  IF EXISTS (SELECT 1 FROM etl.flags f WHERE f.open = 1)
    INSERT INTO mart.a (k) SELECT o.id FROM shop.orders o
  ELSE
  BEGIN
    INSERT INTO mart.b (k) SELECT i.id FROM shop.items i
  END
END TRY
BEGIN CATCH
  INSERT INTO etl.errors (msg) SELECT ERROR_MESSAGE()
END CATCH
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.b.k <- shop.items.id
-- expect: etl.errors.msg <- nothing
-- inputs: shop.orders, shop.items, etl.flags
-- outputs: mart.a, mart.b, etl.errors

-- case: CASE and END inside a body do not end it
-- dialect: tsql
CREATE PROCEDURE dbo.load AS
BEGIN
  INSERT INTO mart.a (v) SELECT CASE WHEN o.x > 0 THEN o.y ELSE o.z END FROM shop.orders o
  INSERT INTO mart.b (v) SELECT i.v FROM shop.items i
END
-- expect: mart.a.v <- shop.orders.x, shop.orders.y, shop.orders.z
-- expect: mart.b.v <- shop.items.v

-- case: a PL/pgSQL body in dollar quotes
-- dialect: postgres
CREATE OR REPLACE FUNCTION etl.load() RETURNS void LANGUAGE plpgsql AS $$
DECLARE n integer;
BEGIN
  INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o;
  GET DIAGNOSTICS n = ROW_COUNT;
END;
$$
-- expect: mart.sales.k <- shop.orders.id
-- statements: routine

-- case: a FOR loop over a query
-- dialect: postgres
CREATE PROCEDURE etl.load() LANGUAGE plpgsql AS $body$
DECLARE r record;
BEGIN
  FOR r IN SELECT o.id, o.amount FROM shop.orders o LOOP
    INSERT INTO mart.sales (k, v) VALUES (r.id, r.amount);
  END LOOP;
END;
$body$
-- expect: mart.sales.k <- shop.orders.id
-- expect: mart.sales.v <- shop.orders.amount

-- case: an anonymous block
-- dialect: postgres
DO $$ BEGIN INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o; END $$
-- expect: mart.sales.k <- shop.orders.id

-- case: a PL/SQL procedure with an exception block
-- dialect: oracle
CREATE OR REPLACE PROCEDURE etl.load (p_day IN DATE) IS
  v_n NUMBER;
BEGIN
  INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o WHERE o.day = p_day;
  COMMIT;
EXCEPTION
  WHEN NO_DATA_FOUND THEN
    INSERT INTO etl.errors (k) SELECT e.id FROM etl.last e;
END load;
/
-- expect: mart.sales.k <- shop.orders.id
-- expect: etl.errors.k <- etl.last.id
-- statements: routine

-- case: an anonymous PL/SQL block
-- dialect: oracle
DECLARE
  n NUMBER := 1;
BEGIN
  MERGE INTO mart.sales t USING shop.orders s ON (t.k = s.id) WHEN MATCHED THEN UPDATE SET t.v = s.amount;
END;
/
-- expect: mart.sales.v <- shop.orders.amount

-- case: a MySQL procedure behind DELIMITER
-- dialect: mysql, mariadb
DELIMITER //
CREATE PROCEDURE load_sales()
BEGIN
  INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o;
  UPDATE mart.sales SET v = 0;
END //
DELIMITER ;
-- expect: mart.sales.k <- shop.orders.id
-- expect: mart.sales.v <- nothing
-- inputs: shop.orders, mart.sales

-- case: Snowflake scripting
-- dialect: snowflake
CREATE OR REPLACE PROCEDURE etl.load() RETURNS VARCHAR LANGUAGE SQL AS
$$
BEGIN
  LET n INT := 0;
  INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o;
  RETURN 'ok';
END
$$
-- expect: mart.sales.k <- shop.orders.id

-- case: a BigQuery procedure with a transaction
-- dialect: bigquery
CREATE OR REPLACE PROCEDURE etl.load(day DATE)
BEGIN
  BEGIN TRANSACTION;
  DELETE FROM mart.sales WHERE d = day;
  INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o;
  COMMIT TRANSACTION;
END
-- expect: mart.sales.k <- shop.orders.id

-- case: a script with variables and a loop
-- dialect: bigquery
DECLARE d DATE DEFAULT CURRENT_DATE();
WHILE d < CURRENT_DATE() DO
  INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o WHERE o.day = d;
  SET d = DATE_ADD(d, INTERVAL 1 DAY);
END WHILE
-- expect: mart.sales.k <- shop.orders.id

-- case: an SQL function's body is no write
-- dialect: postgres
CREATE FUNCTION shop.total(n int) RETURNS int LANGUAGE sql AS 'SELECT SUM(o.amount) FROM shop.orders o'
-- inputs: shop.orders
-- outputs: nothing
-- statements: routine

-- case: a called procedure whose body is known writes at the call
-- dialect: tsql
CREATE PROCEDURE dbo.load AS INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o
GO
EXEC dbo.load
-- expect: mart.sales.k <- shop.orders.id

-- case: a trigger writes from the rows of its table
-- dialect: postgres, mysql, oracle
CREATE TRIGGER trg AFTER INSERT ON shop.orders FOR EACH ROW
BEGIN
  INSERT INTO mart.log (k) SELECT c.id FROM crm.customers c;
END
-- expect: mart.log.k <- crm.customers.id

-- case: a cursor's query is an input
-- dialect: tsql
DECLARE c CURSOR FOR SELECT o.id FROM shop.orders o;
OPEN c;
FETCH NEXT FROM c INTO @id;
CLOSE c;
DEALLOCATE c
-- inputs: shop.orders
-- outputs: nothing

-- case: a task runs its statement
-- dialect: snowflake
CREATE TASK etl.daily WAREHOUSE = wh SCHEDULE = '60 MINUTE' AS INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o
-- expect: mart.sales.k <- shop.orders.id

-- case: an ELSE IF chain of single statements
-- dialect: tsql
CREATE PROCEDURE dbo.p @n INT AS
IF @n = 1 INSERT INTO mart.a (k) SELECT o.id FROM shop.orders o
ELSE IF @n = 2 INSERT INTO mart.b (k) SELECT i.id FROM shop.items i
ELSE DELETE FROM mart.c
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.b.k <- shop.items.id
-- outputs: mart.a, mart.b, mart.c

-- case: a temporary table lives through the body
-- dialect: tsql
CREATE PROCEDURE dbo.p AS
BEGIN
  CREATE TABLE #s (k INT, v INT);
  INSERT INTO #s (k, v) SELECT o.id, o.amount FROM shop.orders o;
  MERGE mart.t AS t USING #s AS s ON t.k = s.k
  WHEN MATCHED THEN UPDATE SET t.v = s.v
  WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, s.v);
END
-- expect: mart.t.k <- shop.orders.id
-- expect: mart.t.v <- shop.orders.amount

-- case: IF EXISTS in front of a DROP and a CTAS
-- dialect: tsql
IF OBJECT_ID('mart.daily') IS NOT NULL DROP TABLE mart.daily;
SELECT o.id AS k INTO mart.daily FROM shop.orders o
-- expect: mart.daily.k <- shop.orders.id

-- case: EXCEPTION WHEN OTHERS in PL/pgSQL
-- dialect: postgres
CREATE FUNCTION etl.f() RETURNS trigger LANGUAGE plpgsql AS $f$
BEGIN
  INSERT INTO mart.a (k) SELECT o.id FROM shop.orders o;
  RETURN NEW;
EXCEPTION WHEN OTHERS THEN
  INSERT INTO etl.errors (k) SELECT e.id FROM etl.last e;
  RETURN NULL;
END;
$f$
-- expect: mart.a.k <- shop.orders.id
-- expect: etl.errors.k <- etl.last.id

-- case: a package body with two procedures
-- dialect: oracle
CREATE OR REPLACE PACKAGE BODY etl.p IS
  PROCEDURE a IS BEGIN INSERT INTO mart.a (k) SELECT o.id FROM shop.orders o; END a;
  PROCEDURE b IS BEGIN INSERT INTO mart.b (k) SELECT i.id FROM shop.items i; END b;
END p;
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.b.k <- shop.items.id

-- case: SELECT INTO a variable writes no table
-- dialect: oracle
BEGIN
  SELECT MAX(o.id) INTO v_max FROM shop.orders o;
  INSERT INTO mart.a (k) SELECT i.id FROM shop.items i WHERE i.id > v_max;
END;
-- expect: mart.a.k <- shop.items.id
-- inputs: shop.orders, shop.items
-- outputs: mart.a

-- case: BigQuery IF and LOOP
-- dialect: bigquery
IF EXISTS (SELECT 1 FROM etl.flags f WHERE f.open) THEN
  INSERT INTO mart.a (k) SELECT o.id FROM shop.orders o;
ELSE
  TRUNCATE TABLE mart.b;
END IF
-- expect: mart.a.k <- shop.orders.id
-- inputs: etl.flags, shop.orders
-- outputs: mart.a, mart.b

-- case: FOR … IN over a query, its record read by field
-- dialect: bigquery
FOR r IN (SELECT o.id FROM shop.orders o) DO
  INSERT INTO mart.a (k) VALUES (r.id);
END FOR
-- expect: mart.a.k <- shop.orders.id

-- case: CREATE INDEX, CREATE STATISTICS and GRANT without a semicolon do not swallow what follows
-- dialect: tsql
CREATE PROCEDURE etl.p AS
SELECT s.id INTO #src FROM stg.c s
CREATE CLUSTERED INDEX ix ON #src (id)
CREATE STATISTICS st ON #src (id) WITH FULLSCAN
INSERT INTO mart.t (id) SELECT id FROM #src
DROP TABLE #src
SET NOCOUNT OFF
ALTER TABLE mart.t ADD x int
ALTER TABLE mart.u DROP COLUMN y
DROP INDEX ix ON mart.t
FETCH NEXT FROM c INTO @x
INSERT INTO mart.v (id) SELECT id FROM mart.t
-- inputs: stg.c, mart.t
-- outputs: mart.t, mart.u, mart.v
-- expect: mart.t.id <- stg.c.id
-- expect: mart.v.id <- mart.t.id

-- case: a call of a procedure that is defined further on, and its rows in a table
-- dialect: tsql
INSERT INTO mart.snap (k, total) EXEC dbo.totals @from = 1
GO
CREATE PROCEDURE dbo.totals @from int AS
SELECT o.k, SUM(o.amt) AS t FROM dbo.orders o GROUP BY o.k
GO
-- expect: mart.snap.k <- dbo.orders.k
-- expect: mart.snap.total <- dbo.orders.amt

-- case: a label behind a SELECT without a semicolon
-- dialect: tsql
SELECT t.a FROM t
again:
INSERT INTO u (a) SELECT b FROM t
-- expect: a <- t.a
-- expect: u.a <- t.b

-- case: a trigger's function runs on the rows of the table that the trigger hangs on
-- dialect: postgres
CREATE FUNCTION mart.audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO mart.audit_log (oid, amt) SELECT n.id, n.amount FROM newrows n;
  RETURN NULL;
END $$;
CREATE FUNCTION mart.touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.label := NEW.code || NEW.id;
  RETURN NEW;
END $$;
CREATE TRIGGER a AFTER INSERT ON mart.orders REFERENCING NEW TABLE AS newrows FOR EACH STATEMENT EXECUTE FUNCTION mart.audit();
CREATE TRIGGER t BEFORE INSERT ON mart.items FOR EACH ROW EXECUTE PROCEDURE mart.touch();
-- expect: mart.audit_log.oid <- mart.orders.id
-- expect: mart.audit_log.amt <- mart.orders.amount
-- expect: mart.items.label <- mart.items.code, mart.items.id
-- inputs: mart.orders

-- case: psql's \copy is COPY to the end of its line
-- dialect: postgres
\copy stg.orders from 'orders.csv' with (format csv, header)
INSERT INTO mart.orders (id) SELECT o.id FROM stg.orders o;
-- inputs: orders.csv, stg.orders
-- expect: stg.orders.* <- "orders.csv".*
-- expect: mart.orders.id <- stg.orders.id

-- case: a package's specification declares what its body uses
-- dialect: oracle
CREATE TYPE t_row AS OBJECT (k NUMBER, label VARCHAR2(10), MEMBER FUNCTION f RETURN NUMBER);
/
CREATE TYPE t_rows AS TABLE OF t_row;
/
CREATE PACKAGE mart.p AUTHID DEFINER AS
  TYPE t_rec IS RECORD (cid raw.c.id%TYPE, nm VARCHAR2(100));
  TYPE t_recs IS TABLE OF t_rec INDEX BY PLS_INTEGER;
  TYPE rc IS REF CURSOR;
  CURSOR c_new (p_d DATE) RETURN t_rec IS SELECT c.id, c.name FROM raw.c c WHERE c.d >= p_d;
  PROCEDURE run (p_d IN DATE DEFAULT TRUNC(SYSDATE));
  FUNCTION top RETURN t_rows PIPELINED;
END p;
/
CREATE PACKAGE BODY mart.p AS
  PROCEDURE run (p_d IN DATE DEFAULT TRUNC(SYSDATE)) IS
    l_recs t_recs;
    l_old NUMBER; l_new NUMBER;
  BEGIN
    OPEN c_new(p_d);
    LOOP
      FETCH c_new BULK COLLECT INTO l_recs LIMIT 100;
      EXIT WHEN l_recs.COUNT = 0;
      FORALL i IN 1 .. l_recs.COUNT INSERT INTO mart.s (k, n) VALUES (l_recs(i).cid, l_recs(i).nm);
    END LOOP;
    UPDATE mart.t t SET t.amt = t.amt * 2 WHERE t.k = 5 RETURNING t.amt, t.k INTO l_new, l_old;
    INSERT INTO mart.log (v, w) VALUES (l_new, l_old);
  END run;
  FUNCTION top RETURN t_rows PIPELINED IS
  BEGIN
    FOR r IN (SELECT i.id, i.sku FROM raw.i i ORDER BY i.n FETCH FIRST p_n ROWS ONLY) LOOP PIPE ROW (t_row(r.id, INITCAP(r.sku))); END LOOP;
  END top;
END p;
/
INSERT INTO mart.x (a, b) SELECT t.k, t.label FROM TABLE(p.top()) t
-- expect: mart.s.k <- raw.c.id
-- expect: mart.s.n <- raw.c.name
-- expect: mart.t.amt <- mart.t.amt
-- expect: mart.log.v <- mart.t.amt
-- expect: mart.log.w <- mart.t.k
-- expect: mart.x.a <- raw.i.id
-- expect: mart.x.b <- raw.i.sku

-- case: options of the compiler in front of a body
-- dialect: postgres
CREATE FUNCTION f(p int) RETURNS TABLE (id bigint, ward text) LANGUAGE plpgsql AS $f$
#variable_conflict use_column
#print_strict_params on
BEGIN
  RETURN QUERY SELECT v.visit_id, v.ward FROM shop.visits v WHERE v.p = p;
END $f$;
CREATE TABLE mart.a AS SELECT f.id, f.ward FROM f(1) f;
-- expect: mart.a.id <- shop.visits.visit_id
-- expect: mart.a.ward <- shop.visits.ward

-- case: the catalog's tables belong to no schema of the search path
-- dialect: postgres, redshift
SET search_path TO mart;
CREATE TABLE a AS SELECT t.tablename FROM pg_tables t JOIN b ON b.n = t.tablename;
-- expect: mart.a.tablename <- pg_tables.tablename
-- inputs: pg_tables, mart.b

-- case: a called procedure reads the temporary table of its caller
-- dialect: tsql
CREATE PROCEDURE dbo.inner_p AS BEGIN INSERT INTO mart.y (id) SELECT t.id FROM #t t END
GO
CREATE PROCEDURE dbo.outer_p AS BEGIN SELECT s.id INTO #t FROM raw.s s; EXEC dbo.inner_p END
GO
EXEC dbo.outer_p
-- expect: mart.y.id <- raw.s.id

-- case: rows that a caller hands on in a table variable
-- dialect: tsql
CREATE TYPE dbo.pairs AS TABLE (ref INT, qty INT)
GO
CREATE PROC dbo.put @rows dbo.pairs READONLY, @by INT AS
BEGIN
  DECLARE @keys TABLE (ref INT, id INT)
  INSERT @keys (ref, id) SELECT DISTINCT r.ref, NEXT VALUE FOR dbo.ids FROM @rows r
  INSERT mart.lines (id, ref, qty, price) SELECT k.id, k.ref, r.qty, i.price FROM @rows r JOIN @keys k ON k.ref = r.ref JOIN shop.items i ON i.id = r.ref
END
GO
DECLARE @l dbo.pairs
INSERT @l (ref, qty) SELECT b.item, b.n FROM shop.baskets b
EXEC dbo.put @by = 1, @rows = @l
DECLARE @rows dbo.pairs
INSERT @rows SELECT o.k, o.q FROM shop.offers o
EXEC dbo.put @rows, 2
INSERT mart.seen (k) SELECT ref FROM @rows
-- expect: mart.lines.id <- nothing
-- expect: mart.lines.price <- shop.items.price
-- expect: mart.lines.ref <- shop.baskets.item, shop.offers.k
-- expect: mart.lines.qty <- shop.baskets.n, shop.offers.q
-- expect: mart.seen.k <- shop.offers.k
-- inputs: shop.items, shop.baskets, shop.offers
-- outputs: mart.lines, mart.seen

-- case: an option in front of a body that is one query
-- dialect: tsql
CREATE FUNCTION dbo.lines_of (@id INT) RETURNS TABLE WITH SCHEMABINDING AS
RETURN SELECT l.id, l.qty * l.price AS total FROM shop.lines l WHERE l.order_id = @id
GO
CREATE PROC dbo.put WITH RECOMPILE AS
WITH q (k) AS (SELECT o.id FROM shop.orders o) INSERT mart.b (k) SELECT q.k FROM q
GO
INSERT mart.a (k, v) SELECT o.id, f.total FROM shop.orders o CROSS APPLY dbo.lines_of(o.id) f
-- expect: mart.b.k <- shop.orders.id
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.a.v <- shop.lines.qty, shop.lines.price

-- case: what goes out of a function is the row that it gives
-- dialect: postgres, greenplum
-- table: shop.orders (id, note)
CREATE FUNCTION shop.newest(IN q text, OUT code int, INOUT note text) AS $$
BEGIN
  IF q IS NULL THEN
    EXECUTE 'SELECT count(*) FROM shop.orders' INTO code;
    RETURN;
  END IF;
  SELECT o.id, 'order ' || o.note INTO code, note FROM shop.orders o;
END;
$$ LANGUAGE plpgsql;
INSERT INTO mart.newest (k, t) SELECT n.code, n.note FROM shop.newest('x', 'y') n;
-- expect: mart.newest.k <- shop.orders.id
-- expect: mart.newest.t <- shop.orders.note

-- case: queries of a function fill its columns by position, whatever they call them
-- dialect: postgres
-- table: shop.orders (id, made)
-- table: shop.old (id, made)
CREATE FUNCTION shop.all_days(OUT k int, OUT day date) RETURNS SETOF record LANGUAGE sql AS
$$ SELECT o.id, o.made FROM shop.orders o UNION ALL SELECT d.id, d.made FROM shop.old d $$;
INSERT INTO mart.days (k, day) SELECT k, day FROM shop.all_days();
-- expect: mart.days.k <- shop.orders.id, shop.old.id
-- expect: mart.days.day <- shop.orders.made, shop.old.made

-- case: each variable of a loop takes its column, RETURN NEXT gives them as a row
-- dialect: postgres
-- table: shop.orders (id, made, note)
CREATE FUNCTION shop.walk() RETURNS TABLE (k int, day date) LANGUAGE plpgsql AS $$
BEGIN
  FOR k, day IN SELECT upper(o.id), o.made FROM shop.orders o
  LOOP
    seen := true;
    RETURN NEXT;
  END LOOP;
END $$;
INSERT INTO mart.days (k, day) SELECT w.k, w.day FROM shop.walk() w;
-- expect: mart.days.k <- shop.orders.id
-- expect: mart.days.day <- shop.orders.made

-- case: the query of a loop needs no table, LOOP is not its alias
-- dialect: postgres
-- table: shop.orders (id, made)
CREATE FUNCTION shop.keep() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE pair text[];
BEGIN
  FOR pair IN SELECT regexp_matches(TG_ARGV[0], '^(.*)=(.*)$') LOOP
    seen := true;
  END LOOP;
  INSERT INTO mart.log (k, op, tab) SELECT o.id, TG_OP, TG_TABLE_NAME FROM shop.orders o WHERE o.made > now() OR NOT found;
  RETURN NULL;
END $$;
-- expect: mart.log.k <- shop.orders.id
-- expect: mart.log.op <- nothing
-- expect: mart.log.tab <- nothing

-- case: a function in another language gives its columns from its arguments
-- dialect: snowflake
-- table: shop.notes (id, txt)
CREATE FUNCTION shop.words(t STRING) RETURNS TABLE (word STRING, n INT) LANGUAGE PYTHON HANDLER = 'W' AS $$
class W: pass
$$;
CREATE TABLE mart.words AS SELECT s.id, w.* FROM shop.notes s, TABLE(shop.words(s.txt)) w;
-- expect: mart.words.id <- shop.notes.id
-- expect: mart.words.word <- shop.notes.txt
-- expect: mart.words.n <- shop.notes.txt

-- case: a trigger's function that no trigger of the script runs
-- dialect: postgres
-- table: shop.queues (name, n)
CREATE FUNCTION shop.shrink() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE shop.queues SET n = queues.n - 1 WHERE name = OLD.queue;
  INSERT INTO mart.log (name, row) SELECT q.name, to_json(NEW) FROM shop.queues q WHERE q.name = NEW.queue;
  RETURN NEW;
END $$;
-- expect: shop.queues.n <- shop.queues.n
-- expect: mart.log.name <- shop.queues.name
-- expect: mart.log.row <- nothing

-- case: a function that returns what IF gives
-- dialect: mysql, mariadb
CREATE FUNCTION shop.is_late(k INT) RETURNS INT RETURN IF(EXISTS(SELECT 1 FROM shop.late l WHERE l.id = k), 1, 0);
INSERT INTO mart.o (k) SELECT o.id FROM shop.orders o
-- expect: mart.o.k <- shop.orders.id
-- inputs: shop.late, shop.orders
