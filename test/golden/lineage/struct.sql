-- case: a struct path stays whole
-- dialect: bigquery, snowflake, databricks, spark, trino, clickhouse
SELECT o.widget.asset.id AS asset_id FROM shop.orders o
-- expect: asset_id <- shop.orders."widget.asset.id"

-- case: under another profile the path stops at the column
-- dialect: bigquery, spark
-- profile: sqllineage
SELECT o.widget.asset.id AS asset_id FROM shop.orders o
-- expect: asset_id <- shop.orders.widget

-- case: the output is named by the last part
-- dialect: bigquery, databricks, spark
SELECT o.widget.asset.id FROM shop.orders o
-- expect: id <- shop.orders."widget.asset.id"

-- case: a struct built from columns
-- dialect: bigquery
SELECT STRUCT(o.a AS x, o.b AS y) AS s FROM shop.orders o
-- expect: s <- shop.orders.a, shop.orders.b

-- case: named_struct and a map
-- dialect: spark, hive, databricks
SELECT named_struct('x', o.a, 'y', o.b) AS s, map(o.k, o.v) AS m FROM shop.orders o
-- expect: s <- shop.orders.a, shop.orders.b
-- expect: m <- shop.orders.k, shop.orders.v

-- case: a composite's field in parentheses
-- dialect: postgres
SELECT (o.address).city AS city FROM shop.orders o
-- expect: city <- shop.orders."address.city"

-- case: an array by index and by slice
-- dialect: postgres, duckdb, clickhouse
SELECT o.tags[1] AS first_tag FROM shop.orders o
-- expect: first_tag <- shop.orders.tags

-- case: an array literal
-- dialect: bigquery, duckdb, clickhouse
SELECT [o.a, o.b] AS both_of FROM shop.orders o
-- expect: both_of <- shop.orders.a, shop.orders.b

-- case: ARRAY with brackets
-- dialect: postgres, trino, snowflake
SELECT ARRAY[o.a, o.b] AS both_of FROM shop.orders o
-- expect: both_of <- shop.orders.a, shop.orders.b

-- case: an object literal
-- dialect: snowflake, duckdb
SELECT {'x': o.a, 'y': o.b} AS s FROM shop.orders o
-- expect: s <- shop.orders.a, shop.orders.b

-- case: a lambda's parameter is no column
-- dialect: trino, spark, databricks, duckdb, clickhouse, snowflake
SELECT transform(o.tags, x -> x + o.plus) AS t FROM shop.orders o
-- expect: t <- shop.orders.tags, shop.orders.plus

-- case: a lambda with two parameters
-- dialect: trino, spark, databricks
SELECT reduce(o.xs, 0, (acc, x) -> acc + x * o.w, acc -> acc) AS s FROM shop.orders o
-- expect: s <- shop.orders.xs, shop.orders.w

-- case: AT TIME ZONE and casts with colons
-- dialect: postgres, snowflake, redshift, duckdb
SELECT (o.at::timestamp AT TIME ZONE 'UTC')::date AS d FROM shop.orders o
-- expect: d <- shop.orders.at

-- case: SELECT AS STRUCT in a subquery
-- dialect: bigquery
SELECT o.id, ARRAY_AGG(STRUCT(o.sku, o.qty)) AS items FROM shop.orders o GROUP BY o.id
-- expect: id <- shop.orders.id
-- expect: items <- shop.orders.sku AGGREGATED, shop.orders.qty AGGREGATED

-- case: a field of a struct that an aggregate keeps
-- dialect: bigquery, spark, databricks
WITH l AS (SELECT o.id, ARRAY_AGG(STRUCT(o.status AS s, o.ts) ORDER BY o.day DESC LIMIT 1)[0] AS last_one FROM shop.orders o GROUP BY o.id)
SELECT l.id, l.last_one.s, last_one.ts AS t FROM l
-- expect: id <- shop.orders.id
-- expect: s <- shop.orders.status AGGREGATED
-- expect: t <- shop.orders.ts AGGREGATED

-- case: the last row of each group, spread by a star
-- dialect: bigquery
-- table: shop.orders (id, status, ts)
CREATE TABLE mart.last AS SELECT row.* FROM (SELECT ARRAY_AGG(t ORDER BY t.ts DESC LIMIT 1)[OFFSET(0)] AS row FROM shop.orders t GROUP BY t.id)
-- expect: mart.last.id <- shop.orders.id
-- expect: mart.last.status <- shop.orders.status
-- expect: mart.last.ts <- shop.orders.ts

-- case: elements of an array that a subquery builds
-- dialect: bigquery
WITH a AS (SELECT o.id, ARRAY(SELECT AS STRUCT i.sku, i.qty * i.price AS total FROM shop.items i WHERE i.o = o.id) AS lines FROM shop.orders o)
SELECT a.id, l.sku, total FROM a, UNNEST(a.lines) AS l
-- expect: id <- shop.orders.id
-- expect: sku <- shop.items.sku
-- expect: total <- shop.items.qty, shop.items.price

