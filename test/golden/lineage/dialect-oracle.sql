-- case: CONNECT BY with its pseudo columns
-- dialect: oracle
SELECT e.id, LEVEL AS depth, PRIOR e.name AS boss, SYS_CONNECT_BY_PATH(e.name, '/') AS path FROM hr.staff e START WITH e.boss IS NULL CONNECT BY PRIOR e.id = e.boss
-- expect: id <- hr.staff.id
-- expect: depth <- nothing
-- expect: boss <- hr.staff.name
-- expect: path <- hr.staff.name

-- case: ROWNUM, SYSDATE and USER are no columns
-- dialect: oracle
SELECT o.id, ROWNUM AS n, SYSDATE AS d, USER AS u FROM shop.orders o WHERE ROWNUM < 10
-- expect: id <- shop.orders.id
-- expect: n <- nothing
-- expect: d <- nothing
-- expect: u <- nothing

-- case: DUAL is no dataset
-- dialect: oracle, db2
INSERT INTO mart.sales (k) SELECT 1 FROM dual
-- expect: mart.sales.k <- nothing
-- inputs: nothing
-- outputs: mart.sales

-- case: a sequence's next value
-- dialect: oracle, snowflake
INSERT INTO mart.sales (k, v) SELECT mart.seq.NEXTVAL, o.id FROM shop.orders o
-- expect: mart.sales.k <- nothing
-- expect: mart.sales.v <- shop.orders.id

-- case: TABLE() of a collection column
-- dialect: oracle
SELECT o.id, t.sku FROM shop.orders o, TABLE(o.items) t
-- expect: id <- shop.orders.id
-- expect: sku <- shop.orders.items

-- case: DECODE and NVL2
-- dialect: oracle
SELECT DECODE(o.a, 1, o.b, o.c) AS d, NVL2(o.x, o.y, o.z) AS n FROM shop.orders o
-- expect: d <- shop.orders.a, shop.orders.b, shop.orders.c
-- expect: n <- shop.orders.x, shop.orders.y, shop.orders.z

-- case: SQL*Plus commands around a statement
-- dialect: oracle
SET SERVEROUTPUT ON
WHENEVER SQLERROR EXIT FAILURE
PROMPT loading sales
INSERT INTO mart.sales (k) SELECT o.id FROM shop.orders o;
COMMIT;
EXIT
-- expect: mart.sales.k <- shop.orders.id

-- case: MODEL reads its table
-- dialect: oracle
SELECT country, year, sales FROM shop.sales MODEL PARTITION BY (country) DIMENSION BY (year) MEASURES (sales) RULES (sales[2025] = sales[2024] * 2)
-- expect: country <- shop.sales.country
-- expect: year <- shop.sales.year
-- expect: sales <- shop.sales.sales
