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

-- case: a graph is queried by a pattern
-- dialect: bigquery
SELECT g.person FROM GRAPH_TABLE(fin.graph MATCH (p:Person WHERE p.age > 30)-[o:Owns]->(a:Account) WHERE a.open RETURN p.name AS person, a.id AS account) AS g
-- expect: person <- fin.graph.name
-- indirect: FILTER fin.graph.age, FILTER fin.graph.open

-- case: a graph with COLUMNS, FROM first
-- dialect: duckdb, oracle
SELECT g.bid, g.name FROM GRAPH_TABLE (snb MATCH (a IS person) -[k IS knows]-> (b IS person) COLUMNS (b.id AS bid, b.name)) g
-- expect: bid <- snb.id
-- expect: name <- snb.name

-- case: a semantic view is asked for dimensions and metrics
-- dialect: snowflake
INSERT INTO mart.t SELECT * FROM SEMANTIC_VIEW(mart.sales DIMENSIONS customer.segment, customer.region AS area METRICS orders.average WHERE customer.active) AS s
-- expect: mart.t.segment <- mart.sales.segment
-- expect: mart.t.area <- mart.sales.region
-- expect: mart.t.average <- mart.sales.average

-- case: tables that literals name
-- dialect: clickhouse
SELECT p.id, m.v, d.name FROM postgresql('h:5432', 'db', 'users', 'u', 'p', 'public') p JOIN mysql('h:3306', 'mdb', 'vals', 'u', 'p') m ON p.id = m.id JOIN dictionary('mart.names') d ON d.id = p.id
-- expect: id <- db.public.users.id
-- expect: v <- mdb.vals.v
-- expect: name <- mart.names.name

-- case: tables of attached databases that literals name
-- dialect: duckdb
SELECT p.c, s.e, z.f FROM postgres_scan('dbname=x', 'public', 'tab') p, sqlite_scan('f.db', 'st') s, query_table('raw.z') z
-- expect: c <- public.tab.c
-- expect: e <- st.e
-- expect: f <- raw.z.f

-- case: a query given as text
-- dialect: duckdb, trino
SELECT q.a FROM query('SELECT t.a FROM raw.t t') q
-- expect: a <- raw.t.a

-- case: a query given as text and run elsewhere
-- dialect: bigquery
SELECT e.id, t.x FROM EXTERNAL_QUERY('us.conn', 'SELECT c.id FROM crm.customers c') AS e JOIN d.t AS t USING (id)
-- expect: id <- crm.customers.id
-- expect: x <- d.t.x

-- case: rows of several functions side by side
-- dialect: postgres
SELECT t.a, t.b, t.n FROM raw.o o, ROWS FROM (unnest(o.xs), generate_series(1, o.k)) WITH ORDINALITY AS t (a, b, n)
-- expect: a <- raw.o.xs
-- expect: b <- raw.o.k
-- expect: n <- nothing

-- case: the nearest rows of two tables
-- dialect: bigquery
SELECT query.id, base.content FROM VECTOR_SEARCH(TABLE d.docs, 'embedding', (SELECT q.id, q.e FROM d.q q), top_k => 5)
-- expect: id <- d.q.id
-- expect: content <- d.docs.content

-- case: the fields of a variant
-- dialect: databricks
SELECT v.pos, v.key, v.value:sku::string AS sku FROM raw.o o, LATERAL variant_explode(o.doc:items) AS v
-- expect: pos <- nothing
-- expect: key <- raw.o.doc
-- expect: sku <- raw.o.doc

-- case: a table function gives what its body gives
-- dialect: bigquery
CREATE OR REPLACE TABLE FUNCTION mart.names_of(y INT64) RETURNS TABLE<name STRING, total INT64> AS SELECT n.name, SUM(n.number) AS total FROM raw.names n WHERE n.year = y GROUP BY n.name; INSERT INTO mart.t SELECT f.name, f.total FROM mart.names_of(1950) AS f
-- expect: mart.t.name <- raw.names.name
-- expect: mart.t.total <- raw.names.number AGGREGATED

-- case: an inline table function, joined, its columns renamed
-- dialect: tsql
CREATE FUNCTION dbo.f(@y INT) RETURNS TABLE AS RETURN (SELECT n.id, n.name FROM raw.names n WHERE n.y = @y);
GO
SELECT f.k, o.a FROM raw.o o CROSS APPLY dbo.f(o.y) AS f (k, nm)
-- expect: k <- raw.names.id
-- expect: a <- raw.o.a

-- case: a function with two queries for its rows
-- dialect: postgres
CREATE FUNCTION mart.f() RETURNS TABLE (a text) LANGUAGE sql AS $$ SELECT x.a FROM raw.x x UNION ALL SELECT y.a FROM raw.y y $$; CREATE VIEW mart.v AS SELECT f.a AS b FROM mart.f() f
-- expect: mart.v.b <- raw.x.a, raw.y.a

-- case: a macro that is a table, in parentheses, with a default
-- dialect: duckdb
CREATE OR REPLACE MACRO mart.recent(n := 5) AS TABLE (SELECT o.id, o.v FROM raw.o o ORDER BY o.t LIMIT n); SELECT r.id FROM mart.recent(3) r
-- expect: id <- raw.o.id

-- case: a view with parameters
-- dialect: clickhouse
SELECT v.a FROM mart.sales(day = '2024-01-01') v
-- expect: a <- mart.sales.a

-- case: a query in parentheses is one value for a function that takes values
-- dialect: postgres, redshift, greenplum, materialize
INSERT INTO mart.items SELECT * FROM jsonb_to_recordset((SELECT o.doc FROM shop.orders o WHERE o.id = 1)) AS x(sku text, qty int)
-- expect: mart.items.sku <- shop.orders.doc
-- expect: mart.items.qty <- shop.orders.doc

-- case: elements of what a query gives
-- dialect: bigquery, duckdb
SELECT item FROM UNNEST((SELECT o.items FROM shop.orders o)) AS item
-- expect: item <- shop.orders.items

-- case: a star over a function whose columns nobody knows keeps what it is made of
-- dialect: duckdb, postgres, snowflake
INSERT INTO mart.parts (a, b)
WITH parts AS (SELECT f.* FROM shop.docs d, shop.split(d.body) f), few AS (SELECT kind, txt FROM parts WHERE depth < 2)
SELECT few.kind, p.txt FROM few JOIN parts p ON p.id = few.kind
-- expect: mart.parts.a <- shop.docs.body
-- expect: mart.parts.b <- shop.docs.body

-- case: such a star fills the names that are left
-- dialect: postgres, duckdb
-- table: mart.parts (id, a, b)
INSERT INTO mart.parts SELECT d.id, f.* FROM shop.docs d, shop.split(d.body) f
-- expect: mart.parts.id <- shop.docs.id
-- expect: mart.parts.a <- shop.docs.body
-- expect: mart.parts.b <- shop.docs.body

-- case: a table made of such a star has columns that nobody knows
-- dialect: postgres, duckdb
CREATE TABLE mart.raw AS SELECT * FROM shop.load('x');
INSERT INTO mart.o (k) SELECT r.k FROM mart.raw r
-- expect: mart.o.k <- mart.raw.k
-- outputs: mart.raw, mart.o