-- case: a struct in a struct, read by its path
-- dialect: bigquery, databricks, spark, duckdb
SELECT x.s.b.c AS c, x.s.a AS a FROM (SELECT struct(o.p AS a, struct(o.q + 1 AS c) AS b) AS s FROM raw.o o) x
-- expect: c <- raw.o.q
-- expect: a <- raw.o.p IDENTITY

-- case: rows that are structs
-- dialect: bigquery
INSERT mart.t (a, b) SELECT x.a, b FROM (SELECT AS VALUE STRUCT(o.p AS a, o.q AS b) FROM raw.o o) x
-- expect: mart.t.a <- raw.o.p
-- expect: mart.t.b <- raw.o.q

-- case: a field of a struct in the same expression
-- dialect: bigquery
-- table: shop.orders (id, amount, addr)
SELECT STRUCT(o.id AS i, STRUCT(o.addr AS ad, o.amount AS am) AS more).more.ad.city, STRUCT(o.id AS i, o.amount AS am).i FROM shop.orders o
-- expect: city <- shop.orders.addr.city
-- expect: i <- shop.orders.id IDENTITY
-- inputs: shop.orders

-- case: a field of the latest row of an array
-- dialect: bigquery
-- table: shop.orders (id, amount, at, customer)
SELECT ARRAY_AGG(STRUCT(id, amount) ORDER BY at DESC LIMIT 1)[OFFSET(0)].amount AS latest FROM shop.orders GROUP BY customer
-- expect: latest <- shop.orders.amount, shop.orders.at AGGREGATED

-- case: a field of a struct with types
-- dialect: bigquery
SELECT x.b, STRUCT<a INT64, b STRING>(o.id, o.country).a AS a FROM shop.orders o JOIN (SELECT STRUCT<a INT64, b ARRAY<STRING>>(p.id, p.tags) AS x FROM shop.products p) ON TRUE
-- expect: b <- shop.products.tags
-- expect: a <- shop.orders.id

-- case: a field of a subquery's struct
-- dialect: bigquery
-- table: shop.orders (id, customer)
SELECT id, (SELECT AS STRUCT c.name, c.email FROM crm.customers c WHERE c.id = o.customer LIMIT 1).name AS customer FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: customer <- crm.customers.name

-- case: all fields of a subquery's struct
-- dialect: bigquery
SELECT o.id, (SELECT AS STRUCT MAX(r.rate) AS top, MIN(r.day) AS since FROM shop.rates r).* FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: top <- shop.rates.rate
-- expect: since <- shop.rates.day

-- case: an array of structs, read element by element
-- dialect: bigquery
-- table: shop.orders (id, country, status)
SELECT t.a, t.b FROM (SELECT [STRUCT(id AS a, country AS b), STRUCT(0 AS a, status AS b)] AS pairs FROM shop.orders), UNNEST(pairs) t
-- expect: a <- shop.orders.id
-- expect: b <- shop.orders.country, shop.orders.status

-- case: a literal array of structs gives named columns
-- dialect: bigquery
SELECT t.*, o.id FROM UNNEST([STRUCT('x' AS code, 1 AS weight), ('y', 2)]) AS t JOIN shop.orders o ON o.code = t.code
-- expect: code <-
-- expect: weight <-
-- expect: id <- shop.orders.id

-- case: an aggregated array of structs as a relation of its own
-- dialect: bigquery
WITH agg AS (SELECT customer, ARRAY_AGG(STRUCT(id AS oid, amount)) AS os FROM shop.orders GROUP BY customer) SELECT a.customer, x.oid, x.amount FROM agg a, a.os AS x
-- expect: customer <- shop.orders.customer
-- expect: oid <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: a row that passes through a query is still its columns
-- dialect: postgres
-- table: shop.orders (id, amount)
SELECT (q.r).amount AS a, (r).* FROM (SELECT o AS r FROM shop.orders o) q
-- expect: a <- shop.orders.amount
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: structs of both sides of a UNION
-- dialect: bigquery
WITH t AS (SELECT STRUCT(o.id AS i, o.country AS c) AS s FROM shop.orders o UNION ALL SELECT STRUCT(k.id, k.name) FROM crm.customers k UNION ALL SELECT NULL) SELECT s.i, s.c FROM t
-- expect: i <- shop.orders.id, crm.customers.id
-- expect: c <- shop.orders.country, crm.customers.name

-- case: a struct that CTEs hand on under another name
-- dialect: bigquery
WITH t AS (SELECT STRUCT(o.id AS i, o.country AS c) AS s FROM shop.orders o), u AS (SELECT * FROM t), v AS (SELECT s AS z FROM u) SELECT z.c FROM v
-- expect: c <- shop.orders.country

