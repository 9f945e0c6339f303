-- case: FROM first
-- dialect: duckdb
FROM shop.orders o SELECT o.id, o.amount
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: FROM alone is a star
-- dialect: duckdb
-- table: shop.orders (id, amount)
FROM shop.orders
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: a positional join
-- dialect: duckdb
SELECT a.x, b.y FROM s.a a POSITIONAL JOIN s.b b
-- expect: x <- s.a.x
-- expect: y <- s.b.y

-- case: list comprehension
-- dialect: duckdb
SELECT [x + 1 FOR x IN o.xs IF x > o.low] AS ys FROM shop.orders o
-- expect: ys <- shop.orders.xs, shop.orders.low

-- case: DESCRIBE and SUMMARIZE read their table
-- dialect: duckdb
SUMMARIZE shop.orders
-- inputs: shop.orders
-- outputs: nothing

-- case: QUALIFY with a star
-- dialect: duckdb
-- table: raw.events (id, at)
SELECT * FROM raw.events QUALIFY row_number() OVER (PARTITION BY id ORDER BY at DESC) = 1
-- expect: id <- raw.events.id
-- expect: at <- raw.events.at

-- case: a macro definition is no query
-- dialect: duckdb
CREATE MACRO twice(x) AS x * 2;
SELECT twice(o.amount) AS t FROM shop.orders o
-- expect: t <- shop.orders.amount

-- case: powers and whole division; all columns in an expression
-- dialect: duckdb
-- table: raw.t (xa, xb, y)
SELECT t.xa // t.y AS d, t.xa ** t.xb AS p, COLUMNS('x.') + 1 FROM raw.t; MERGE INTO mart.m USING raw.t USING (y) WHEN MATCHED THEN UPDATE WHEN NOT MATCHED THEN INSERT
-- expect: d <- raw.t.xa, raw.t.y
-- expect: p <- raw.t.xa, raw.t.xb
-- expect: xa <- raw.t.xa
-- expect: xb <- raw.t.xb
-- expect: mart.m.y <- raw.t.y
-- expect: mart.m.xa <- raw.t.xa
-- expect: mart.m.xb <- raw.t.xb

-- case: options of a reader, a macro that is a table
-- dialect: duckdb
CREATE MACRO mart.g(x) AS TABLE SELECT * FROM raw.t WHERE a = x; SELECT f.a FROM read_csv('in.csv', columns = {'a': 'INT'}, header = true) f
-- expect: a <- in.csv.a
-- inputs: raw.t, in.csv

-- case: functions behind a dot
-- dialect: duckdb
SELECT o.name.upper().replace('a', o.b) AS n, ('x' || o.c).lower() AS c FROM raw.o o
-- expect: n <- raw.o.name, raw.o.b
-- expect: c <- raw.o.c

-- case: listed and matched columns unpivoted together
-- dialect: duckdb
-- table: raw.m (id, jan, feb, mar)
SELECT id, v FROM raw.m UNPIVOT (v FOR k IN (jan, COLUMNS('^(feb|mar)$')))
-- expect: id <- raw.m.id
-- expect: v <- raw.m.jan, raw.m.feb, raw.m.mar

-- case: MERGE inserts by name
-- dialect: duckdb
-- table: mart.t (id, a)
-- table: stg.s (a, id)
MERGE INTO mart.t USING stg.s AS s USING (id) WHEN MATCHED THEN UPDATE SET a = s.a WHEN NOT MATCHED THEN INSERT BY NAME
-- expect: mart.t.a <- stg.s.a
-- expect: mart.t.id <- stg.s.id

-- case: databases are copied whole, which tells no table
-- dialect: duckdb
COPY FROM DATABASE db1 TO db2; SELECT t.a FROM db1.t t
-- expect: a <- db1.t.a
