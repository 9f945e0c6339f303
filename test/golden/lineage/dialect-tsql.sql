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
