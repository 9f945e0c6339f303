-- case: an unnamed output has the name of the column or function that it ends in
-- dialect: postgres, redshift, greenplum
SELECT (o.id), UPPER(o.name), s.f(o.x), COUNT(*) OVER (PARTITION BY o.a ORDER BY o.b), COALESCE(o.c, 'x') FROM s.o o
-- expect: id <- s.o.id
-- expect: upper <- s.o.name
-- expect: f <- s.o.x
-- expect: count <- s.o.a, s.o.b
-- expect: coalesce <- s.o.c

-- case: a cast keeps the name inside it, else it has the name of its type
-- dialect: postgres, greenplum
SELECT o.amount::int, CAST(o.day AS text), (o.a + o.b)::double precision, CAST('1' AS timestamp with time zone), '2024-01-01'::date, o.c::varchar(10)::char FROM s.o o
-- expect: amount <- s.o.amount
-- expect: day <- s.o.day
-- expect: float8 <- s.o.a, s.o.b
-- expect: timestamptz <- nothing
-- expect: date <- nothing
-- expect: c <- s.o.c

-- case: CASE has the name of its ELSE where that is a strong one
-- dialect: postgres, greenplum
SELECT CASE WHEN o.a THEN o.b ELSE o.c END, CASE o.d WHEN 1 THEN o.e ELSE '0'::int END FROM s.o o
-- expect: c <- s.o.a, s.o.b, s.o.c
-- expect: case <- s.o.d, s.o.e

-- case: a scalar subquery has the name of its first output
-- dialect: postgres, greenplum
SELECT (SELECT MAX(r.rate) FROM s.r r WHERE r.k = o.k), (SELECT r.rate + 1 AS one FROM s.r r)::int, EXISTS (SELECT 1 FROM s.r), ARRAY(SELECT r.k FROM s.r r) FROM s.o o
-- expect: max <- s.r.rate
-- expect: one <- s.r.rate
-- expect: exists <- nothing
-- expect: array <- s.r.k
-- inputs: s.o, s.r

-- case: operators, also of several signs, leave an output without a name
-- dialect: postgres
SELECT -o.a, |/ o.b, o.c <-> o.d, o.e @> o.f, o.g IS NULL, NOT o.h, o.i BETWEEN 1 AND 2, o.j - -o.k FROM s.o o
-- expect: ?column? <- s.o.a TRANSFORMED
-- expect: ?column? <- s.o.b TRANSFORMED
-- expect: ?column? <- s.o.c, s.o.d
-- expect: ?column? <- s.o.e, s.o.f
-- expect: ?column? <- s.o.g
-- expect: ?column? <- s.o.h
-- expect: ?column? <- s.o.i
-- expect: ?column? <- s.o.j, s.o.k

-- case: a parameter may touch the operator before it
-- dialect: postgres
SELECT o.a FROM s.o o WHERE o.b=%s AND o.c>=%(c)s AND o.d<@o.e AND o.f=-1
-- expect: a <- s.o.a
-- indirect: FILTER s.o.b, FILTER s.o.c, FILTER s.o.d, FILTER s.o.e, FILTER s.o.f

-- case: what the grammar calls by another name
-- dialect: postgres
SELECT TRIM(BOTH 'x' FROM o.a), TRIM(LEADING FROM o.b), o.c AT TIME ZONE 'utc', COLLATION FOR (o.d), o.e COLLATE "C", INTERVAL '1 day', o.f IS NORMALIZED, ROW(o.g, 1), o.tags[1] FROM s.o o
-- expect: btrim <- s.o.a
-- expect: ltrim <- s.o.b
-- expect: timezone <- s.o.c
-- expect: pg_collation_for <- s.o.d
-- expect: e <- s.o.e
-- expect: interval <- nothing
-- expect: is_normalized <- s.o.f
-- expect: row <- s.o.g
-- expect: tags <- s.o.tags

-- case: the column that an ordered-set function orders is aggregated
-- dialect: postgres, snowflake, trino, tsql, oracle
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY o.amount) AS median FROM s.o o
-- expect: median <- s.o.amount AGGREGATED

-- case: a sign or a NOT before a column is no plain copy
-- dialect: all
SELECT -o.amount AS owed, NOT o.open AS closed FROM s.o o
-- expect: owed <- s.o.amount TRANSFORMED
-- expect: closed <- s.o.open TRANSFORMED

-- case: columns that every table has are no columns that a schema lacks
-- dialect: postgres
-- table: s.o (id, a)
SELECT o.ctid AS place, o.tableoid::regclass AS origin, xmin, o.id FROM s.o o
-- expect: place <- s.o.ctid
-- expect: origin <- s.o.tableoid
-- expect: xmin <- s.o.xmin
-- expect: id <- s.o.id

-- case: the columns of json_each are those of the dialect
-- dialect: postgres
SELECT j.* FROM s.o o, json_each(o.doc) j
-- expect: key <- s.o.doc
-- expect: value <- s.o.doc

-- case: outputs that PostgreSQL names alike are told apart by their texts where names are no database's
-- dialect: postgres
-- profile: openlineage
SELECT o.a + 1, o.b || 'x', max(o.c), d FROM shop.orders o
-- expect: "o.a + 1" <- shop.orders.a
-- expect: "o.b || 'x'" <- shop.orders.b
-- expect: max <- shop.orders.c
-- expect: d <- shop.orders.d

-- case: outputs of a query that share a name are outputs of their own
-- dialect: postgres, mysql, bigquery
SELECT o.id, c.id, o.n AS x, c.n AS x FROM shop.orders o JOIN shop.customers c ON c.id = o.customer
-- expect: id <- shop.orders.id
-- expect: id <- shop.customers.id
-- expect: x <- shop.orders.n
-- expect: x <- shop.customers.n
