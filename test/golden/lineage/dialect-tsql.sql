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
-- case: OPENROWSET BULK WITH
-- dialect: tsql
INSERT INTO mart.t (a, b, f) SELECT r.a, r.b2, r.filepath(1) FROM OPENROWSET(BULK 'https://x.dfs.core.windows.net/c/y=*/*.parquet', FORMAT = 'PARQUET') WITH (a INT, b2 VARCHAR(5) '$.b', c INT 3) AS r;
SELECT o.BulkColumn AS doc FROM OPENROWSET(BULK N'C:\x.json', SINGLE_CLOB) AS o;
SELECT z.id AS zid FROM OPENROWSET(BULK 'in.csv', FORMATFILE = 'f.fmt', FIRSTROW = 2) AS z
-- expect: mart.t.a <- "https://x.dfs.core.windows.net/c/y=*/*.parquet".a
-- expect: mart.t.b <- "https://x.dfs.core.windows.net/c/y=*/*.parquet".b2
-- expect: mart.t.f <- nothing
-- expect: doc <- "C:\x.json".BulkColumn
-- expect: zid <- in.csv.id

-- case: OPENROWSET arrays and data source
-- dialect: tsql
SELECT j.id, x.v FROM OPENROWSET(BULK ('a/*.json', 'b/*.json'), DATA_SOURCE = 'lake', FORMAT = 'CSV') WITH (doc NVARCHAR(MAX), id INT) AS j CROSS APPLY OPENJSON(j.doc) WITH (v INT '$.v') x
-- expect: id <- a/*.json.id, b/*.json.id
-- expect: v <- a/*.json.doc, b/*.json.doc

-- case: UPDATE with CTE target
-- dialect: tsql
WITH c AS (SELECT t.id, t.v AS val, ROW_NUMBER() OVER (PARTITION BY t.k ORDER BY t.d) AS rn FROM mart.t t) UPDATE c SET val = s.x + c.rn FROM c JOIN raw.s s ON s.id = c.id;
WITH d AS (SELECT * , ROW_NUMBER() OVER (PARTITION BY k ORDER BY d) AS rn FROM mart.d) DELETE FROM d WHERE rn > 1
-- expect: mart.t.v <- raw.s.x, mart.t.k, mart.t.d
-- inputs: mart.t, raw.s
-- outputs: mart.t, mart.d

-- case: MERGE OUTPUT $action INTO
-- dialect: tsql
DECLARE @log TABLE (act NVARCHAR(10), id INT, was INT);
MERGE mart.t WITH (HOLDLOCK) AS t USING (SELECT a, b FROM raw.s) AS s ON t.id = s.a WHEN MATCHED THEN UPDATE SET v = s.b WHEN NOT MATCHED BY TARGET THEN INSERT (id, v) VALUES (s.a, s.b) WHEN NOT MATCHED BY SOURCE THEN DELETE OUTPUT $action, inserted.id, deleted.v, s.b INTO mart.log (act, id, was, src);
INSERT INTO mart.hist (id, v) SELECT m.id, m.v FROM (MERGE mart.u AS t USING raw.s2 AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v OUTPUT $action, deleted.id, deleted.v) AS m (act, id, v) WHERE act = 'UPDATE'
-- expect: mart.t.v <- raw.s.b
-- expect: mart.t.id <- raw.s.a
-- expect: mart.log.act <- nothing
-- expect: mart.log.id <- mart.t.id
-- expect: mart.log.was <- mart.t.v
-- expect: mart.log.src <- raw.s.b
-- expect: mart.u.v <- raw.s2.v
-- expect: mart.hist.id <- mart.u.id
-- expect: mart.hist.v <- mart.u.v
-- inputs: raw.s, raw.s2, mart.t, mart.u

-- case: PREDICT
-- dialect: tsql
-- table: raw.cust (id, age)
INSERT INTO mart.p (id, score) SELECT d.id, p.Score FROM PREDICT(MODEL = @m, DATA = raw.cust AS d, RUNTIME = ONNX) WITH (Score FLOAT) AS p
-- expect: mart.p.id <- raw.cust.id
-- expect: mart.p.score <- raw.cust.id, raw.cust.age
-- inputs: raw.cust
-- outputs: mart.p

-- case: graph with SHORTEST_PATH
-- dialect: tsql
SELECT p1.nm AS a, STRING_AGG(p2.nm, '->') WITHIN GROUP (GRAPH PATH) AS way, LAST_VALUE(p2.nm) WITHIN GROUP (GRAPH PATH) AS fin, COUNT(p2.nm) WITHIN GROUP (GRAPH PATH) AS n FROM g.person AS p1, g.knows FOR PATH AS k, g.person FOR PATH AS p2 WHERE MATCH(SHORTEST_PATH(p1(-(k)->p2)+)) AND p1.nm = 'x'
-- expect: a <- g.person.nm
-- expect: way <- g.person.nm
-- expect: fin <- g.person.nm
-- expect: n <- g.person.nm
-- inputs: g.person, g.knows

-- case: graph inserts
-- dialect: tsql
INSERT INTO g.knows ($from_id, $to_id, since) SELECT a.$node_id, b.$node_id, r.d FROM raw.r r JOIN g.person a ON a.id = r.a JOIN g.person b ON b.id = r.b
-- expect: g.knows.$from_id <- g.person.$node_id
-- expect: g.knows.$to_id <- g.person.$node_id
-- expect: g.knows.since <- raw.r.d

-- case: temporal tables
-- dialect: tsql
CREATE TABLE dbo.e (id INT PRIMARY KEY, v INT, vf DATETIME2 GENERATED ALWAYS AS ROW START HIDDEN, vt DATETIME2 GENERATED ALWAYS AS ROW END HIDDEN, PERIOD FOR SYSTEM_TIME (vf, vt)) WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = dbo.e_hist));
INSERT INTO dbo.x SELECT * FROM dbo.e FOR SYSTEM_TIME BETWEEN '2020-01-01' AND @d AS h;
SELECT e.id, e.vf FROM dbo.e FOR SYSTEM_TIME ALL e WHERE e.vf > '2020'
-- expect: dbo.x.id <- dbo.e.id
-- expect: dbo.x.v <- dbo.e.v
-- expect: id <- dbo.e.id
-- expect: vf <- dbo.e.vf
-- inputs: dbo.e
-- outputs: dbo.e, dbo.x

-- case: ledger tables and views
-- dialect: tsql
CREATE TABLE dbo.acc (id INT, bal MONEY) WITH (SYSTEM_VERSIONING = ON, LEDGER = ON (LEDGER_VIEW = dbo.acc_l (TRANSACTION_ID_COLUMN_NAME = tx, SEQUENCE_NUMBER_COLUMN_NAME = sq, OPERATION_TYPE_COLUMN_NAME = op, OPERATION_TYPE_DESC_COLUMN_NAME = od)));
INSERT INTO mart.a (id, bal, op) SELECT l.id, l.bal, l.op FROM dbo.acc_l l
-- expect: mart.a.id <- dbo.acc_l.id
-- expect: mart.a.bal <- dbo.acc_l.bal
-- expect: mart.a.op <- dbo.acc_l.op
-- inputs: dbo.acc_l
-- outputs: dbo.acc, mart.a

-- case: SELECT INTO from an EXEC-filled temporary table
-- dialect: tsql
CREATE PROCEDURE dbo.p AS SELECT o.id AS oid, o.amt FROM shop.o o;
GO
CREATE TABLE #r (k INT, v MONEY);
INSERT INTO #r EXEC dbo.p;
SELECT r.k, r.v * 2 AS dbl INTO mart.res FROM #r r;
INSERT INTO #r (k) EXEC ('SELECT x.id FROM shop.x x');
SELECT k INTO mart.res2 FROM #r
-- expect: mart.res.k <- shop.o.id
-- expect: mart.res.dbl <- shop.o.amt
-- expect: mart.res2.k <- shop.o.id, shop.x.id
-- inputs: shop.o, shop.x

-- case: CROSS APPLY with VALUES, OUTPUT DELETED INTO, TOP in update
-- dialect: tsql
INSERT INTO mart.u (id, k, v) SELECT t.id, x.k, x.v FROM raw.t t CROSS APPLY (VALUES ('a', t.a), ('b', t.b)) AS x (k, v);
DELETE TOP (10) FROM q OUTPUT deleted.id, deleted.msg INTO mart.done (id, msg) FROM dbo.queue q JOIN dbo.st s ON s.id = q.id
-- expect: mart.u.id <- raw.t.id
-- expect: mart.u.k <- nothing
-- expect: mart.u.v <- raw.t.a, raw.t.b
-- expect: mart.done.id <- dbo.queue.id
-- expect: mart.done.msg <- dbo.queue.msg
-- inputs: raw.t, dbo.queue, dbo.st
-- outputs: mart.u, mart.done, dbo.queue

-- case: JSON functions, STRING_SPLIT ordinal, GENERATE_SERIES
-- dialect: tsql
SELECT s.value AS v, s.ordinal AS o, g.value AS g, JSON_OBJECT('a':t.x, 'b':t.y NULL ON NULL) AS j, JSON_ARRAYAGG(t.z ORDER BY t.w) AS ja FROM raw.t t CROSS APPLY STRING_SPLIT(t.tags, ',', 1) s CROSS JOIN GENERATE_SERIES(1, 5) g GROUP BY t.x
-- expect: v <- raw.t.tags
-- expect: o <- nothing
-- expect: g <- nothing
-- expect: j <- raw.t.x, raw.t.y
-- expect: ja <- raw.t.z, raw.t.w
