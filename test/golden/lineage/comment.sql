-- case: comments between any two words
-- dialect: all
SELECT /* a */ o.id -- the key; not the end
  , /* o.secret, */ o.amount FROM /* x.y */ shop.orders o
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: nested comments
-- dialect: postgres, duckdb, tsql
SELECT /* outer /* inner */ still out */ o.id FROM shop.orders o
-- expect: id <- shop.orders.id

-- case: a hash begins a comment
-- dialect: mysql, mariadb, bigquery
SELECT o.id # not, o.x
FROM shop.orders o
-- expect: id <- shop.orders.id

-- case: two slashes begin a comment
-- dialect: snowflake
SELECT o.id // not, o.x
FROM shop.orders o
-- expect: id <- shop.orders.id

-- case: optimiser hints are no columns
-- dialect: oracle, mysql, spark, hive
SELECT /*+ FULL(o) PARALLEL(o, 4) */ o.id FROM shop.orders o
-- expect: id <- shop.orders.id

-- case: table hints
-- dialect: tsql
SELECT o.id FROM shop.orders o WITH (NOLOCK, INDEX(ix_a)) JOIN shop.items i WITH (READPAST) ON i.order_id = o.id OPTION (RECOMPILE)
-- expect: id <- shop.orders.id
-- inputs: shop.orders, shop.items

-- case: index hints
-- dialect: mysql, mariadb
SELECT o.id FROM shop.orders o FORCE INDEX (ix_a) IGNORE INDEX FOR JOIN (ix_b) WHERE o.a = 1
-- expect: id <- shop.orders.id

-- case: bracket hints
-- dialect: impala
SELECT STRAIGHT_JOIN a.id FROM s.a a JOIN [SHUFFLE] s.b b ON b.id = a.id
-- expect: id <- s.a.id
-- inputs: s.a, s.b

-- case: an executable comment is SQL
-- dialect: mysql
SELECT /*!40001 SQL_NO_CACHE */ o.id FROM shop.orders o
-- expect: id <- shop.orders.id

-- case: semicolons and keywords inside strings
-- dialect: all
SELECT 'FROM x; DROP TABLE y' AS s, o.id FROM shop.orders o
-- expect: s <- nothing
-- expect: id <- shop.orders.id

-- case: dollar quoting
-- dialect: postgres, redshift, snowflake, duckdb
SELECT $$it's; FROM x$$ AS s, o.id FROM shop.orders o
-- expect: s <- nothing
-- expect: id <- shop.orders.id

-- case: strings with escapes
-- dialect: mysql, bigquery, spark, databricks, clickhouse, hive
SELECT 'it\'s FROM x' AS s, o.id FROM shop.orders o
-- expect: s <- nothing
-- expect: id <- shop.orders.id

-- case: a backslash before the closing quote is a plain character
-- dialect: postgres, tsql, oracle, trino, sqlite, duckdb
SELECT 'c:\' AS path, o.id FROM shop.orders o
-- expect: path <- nothing
-- expect: id <- shop.orders.id

-- case: Oracle's own quotes
-- dialect: oracle
SELECT q'[it's FROM x]' AS s, o.id FROM shop.orders o
-- expect: s <- nothing
-- expect: id <- shop.orders.id

-- case: triple quotes and raw strings
-- dialect: bigquery
SELECT r'\d+' AS re, """a "b" FROM x""" AS s, o.id FROM shop.orders o
-- expect: re <- nothing
-- expect: s <- nothing
-- expect: id <- shop.orders.id

-- case: double quotes are strings
-- dialect: mysql, bigquery, hive, spark
SELECT CONCAT(o.first, " FROM x ", o.last) AS name FROM crm.customers o
-- expect: name <- crm.customers.first, crm.customers.last

-- case: words of another dialect inside an item leave the rest of the query alone
-- dialect: postgres, hive, trino
INSERT INTO mart.a SELECT o.data:x.y AS xy, o.id AS k FROM shop.orders o WHERE o.id > 1
-- expect: mart.a.data <- shop.orders.data
-- expect: mart.a.k <- shop.orders.id
-- diagnostic: SKIPPED_TOKENS

-- case: the border between the cells of a notebook ends a statement
-- dialect: databricks, spark
-- COMMAND ----------
CREATE TABLE mart.a AS SELECT o.id FROM shop.orders o
-- COMMAND ----------

-- MAGIC %md a text
INSERT INTO mart.b (k) SELECT a.id FROM mart.a a
-- expect: mart.a.id <- shop.orders.id
-- expect: mart.b.k <- mart.a.id
-- inputs: shop.orders, mart.a

-- case: lines that begin with a hash, as editors and licences leave them
-- dialect: postgres, oracle, sqlite, tsql
# -*- text -*-
#
SELECT o.id FROM shop.orders o
-- expect: id <- shop.orders.id

-- case: what a template says in a comment is not asked for
-- dialect: databricks
/* {"link": "/explore/{{ @ }}", "title": "{{ nobody.knows }}"} */
SELECT o.id FROM shop.orders o -- {{ link }}
-- expect: id <- shop.orders.id
