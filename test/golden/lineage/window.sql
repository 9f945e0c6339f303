-- case: PARTITION BY and ORDER BY decide the number, so they are its sources
-- dialect: all
SELECT o.id, ROW_NUMBER() OVER (PARTITION BY o.country ORDER BY o.placed_at DESC) AS rn FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: rn <- shop.orders.country, shop.orders.placed_at

-- case: a running sum has the summed column too
-- dialect: all
SELECT SUM(o.amount) OVER (PARTITION BY o.country ORDER BY o.placed_at ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS s FROM shop.orders o
-- expect: s <- shop.orders.amount, shop.orders.country, shop.orders.placed_at

-- case: a named window
-- dialect: postgres, mysql, sqlite, bigquery, trino, duckdb, snowflake, clickhouse, spark
SELECT LAG(o.amount) OVER w AS before FROM shop.orders o WINDOW w AS (PARTITION BY o.country ORDER BY o.placed_at)
-- expect: before <- shop.orders.amount, shop.orders.country, shop.orders.placed_at

-- case: a window built on a named one
-- dialect: postgres, mysql, sqlite, duckdb, bigquery
SELECT SUM(o.amount) OVER (w ORDER BY o.placed_at) AS s FROM shop.orders o WINDOW w AS (PARTITION BY o.country)
-- expect: s <- shop.orders.amount, shop.orders.country, shop.orders.placed_at

-- case: de-duplication by row number over a star
-- dialect: all
-- table: raw.events (id, kind, at)
SELECT x.id, x.kind FROM (SELECT e.*, ROW_NUMBER() OVER (PARTITION BY e.id ORDER BY e.at DESC) AS rn FROM raw.events e) x WHERE x.rn = 1
-- expect: id <- raw.events.id
-- expect: kind <- raw.events.kind

-- case: QUALIFY filters by a window that is no output
-- dialect: snowflake, bigquery, databricks, duckdb, teradata, redshift
-- table: raw.events (id, kind, at)
SELECT * FROM raw.events e QUALIFY ROW_NUMBER() OVER (PARTITION BY e.id ORDER BY e.at DESC) = 1
-- expect: id <- raw.events.id
-- expect: kind <- raw.events.kind
-- expect: at <- raw.events.at

-- case: QUALIFY by the alias of an output
-- dialect: snowflake, bigquery, databricks, duckdb, teradata, redshift
SELECT e.id, RANK() OVER (ORDER BY e.at) AS r FROM raw.events e QUALIFY r = 1
-- expect: id <- raw.events.id
-- expect: r <- raw.events.at

-- case: IGNORE NULLS inside and behind the call
-- dialect: snowflake, oracle, redshift, bigquery, trino
SELECT LAST_VALUE(e.v IGNORE NULLS) OVER (ORDER BY e.at) AS v FROM raw.events e
-- expect: v <- raw.events.v, raw.events.at

-- case: IGNORE NULLS behind the parentheses
-- dialect: snowflake, oracle, redshift, trino, tsql, duckdb
SELECT LAG(e.v, 1) IGNORE NULLS OVER (PARTITION BY e.k ORDER BY e.at) AS v FROM raw.events e
-- expect: v <- raw.events.v, raw.events.k, raw.events.at

-- case: FILTER on an aggregate
-- dialect: postgres, duckdb, sqlite, trino, databricks
SELECT SUM(o.amount) FILTER (WHERE o.status = 'paid') AS paid FROM shop.orders o
-- expect: paid <- shop.orders.amount, shop.orders.status

-- case: WITHIN GROUP
-- dialect: snowflake, oracle, redshift, trino, db2
SELECT LISTAGG(o.tag, ',') WITHIN GROUP (ORDER BY o.pos) AS tags FROM shop.orders o
-- expect: tags <- shop.orders.tag, shop.orders.pos

-- case: KEEP DENSE_RANK
-- dialect: oracle
SELECT MAX(o.amount) KEEP (DENSE_RANK LAST ORDER BY o.placed_at) AS latest FROM shop.orders o GROUP BY o.country
-- expect: latest <- shop.orders.amount, shop.orders.placed_at

-- case: ordering inside an aggregate's parentheses
-- dialect: mysql, mariadb, duckdb
SELECT GROUP_CONCAT(o.tag ORDER BY o.pos) AS tags FROM shop.orders o
-- expect: tags <- shop.orders.tag, shop.orders.pos

-- case: RANGE with an interval
-- dialect: postgres, mysql, trino, oracle, duckdb
SELECT AVG(o.amount) OVER (ORDER BY o.day RANGE BETWEEN INTERVAL '7' DAY PRECEDING AND CURRENT ROW) AS week FROM shop.orders o
-- expect: week <- shop.orders.amount, shop.orders.day

-- case: EXCLUDE CURRENT ROW is no star clause
-- dialect: postgres, sqlite, duckdb
SELECT SUM(o.amount) OVER (ORDER BY o.day ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS others FROM shop.orders o
-- expect: others <- shop.orders.amount, shop.orders.day

-- case: a named window that extends another
-- dialect: postgres, duckdb, sqlite, mysql, bigquery
SELECT sum(o.amount) OVER later AS total FROM shop.orders o WINDOW w AS (PARTITION BY o.customer), later AS (w ORDER BY o.day)
-- expect: total <- shop.orders.amount, shop.orders.customer, shop.orders.day
