-- case: double quotes
-- dialect: postgres, snowflake, oracle, trino, redshift, duckdb, db2, vertica, teradata
SELECT o."Order Id" AS id FROM "Shop"."Orders" o
-- expect: id <- Shop.Orders."Order Id"

-- case: backticks
-- dialect: mysql, mariadb, bigquery, spark, hive, databricks, clickhouse, doris, starrocks, impala
SELECT o.`Order Id` AS id FROM `Shop`.`Orders` o
-- expect: id <- Shop.Orders."Order Id"

-- case: square brackets
-- dialect: tsql
SELECT o.[Order Id] AS id FROM [dwh].[Shop].[Orders] o
-- expect: id <- dwh.Shop.Orders."Order Id"

-- case: one pair of backticks around the whole path
-- dialect: bigquery
SELECT o.id FROM `my-project.shop.orders` o
-- expect: id <- my-project.shop.orders.id

-- case: a project with dashes and no quotes
-- dialect: bigquery
SELECT o.id FROM my-project.shop.orders o
-- expect: id <- my-project.shop.orders.id

-- case: the schema's spelling is taken over
-- dialect: postgres, snowflake, tsql, bigquery
-- table: shop.orders (OrderId, Amount)
SELECT o.orderid, AMOUNT FROM shop.orders o
-- expect: orderid <- shop.orders.OrderId
-- expect: AMOUNT <- shop.orders.Amount

-- case: keywords as column names behind a qualifier
-- dialect: all
SELECT o.date, o.type, o.value, o.name FROM shop.orders o
-- expect: date <- shop.orders.date
-- expect: type <- shop.orders.type
-- expect: value <- shop.orders.value
-- expect: name <- shop.orders.name

-- case: words that are reserved elsewhere stand as names
-- dialect: postgres, bigquery, snowflake, duckdb
SELECT offset_at, year, month, status FROM shop.orders
-- expect: offset_at <- shop.orders.offset_at
-- expect: year <- shop.orders.year
-- expect: month <- shop.orders.month
-- expect: status <- shop.orders.status

-- case: an alias as a string literal
-- dialect: mysql, tsql, sqlite
SELECT o.amount AS 'the total' FROM shop.orders o
-- expect: "the total" <- shop.orders.amount

-- case: the alias in front with an equals sign
-- dialect: tsql
SELECT total = o.amount, n = COUNT(*) OVER () FROM shop.orders o
-- expect: total <- shop.orders.amount
-- expect: n <- nothing

-- case: the alias in front with a colon
-- dialect: duckdb
SELECT total: o.amount FROM shop.orders o
-- expect: total <- shop.orders.amount

-- case: a table with a database link
-- dialect: oracle
SELECT o.id FROM shop.orders@remote o
-- expect: id <- "shop.orders@remote".id

-- case: a schema left out between two dots is the default one
-- dialect: tsql, snowflake
-- default: dwh.dbo
SELECT o.id FROM sales..orders o
-- expect: id <- sales.dbo.orders.id

-- case: Unicode names
-- dialect: all
SELECT b.größe FROM lager.bestände b
-- expect: größe <- lager.bestände.größe

-- case: a dollar and a hash inside a name
-- dialect: oracle, db2
SELECT s.sid# AS sid FROM sys.v$session s
-- expect: sid <- sys.v$session.sid#

-- case: a column qualified by more parts than FROM names
-- dialect: spark, snowflake, trino, tsql, postgres
SELECT db1.s.o.id, db1.s.o.a AS b FROM s.o WHERE db1.s.o.c = 1
-- expect: id <- s.o.id
-- expect: b <- s.o.a
-- indirect: FILTER s.o.c

-- case: a column that is called like its table
-- dialect: postgres, bigquery, duckdb, redshift, snowflake, trino
INSERT INTO mart.t (s, n) SELECT status, upper(status) FROM shop.status WHERE status <> 'x'
-- expect: mart.t.s <- shop.status.status IDENTITY
-- expect: mart.t.n <- shop.status.status
-- indirect: FILTER shop.status.status

-- case: a table's name as a value is its row all the same
-- dialect: postgres, bigquery
-- table: shop.status (id, code)
SELECT to_json(status) AS j FROM shop.status
-- expect: j <- shop.status.id, shop.status.code

-- case: a name put together from literals
-- dialect: databricks
SELECT t.a FROM IDENTIFIER('raw' || '.t') t
-- expect: a <- raw.t.a

-- case: a table named like its schema: two parts are the table, not a struct's field
-- dialect: tsql, postgres, snowflake, redshift
UPDATE person.person SET d = s.x + person.person.e FROM stage.s s WHERE person.person.id = s.id;
-- expect: person.person.d <- stage.s.x, person.person.e
-- indirect: FILTER person.person.id, FILTER stage.s.id
-- inputs: stage.s, person.person
-- outputs: person.person

-- case: a table named like its schema with a column of that name, which a struct's field names
-- dialect: spark, duckdb
-- table: person.person (id, person)
SELECT person.person.id AS i, person.person.person.id AS j FROM person.person;
-- expect: i <- person.person."person.id"
-- expect: j <- person.person."person.id"

-- case: bare names over a database's own catalog
-- dialect: postgres, redshift, greenplum
CREATE VIEW mart.columns AS
SELECT nspname, relname AS tab, attname, c.oid, data_type, i.is_nullable
FROM pg_catalog.pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid
JOIN information_schema.columns i ON i.table_name = relname JOIN information_schema.tables USING (table_name)
-- expect: mart.columns.nspname <- pg_namespace.nspname
-- expect: mart.columns.tab <- pg_catalog.pg_class.relname
-- expect: mart.columns.attname <- pg_attribute.attname
-- expect: mart.columns.oid <- pg_catalog.pg_class.oid
-- expect: mart.columns.data_type <- information_schema.columns.data_type
-- expect: mart.columns.is_nullable <- information_schema.columns.is_nullable
-- inputs: information_schema.columns, information_schema.tables, pg_attribute, pg_catalog.pg_class, pg_namespace
