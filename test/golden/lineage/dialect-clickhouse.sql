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
-- expect: name <- mart.names.name, shop.orders.id
-- inputs: mart.names, shop.orders

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

-- case: a dictionary over a table
-- dialect: clickhouse
CREATE DICTIONARY mart.names (id UInt64, name String DEFAULT '' HIERARCHICAL) PRIMARY KEY id SOURCE(CLICKHOUSE(HOST 'h' PORT 9000 TABLE 'src' DB 'raw' WHERE 'id > 1')) LIFETIME(MIN 0 MAX 1000) LAYOUT(HASHED())
-- expect: mart.names.id <- raw.src.id
-- expect: mart.names.name <- raw.src.name

-- case: a dictionary over a query, and one over another database
-- dialect: clickhouse
CREATE OR REPLACE DICTIONARY mart.d2 ON CLUSTER c (id UInt64, nm String) PRIMARY KEY id SOURCE(CLICKHOUSE(QUERY 'SELECT n.k AS id, upper(n.t) AS nm FROM raw.names n')) LAYOUT(FLAT()) LIFETIME(300); CREATE DICTIONARY mart.d3 (id UInt64) PRIMARY KEY id SOURCE(POSTGRESQL(PORT 5432 DB 'crm' SCHEMA 'public' TABLE 'people')) LAYOUT(FLAT())
-- expect: mart.d2.id <- raw.names.k IDENTITY
-- expect: mart.d2.nm <- raw.names.t TRANSFORMED
-- expect: mart.d3.id <- crm.public.people.id

-- case: combinators of aggregates
-- dialect: clickhouse
INSERT INTO mart.a SELECT uniqState(e.u) AS u, sumIfOrNull(e.v, e.ok) AS v, quantileTDigestMerge(0.9)(e.st) AS q, groupArrayDistinctIf(10)(e.x, e.y > 1) AS g FROM raw.e e
-- expect: mart.a.u <- raw.e.u AGGREGATED
-- expect: mart.a.v <- raw.e.v AGGREGATED, raw.e.ok AGGREGATED
-- expect: mart.a.q <- raw.e.st AGGREGATED
-- expect: mart.a.g <- raw.e.x AGGREGATED, raw.e.y AGGREGATED

-- case: GLOBAL IN and NOT IN
-- dialect: clickhouse
SELECT l.a FROM raw.l AS l WHERE l.a GLOBAL IN (SELECT z.a FROM raw.z z) AND l.b GLOBAL NOT IN (SELECT y.b FROM raw.y y) LIMIT 3 WITH TIES
-- expect: a <- raw.l.a
-- inputs: raw.l, raw.y, raw.z
-- indirect: FILTER raw.l.a, FILTER raw.z.a, FILTER raw.l.b, FILTER raw.y.b

-- case: marks in a path into a JSON column
-- dialect: clickhouse
SELECT e.js.^user AS u, e.js.x.:Int64 AS x, (e.a, e.b).2 AS b FROM raw.e e
-- expect: u <- raw.e.js
-- expect: x <- raw.e."js.x"
-- expect: b <- raw.e.b
-- inputs: raw.e

-- case: a function that is written to by partition
-- dialect: clickhouse
INSERT INTO FUNCTION s3('https://b/out_{_partition_id}.csv', 'CSV') PARTITION BY rand() % 10 SELECT t.a FROM raw.t t
-- expect: "https://b/out_{_partition_id}.csv".a <- raw.t.a

-- case: all columns but some take the rows
-- dialect: clickhouse
-- table: mart.t (a, b, c)
INSERT INTO mart.t (* EXCEPT (b)) SELECT s.x, s.y FROM raw.s s
-- expect: mart.t.a <- raw.s.x
-- expect: mart.t.c <- raw.s.y

-- case: rows of a file
-- dialect: clickhouse
INSERT INTO mart.t FROM INFILE 'in_*.csv.gz' COMPRESSION 'gzip' FORMAT CSV
-- expect: mart.t.* <- "in_*.csv.gz".*

-- case: a distributed table stands for the local ones
-- dialect: clickhouse
CREATE TABLE mart.d AS raw.t ENGINE = Distributed('cl', 'db', 'local_t', rand())
-- inputs: raw.t, db.local_t
-- outputs: mart.d

-- case: the condition of a mutation reads its tables
-- dialect: clickhouse
ALTER TABLE mart.t UPDATE a = b + 1 IN PARTITION 3 WHERE k IN (SELECT s.k FROM raw.s s)
-- expect: mart.t.a <- mart.t.b
-- inputs: mart.t, raw.s
-- indirect: FILTER mart.t.k, FILTER raw.s.k

-- case: a table of a cluster, its database apart
-- dialect: clickhouse
SELECT c.a FROM clusterAllReplicas(default, raw, u) c
-- expect: a <- raw.u.a

-- case: an output uses an alias that comes after it
-- dialect: clickhouse
-- table: shop.orders (id, amount)
SELECT twice + 1 AS v, amount * 2 AS twice FROM shop.orders
-- expect: v <- shop.orders.amount
-- expect: twice <- shop.orders.amount

