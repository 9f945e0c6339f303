-- case: the field of whichever struct is taken
-- dialect: bigquery, spark, databricks, duckdb
SELECT COALESCE(o.billing, o.shipping).city AS city, IF(o.paid, o.billing, o.shipping).zip AS zip FROM shop.orders o
-- expect: city <- shop.orders."billing.city", shop.orders."shipping.city"
-- expect: zip <- shop.orders."billing.zip", shop.orders."shipping.zip", shop.orders.paid

-- case: the field of a struct that a query before has chosen
-- dialect: bigquery, duckdb
SELECT x.b, x.a FROM (SELECT COALESCE(t.s, t.u) AS x FROM (SELECT struct_pack(a := o.id, b := o.name) AS s, struct_pack(a := o.id2, b := o.name2) AS u FROM shop.orders o) t) x
-- expect: b <- shop.orders.name, shop.orders.name2
-- expect: a <- shop.orders.id, shop.orders.id2

-- case: a branch that is neither a column nor a struct keeps all of them
-- dialect: bigquery
SELECT COALESCE(t.s, f(t.k)).a AS a FROM (SELECT STRUCT(o.id AS a, o.name AS b) AS s, o.k FROM shop.orders o) t
-- expect: a <- shop.orders.id, shop.orders.name, shop.orders.k

-- case: one of the structs is a column of a table
-- dialect: spark, databricks
SELECT nvl(o.st, named_struct('f', o.id, 'g', o.amt)).g AS g FROM shop.orders o
-- expect: g <- shop.orders."st.g", shop.orders.amt

-- case: a struct by names and values
-- dialect: spark, databricks, hive
SELECT s.y.z AS z, s.x AS x, named_struct('a', o.id, 'b', o.amt).b AS b FROM (SELECT named_struct('x', id, 'y', named_struct('z', amt, 'w', cust)) AS s, id, amt FROM raw.o) o
-- expect: z <- raw.o.amt
-- expect: x <- raw.o.id
-- expect: b <- raw.o.amt

-- case: fields without a name are counted
-- dialect: spark, databricks
SELECT struct(o.id + 1, o.amt).col1 AS a, q.s.col2 AS b FROM raw.o o JOIN (SELECT (r.x * 2, r.y * 3) AS s FROM raw.r r) q ON TRUE
-- expect: a <- raw.o.id
-- expect: b <- raw.r.y

-- case: all fields of a struct as columns
-- dialect: spark, databricks, bigquery, duckdb
INSERT INTO mart.t SELECT s.* FROM (SELECT struct_pack(x := o.id, y := o.amt + 1) AS s FROM raw.o o) q
-- expect: mart.t.x <- raw.o.id
-- expect: mart.t.y <- raw.o.amt

-- case: a struct of all columns of a table
-- dialect: spark, databricks, bigquery
-- table: raw.c (id, name)
SELECT q.s.name AS n, q.s.extra AS e FROM (SELECT struct(c.*, o.amt AS extra) AS s FROM raw.c c JOIN raw.o o ON o.c = c.id) q
-- expect: n <- raw.c.name
-- expect: e <- raw.o.amt

-- case: fields of rows in an array, through functions that take elements
-- dialect: spark, databricks
WITH a AS (SELECT o.cust, collect_list(named_struct('i', o.id, 'v', o.amt)) AS os FROM raw.o o GROUP BY o.cust)
SELECT sort_array(a.os)[0].v AS v, element_at(os, 1).i AS i, os.v AS vs, slice(os, 1, 2)[0].i AS si FROM a
-- expect: v <- raw.o.amt
-- expect: i <- raw.o.id
-- expect: vs <- raw.o.amt
-- expect: si <- raw.o.id

-- case: rows of an array of structs, in a column
-- dialect: spark, databricks, hive
WITH a AS (SELECT o.cust, collect_list(named_struct('i', o.id, 'v', o.amt)) AS os FROM raw.o o GROUP BY o.cust)
SELECT a.cust, x.i, x.v FROM a LATERAL VIEW explode(os) t AS x
-- expect: cust <- raw.o.cust
-- expect: i <- raw.o.id
-- expect: v <- raw.o.amt

