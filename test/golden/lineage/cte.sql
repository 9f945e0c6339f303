-- case: a CTE renames a column
-- dialect: all but sqlite
INSERT INTO mart.daily (total) WITH o AS (SELECT amount AS a FROM raw.orders) SELECT a FROM o
-- expect: mart.daily.total <- raw.orders.amount IDENTITY

-- case: WITH in front of the INSERT
-- dialect: postgres, sqlite, tsql, duckdb, greenplum
WITH o AS (SELECT amount AS a FROM raw.orders) INSERT INTO mart.daily (total) SELECT a FROM o
-- expect: mart.daily.total <- raw.orders.amount

-- case: column names of a CTE count by position
-- dialect: all
WITH o (k, v) AS (SELECT id, amount FROM raw.orders) SELECT o.v, o.k FROM o
-- expect: v <- raw.orders.amount
-- expect: k <- raw.orders.id

-- case: a chain of three CTEs
-- dialect: all
WITH a AS (SELECT id AS x FROM raw.orders), b AS (SELECT x AS y FROM a), c AS (SELECT y AS z FROM b) SELECT z FROM c
-- expect: z <- raw.orders.id IDENTITY

-- case: a CTE hides the table of the same name, and reads that table itself
-- dialect: all
WITH orders AS (SELECT id, amount * 2 AS amount FROM orders) SELECT amount FROM orders
-- expect: amount <- orders.amount TRANSFORMED

-- case: a qualified name is the table even where a CTE has its bare name
-- dialect: all
WITH orders AS (SELECT id FROM raw.returns) SELECT o.id, s.id AS sid FROM orders o JOIN raw.orders s ON s.id = o.id
-- expect: id <- raw.returns.id
-- expect: sid <- raw.orders.id

-- case: an inner WITH hides the outer CTE
-- dialect: all but mysql, mariadb, tsql, teradata, db2, exasol
WITH o AS (SELECT id AS v FROM raw.a) SELECT x.v FROM (WITH o AS (SELECT id AS v FROM raw.b) SELECT v FROM o) x
-- expect: v <- raw.b.id
-- inputs: raw.a, raw.b

-- case: outside the inner WITH the outer CTE is seen again
-- dialect: postgres, snowflake, duckdb, trino, spark
WITH o AS (SELECT id AS v FROM raw.a)
SELECT o.v, x.v AS w FROM o JOIN (WITH o AS (SELECT id AS v FROM raw.b) SELECT v FROM o) x ON x.v = o.v
-- expect: v <- raw.a.id
-- expect: w <- raw.b.id

-- case: an unused CTE counts as input
-- dialect: all
WITH unused AS (SELECT id FROM raw.a) SELECT b.id FROM raw.b b
-- expect: id <- raw.b.id
-- inputs: raw.a, raw.b

-- case: an unused CTE is no input under OpenLineage's rules
-- dialect: all
-- profile: openlineage
WITH unused AS (SELECT id FROM raw.a) SELECT b.id FROM raw.b b
-- expect: id <- raw.b.id

-- case: a recursive CTE takes the columns of its seed
-- dialect: postgres, mysql, mariadb, sqlite, snowflake, bigquery, redshift, duckdb, trino, greenplum
WITH RECURSIVE tree AS (
  SELECT id, parent_id, name FROM hr.nodes WHERE parent_id IS NULL
  UNION ALL
  SELECT n.id, n.parent_id, n.name FROM hr.nodes n JOIN tree t ON n.parent_id = t.id
) SELECT tree.id, tree.name FROM tree
-- expect: id <- hr.nodes.id
-- expect: name <- hr.nodes.name

-- case: a recursive path gathers the sources of every round
-- dialect: postgres, sqlite, duckdb, snowflake
WITH RECURSIVE walk (id, path) AS (
  SELECT s.id, s.label FROM geo.seeds s
  UNION ALL
  SELECT e.target, w.path || '/' || e.label FROM geo.edges e JOIN walk w ON w.id = e.origin
) SELECT w.id, w.path FROM walk w
-- expect: id <- geo.seeds.id, geo.edges.target
-- expect: path <- geo.seeds.label, geo.edges.label

