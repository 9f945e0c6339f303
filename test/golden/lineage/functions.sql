-- case: string functions keep all their columns
-- dialect: all
SELECT UPPER(c.name) AS u, REPLACE(c.name, c.old, c.new) AS r, SUBSTR(c.code, 1, 3) AS s FROM crm.customers c
-- expect: u <- crm.customers.name
-- expect: r <- crm.customers.name, crm.customers.old, crm.customers.new
-- expect: s <- crm.customers.code

-- case: arithmetic with precedence and signs
-- dialect: all
SELECT -o.a + o.b * (o.c - o.d) / 2 AS v FROM s.o o
-- expect: v <- s.o.a, s.o.b, s.o.c, s.o.d

-- case: concatenation by bars
-- dialect: all but mysql, mariadb, tsql
SELECT c.first || ' ' || c.last AS name FROM crm.customers c
-- expect: name <- crm.customers.first, crm.customers.last

-- case: concatenation by plus
-- dialect: tsql
SELECT c.first + ' ' + c.last AS name FROM crm.customers c
-- expect: name <- crm.customers.first, crm.customers.last

-- case: a simple CASE with several branches
-- dialect: all
SELECT CASE o.kind WHEN 'a' THEN o.x WHEN o.other THEN o.y ELSE 0 END AS v FROM s.o o
-- expect: v <- s.o.kind, s.o.x, s.o.other, s.o.y

-- case: NULLIF, GREATEST and LEAST
-- dialect: all but tsql, sqlite
SELECT NULLIF(o.a, o.b) AS n, GREATEST(o.c, o.d, 0) AS g, LEAST(o.e, o.f) AS l FROM s.o o
-- expect: n <- s.o.a, s.o.b
-- expect: g <- s.o.c, s.o.d
-- expect: l <- s.o.e, s.o.f

-- case: predicates as values
-- dialect: postgres, mysql, sqlite, bigquery, snowflake, duckdb, spark, trino
SELECT o.a IS NULL AS n, o.b BETWEEN o.c AND o.d AS w, o.e LIKE o.f AS m, NOT o.g AS g FROM s.o o
-- expect: n <- s.o.a
-- expect: w <- s.o.b, s.o.c, s.o.d
-- expect: m <- s.o.e, s.o.f
-- expect: g <- s.o.g

-- case: IS DISTINCT FROM has no FROM clause
-- dialect: postgres, snowflake, duckdb, bigquery, trino, spark
SELECT o.a IS DISTINCT FROM o.b AS d FROM s.o o
-- expect: d <- s.o.a, s.o.b

-- case: array and bit operators
-- dialect: postgres
SELECT o.tags @> o.wanted AS has, o.a & o.b AS bits, o.doc #>> '{a,b}' AS v, o.name ~* o.pattern AS m FROM s.o o
-- expect: has <- s.o.tags, s.o.wanted
-- expect: bits <- s.o.a, s.o.b
-- expect: v <- s.o.doc
-- expect: m <- s.o.name, s.o.pattern

-- case: typed literals of any type name
-- dialect: postgres, redshift
SELECT int2 '2' AS two, numeric '1.5' AS n, o.id FROM s.o o
-- expect: two <- nothing
-- expect: n <- nothing
-- expect: id <- s.o.id

-- case: DATEADD with a unit first
-- dialect: snowflake, redshift, databricks
SELECT DATEADD(day, o.n, o.at) AS due FROM s.o o
-- expect: due <- s.o.n, s.o.at

-- case: GROUP_CONCAT with separator and order
-- dialect: mysql, mariadb
SELECT GROUP_CONCAT(DISTINCT o.tag ORDER BY o.pos DESC SEPARATOR ';') AS tags FROM s.o o
-- expect: tags <- s.o.tag AGGREGATED, s.o.pos

-- case: MATCH AGAINST
-- dialect: mysql, mariadb
SELECT d.id, MATCH(d.title, d.body) AGAINST ('word' IN BOOLEAN MODE) AS score FROM raw.docs d
-- expect: id <- raw.docs.id
-- expect: score <- raw.docs.title, raw.docs.body