-- case: inline gives the fields as columns
-- dialect: spark, databricks, hive
WITH a AS (SELECT o.cust, collect_list(named_struct('i', o.id, 'v', o.amt)) AS os FROM raw.o o GROUP BY o.cust)
SELECT t.i, t.v, u.j FROM a LATERAL VIEW inline(os) t LATERAL VIEW inline(a.os) u AS j, w
-- expect: i <- raw.o.id
-- expect: v <- raw.o.amt
-- expect: j <- raw.o.id

-- case: inline in a SELECT list
-- dialect: spark, databricks, hive
INSERT INTO mart.t SELECT inline(array(named_struct('x', o.id, 'y', o.amt), named_struct('x', o.cust, 'y', 0))) FROM raw.o o
-- expect: mart.t.x <- raw.o.id, raw.o.cust
-- expect: mart.t.y <- raw.o.amt

-- case: arrays side by side
-- dialect: spark, databricks
SELECT z.keys AS k, z.vals.q AS q FROM (SELECT explode(arrays_zip(o.keys, o.vals)) AS z FROM raw.o o) t
-- expect: k <- raw.o.keys
-- expect: q <- raw.o."vals.q"

-- case: FROM_JSON is told the fields
-- dialect: spark, databricks
INSERT INTO mart.t SELECT s.* FROM (SELECT from_json(o.doc, 'a INT, b STRUCT<c: INT, d: INT>') AS s FROM raw.o o) q
-- expect: mart.t.a <- raw.o.doc
-- expect: mart.t.b <- raw.o.doc

-- case: a document that the text builds, read by its keys
-- dialect: snowflake
WITH b AS (SELECT OBJECT_CONSTRUCT('id', o.id, 'who', OBJECT_CONSTRUCT_KEEP_NULL('name', o.name, 'mail', o.mail)) AS doc FROM raw.o o)
SELECT b.doc:id::int AS id, doc:who.mail::string AS mail, doc['who']['name'] AS name, GET_PATH(doc, 'who.name') AS again FROM b
-- expect: id <- raw.o.id
-- expect: mail <- raw.o.mail
-- expect: name <- raw.o.name
-- expect: again <- raw.o.name

-- case: all columns as a document
-- dialect: snowflake
-- table: raw.o (id, name, mail)
SELECT d.doc:mail::string AS mail, d.doc:missing AS missing FROM (SELECT OBJECT_CONSTRUCT(*) AS doc FROM raw.o) d
-- expect: mail <- raw.o.mail
-- expect: missing <- raw.o.id, raw.o.name, raw.o.mail

-- case: documents gathered and taken apart again
-- dialect: snowflake
WITH g AS (SELECT o.cust, ARRAY_AGG(OBJECT_CONSTRUCT('sku', o.sku, 'qty', o.qty)) AS items FROM raw.o o GROUP BY o.cust)
SELECT g.cust, f.value:sku::string AS sku, f.value:qty::int AS qty, f.index AS n FROM g, LATERAL FLATTEN(input => g.items) f
-- expect: cust <- raw.o.cust
-- expect: sku <- raw.o.sku
-- expect: qty <- raw.o.qty
-- expect: n <- nothing

-- case: an object literal with keys
-- dialect: snowflake
SELECT {'a': o.x, 'b': o.y}:b AS b, x.d:a AS a FROM raw.o o JOIN (SELECT {'a': p.z, 'b': p.w} AS d FROM raw.p p) x ON TRUE
-- expect: b <- raw.o.y
-- expect: a <- raw.p.z

-- case: keys of a JSON object that the text builds
-- dialect: postgres
SELECT q.j->>'a' AS a, q.j->'b'->>'c' AS c, jsonb_build_object('x', o.p, 'y', o.q)->>'y' AS y, o.doc->'k'->>'l' AS l FROM raw.o o JOIN (SELECT jsonb_build_object('a', r.id, 'b', jsonb_build_object('c', r.n, 'd', r.m)) AS j FROM raw.r r) q ON TRUE
-- expect: a <- raw.r.id
-- expect: c <- raw.r.n
-- expect: y <- raw.o.q
-- expect: l <- raw.o.doc