-- case: recursion without the word RECURSIVE
-- dialect: tsql, oracle, db2
WITH tree (id, boss) AS (
  SELECT e.id, e.boss FROM hr.staff e WHERE e.boss IS NULL
  UNION ALL
  SELECT e.id, t.id FROM hr.staff e JOIN tree t ON e.boss = t.id
) SELECT id, boss FROM tree
-- expect: id <- hr.staff.id
-- expect: boss <- hr.staff.boss, hr.staff.id

-- case: SEARCH and CYCLE clauses add columns without sources of the tree
-- dialect: postgres
WITH RECURSIVE tree (id, up) AS (
  SELECT n.id, n.up FROM hr.nodes n
  UNION ALL
  SELECT n.id, n.up FROM hr.nodes n JOIN tree ON n.up = tree.id
) SEARCH DEPTH FIRST BY id SET ord
SELECT id, up FROM tree ORDER BY ord
-- expect: id <- hr.nodes.id
-- expect: up <- hr.nodes.up

-- case: a CTE that deletes and returns feeds an INSERT
-- dialect: postgres
WITH gone AS (DELETE FROM shop.cart c WHERE c.old RETURNING c.id, c.item)
INSERT INTO shop.archive (cart_id, item) SELECT id, item FROM gone
-- expect: shop.archive.cart_id <- shop.cart.id
-- expect: shop.archive.item <- shop.cart.item
-- outputs: shop.archive, shop.cart

-- case: MATERIALIZED and NOT MATERIALIZED are stepped over
-- dialect: postgres, greenplum
WITH a AS MATERIALIZED (SELECT id FROM raw.a), b AS NOT MATERIALIZED (SELECT id AS bid FROM a) SELECT bid FROM b
-- expect: bid <- raw.a.id

-- case: a CTE used twice under two aliases
-- dialect: all
WITH o AS (SELECT id, prev, amount FROM raw.orders) SELECT cur.amount - old.amount AS delta FROM o cur JOIN o old ON old.id = cur.prev
-- expect: delta <- raw.orders.amount

-- case: a CTE of literal rows has no tables
-- dialect: postgres, duckdb, trino, snowflake
WITH r (k, v) AS (VALUES (1, 'a'), (2, 'b')) SELECT o.id, r.v FROM raw.orders o JOIN r ON r.k = o.kind
-- expect: id <- raw.orders.id
-- expect: v <- nothing

-- case: quoted and unquoted CTE names match without case
-- dialect: snowflake
WITH "O" AS (SELECT id FROM raw.orders) SELECT o.id FROM o
-- expect: id <- raw.orders.id

-- case: USING KEY without a list of columns
-- dialect: duckdb
WITH RECURSIVE t USING KEY (id) AS (SELECT o.id, o.a FROM s.o o UNION SELECT t.id, t.a FROM t) SELECT id, a FROM t
-- expect: id <- s.o.id
-- expect: a <- s.o.a

-- case: rows that a change in a CTE gives back are what its table held
-- dialect: postgres
-- table: stg.a (id, v)
WITH d AS (DELETE FROM stg.a WHERE id < 5 RETURNING *) INSERT INTO mart.b (id, v) SELECT id, v FROM d
-- expect: mart.b.id <- stg.a.id
-- expect: mart.b.v <- stg.a.v
-- outputs: mart.b, stg.a

-- case: a chain of changes, each reading the rows of the one before
-- dialect: postgres
WITH d AS (DELETE FROM stg.a a USING stg.c c WHERE a.id = c.id RETURNING a.id, a.v), u AS (UPDATE stg.e SET x = d.v FROM d WHERE d.id = stg.e.id RETURNING stg.e.id, stg.e.x) INSERT INTO mart.b (id, v) SELECT u.id, u.x FROM u
-- expect: stg.e.x <- stg.a.v
-- expect: mart.b.id <- stg.e.id
-- expect: mart.b.v <- stg.e.x
-- inputs: stg.a, stg.c, stg.e
-- outputs: mart.b, stg.a, stg.e