-- case: CONVERT with a type first and with USING
-- dialect: tsql
SELECT CONVERT(VARCHAR(10), o.day, 120) AS d, TRY_CAST(o.x AS INT) AS x FROM s.o o
-- expect: d <- s.o.day
-- expect: x <- s.o.x

-- case: CONVERT USING a character set
-- dialect: mysql, mariadb
SELECT CONVERT(o.name USING utf8mb4) AS n, o.x DIV o.y AS q, o.a XOR o.b AS e FROM s.o o
-- expect: n <- s.o.name
-- expect: q <- s.o.x, s.o.y
-- expect: e <- s.o.a, s.o.b

-- case: collation behind a column
-- dialect: tsql, mysql, postgres, sqlite
SELECT o.name COLLATE nocase AS n FROM s.o o
-- expect: n <- s.o.name

-- case: a literal in Unicode escapes
-- dialect: trino, presto, postgres, oracle
SELECT U&'\0041' || o.u AS u FROM raw.o o
-- expect: u <- raw.o.u

-- case: units in front of subtracted dates
-- dialect: clickhouse
SELECT timestamp_sub(DAY, 1, r) AS a, dateDiff(hour, p, q) AS b FROM raw.e
-- expect: a <- raw.e.r
-- expect: b <- raw.e.p, raw.e.q

-- case: a function that is an expression gives what its subqueries read
-- dialect: bigquery
CREATE OR REPLACE FUNCTION util.rate_of(cur STRING, ids ARRAY<INT64>) RETURNS FLOAT64 AS (
  (SELECT MAX(r.rate) FROM fx.rates r WHERE r.currency = cur) * (SELECT COUNT(*) FROM UNNEST(ids) i WHERE i IN (SELECT id FROM fx.known))
) OPTIONS (description = 'highest rate');
CREATE TABLE mart.sums AS SELECT util.rate_of(o.currency, [1]) * o.amount AS eur FROM shop.orders o;
-- expect: mart.sums.eur <- shop.orders.currency, shop.orders.amount, fx.rates.rate
-- inputs: fx.rates, fx.known, shop.orders
-- outputs: mart.sums

-- case: macros of several lengths, and lambdas as functions
-- dialect: duckdb
CREATE OR REPLACE MACRO plus(a) AS a + 1, (a, b) AS a + b + (SELECT max(v) FROM limits);
CREATE VIEW sums AS SELECT plus(o.x, o.y) AS s FROM orders o;
-- expect: sums.s <- orders.x, orders.y, limits.v
-- inputs: limits, orders
-- outputs: sums

-- case: a function that is a lambda
-- dialect: clickhouse
CREATE FUNCTION linear AS (x, k) -> k * x + (SELECT max(b) FROM geo.offsets);
INSERT INTO geo.lines (y) SELECT linear(p.x, 2) FROM geo.points p;
-- expect: geo.lines.y <- geo.points.x, geo.offsets.b
-- inputs: geo.offsets, geo.points
-- outputs: geo.lines

-- case: the value of a function that the script defines
-- dialect: tsql
CREATE FUNCTION dbo.rate_of (@id INT) RETURNS MONEY WITH RETURNS NULL ON NULL INPUT AS
BEGIN
  DECLARE @r MONEY = 0;
  SELECT @r += x.rate FROM shop.rates x WHERE x.id = @id;
  RETURN @r;
END
GO
CREATE FUNCTION dbo.name_of (@id INT) RETURNS NVARCHAR(9) AS BEGIN RETURN (SELECT c.name FROM shop.customers c WHERE c.id = @id) END
GO
INSERT mart.a (k, v, s) SELECT o.id, o.amount * dbo.rate_of(o.currency), (SELECT MAX(dbo.name_of(i.id)) FROM shop.items i) FROM shop.orders o
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.a.v <- shop.orders.amount, shop.orders.currency, shop.rates.rate
-- expect: mart.a.s <- shop.items.id, shop.customers.name
-- inputs: shop.rates, shop.customers, shop.items, shop.orders

