-- case: a literal string that is executed is read
-- dialect: tsql
EXEC('INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o')
-- expect: mart.sales.k <- shop.orders.id

-- case: sp_executesql with a Unicode literal
-- dialect: tsql
EXEC sp_executesql N'INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o WHERE o.d = @d', N'@d DATE', @d = '2024-01-01'
-- expect: mart.sales.k <- shop.orders.id

-- case: EXECUTE IMMEDIATE of a literal
-- dialect: oracle, snowflake, bigquery, db2
EXECUTE IMMEDIATE 'INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o'
-- expect: mart.sales.k <- shop.orders.id

-- case: SQL put together at run time is reported
-- dialect: tsql
EXEC('INSERT INTO ' + @target + ' SELECT id FROM shop.orders')
-- diagnostic: DYNAMIC_SQL

-- case: a prepared statement
-- dialect: mysql, mariadb
PREPARE p FROM 'INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o'
-- inputs: shop.orders
-- outputs: mart.sales
-- expect: mart.sales.k <- shop.orders.id

-- case: quotes doubled inside the literal
-- dialect: oracle, db2
EXECUTE IMMEDIATE 'INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o WHERE o.c = ''NO'''
-- expect: mart.sales.k <- shop.orders.id