-- case: JSON_OBJECT, read by a path
-- dialect: mysql, mariadb
SELECT JSON_EXTRACT(q.j, '$.a') AS a, JSON_VALUE(q.j, '$.b.c') AS c FROM (SELECT JSON_OBJECT('a', r.id, 'b', JSON_OBJECT('c', r.n, 'd', r.m)) AS j FROM raw.r r) q
-- expect: a <- raw.r.id
-- expect: c <- raw.r.n

-- case: JSON_OBJECT with colons
-- dialect: trino, oracle, db2
SELECT JSON_VALUE(q.j, '$.a') AS a FROM (SELECT JSON_OBJECT('a' VALUE r.id, KEY 'b' VALUE r.n) AS j FROM raw.r r) q
-- expect: a <- raw.r.id

-- case: a key that is a column's value keeps everything
-- dialect: snowflake
SELECT q.j:a AS a FROM (SELECT OBJECT_CONSTRUCT(r.k, r.v, 'a', r.id) AS j FROM raw.r r) q
-- expect: a <- raw.r.k, raw.r.v, raw.r.id

-- case: a row under the names of its type
-- dialect: trino, presto, athena
SELECT r.b, CAST(ROW(q.id, q.n) AS ROW(x BIGINT, y VARCHAR)).y AS y FROM (SELECT CAST(ROW(o.id, o.country) AS ROW(a BIGINT, b VARCHAR)) AS r, o.id, o.n FROM raw.o o) q
-- expect: b <- raw.o.country
-- expect: y <- raw.o.n

-- case: UNNEST of rows gives their fields
-- dialect: trino, presto, athena
WITH l AS (SELECT o.cust, array_agg(CAST(ROW(o.id, o.amt) AS ROW(i BIGINT, a DOUBLE))) AS os FROM raw.o o GROUP BY o.cust)
SELECT l.cust, u.i, v.q, v.n FROM l CROSS JOIN UNNEST(l.os) u CROSS JOIN UNNEST(l.os) WITH ORDINALITY AS v (p, q, n)
-- expect: cust <- raw.o.cust
-- expect: i <- raw.o.id
-- expect: q <- raw.o.amt
-- expect: n <- nothing

-- case: rows without names, by the names of the alias
-- dialect: trino, presto, athena
SELECT x, y FROM raw.o o CROSS JOIN UNNEST(ARRAY[ROW(o.a, o.b), ROW(o.c, o.d)]) AS u (x, y)
-- expect: x <- raw.o.a, raw.o.c
-- expect: y <- raw.o.b, raw.o.d

-- case: all fields of a row, under new names
-- dialect: trino
SELECT (o.addr).* AS (c, z), o.id FROM raw.o o
-- expect: c <- raw.o.addr
-- expect: z <- raw.o.addr
-- expect: id <- raw.o.id

-- case: a tuple's elements by their places
-- dialect: clickhouse
SELECT tuple(o.id, o.cust).2 AS b, (o.x, (o.y, o.z)).2.1 AS y, q.t.1 AS k, tupleElement(q.t, 2) AS v FROM raw.o o JOIN (SELECT (r.k, r.v) AS t FROM raw.r r) q ON 1 = 1
-- expect: b <- raw.o.cust
-- expect: y <- raw.o.y
-- expect: k <- raw.r.k
-- expect: v <- raw.r.v

-- case: a tuple that WITH names
-- dialect: clickhouse
WITH (o.id, o.cust) AS p, (SELECT (c.name, c.mail) FROM raw.c c LIMIT 1) AS q SELECT p.2 AS cust, q.1 AS name FROM raw.o o
-- expect: cust <- raw.o.cust
-- expect: name <- raw.c.name

