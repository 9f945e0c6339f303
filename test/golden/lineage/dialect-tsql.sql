-- case: TOP with ties and percent
-- dialect: tsql
SELECT TOP (10) PERCENT WITH TIES o.id FROM shop.orders o ORDER BY o.amount
-- expect: id <- shop.orders.id

-- case: batches divided by GO
-- dialect: tsql
INSERT INTO mart.a (k) SELECT o.id FROM shop.orders o
GO
INSERT INTO mart.b (k) SELECT i.id FROM shop.items i
GO 3
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.b.k <- shop.items.id

-- case: statements without semicolons
-- dialect: tsql
INSERT INTO mart.a (k) SELECT o.id FROM shop.orders o WHERE o.x = 1
INSERT INTO mart.b (k) SELECT i.id FROM shop.items i
UPDATE mart.c SET v = 1
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.b.k <- shop.items.id
-- expect: mart.c.v <- nothing
-- inputs: shop.orders, shop.items, mart.c
-- outputs: mart.a, mart.b, mart.c

-- case: variables assigned from a query
-- dialect: tsql
DECLARE @n INT
SELECT @n = COUNT(*) FROM shop.orders o
-- inputs: shop.orders
-- outputs: nothing

-- case: FOR XML PATH in a scalar subquery
-- dialect: tsql
SELECT o.id, STUFF((SELECT ',' + i.sku FROM shop.items i WHERE i.order_id = o.id FOR XML PATH('')), 1, 1, '') AS skus FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: skus <- shop.items.sku

-- case: IIF, ISNULL and date parts
-- dialect: tsql
SELECT IIF(o.a > 1, o.b, o.c) AS x, DATEADD(day, o.n, o.d) AS y, DATEDIFF(month, o.d, o.e) AS z FROM shop.orders o
-- expect: x <- shop.orders.a, shop.orders.b, shop.orders.c
-- expect: y <- shop.orders.n, shop.orders.d
-- expect: z <- shop.orders.d, shop.orders.e

-- case: OPENROWSET and OPENQUERY
-- dialect: tsql
SELECT q.id FROM OPENQUERY(linked, 'SELECT id FROM shop.orders') q
-- expect: id <- shop.orders.id

-- case: a linked server's four parts
-- dialect: tsql
SELECT o.id FROM srv.dwh.shop.orders o
-- expect: id <- srv.dwh.shop.orders.id

-- case: a temporary table made by DDL and filled
-- dialect: tsql
CREATE TABLE #t (id INT, v INT)
INSERT #t SELECT o.id, o.amount FROM shop.orders o
INSERT INTO mart.a (k, v) SELECT t.id, t.v FROM #t t
DROP TABLE #t
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.a.v <- shop.orders.amount

-- case: sp_rename renames a table and a column
-- dialect: tsql
CREATE TABLE dbo.a (id int, v int);
EXEC sp_rename 'dbo.a.v', 'w', 'COLUMN'
INSERT INTO mart.x SELECT * FROM dbo.a
EXEC sp_rename N'[dbo].[a]', N'b'
INSERT INTO mart.y (k) SELECT id FROM dbo.b
-- expect: mart.x.id <- dbo.b.id
-- expect: mart.x.w <- dbo.b.w
-- expect: mart.y.k <- dbo.b.id
-- outputs: dbo.b, mart.x, mart.y

-- case: a function fills the table that it returns
-- dialect: tsql
CREATE FUNCTION dbo.f (@a int) RETURNS @r TABLE (id int, v varchar(10)) WITH SCHEMABINDING AS
BEGIN
  INSERT INTO @r SELECT t.id, t.v FROM shop.t WHERE t.id = @a
  UPDATE @r SET v = UPPER(v)
  RETURN
END
-- inputs: shop.t

-- case: rows of changes and of text search
-- dialect: tsql
SELECT ct.id, t.v FROM CHANGETABLE(CHANGES dbo.t, @version) AS ct JOIN dbo.t t ON t.id = ct.id
-- expect: id <- dbo.t.id
-- expect: v <- dbo.t.v

-- case: a text search reads its table
-- dialect: tsql
SELECT t.id, k.[RANK] FROM CONTAINSTABLE(dbo.t, (name, descr), 'word') k JOIN dbo.t t ON t.id = k.[KEY]
-- expect: id <- dbo.t.id
-- expect: RANK <- nothing

-- case: static methods of types are no columns
-- dialect: tsql
SELECT geography::Point(o.lat, o.lon, 4326).STDistance(o.home) AS d, hierarchyid::GetRoot() AS r FROM shop.orders o
-- expect: d <- shop.orders.lat, shop.orders.lon, shop.orders.home
-- expect: r <- nothing

-- case: a table behind OPENDATASOURCE
-- dialect: tsql
SELECT a.id FROM OPENDATASOURCE('MSOLEDBSQL', 'Server=x').dwh.dbo.orders a
-- expect: id <- dwh.dbo.orders.id

-- case: options of OPENROWSET are no columns; BULK INSERT without a semicolon before it
-- dialect: tsql
SELECT r.* FROM OPENROWSET(BULK 'https://x/y/*.csv', FORMAT = 'CSV', FIRSTROW = 2) WITH (id int 1, v varchar(10) 2) AS r
BULK INSERT dbo.t FROM 'c:\in\x.csv' WITH (FIRSTROW = 2)
-- expect: id <- "https://x/y/*.csv".id
-- expect: v <- "https://x/y/*.csv".v
-- expect: dbo.t.* <- c:\in\x.csv.*

