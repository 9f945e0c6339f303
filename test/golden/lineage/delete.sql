-- case: DELETE reads the tables of its filter
-- dialect: all
DELETE FROM mart.sales WHERE order_id IN (SELECT v.order_id FROM shop.voids v)
-- inputs: shop.voids
-- outputs: mart.sales
-- statements: delete

-- case: USING names the tables that decide
-- dialect: postgres, redshift, snowflake, duckdb
DELETE FROM mart.sales s USING shop.voids v WHERE v.order_id = s.order_id
-- inputs: shop.voids
-- outputs: mart.sales

-- case: the alias in front of FROM
-- dialect: tsql, mysql
DELETE s FROM mart.sales s JOIN shop.voids v ON v.order_id = s.order_id
-- inputs: shop.voids
-- outputs: mart.sales

-- case: two targets in one statement
-- dialect: mysql, mariadb
DELETE a, b FROM mart.a a JOIN mart.b b ON b.id = a.id JOIN shop.voids v ON v.id = a.id
-- inputs: shop.voids
-- outputs: mart.a, mart.b

-- case: targets before USING
-- dialect: mysql, mariadb
DELETE FROM a USING mart.a AS a INNER JOIN shop.voids AS v ON v.id = a.id
-- inputs: shop.voids
-- outputs: mart.a

-- case: a CTE decides what goes
-- dialect: postgres, tsql, sqlite
WITH v AS (SELECT order_id FROM shop.voids) DELETE FROM mart.sales WHERE order_id IN (SELECT order_id FROM v)
-- inputs: shop.voids
-- outputs: mart.sales

-- case: DELETE WHERE without FROM
-- dialect: oracle, bigquery
DELETE mart.sales WHERE id = 1
-- inputs: nothing
-- outputs: mart.sales

-- case: TRUNCATE is an output
-- dialect: all but sqlite
TRUNCATE TABLE mart.sales
-- inputs: nothing
-- outputs: mart.sales
-- statements: truncate

-- case: DROP is an output
-- dialect: all
DROP TABLE IF EXISTS mart.sales
-- inputs: nothing
-- outputs: mart.sales
-- statements: drop

-- case: sqllineage takes nothing from a DELETE
-- dialect: ansi, postgres, tsql
-- profile: sqllineage
INSERT INTO mart.orders (id) SELECT id FROM raw.orders;
DELETE FROM mart.orders WHERE id IN (SELECT id FROM raw.gone);
-- expect: mart.orders.id <- raw.orders.id

-- case: OpenLineage counts a target that USING names again
-- dialect: snowflake, mysql, postgres
-- profile: openlineage
DELETE FROM shop.orders USING shop.orders, shop.gone WHERE orders.id = gone.id
-- inputs: shop.orders, shop.gone
-- outputs: shop.orders
