-- case: a question mark
-- dialect: all
SELECT o.id FROM shop.orders o WHERE o.day = ? AND o.country IN (?, ?)
-- expect: id <- shop.orders.id

-- case: a colon name
-- dialect: oracle, postgres, snowflake, sqlite, db2
SELECT o.id, :day AS d FROM shop.orders o WHERE o.day = :day
-- expect: id <- shop.orders.id
-- expect: d <- nothing

-- case: an at name
-- dialect: tsql, bigquery, mysql
SELECT o.id, @day AS d FROM shop.orders o WHERE o.day = @day
-- expect: id <- shop.orders.id
-- expect: d <- nothing

-- case: a numbered dollar
-- dialect: postgres, duckdb
SELECT o.id, $1 AS d FROM shop.orders o WHERE o.day = $2::date
-- expect: id <- shop.orders.id
-- expect: d <- nothing

-- case: a dollar in braces inside a name
-- dialect: hive, spark, trino, databricks
SELECT o.id FROM shop_${env}.orders o WHERE o.day = '${day}'
-- expect: id <- shop_${env}.orders.id

-- case: percent parameters of Python drivers
-- dialect: postgres, mysql, snowflake
SELECT o.id, %(day)s AS d FROM shop.orders o WHERE o.day = %s
-- expect: id <- shop.orders.id
-- expect: d <- nothing

-- case: a double ampersand variable
-- dialect: oracle
SELECT o.id FROM &schema..orders o WHERE o.day = '&&day'
-- expect: id <- &schema.orders.id

-- case: a session variable assigned in a query
-- dialect: mysql
SELECT @n := @n + o.amount AS running FROM shop.orders o
-- expect: running <- shop.orders.amount

-- case: a psql variable as a name
-- dialect: postgres
SELECT o.id FROM :schema.orders o WHERE o.day = :'day'
-- expect: id <- :schema.orders.id

-- case: a table named by IDENTIFIER
-- dialect: snowflake, databricks
SELECT o.id FROM IDENTIFIER('shop.orders') o
-- expect: id <- shop.orders.id

-- case: the schema of an extension is a variable of its script
-- dialect: postgres
INSERT INTO @extschema@.log (k) SELECT c.id FROM @extschema:shop@.orders c WHERE c.tags @> '{a}' AND @ c.n > 1
-- expect: @extschema@.log.k <- @extschema:shop@.orders.id

-- case: a setting that is on
-- dialect: mysql, mariadb, postgres, snowflake
SET autocommit = ON;
SELECT a FROM shop.t
-- expect: a <- shop.t.a