-- case: a graph pattern names no columns
-- dialect: tsql
SELECT p.name FROM dbo.person p, dbo.likes l, dbo.food f WHERE MATCH(p-(l)->f)
-- expect: name <- dbo.person.name
-- inputs: dbo.person, dbo.likes, dbo.food

-- case: the schema that names leave out is dbo
-- dialect: tsql
USE [legacy-dw]
GO
INSERT INTO totals (k) SELECT e.id FROM hr..employees e JOIN srv.other..things t ON t.id = e.id
INSERT INTO dbo.copies (k) SELECT k FROM totals
GO
-- expect: "legacy-dw.dbo.totals".k <- hr.dbo.employees.id
-- expect: "legacy-dw.dbo.copies".k <- "legacy-dw.dbo.totals".k
-- inputs: hr.dbo.employees, srv.other.dbo.things, legacy-dw.dbo.totals
-- outputs: legacy-dw.dbo.totals, legacy-dw.dbo.copies

-- case: a computed column without parentheses
-- dialect: tsql
CREATE TABLE dbo.o (id int, d datetime NULL, y AS YEAR(d), m AS (MONTH(d)) PERSISTED NOT NULL)
-- expect: dbo.o.y <- dbo.o.d
-- expect: dbo.o.m <- dbo.o.d
-- inputs: nothing
-- outputs: dbo.o

-- case: changes that CDC captured are rows of the change table
-- dialect: tsql
WITH net AS (SELECT __$operation AS op, k, v FROM cdc.fn_cdc_get_net_changes_shop_orders(@from, @to, N'all with merge'))
MERGE mart.a AS t USING net AS s ON s.k = t.k
WHEN MATCHED AND s.op = 1 THEN DELETE
WHEN MATCHED THEN UPDATE SET t.v = s.v
WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, s.v);
INSERT mart.log (k, op) SELECT c.k, c.__$operation FROM dw.cdc.fn_cdc_get_all_changes_shop_orders(@from, @to, 'all') c
-- expect: mart.a.k <- cdc.shop_orders_CT.k
-- expect: mart.a.v <- cdc.shop_orders_CT.v
-- expect: mart.log.k <- dw.cdc.shop_orders_CT.k
-- expect: mart.log.op <- dw.cdc.shop_orders_CT.__$operation

-- case: change tracking tells a version of its own
-- dialect: tsql
-- table: shop.orders (id, v)
INSERT mart.a (id, n, v)
SELECT ct.id, ct.SYS_CHANGE_VERSION, o.v FROM CHANGETABLE(CHANGES shop.orders, 10) AS ct LEFT JOIN shop.orders o ON o.id = ct.id
-- expect: mart.a.id <- shop.orders.id
-- expect: mart.a.n <- nothing
-- expect: mart.a.v <- shop.orders.v

-- case: a job's step runs its command in its database
-- dialect: tsql
USE msdb
EXEC dbo.sp_add_jobstep @job_id = @id OUTPUT, @step_name = N'load', @subsystem = N'TSQL',
  @command = N'INSERT INTO dbo.a (k) SELECT o.id FROM dbo.orders o', @database_name = N'dw'
EXEC msdb.dbo.sp_add_jobstep @job_id = @id, @subsystem = N'CmdExec', @command = N'robocopy x y'
INSERT INTO dbo.b (k) SELECT c.k FROM dbo.c c
-- expect: dw.dbo.a.k <- dw.dbo.orders.id
-- expect: msdb.dbo.b.k <- msdb.dbo.c.k

-- case: variables of a table type
-- dialect: tsql
CREATE TYPE dbo.pairs AS TABLE (a INT NOT NULL, b INT, INDEX ix (a))
GO
DECLARE @l dbo.pairs, @m AS [pairs];
INSERT @l (b) SELECT o.amount FROM shop.orders o
INSERT @m SELECT i.id, l.b FROM shop.items i JOIN @l l ON l.a = i.id
INSERT INTO mart.a (k, v) SELECT a, b FROM @m
-- expect: mart.a.k <- shop.items.id
-- expect: mart.a.v <- shop.orders.amount

-- case: a variable that an UPDATE sets keeps its sources
-- dialect: tsql
DECLARE @run MONEY = 0, @last INT
UPDATE t SET @run = t.total = @run + t.amount FROM mart.a t
UPDATE shop.numbers SET @last = next_id = next_id + 1 WHERE name = 'a'
INSERT INTO mart.b (id, total) VALUES (@last, @run)
-- expect: mart.a.total <- mart.a.amount
-- expect: shop.numbers.next_id <- shop.numbers.next_id
-- expect: mart.b.id <- shop.numbers.next_id
-- expect: mart.b.total <- mart.a.amount

-- case: OPENROWSET over a provider reads its table or its query, not the provider
-- dialect: tsql
SELECT o.id, p.x FROM OPENROWSET('MSOLEDBSQL', 'server';'user';'secret', dwh.dbo.orders) o
CROSS JOIN OPENROWSET('MSOLEDBSQL', 'Server=s', N'SELECT q.v AS x FROM dwh.dbo.parts q') AS p;
SELECT 1 AS one
-- expect: id <- dwh.dbo.orders.id
-- expect: x <- dwh.dbo.parts.v
-- expect: one <- nothing
-- inputs: dwh.dbo.orders, dwh.dbo.parts
