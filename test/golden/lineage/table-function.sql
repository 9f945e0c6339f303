-- case: a generator has no input
-- dialect: snowflake
SELECT SEQ4() AS n FROM TABLE(GENERATOR(ROWCOUNT => 10)) g
-- expect: n <- nothing
-- inputs: nothing

-- case: a function over a table argument
-- dialect: snowflake
SELECT r.id FROM TABLE(RESULT_SCAN(LAST_QUERY_ID())) r
-- expect: id <- nothing
-- inputs: nothing

-- case: EXPLAIN reads what it explains
-- dialect: postgres, mysql, duckdb, snowflake
EXPLAIN SELECT o.id FROM shop.orders o
-- inputs: shop.orders
-- outputs: nothing
-- statements: explain
-- expect: id <- shop.orders.id

-- case: VALUES with an alias
-- dialect: postgres, duckdb, trino, snowflake, tsql
SELECT v.k, o.id FROM (VALUES (1, 'a'), (2, 'b')) AS v (k, t) JOIN shop.orders o ON o.kind = v.k
-- expect: k <- nothing
-- expect: id <- shop.orders.id

-- case: a table function with a subquery argument
-- dialect: trino
SELECT t.id FROM TABLE(mart.dedupe(TABLE(shop.orders) PARTITION BY id)) t
-- expect: id <- shop.orders.id

-- case: a table-valued function of a schema
-- dialect: tsql, postgres
SELECT f.id FROM mart.orders_of(2024) AS f
-- expect: id <- nothing
-- inputs: nothing

-- case: table functions of the script give the rows of their body, also before they are defined
-- dialect: tsql
SELECT t.Amount, t.FullDate INTO dbo.X1 FROM dbo.inl(1) t
INSERT INTO dbo.X2 (k, a) SELECT CustomerKey, Amount FROM dbo.ufnTop(3)
INSERT INTO dbo.X3 (k, a) SELECT c.k, o.Amount FROM dbo.C c CROSS APPLY dbo.inl(c.k) o
GO
CREATE FUNCTION dbo.inl (@k int) RETURNS TABLE AS
RETURN (SELECT f.Amount, d.FullDate FROM dbo.F f JOIN dbo.D d ON d.k = f.k WHERE f.c = @k)
GO
CREATE FUNCTION dbo.ufnTop (@n int) RETURNS @res TABLE (CustomerKey int, Amount money)
AS BEGIN
  INSERT @res SELECT TOP (@n) f.CustomerKey, SUM(f.Amount) FROM dbo.F f GROUP BY f.CustomerKey ORDER BY 2 DESC
  RETURN
END
GO
-- expect: dbo.X1.Amount <- dbo.F.Amount
-- expect: dbo.X1.FullDate <- dbo.D.FullDate
-- expect: dbo.X2.k <- dbo.F.CustomerKey
-- expect: dbo.X2.a <- dbo.F.Amount
-- expect: dbo.X3.k <- dbo.C.k
-- expect: dbo.X3.a <- dbo.F.Amount

-- case: the names of RETURNS TABLE stand over the query's
-- dialect: postgres, snowflake
CREATE FUNCTION mart.top(n int) RETURNS TABLE (cid int, total numeric) LANGUAGE sql AS $$
  SELECT o.customer_id, SUM(o.amount) FROM mart.orders o GROUP BY 1
$$;
INSERT INTO mart.best (c, t) SELECT x.cid, x.total FROM TABLE(mart.top(10)) x;
-- expect: mart.best.c <- mart.orders.customer_id
-- expect: mart.best.t <- mart.orders.amount

-- case: RETURN QUERY in two places
-- dialect: postgres
CREATE FUNCTION mart.both() RETURNS TABLE (id int, v text) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT a.id, a.v FROM mart.a a;
  RETURN QUERY SELECT b.bid, b.w FROM mart.b b;
END $$;
CREATE VIEW mart.v AS SELECT f.* FROM mart.both() AS f;
-- expect: mart.v.id <- mart.a.id, mart.b.bid
-- expect: mart.v.v <- mart.a.v, mart.b.w
