-- case: a literal string that is executed is read
-- dialect: tsql
EXEC('INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o')
-- expect: mart.sales.k <- shop.orders.id

-- case: sp_executesql with a Unicode literal
-- dialect: tsql
EXEC sp_executesql N'INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o WHERE o.d = @d', N'@d DATE', @d = '2024-01-01'
-- expect: mart.sales.k <- shop.orders.id

-- case: EXECUTE IMMEDIATE of a literal
-- dialect: oracle, snowflake, bigquery, db2
EXECUTE IMMEDIATE 'INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o'
-- expect: mart.sales.k <- shop.orders.id

-- case: SQL put together at run time is reported
-- dialect: tsql
EXEC('INSERT INTO ' + @target + ' SELECT id FROM shop.orders')
-- diagnostic: DYNAMIC_SQL
-- inputs: shop.orders

-- case: a prepared statement
-- dialect: mysql, mariadb
PREPARE p FROM 'INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o'
-- inputs: shop.orders
-- outputs: mart.sales
-- expect: mart.sales.k <- shop.orders.id

-- case: quotes doubled inside the literal
-- dialect: oracle, db2
EXECUTE IMMEDIATE 'INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o WHERE o.c = ''NO'''
-- expect: mart.sales.k <- shop.orders.id

-- case: a text that is put together from literals and variables whose text is known
-- dialect: tsql
DECLARE @n int, @tbl sysname = N'Archive', @sql nvarchar(max)
SET @sql = N'INSERT INTO dbo.' + QUOTENAME(@tbl) + N' (k, v) '
SET @sql += N'SELECT o.id, o.v FROM shop.orders o '
SELECT @sql = @sql + N'WHERE o.d < @d'
EXEC sp_executesql @sql, N'@d int', @d = 1
-- expect: dbo.Archive.k <- shop.orders.id
-- expect: dbo.Archive.v <- shop.orders.v

-- case: a value that only the run tells is read as one; the rest is known all the same
-- dialect: oracle
DECLARE
  v_sql VARCHAR2(4000);
BEGIN
  v_sql := 'INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o WHERE o.d = ''' || TO_CHAR(p_day, 'YYYY') || '''';
  EXECUTE IMMEDIATE v_sql;
END;
/
-- expect: mart.sales.k <- shop.orders.id

-- case: part of a name that only the run tells stays in the name
-- dialect: oracle, db2, snowflake
BEGIN
  EXECUTE IMMEDIATE 'INSERT INTO mart.log_' || p_year || ' (k) SELECT o.id FROM shop.orders o ' || v_where;
END;
-- diagnostic: DYNAMIC_SQL
-- expect: mart.log_${p_year}.k <- shop.orders.id

-- case: either branch may have made the text
-- dialect: snowflake
DECLARE q VARCHAR;
BEGIN
  IF (p = 1) THEN
    q := 'insert into mart.a (x) select y from raw.s';
  ELSE
    q := 'insert into mart.b (x) select z from raw.s';
  END IF;
  EXECUTE IMMEDIATE :q;
END;
-- expect: mart.a.x <- raw.s.y
-- expect: mart.b.x <- raw.s.z

-- case: FORMAT and CONCAT
-- dialect: bigquery
DECLARE t STRING DEFAULT 'users';
EXECUTE IMMEDIATE FORMAT("""INSERT INTO `p.mart.%s` (id) SELECT user_id FROM `p.raw.users` WHERE d = '%t'""", t, day);
EXECUTE IMMEDIATE CONCAT('CREATE TABLE p.mart.c AS ', 'SELECT id FROM p.raw.c');
-- expect: p.mart.users.id <- p.raw.users.user_id
-- expect: p.mart.c.id <- p.raw.c.id

-- case: format() with names and literals, quote_literal
-- dialect: postgres
DO $$
DECLARE tab text := 'daily';
BEGIN
  EXECUTE format('INSERT INTO mart.%I (total) SELECT sum(amount) FROM mart.orders WHERE d >= %L AND r = %2$L', tab, p_from);
  EXECUTE 'INSERT INTO mart.cc (x) SELECT y FROM mart.s WHERE z = ' || quote_literal(p_from);
END $$;
-- expect: mart.daily.total <- mart.orders.amount
-- expect: mart.cc.x <- mart.s.y

-- case: a prepared statement whose text is concatenated, then executed by name
-- dialect: mysql, mariadb
SET @s = CONCAT('INSERT INTO dyn (a) SELECT id FROM orders WHERE d = ''', @day, '''');
PREPARE st FROM @s;
EXECUTE st;
DEALLOCATE PREPARE st;
-- expect: dyn.a <- orders.id

-- case: rows of an executed text go into a table
-- dialect: tsql
INSERT INTO mart.sales (k, n)
EXEC ('SELECT o.id, COUNT(*) FROM shop.orders o GROUP BY o.id')
-- expect: mart.sales.k <- shop.orders.id
-- expect: mart.sales.n <- nothing

-- case: a text that begins with a doubled quote
-- dialect: snowflake, oracle
DECLARE
  v VARCHAR(99);
BEGIN
  v := 'INSERT INTO mart.a (k, d) SELECT o.id, ''' || w || ''' FROM shop.orders o';
  EXECUTE IMMEDIATE v;
END;
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.a.d <- nothing

-- case: a table's name that ends with the day
-- dialect: bigquery
DECLARE t STRING DEFAULT CONCAT('shop.day_', FORMAT_DATE('%Y%m%d', CURRENT_DATE()));
EXECUTE IMMEDIATE 'CREATE OR REPLACE TABLE `' || t || '` AS SELECT o.id FROM shop.orders o';
-- expect: shop.day_yyyymmdd.id <- shop.orders.id

-- case: a job's text
-- dialect: oracle
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'N', job_type => 'PLSQL_BLOCK',
    job_action => 'BEGIN INSERT INTO mart.a (k) SELECT o.id FROM shop.orders o; END;', enabled => TRUE);
  DBMS_SCHEDULER.CREATE_JOB(job_name => 'P', job_type => 'STORED_PROCEDURE', job_action => 'MART.LOAD');
  sys.dbms_job.submit(job => j, what => 'INSERT INTO mart.b (k) SELECT i.id FROM shop.items i;');
END;
/
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.b.k <- shop.items.id

-- case: what an open piece may complete is not said to be broken
-- dialect: postgres
CREATE FUNCTION shop.grow() RETURNS void LANGUAGE plpgsql AS $$
DECLARE q text := ''; p text;
BEGIN
  FOR p IN SELECT part FROM shop.parts LOOP
    q := q || ', ';
    q := q || format('%I = %L', p, p);
  END LOOP;
  EXECUTE 'UPDATE shop.stock SET ' || q || ' WHERE id = 1';
  EXECUTE 'TRUNCATE ONLY ' || p;
  EXECUTE 'CREATE TRIGGER ' || p || ' AFTER TRUNCATE ON ' || p || ' EXECUTE FUNCTION f()';
  INSERT INTO mart.log (k) SELECT s.id FROM shop.stock s;
END $$;
-- expect: mart.log.k <- shop.stock.id
-- inputs: shop.parts, shop.stock
-- outputs: mart.log, shop.stock
-- diagnostic: DYNAMIC_SQL
-- diagnostic: DYNAMIC_SQL
-- diagnostic: DYNAMIC_SQL