-- case: tuples gathered and joined again
-- dialect: clickhouse
SELECT r.1 AS id, r.2 AS amt, z.2 AS y FROM (SELECT o.cust, groupArray((o.id, o.amt)) AS rs, any(o.xs) AS xs, any(o.ys) AS ys FROM raw.o o GROUP BY o.cust) q ARRAY JOIN rs AS r, arrayZip(xs, ys) AS z
-- expect: id <- raw.o.id
-- expect: amt <- raw.o.amt
-- expect: y <- raw.o.ys

-- case: untuple names its columns by the tuple, or by its alias
-- dialect: clickhouse
SELECT untuple((o.a, o.b)) AS u FROM raw.o o
-- expect: "u.1" <- raw.o.a
-- expect: "u.2" <- raw.o.b

-- case: unnest of a struct gives its fields
-- dialect: duckdb
INSERT INTO mart.t SELECT unnest({'x': o.id, 'y': o.amt}), unnest([{'z': o.c, 'w': o.d}], recursive := true), unnest([{'v': o.e}]) AS s FROM raw.o o
-- expect: mart.t.x <- raw.o.id
-- expect: mart.t.y <- raw.o.amt
-- expect: mart.t.z <- raw.o.c
-- expect: mart.t.w <- raw.o.d
-- expect: mart.t.s <- raw.o.e

-- case: elements under a column's name
-- dialect: duckdb
WITH a AS (SELECT o.cust, list({'i': o.id, 'v': o.amt}) AS os FROM raw.o o GROUP BY o.cust) SELECT u.x.i AS i, unnest(a.os).v AS v, list_sort(os)[1].v AS w FROM a, unnest(a.os) AS u(x)
-- expect: i <- raw.o.id
-- expect: v <- raw.o.amt
-- expect: w <- raw.o.amt

-- case: fields taken and added by functions
-- dialect: duckdb
SELECT struct_extract(struct_pack(a := o.x, b := o.y), 'b') AS b, struct_insert({'a': o.x}, c := o.z).c AS c, struct_extract(o.st, 'f') AS f, arg_max({'i': o.id, 'n': o.name}, o.at).n AS n FROM raw.o o
-- expect: b <- raw.o.y
-- expect: c <- raw.o.z
-- expect: f <- raw.o."st.f"
-- expect: n <- raw.o.name, raw.o.at

-- case: a subquery's struct
-- dialect: spark, databricks, duckdb
SELECT (SELECT struct_pack(a := c.name, b := c.mail) FROM raw.c c WHERE c.id = o.c).b AS b FROM raw.o o
-- expect: b <- raw.c.mail
-- inputs: raw.c, raw.o

-- case: the rows of a value table have its fields, whatever they are
-- dialect: bigquery
SELECT city, v.zip, w FROM (SELECT AS VALUE o.addr FROM shop.orders o) v, (SELECT AS VALUE o.id FROM shop.orders o) w
-- expect: city <- shop.orders."addr.city"
-- expect: zip <- shop.orders."addr.zip"
-- expect: w <- shop.orders.id

-- case: fields of a star over a struct of an unknown type
-- dialect: bigquery
SELECT q.city, q.lat, (SELECT AS STRUCT x.* FROM UNNEST(o.items) x).price AS price FROM shop.orders o JOIN (SELECT p.addr.*, p.geo.lat FROM shop.places p) q ON TRUE
-- expect: city <- shop.places."addr.city"
-- expect: lat <- shop.places."geo.lat"
-- expect: price <- shop.orders.items

-- case: a window that has a name decides each field
-- dialect: bigquery
SELECT l.b FROM (SELECT LAST_VALUE(STRUCT(o.id AS a, o.country AS b)) OVER w AS l FROM shop.orders o WINDOW w AS (PARTITION BY o.status ORDER BY o.day)) l
-- expect: b <- shop.orders.country, shop.orders.status, shop.orders.day