-- case: an alias inside an argument is used by another output
-- dialect: clickhouse
-- table: shop.orders (id, amount)
SELECT sum(amount * 2 AS d) AS total, max(d) AS highest FROM shop.orders
-- expect: total <- shop.orders.amount
-- expect: highest <- shop.orders.amount

-- case: COLUMNS with names, and without some
-- dialect: clickhouse
-- table: shop.orders (id, amount, note)
INSERT INTO mart.sales SELECT COLUMNS(id, note) REPLACE (id + 1 AS id), COLUMNS('id|amount') EXCEPT (id) FROM shop.orders
-- expect: mart.sales.id <- shop.orders.id
-- expect: mart.sales.note <- shop.orders.note
-- expect: mart.sales.amount <- shop.orders.amount

-- case: EXCEPT with a pattern, and what APPLY calls its columns
-- dialect: clickhouse
-- table: shop.orders (id, amount, note)
SELECT * EXCEPT ('id|note') APPLY (sum) FROM shop.orders
-- expect: sum(amount) <- shop.orders.amount

-- case: the second of two columns of one name has its table's in front
-- dialect: clickhouse
-- table: shop.orders (id, amount)
-- table: shop.rates (id, rate)
INSERT INTO mart.sales (a, b) SELECT j.id, j.r.id FROM (SELECT * FROM shop.orders AS o JOIN shop.rates AS r ON o.id = r.id) AS j
-- expect: mart.sales.a <- shop.orders.id
-- expect: mart.sales.b <- shop.rates.id

-- case: ARRAY JOIN of a Nested column gives all its columns
-- dialect: clickhouse
-- table: orders (id, items.sku, items.qty)
SELECT o.id, i.sku AS sku, i.qty AS qty FROM orders AS o ARRAY JOIN o.items AS i
-- expect: id <- orders.id
-- expect: sku <- orders.items.sku
-- expect: qty <- orders.items.qty
-- inputs: orders

-- case: a table function is told its columns
-- dialect: clickhouse
INSERT INTO mart.sales SELECT * FROM s3('s3://lake/a.csv', 'CSV', 'id Int32, tags Array(Tuple(String, Int8))')
-- expect: mart.sales.id <- s3://lake/a.csv.id
-- expect: mart.sales.tags <- s3://lake/a.csv.tags
-- inputs: s3://lake/a.csv

-- case: rows of constants have the names that they are told, or c1 and c2
-- dialect: clickhouse
SELECT v.p AS p, w.c2 AS c FROM values('p Int32, q String', (1, 'a')) AS v CROSS JOIN values((1, 2), (3, 4)) AS w
-- expect: p <- nothing
-- expect: c <- nothing

-- case: a query as a table function
-- dialect: clickhouse
SELECT v.total FROM view(SELECT o.amount * 2 AS total FROM shop.orders o) AS v
-- expect: total <- shop.orders.amount

-- case: values looked up in dictionaries and join tables
-- dialect: clickhouse
SELECT id, dictGet('ref.countries', 'name', country) AS country_name, dictGetOrDefault('ref.rates', ('buy', 'sell'), tuple(currency), (0., 0.)) AS rates, joinGet('ref.codes', 'label', code) AS label FROM shop.orders
-- expect: id <- shop.orders.id
-- expect: country_name <- ref.countries.name, shop.orders.country
-- expect: rates <- ref.rates.buy, ref.rates.sell, shop.orders.currency
-- expect: label <- ref.codes.label, shop.orders.code
-- inputs: shop.orders, ref.countries, ref.rates, ref.codes

-- case: columns that the database computes
-- dialect: clickhouse
CREATE TABLE db.events (
  ts DateTime64(3), host String, uid UInt64,
  day Date MATERIALIZED toDate(ts) CODEC(Delta), label String ALIAS concat(host, toString(uid)), hour DateTime DEFAULT toStartOfHour(ts), ver UInt8 DEFAULT 1
) ENGINE = MergeTree ORDER BY ts;
-- expect: db.events.day <- db.events.ts
-- expect: db.events.label <- db.events.host, db.events.uid
-- expect: db.events.hour <- db.events.ts
-- inputs: nothing
-- outputs: db.events

-- case: GROUP BY alias, WITH expression
-- dialect: clickhouse
-- table: shop.orders (id, day, amount)
INSERT INTO mart.m (mo, tot, share) WITH toStartOfMonth(day) AS m, (SELECT sum(amount) FROM shop.orders) AS all_amt, 5 AS k SELECT m AS mo, sum(amount) * k AS tot, tot / all_amt AS share FROM shop.orders GROUP BY mo HAVING tot > 5 ORDER BY mo
-- expect: mart.m.mo <- shop.orders.day
-- expect: mart.m.tot <- shop.orders.amount
-- expect: mart.m.share <- shop.orders.amount

-- case: WITH lambda
-- dialect: clickhouse
WITH (x, y) -> x * y AS mul, '2020-01-01' AS from_day SELECT mul(o.qty, o.price) AS v FROM shop.o AS o WHERE o.day >= from_day
-- expect: v <- shop.o.qty, shop.o.price

