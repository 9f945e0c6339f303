-- case: UNION merges by position under the first branch's names
-- dialect: all
SELECT a.id, a.x AS v FROM s.a a UNION ALL SELECT b.key, b.y FROM s.b b
-- expect: id <- s.a.id, s.b.key
-- expect: v <- s.a.x, s.b.y

-- case: the right side of EXCEPT filters, it gives no value
-- dialect: all but oracle, mysql
SELECT a.id FROM s.a a EXCEPT SELECT b.id FROM s.b b
-- expect: id <- s.a.id
-- inputs: s.a, s.b

-- case: MINUS is EXCEPT
-- dialect: oracle, snowflake, spark, hive, redshift, vertica, exasol, teradata
SELECT a.id FROM s.a a MINUS SELECT b.id FROM s.b b
-- expect: id <- s.a.id
-- inputs: s.a, s.b

-- case: UNION inside a CTE, aggregated outside
-- dialect: all
WITH u AS (SELECT x AS v FROM s.a UNION SELECT y FROM s.b) SELECT SUM(v) AS total FROM u
-- expect: total <- s.a.x, s.b.y

-- case: UNION of three with parentheses
-- dialect: all but sqlite, hive, clickhouse
(SELECT a.x FROM s.a a) UNION ALL ((SELECT b.y FROM s.b b) UNION ALL (SELECT c.z FROM s.c c))
-- expect: x <- s.a.x, s.b.y, s.c.z

-- case: UNION BY NAME matches the names, not the places
-- dialect: duckdb, snowflake
SELECT a.x, a.y FROM s.a a UNION ALL BY NAME SELECT b.y, b.x FROM s.b b
-- expect: x <- s.a.x, s.b.x
-- expect: y <- s.a.y, s.b.y

-- case: BY NAME keeps a column that only one branch has
-- dialect: duckdb, snowflake
SELECT a.x FROM s.a a UNION BY NAME SELECT b.x, b.extra FROM s.b b
-- expect: x <- s.a.x, s.b.x
-- expect: extra <- s.b.extra

-- case: a union of stars over known tables goes by position
-- dialect: all
-- table: s.a (id, x)
-- table: s.b (k, y)
INSERT INTO s.t (p, q) SELECT * FROM s.a UNION ALL SELECT * FROM s.b
-- expect: s.t.p <- s.a.id, s.b.k
-- expect: s.t.q <- s.a.x, s.b.y

-- case: ORDER BY after the union names an output
-- dialect: all
SELECT x FROM s.a UNION ALL SELECT y FROM s.b ORDER BY x
-- expect: x <- s.a.x, s.b.y

-- case: a value of INTERSECT stands in both branches
-- dialect: postgres, snowflake, duckdb, tsql, trino
SELECT x FROM s.a UNION SELECT y FROM s.b INTERSECT SELECT z FROM s.c
-- expect: x <- s.a.x, s.b.y, s.c.z

-- case: a literal in one branch, a column in the other
-- dialect: all
SELECT 'a' AS origin, x AS v FROM s.a UNION ALL SELECT b.tag, NULL FROM s.b b
-- expect: origin <- s.b.tag
-- expect: v <- s.a.x

-- case: a union of unknown stars keeps both stars
-- dialect: all
CREATE VIEW s.v AS SELECT * FROM s.a UNION ALL SELECT * FROM s.b
-- expect: s.v."*" <- s.a."*", s.b."*"

-- case: CORRESPONDING goes by name
-- dialect: trino
SELECT a.x, a.y FROM s.a a UNION CORRESPONDING SELECT b.y, b.x FROM s.b b
-- expect: x <- s.a.x, s.b.x
-- expect: y <- s.a.y, s.b.y

-- case: UNION of four with aliases in the first only
-- dialect: all
SELECT a.x AS v FROM s.a a UNION SELECT b.x FROM s.b b UNION SELECT c.x FROM s.c c UNION ALL SELECT d.x FROM s.d d
-- expect: v <- s.a.x, s.b.x, s.c.x, s.d.x

-- case: VALUES beside a query
-- dialect: postgres, duckdb, trino
SELECT a.x FROM s.a a UNION ALL VALUES (1)
-- expect: x <- s.a.x

-- case: a derived union joined to a table
-- dialect: all
SELECT u.x, c.n FROM (SELECT a.x, a.k FROM s.a a UNION ALL SELECT b.x, b.k FROM s.b b) u JOIN s.c c ON c.k = u.k
-- expect: x <- s.a.x, s.b.x
-- expect: n <- s.c.n

-- case: CORRESPONDING keeps the columns of both sides only
-- dialect: bigquery, trino
INSERT INTO mart.t (y) SELECT a.x, a.y FROM s.a a UNION ALL CORRESPONDING SELECT b.y, b.z FROM s.b b
-- expect: mart.t.y <- s.a.y, s.b.y

-- case: FULL, LEFT and INNER before a set operation by name
-- dialect: bigquery
SELECT a.x, a.y FROM s.a a LEFT UNION ALL BY NAME SELECT b.y, b.z FROM s.b b; SELECT c.p, c.q FROM s.c c INNER UNION ALL BY NAME SELECT d.q, d.r FROM s.d d
-- expect: x <- s.a.x
-- expect: y <- s.a.y, s.b.y
-- expect: q <- s.c.q, s.d.q
-- inputs: s.a, s.b, s.c, s.d

-- case: CORRESPONDING BY keeps the listed columns alone
-- dialect: bigquery
-- table: crm.customers (name, id, email)
-- table: hr.staff (name, id)
INSERT INTO mart.people SELECT name, id, email FROM crm.customers FULL UNION ALL CORRESPONDING BY (email, name) SELECT name, id FROM hr.staff
-- expect: mart.people.email <- crm.customers.email
-- expect: mart.people.name <- crm.customers.name, hr.staff.name