-- case: arrays of structs put together
-- dialect: bigquery
SELECT e.a, ARRAY_REVERSE(ARRAY_CONCAT([STRUCT(q.x AS k, q.y AS v)], [STRUCT(q.z, q.w)]))[OFFSET(0)].v AS v FROM (SELECT ARRAY_CONCAT([STRUCT(o.id AS a, o.c AS b)], [STRUCT(o.cust, o.s)]) AS es, o.x, o.y, o.z, o.w FROM shop.orders o) q, UNNEST(q.es) e
-- expect: a <- shop.orders.id, shop.orders.cust
-- expect: v <- shop.orders.y, shop.orders.w

-- case: a row's field beside a relation of its name
-- dialect: postgres
-- table: raw.o (id, cust)
SELECT (r).id, (r.r).cust FROM (SELECT o AS r FROM raw.o o) r
-- expect: id <- raw.o.id
-- expect: cust <- raw.o.cust

-- case: an INSERT into fields of a composite column
-- dialect: postgres
INSERT INTO mart.t (id, addr.zip, addr.street) SELECT o.id, o.z, o.s FROM raw.o o
-- expect: mart.t.id <- raw.o.id
-- expect: mart.t."addr.zip" <- raw.o.z
-- expect: mart.t."addr.street" <- raw.o.s

-- case: in a lambda, an element is no column
-- dialect: spark, databricks, trino
SELECT transform(o.xs, x -> o.rate * x[1].amount) AS a FROM raw.o o
-- expect: a <- raw.o.xs, raw.o.rate

-- case: the first of ordered documents
-- dialect: snowflake
SELECT ARRAY_AGG(OBJECT_CONSTRUCT('i', o.i, 'n', o.n)) WITHIN GROUP (ORDER BY o.at)[0]:n AS n, ARRAY_CONSTRUCT(OBJECT_CONSTRUCT('k', o.p, 'z', o.q))[0]:k::int AS k FROM raw.o o
-- expect: n <- raw.o.n, raw.o.at
-- expect: k <- raw.o.p

-- case: a key behind a function that makes a document is no part of a column's name
-- dialect: redshift
SELECT JSON_PARSE(o.j).a.b AS b, q.s.a AS a FROM raw.o o JOIN (SELECT OBJECT('a', r.x, 'b', r.y) AS s FROM raw.r r) q ON TRUE
-- expect: b <- raw.o.j
-- expect: a <- raw.r.x

-- case: the same in a cast to a row
-- dialect: trino, athena
SELECT CAST(json_parse(o.j) AS ROW(x INT, y INT)).y AS y FROM raw.o o
-- expect: y <- raw.o.j

-- case: the place of an element has no source
-- dialect: impala
SELECT o.id, i.item.sku, i.pos, m.key FROM raw.o o, o.items i, o.props m
-- expect: id <- raw.o.id
-- expect: sku <- raw.o.items
-- expect: pos <- nothing
-- expect: key <- raw.o.props

-- case: Hive counts the fields of a struct
-- dialect: hive
SELECT x.col1, x.col2 FROM raw.o o LATERAL VIEW inline(array(struct(o.a, o.b), struct(o.c, o.d))) x
-- expect: col1 <- raw.o.a, raw.o.c
-- expect: col2 <- raw.o.b, raw.o.d

-- case: methods of what lies in a document
-- dialect: oracle
SELECT o.doc.total.number() AS t, o.doc.items.size() AS n FROM raw.o o
-- expect: t <- raw.o."doc.total"
-- expect: n <- raw.o."doc.items"

-- case: a field of the target, by the target's name
-- dialect: databricks, spark
MERGE INTO mart.t USING (SELECT struct(o.x AS a, o.y AS b) AS s, o.id FROM raw.o o) q ON t.id = q.id WHEN MATCHED THEN UPDATE SET t.s.a = q.s.b WHEN NOT MATCHED THEN INSERT (id, v) VALUES (q.id, q.s.a)
-- expect: mart.t."s.a" <- raw.o.y
-- expect: mart.t.id <- raw.o.id
-- expect: mart.t.v <- raw.o.x
