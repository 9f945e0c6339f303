-- case: each branch writes its columns
-- dialect: snowflake, bigquery, tsql, oracle, postgres, databricks, db2, teradata, redshift
MERGE INTO mart.stock t USING shop.items s ON (t.sku = s.sku)
WHEN MATCHED THEN UPDATE SET n = s.pieces
WHEN NOT MATCHED THEN INSERT (sku, n) VALUES (s.sku, s.pieces)
-- expect: mart.stock.n <- shop.items.pieces
-- expect: mart.stock.sku <- shop.items.sku
-- statements: merge

-- case: a branch is told apart on its edge
-- dialect: snowflake, tsql, postgres
MERGE INTO mart.stock t USING shop.items s ON t.sku = s.sku WHEN MATCHED THEN UPDATE SET n = s.pieces + t.n
-- expect: mart.stock.n <- shop.items.pieces TRANSFORMED, mart.stock.n TRANSFORMED [matched]
-- inputs: shop.items

-- case: the branches of one column add up
-- dialect: snowflake, bigquery, oracle, postgres
MERGE INTO mart.stock t USING shop.items s ON (t.sku = s.sku)
WHEN MATCHED THEN UPDATE SET n = s.more
WHEN NOT MATCHED THEN INSERT (n) VALUES (s.first)
-- expect: mart.stock.n <- shop.items.more, shop.items.first

-- case: UPDATE SET * and INSERT * take the source's columns by name
-- dialect: databricks, spark
-- table: shop.items (sku, pieces)
MERGE INTO mart.stock t USING shop.items s ON t.sku = s.sku WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *
-- expect: mart.stock.sku <- shop.items.sku
-- expect: mart.stock.pieces <- shop.items.pieces

-- case: INSERT ROW
-- dialect: bigquery
-- table: shop.items (sku, pieces)
-- table: mart.stock (sku, pieces)
MERGE mart.stock t USING shop.items s ON t.sku = s.sku WHEN NOT MATCHED THEN INSERT ROW
-- expect: mart.stock.sku <- shop.items.sku
-- expect: mart.stock.pieces <- shop.items.pieces

-- case: WHEN NOT MATCHED BY SOURCE writes from the target itself
-- dialect: tsql, bigquery, databricks, postgres
MERGE INTO mart.stock t USING shop.items s ON t.sku = s.sku WHEN NOT MATCHED BY SOURCE THEN UPDATE SET gone = t.n
-- expect: mart.stock.gone <- mart.stock.n [not-matched-by-source]
-- inputs: shop.items

-- case: the source is a query with a join
-- dialect: snowflake, bigquery, tsql, tsql, databricks
MERGE INTO mart.stock t USING (SELECT i.sku, SUM(i.n * p.pack) AS pieces FROM shop.items i JOIN shop.packs p ON p.id = i.pack_id GROUP BY i.sku) s ON (t.sku = s.sku)
WHEN MATCHED THEN UPDATE SET t.n = s.pieces
-- expect: mart.stock.n <- shop.items.n AGGREGATED, shop.packs.pack AGGREGATED

-- case: DELETE branches carry no values
-- dialect: snowflake, tsql, databricks, postgres
MERGE INTO mart.stock t USING shop.items s ON t.sku = s.sku WHEN MATCHED AND s.gone = 1 THEN DELETE WHEN NOT MATCHED THEN INSERT (sku) VALUES (s.sku)
-- expect: mart.stock.sku <- shop.items.sku

-- case: an INSERT branch without a list takes the target's order
-- dialect: tsql, postgres, databricks, oracle
-- table: mart.stock (sku, n)
MERGE INTO mart.stock t USING shop.items s ON (t.sku = s.sku) WHEN NOT MATCHED THEN INSERT VALUES (s.code, s.pieces)
-- expect: mart.stock.sku <- shop.items.code
-- expect: mart.stock.n <- shop.items.pieces

-- case: an unqualified value is the source's where the target lacks it
-- dialect: snowflake, bigquery, postgres
-- table: mart.stock (sku, n)
-- table: shop.items (code, pieces)
MERGE INTO mart.stock USING shop.items ON sku = code WHEN MATCHED THEN UPDATE SET n = pieces
-- expect: mart.stock.n <- shop.items.pieces

