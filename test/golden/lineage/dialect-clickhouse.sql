-- case: WITH binds an expression to a name
-- dialect: clickhouse
WITH 7 AS days, o.amount * 2 AS twice SELECT twice + days AS v FROM shop.orders o
-- expect: v <- shop.orders.amount

-- case: an alias inside an expression is used beside it
-- dialect: clickhouse
SELECT (o.amount AS a) + 1 AS b, a * 2 AS c FROM shop.orders o
-- expect: b <- shop.orders.amount
-- expect: c <- shop.orders.amount

-- case: a dictionary is named by a string
-- dialect: clickhouse
SELECT dictGet('mart.names', 'name', o.id) AS name FROM shop.orders o
-- expect: name <- shop.orders.id

-- case: IN a table
-- dialect: clickhouse
SELECT o.id FROM shop.orders o WHERE o.id IN mart.wanted
-- expect: id <- shop.orders.id
-- inputs: shop.orders, mart.wanted

-- case: the ternary operator
-- dialect: clickhouse
SELECT o.x > 0 ? o.y : o.z AS v FROM shop.orders o
-- expect: v <- shop.orders.x, shop.orders.y, shop.orders.z

-- case: settings behind the query
-- dialect: clickhouse
INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o SETTINGS max_threads = 4
-- expect: mart.sales.k <- shop.orders.id

-- case: EXCHANGE TABLES changes names, and nothing had been built
-- dialect: clickhouse
EXCHANGE TABLES mart.a AND mart.b
-- inputs: nothing
-- outputs: nothing

-- case: modifiers with lambdas
-- dialect: clickhouse
-- table: db.t (a1, a2, b)
SELECT COLUMNS('^a') APPLY x -> x * 2, b FROM db.t
-- expect: a1 <- db.t.a1
-- expect: a2 <- db.t.a2
-- expect: b <- db.t.b

-- case: tables of another server
-- dialect: clickhouse
INSERT INTO FUNCTION remote('host', 'dwh', 'target', 'user', 'pw') SELECT t.a FROM remote('host:9000', dwh.source) t
-- expect: dwh.target.a <- dwh.source.a

-- case: a function is an expression, a format no column
-- dialect: clickhouse
CREATE FUNCTION lin AS (x, k) -> k * x; SELECT u.a FROM url('http://x/y.csv', CSV) u
-- expect: a <- "http://x/y.csv".a

-- case: a table made like another with its rows
-- dialect: clickhouse
CREATE TABLE mart.c CLONE AS raw.t
-- expect: mart.c.* <- raw.t.*

-- case: ARRAY JOIN without an alias stands for the column
-- dialect: clickhouse
-- table: s.o (id, tags)
SELECT o.id, tags FROM s.o ARRAY JOIN tags WHERE o.id GLOBAL NOT IN (SELECT x.id FROM s.x)
-- expect: id <- s.o.id
-- expect: tags <- s.o.tags
-- indirect: FILTER s.o.id, FILTER s.x.id
-- inputs: s.o, s.x

-- case: a star leaves out what ARRAY JOIN makes
-- dialect: clickhouse
-- table: s.o (id, tags)
SELECT * FROM s.o ARRAY JOIN tags AS tag
-- expect: id <- s.o.id
-- expect: tags <- s.o.tags

-- case: rows at the limit's edge
-- dialect: clickhouse
SELECT o.id FROM s.o o ORDER BY o.a LIMIT 3 WITH TIES
-- expect: id <- s.o.id
-- indirect: SORT s.o.a