-- case: table functions as target and source
-- dialect: clickhouse
INSERT INTO FUNCTION s3('https://b.s3.amazonaws.com/out.parquet', 'Parquet') SELECT o.id, o.v FROM remote('h:9000', shop.orders, 'u', 'p') o;
INSERT INTO FUNCTION file('x.csv', 'CSV', 'a Int, b String') SELECT a, b FROM url('https://x.org/d.csv', CSV, 'a Int, b String');
INSERT INTO TABLE FUNCTION remote('h', 'db', 'tt') (k) SELECT r.k FROM remoteSecure('h', db2.src) r
-- expect: "https://b.s3.amazonaws.com/out.parquet".id <- shop.orders.id
-- expect: "https://b.s3.amazonaws.com/out.parquet".v <- shop.orders.v
-- expect: "x.csv".a <- "https://x.org/d.csv".a
-- expect: "x.csv".b <- "https://x.org/d.csv".b
-- expect: db.tt.k <- db2.src.k

-- case: INSERT SELECT star from s3, mysql, postgresql
-- dialect: clickhouse
INSERT INTO a SELECT * FROM s3('https://b/x_*.csv', 'KEY', 'SECRET', 'CSVWithNames', 'id UInt32, v String') SETTINGS max_threads = 1;
INSERT INTO b SELECT m.id FROM mysql('h:3306', 'crm', 'cust', 'u', 'p') m;
INSERT INTO c SELECT p.id FROM postgresql('h:5432', 'pdb', 'tab', 'u', 'p', 'sch') AS p
-- expect: a.id <- "https://b/x_*.csv".id
-- expect: a.v <- "https://b/x_*.csv".v
-- expect: b.id <- crm.cust.id
-- expect: c.id <- pdb.sch.tab.id

-- case: projections
-- dialect: clickhouse
CREATE TABLE mart.e (ts DateTime, uid UInt64, v Float64, PROJECTION p (SELECT uid, sum(v) GROUP BY uid), INDEX i v TYPE minmax GRANULARITY 4, CONSTRAINT c CHECK v > 0) ENGINE = MergeTree ORDER BY ts;
ALTER TABLE mart.e ADD PROJECTION q (SELECT ts, count() GROUP BY ts);
ALTER TABLE mart.e MATERIALIZE PROJECTION q;
INSERT INTO mart.f SELECT * FROM mart.e
-- expect: mart.f.ts <- mart.e.ts
-- expect: mart.f.uid <- mart.e.uid
-- expect: mart.f.v <- mart.e.v
-- inputs: mart.e
-- outputs: mart.e, mart.f

-- case: refreshable MV
-- dialect: clickhouse
CREATE MATERIALIZED VIEW mart.r REFRESH EVERY 1 DAY OFFSET 2 HOUR RANDOMIZE FOR 10 MINUTE DEPENDS ON mart.a, mart.b APPEND TO mart.tgt (k UInt32, n UInt64) DEFINER = x SQL SECURITY DEFINER AS SELECT s.k, count() AS n FROM raw.s s GROUP BY s.k
-- expect: mart.tgt.k <- raw.s.k
-- expect: mart.tgt.n <- nothing

-- case: refreshable MV with engine
-- dialect: clickhouse
CREATE MATERIALIZED VIEW IF NOT EXISTS mart.r2 ON CLUSTER c REFRESH AFTER 30 SECOND ENGINE = ReplacingMergeTree ORDER BY k EMPTY AS SELECT s.k, max(s.v) AS v FROM raw.s s GROUP BY k
-- expect: mart.r2.k <- raw.s.k
-- expect: mart.r2.v <- raw.s.v

-- case: parametrised views
-- dialect: clickhouse
CREATE VIEW mart.pv AS SELECT o.id, o.amount * {f:Float64} AS v FROM {db:Identifier}.orders o WHERE o.day = {d:Date};
INSERT INTO mart.t (a, b) SELECT p.id, p.v FROM mart.pv(f = 1.5, d = '2020-01-01') p
-- expect: mart.pv.id <- "{db:Identifier}".orders.id
-- expect: mart.pv.v <- "{db:Identifier}".orders.amount
-- expect: mart.t.a <- mart.pv.id
-- expect: mart.t.b <- mart.pv.v

-- case: array functions, dictionaries as tables, final, prewhere
-- dialect: clickhouse
SELECT arrayMap(x -> x + t.base, t.arr) AS a, d.nm, t.n.x AS nx FROM raw.t AS t FINAL SAMPLE 1/10 ANY LEFT JOIN dictionary('ref.d') AS d USING (k) PREWHERE t.z = 1 LIMIT 1 BY t.k
-- expect: a <- raw.t.base, raw.t.arr
-- expect: nm <- ref.d.nm
-- expect: nx <- raw.t."n.x"

-- case: merge function, numbers, cluster, generateRandom
-- dialect: clickhouse
INSERT INTO mart.t (a, n) SELECT m.a, x.number FROM merge('raw', '^t_.*') AS m, numbers(10) AS x
-- expect: mart.t.a <- nothing
-- expect: mart.t.n <- nothing
-- diagnostic: UNKNOWN_NAME