-- case: a whole row as one value
-- dialect: bigquery
-- table: shop.orders (id, country)
SELECT c.country, r[OFFSET(0)].id AS id FROM (SELECT o AS c, ARRAY_AGG(o) OVER () AS r FROM shop.orders o)
-- expect: country <- shop.orders.country
-- expect: id <- shop.orders.id

-- case: a field of an element is a path of the column
-- dialect: bigquery, trino
-- table: shop.orders (items)
SELECT items[1].sku AS sku, o.items[1].price.amount AS price FROM shop.orders o
-- expect: sku <- shop.orders.items.sku
-- expect: price <- shop.orders.items.price.amount
-- inputs: shop.orders

-- case: a field of an element of an aggregated row
-- dialect: bigquery
-- table: shop.orders (id, country)
SELECT ARRAY_AGG(o LIMIT 1)[OFFSET(0)].country AS c FROM shop.orders o
-- expect: c <- shop.orders.country

-- case: a field of the struct that a condition chooses
-- dialect: bigquery
SELECT x.b, CASE WHEN o.k = 1 THEN STRUCT(o.id AS m, o.name AS n) ELSE STRUCT(0 AS m, o.other AS n) END.n AS n FROM shop.orders o JOIN (SELECT IF(p.f, STRUCT(p.id AS a, p.code AS b), STRUCT(p.id2 AS a, p.code2 AS b)) AS x FROM shop.products p) ON TRUE
-- expect: b <- shop.products.code, shop.products.code2, shop.products.f
-- expect: n <- shop.orders.k, shop.orders.name, shop.orders.other

-- case: a field of the struct that a window chooses
-- dialect: bigquery
SELECT FIRST_VALUE(STRUCT(o.id AS a, o.country AS b)) OVER (PARTITION BY o.customer ORDER BY o.day).b AS b FROM shop.orders o
-- expect: b <- shop.orders.country, shop.orders.customer, shop.orders.day

-- case: a subquery over an array of constants still sees the columns around it
-- dialect: bigquery
-- table: shop.orders (id)
SELECT ARRAY(SELECT n + id FROM UNNEST([1, 2]) n) AS sums FROM shop.orders
-- expect: sums <- shop.orders.id

-- case: rows that a subquery puts into an array
-- dialect: bigquery
-- table: crm.customers (name, email, country)
SELECT x.title, k.email FROM (SELECT (SELECT ARRAY_AGG(STRUCT(p.sku, p.title)) FROM shop.products p WHERE p.country = o.country) AS info, ARRAY(SELECT c FROM crm.customers c WHERE c.country = o.country) AS people FROM shop.orders o) AS t, UNNEST(t.info) AS x, UNNEST(t.people) AS k
-- expect: title <- shop.products.title
-- expect: email <- crm.customers.email
-- inputs: shop.orders, shop.products, crm.customers

-- case: a struct or nothing
-- dialect: bigquery
SELECT IF(o.paid, STRUCT(o.id AS i, o.amount AS v), NULL).v AS v FROM shop.orders o
-- expect: v <- shop.orders.amount, shop.orders.paid

-- case: fields of a value whose type the text does not tell
-- dialect: postgres
-- table: shop.orders (id, doc, made)
INSERT INTO mart.parts (id, a, b, made)
SELECT p.id, p.a, b, p.made FROM (SELECT o.id, (shop.split(o.doc)).*, o.made FROM shop.orders o) p
-- expect: mart.parts.id <- shop.orders.id
-- expect: mart.parts.a <- shop.orders.doc
-- expect: mart.parts.b <- shop.orders.doc
-- expect: mart.parts.made <- shop.orders.made

-- case: such fields take the names that no other column takes
-- dialect: postgres
-- table: shop.orders (id, doc, made)
INSERT INTO mart.parts (id, a, b, made)
SELECT * FROM (SELECT o.id, (shop.split(o.doc)).*, o.made FROM shop.orders o) p (id, a, b, made)
-- expect: mart.parts.id <- shop.orders.id
-- expect: mart.parts.a <- shop.orders.doc
-- expect: mart.parts.b <- shop.orders.doc
-- expect: mart.parts.made <- shop.orders.made

-- case: one row of two, of unknown columns
-- dialect: bigquery
SELECT COALESCE(a, b).* FROM s.a a JOIN s.b b USING (id)
-- expect: * <- s.a.*, s.b.*

-- case: fields of the first row that is there come from both by name
-- dialect: bigquery
-- table: s.a (id, x)
-- table: s.b (id, x)
SELECT COALESCE(a, b).* FROM s.a a JOIN s.b b USING (id)
-- expect: id <- s.a.id, s.b.id
-- expect: x <- s.a.x, s.b.x