-- case: a WITH inside USING
-- dialect: snowflake, bigquery, tsql
MERGE INTO mart.stock t USING (WITH i AS (SELECT sku, pieces FROM shop.items) SELECT sku AS k, pieces FROM i) s ON t.sku = s.k WHEN NOT MATCHED THEN INSERT (sku, n) VALUES (k, pieces)
-- expect: mart.stock.sku <- shop.items.sku
-- expect: mart.stock.n <- shop.items.pieces

-- case: WITH in front of MERGE
-- dialect: tsql, postgres, databricks
WITH s AS (SELECT i.sku AS k FROM shop.items i) MERGE INTO mart.stock t USING s ON t.sku = s.k WHEN NOT MATCHED THEN INSERT (sku) VALUES (s.k)
-- expect: mart.stock.sku <- shop.items.sku

-- case: OUTPUT behind the branches is no target column
-- dialect: tsql
MERGE mart.stock AS t USING shop.items AS s ON t.sku = s.sku WHEN MATCHED THEN UPDATE SET t.n = s.pieces OUTPUT $action, inserted.n;
-- expect: mart.stock.n <- shop.items.pieces

-- case: conditions on branches are indirect
-- dialect: snowflake, tsql, databricks
MERGE INTO mart.stock t USING shop.items s ON (t.sku = s.sku) WHEN MATCHED AND s.kind = 'x' THEN UPDATE SET n = s.pieces
-- expect: mart.stock.n <- shop.items.pieces

-- case: Oracle's DELETE WHERE inside the update branch
-- dialect: oracle
MERGE INTO mart.stock t USING shop.items s ON (t.sku = s.sku) WHEN MATCHED THEN UPDATE SET t.n = s.pieces WHERE s.ok = 1 DELETE WHERE t.n = 0
-- expect: mart.stock.n <- shop.items.pieces

-- case: an upsert of literal rows
-- dialect: tsql, postgres, snowflake
MERGE INTO mart.stock AS t USING (VALUES ('a', 1)) AS s (sku, n) ON t.sku = s.sku WHEN NOT MATCHED THEN INSERT (sku, n) VALUES (s.sku, s.n)
-- expect: mart.stock.sku <- nothing
-- expect: mart.stock.n <- nothing

-- case: every branch at once
-- dialect: tsql
MERGE mart.t AS t USING shop.s AS s ON t.k = s.k
WHEN MATCHED AND s.gone = 1 THEN DELETE
WHEN MATCHED THEN UPDATE SET t.v = s.v, t.seen = GETDATE()
WHEN NOT MATCHED BY TARGET THEN INSERT (k, v) VALUES (s.k, s.v)
WHEN NOT MATCHED BY SOURCE THEN UPDATE SET t.stale = 1;
-- expect: mart.t.v <- shop.s.v
-- expect: mart.t.seen <- nothing
-- expect: mart.t.k <- shop.s.k
-- expect: mart.t.stale <- nothing

-- case: a struct of the source in the values
-- dialect: bigquery
MERGE mart.t t USING (SELECT o.id, STRUCT(o.a, o.b) AS ab FROM shop.o o) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, ab) VALUES (s.id, s.ab)
-- expect: mart.t.id <- shop.o.id
-- expect: mart.t.ab <- shop.o.a, shop.o.b

-- case: the source is the target's own aggregate
-- dialect: snowflake, postgres
MERGE INTO mart.t USING (SELECT t2.k, MAX(t2.v) AS m FROM mart.t t2 GROUP BY t2.k) s ON mart.t.k = s.k WHEN MATCHED THEN UPDATE SET top = s.m
-- expect: mart.t.top <- mart.t.v AGGREGATED
-- inputs: nothing

-- case: literals and expressions in the insert branch keep their places
-- dialect: snowflake, bigquery, tsql, oracle
MERGE INTO mart.t t USING shop.s s ON (t.k = s.k) WHEN NOT MATCHED THEN INSERT (k, origin, total) VALUES (s.k, 'x', s.a + s.b)
-- expect: mart.t.k <- shop.s.k
-- expect: mart.t.origin <- nothing
-- expect: mart.t.total <- shop.s.a, shop.s.b
