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

-- case: a column's method is a function of it
-- dialect: duckdb
-- table: shop.orders (id, note)
SELECT note.upper().trim() AS t, main.abs(id) AS a FROM shop.orders
-- expect: t <- shop.orders.note
-- expect: a <- shop.orders.id

-- case: columns by their place
-- dialect: duckdb
SELECT #2, #1 + #2 AS s FROM (SELECT o.id, o.amount FROM shop.orders o)
-- expect: amount <- shop.orders.amount
-- expect: s <- shop.orders.id, shop.orders.amount

-- case: all columns as arguments
-- dialect: duckdb
-- table: shop.orders (id, amount, note)
SELECT greatest(*COLUMNS('id|amount')) AS g FROM shop.orders
-- expect: g <- shop.orders.id, shop.orders.amount

-- case: columns that pass a test
-- dialect: duckdb
-- table: shop.orders (id, amount, amount_eur)
SELECT COLUMNS(c -> c LIKE 'amount%'), COLUMNS([c FOR c IN (*) IF c NOT IN ('amount', 'amount_eur')]) FROM shop.orders
-- expect: amount <- shop.orders.amount
-- expect: amount_eur <- shop.orders.amount_eur
-- expect: id <- shop.orders.id

-- case: a derived table sees those before it
-- dialect: duckdb
SELECT o.id, m.top FROM shop.orders o, (SELECT max(r.rate) + o.amount AS top FROM shop.rates r WHERE r.day = o.day) m
-- expect: id <- shop.orders.id
-- expect: top <- shop.rates.rate, shop.orders.amount

-- case: fields of a struct in braces, also behind a star
-- dialect: duckdb
SELECT s.a AS one, q.s.b.c AS c, s.* FROM (SELECT {'a': o.id, 'b': {c: o.amount}} AS s FROM shop.orders o) q
-- expect: one <- shop.orders.id
-- expect: c <- shop.orders.amount
-- expect: a <- shop.orders.id
-- expect: b <- shop.orders.amount

-- case: keys of a map are values
-- dialect: duckdb
SELECT MAP {o.note: o.id} AS m FROM shop.orders o
-- expect: m <- shop.orders.note, shop.orders.id

-- case: statements about a table as tables
-- dialect: duckdb
-- table: shop.orders (id, amount)
SELECT d.column_name, s.max FROM (DESCRIBE shop.orders) d, (SUMMARIZE shop.orders) s, (SHOW TABLES) t
-- expect: column_name <- nothing
-- expect: max <- shop.orders.id, shop.orders.amount

-- case: PIVOT and UNPIVOT by their other names
-- dialect: duckdb
-- table: shop.orders (day, q1, q2)
INSERT INTO mart.sales SELECT day, quarter, total FROM (PIVOT_LONGER shop.orders ON q1, q2 INTO NAME quarter VALUE total)
-- expect: mart.sales.day <- shop.orders.day
-- expect: mart.sales.quarter <- shop.orders.q1, shop.orders.q2
-- expect: mart.sales.total <- shop.orders.q1, shop.orders.q2

-- case: what MERGE did with a row
-- dialect: duckdb
-- table: mart.sales (id, n)
MERGE INTO mart.sales USING (SELECT o.id, o.qty AS n FROM shop.orders o) s USING (id) WHEN MATCHED THEN UPDATE SET n = s.n RETURNING merge_action
-- expect: mart.sales.n <- shop.orders.qty
-- inputs: shop.orders

-- case: a reader's files are made by a list
-- dialect: duckdb
CREATE TABLE mart.t AS SELECT f.k FROM read_csv([format('{}/x.csv', d) FOR d IN getvariable('dirs')]) f;
CREATE TABLE mart.u AS SELECT f.k FROM read_text([]::VARCHAR[]) f
-- expect: mart.t.k <- nothing
-- expect: mart.u.k <- nothing