-- case: the value of a function that is defined further on, in PL/SQL
-- dialect: oracle
INSERT INTO mart.a (k, v) SELECT o.id, NVL(pkg.key_of(o.code), -1) FROM shop.orders o;
CREATE OR REPLACE PACKAGE BODY pkg AS
  FUNCTION key_of (p_code VARCHAR2) RETURN NUMBER IS
    l_key shop.dim.key%TYPE;
  BEGIN
    SELECT d.key INTO l_key FROM shop.dim d WHERE d.code = p_code;
    RETURN l_key;
  EXCEPTION WHEN NO_DATA_FOUND THEN RETURN -1;
  END key_of;
END pkg;
/
-- expect: mart.a.k <- shop.orders.id
-- expect: mart.a.v <- shop.orders.code, shop.dim.key

-- case: the value of a function whose body is a query
-- dialect: postgres
CREATE FUNCTION dim.key_of(c text) RETURNS int LANGUAGE sql STABLE AS $$ SELECT d.key FROM dim.d WHERE d.code = c LIMIT 1 $$;
CREATE FUNCTION dim.twice(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN dim.key_of('x') * n; END $$;
INSERT INTO mart.a (k, v) SELECT dim.key_of(o.code) AS k, dim.twice(o.n) FROM shop.orders o WHERE 'key_of(' <> o.code;
-- expect: mart.a.k <- shop.orders.code, dim.d.key
-- expect: mart.a.v <- shop.orders.n, dim.d.key
-- inputs: dim.d, shop.orders

-- case: functions of MySQL, Snowflake and BigQuery give what they read
-- dialect: mysql
DELIMITER //
CREATE FUNCTION vat(c CHAR(2)) RETURNS DECIMAL(4,2) READS SQL DATA
BEGIN
  DECLARE r DECIMAL(4,2);
  SELECT rate INTO r FROM shop.vat WHERE country = c;
  RETURN IFNULL(r, 0);
END //
DELIMITER ;
CREATE VIEW mart.v AS SELECT o.id, o.net * (1 + vat(o.country)) AS gross FROM shop.orders o;
-- expect: mart.v.id <- shop.orders.id
-- expect: mart.v.gross <- shop.orders.net, shop.orders.country, shop.vat.rate

-- case: what is returned early, and a query with something behind it
-- dialect: postgres
CREATE FUNCTION geo.rate(c text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE v numeric;
BEGIN
  SELECT MAX(r.rate) INTO v FROM geo.rates r WHERE r.code = c;
  IF v > 1 THEN RETURN v; END IF;
  RETURN (SELECT MIN(d.rate) FROM geo.defaults d) + 1;
END $$;
CREATE FUNCTION geo.label(c text) RETURNS text LANGUAGE sql AS 'SELECT n.label FROM geo.names n WHERE n.code = c';
INSERT INTO mart.sales (total, label) SELECT o.amount * geo.rate(o.currency), geo.label(o.country) FROM shop.orders o
-- expect: mart.sales.total <- geo.defaults.rate, geo.rates.rate, shop.orders.amount, shop.orders.currency
-- expect: mart.sales.label <- geo.names.label, shop.orders.country
-- inputs: geo.defaults, geo.names, geo.rates, shop.orders

-- case: the form of normalize is a word of its own
-- dialect: trino, postgres
SELECT normalize(s.x, NFC) AS n, normalize(s.y) AS m, s.nfc FROM raw.s s
-- expect: n <- raw.s.x
-- expect: m <- raw.s.y
-- expect: nfc <- raw.s.nfc

-- case: asking for a form
-- dialect: postgres
SELECT s.y IS NOT NFKD NORMALIZED AS b, s.z IS NORMALIZED AS d FROM raw.s s
-- expect: b <- raw.s.y
-- expect: d <- raw.s.z

-- case: BigQuery's units stand last, and values before them are values
-- dialect: bigquery
INSERT INTO mart.a
SELECT DATE_DIFF(o.closed, o.opened, DAY) AS days, TIMESTAMP_DIFF(seen, made, HOUR) AS hours,
  DATETIME_DIFF(DATE(a), DATE(b), WEEK(MONDAY)) AS weeks, DATE_BUCKET(day, INTERVAL 2 DAY, origin) AS bucket,
  GENERATE_DATE_ARRAY(first, last) AS days_between, TRUNC(amount, places) AS cut, DATE_TRUNC(d, ISOWEEK) AS week
FROM shop.orders o
-- expect: mart.a.days <- shop.orders.closed, shop.orders.opened
-- expect: mart.a.hours <- shop.orders.made, shop.orders.seen
-- expect: mart.a.weeks <- shop.orders.a, shop.orders.b
-- expect: mart.a.bucket <- shop.orders.day, shop.orders.origin
-- expect: mart.a.days_between <- shop.orders.first, shop.orders.last
-- expect: mart.a.cut <- shop.orders.amount, shop.orders.places
-- expect: mart.a.week <- shop.orders.d

-- case: the unit is first, and told by a text all the others are values
-- dialect: databricks, duckdb, starrocks, clickhouse
SELECT DATE_DIFF('day', DATE(o.a), DATE(o.b)) AS x, DATE_DIFF('month', month, day) AS y FROM shop.orders o
-- expect: x <- shop.orders.a, shop.orders.b
-- expect: y <- shop.orders.day, shop.orders.month

-- case: both orders of a difference of dates
-- dialect: ansi
SELECT DATE_DIFF(o.a, o.b, DAY) AS x, DATE_DIFF(made, seen, DAY) AS y, DATE_DIFF(DAY, made, seen) AS z FROM shop.orders o
-- expect: x <- shop.orders.a, shop.orders.b
-- expect: y <- shop.orders.made, shop.orders.seen
-- expect: z <- shop.orders.made, shop.orders.seen

-- case: IF as an expression
-- dialect: exasol
SELECT IF o.paid THEN o.amount ELSE IF (o.due > 1) THEN o.due / o.rate ENDIF ENDIF AS due, o.id FROM shop.orders o
-- expect: due <- shop.orders.amount, shop.orders.due, shop.orders.paid, shop.orders.rate
-- expect: id <- shop.orders.id

-- case: POSITION's IN names no table
-- dialect: clickhouse
SELECT position(o.word IN text) AS at, o.id IN (1, 2) AS few FROM shop.orders o
-- expect: at <- shop.orders.text, shop.orders.word
-- expect: few <- shop.orders.id

-- case: a cast before a comparison is no type of types
-- dialect: postgres, redshift, snowflake, duckdb, databricks
-- table: shop.orders (id, made, due, paid, total)
SELECT made::date < due AS is_late, total > paid AS is_open FROM shop.orders WHERE id::int < 9 AND total > 1
-- expect: is_late <- shop.orders.made, shop.orders.due
-- expect: is_open <- shop.orders.total, shop.orders.paid
-- indirect: FILTER shop.orders.id, FILTER shop.orders.total

-- case: a cast to a type of types
-- dialect: bigquery, spark, trino
-- table: shop.orders (id, tags)
SELECT CAST(tags AS ARRAY<STRUCT<k STRING, v ARRAY<INT>>>) AS t, id < 9 AS few FROM shop.orders
-- expect: t <- shop.orders.tags
-- expect: few <- shop.orders.id

-- case: a path is looked for in a document
-- dialect: postgres
CREATE FUNCTION shop.has(j jsonb) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  IF NOT j @? '$.**.op' THEN
    INSERT INTO mart.o (k, f) SELECT o.doc @? '$.a', o.tags ? 'b' FROM shop.orders o WHERE o.doc @@ '$.c';
  END IF;
END $$;
-- expect: mart.o.k <- shop.orders.doc
-- expect: mart.o.f <- shop.orders.tags
