-- case: FROM first
-- dialect: duckdb
FROM shop.orders o SELECT o.id, o.amount
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: FROM alone is a star
-- dialect: duckdb
-- table: shop.orders (id, amount)
FROM shop.orders
-- expect: id <- shop.orders.id
-- expect: amount <- shop.orders.amount

-- case: a positional join
-- dialect: duckdb
SELECT a.x, b.y FROM s.a a POSITIONAL JOIN s.b b
-- expect: x <- s.a.x
-- expect: y <- s.b.y

-- case: list comprehension
-- dialect: duckdb
SELECT [x + 1 FOR x IN o.xs IF x > o.low] AS ys FROM shop.orders o
-- expect: ys <- shop.orders.xs, shop.orders.low

-- case: DESCRIBE and SUMMARIZE read their table
-- dialect: duckdb
SUMMARIZE shop.orders
-- inputs: shop.orders
-- outputs: nothing

-- case: QUALIFY with a star
-- dialect: duckdb
-- table: raw.events (id, at)
SELECT * FROM raw.events QUALIFY row_number() OVER (PARTITION BY id ORDER BY at DESC) = 1
-- expect: id <- raw.events.id
-- expect: at <- raw.events.at

-- case: a macro definition is no query
-- dialect: duckdb
CREATE MACRO twice(x) AS x * 2;
SELECT twice(o.amount) AS t FROM shop.orders o
-- expect: t <- shop.orders.amount
