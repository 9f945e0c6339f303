-- case: the header of a SQLMesh model names the table, and is no statement
-- dialect: postgres, snowflake, bigquery
MODEL (
  name shop.orders_daily, -- one row a day
  kind INCREMENTAL_BY_TIME_RANGE (time_column (day, '%Y-%m-%d'), batch_size 10),
  columns (day DATE, total DOUBLE),
  grain (day),
  audits (not_null(columns := (day)))
);
SELECT o.day, SUM(o.amount) AS total FROM raw.orders AS o WHERE o.day BETWEEN @start_ds AND @end_ds GROUP BY o.day
-- expect: shop.orders_daily.day <- raw.orders.day
-- expect: shop.orders_daily.total <- raw.orders.amount
-- indirect: FILTER raw.orders.day, GROUP_BY raw.orders.day
-- statements: ctas

-- case: a SQLMesh model is a view unless its kind says otherwise; audits and later statements are none of it
-- dialect: postgres, snowflake
MODEL (name shop.recent);
CREATE TABLE shop.seen AS SELECT s.id FROM raw.seen s;
SELECT o.id FROM raw.orders o WHERE o.at > @execution_date;
ON_VIRTUAL_UPDATE_BEGIN;
GRANT SELECT ON VIEW @this_model TO ROLE reader;
ON_VIRTUAL_UPDATE_END;
AUDIT (name assert_positive);
SELECT * FROM @this_model WHERE amount < 0;
-- expect: shop.seen.id <- raw.seen.id
-- expect: shop.recent.id <- raw.orders.id

-- case: @EACH over a list of columns, with the item as a value and as a part of a name
-- dialect: postgres, snowflake, duckdb
MODEL (name shop.totals, kind FULL);
SELECT o.id, @EACH([net, 'vat'], c -> SUM(o.@c) AS total_@{c}) FROM raw.orders o GROUP BY o.id
-- expect: shop.totals.id <- raw.orders.id
-- expect: shop.totals.total_net <- raw.orders.net
-- expect: shop.totals.total_vat <- raw.orders.vat

-- case: @EACH binds its parameter also without the mark, and in a filter
-- dialect: postgres, snowflake
MODEL (name shop.flags, kind FULL);
SELECT o.id, @EACH(@FILTER([1, 2, 3], n -> n <> 2), n -> CASE WHEN o.level = n THEN o.level_@n END AS is_@n) FROM raw.orders o
-- expect: shop.flags.id <- raw.orders.id
-- expect: shop.flags.is_1 <- raw.orders.level, raw.orders.level_1
-- expect: shop.flags.is_3 <- raw.orders.level, raw.orders.level_3

-- case: @DEF gives a variable and a function their values
-- dialect: postgres, snowflake
MODEL (name shop.prices, kind FULL);
@DEF(source, raw.orders);
@DEF(columns, [net, gross]);
@DEF(taxed, (x, y) -> x * (1 + y));
SELECT o.id, @taxed(o.net, o.rate) AS taxed, @EACH(@columns, c -> o.@c AS @c) FROM @source AS o
-- expect: shop.prices.id <- raw.orders.id
-- expect: shop.prices.taxed <- raw.orders.net, raw.orders.rate
-- expect: shop.prices.net <- raw.orders.net
-- expect: shop.prices.gross <- raw.orders.gross

-- case: an @IF that nobody can tell goes both ways, and takes its comma along
-- dialect: postgres, snowflake, bigquery
MODEL (name shop.chosen, kind FULL);
SELECT o.id, @IF(@gateway = 'dev', o.debug), @IF(@VAR('net'), o.net, o.gross) AS price, @IF(FALSE, o.never), o.at, @IF(1 = 2, o.last)
FROM raw.orders o
-- expect: shop.chosen.id <- raw.orders.id
-- expect: shop.chosen.debug <- raw.orders.debug
-- expect: shop.chosen.price <- raw.orders.net, raw.orders.gross
-- expect: shop.chosen.at <- raw.orders.at

-- case: blueprints make a table each
-- dialect: postgres, snowflake
MODEL (
  name @{customer}.totals,
  kind FULL,
  blueprints ((customer := north, fields := (a, b), source := 'n1'), (customer := south, fields := (c), source := 'n2'))
);
SELECT s.id, @EACH(@fields, f -> MAX(s.@f) AS max_@f), @source AS source FROM @customer.sales_@{source} AS s
-- expect: north.totals.id <- north.sales_n1.id
-- expect: north.totals.max_a <- north.sales_n1.a
-- expect: north.totals.max_b <- north.sales_n1.b
-- expect: north.totals.source <- nothing
-- expect: south.totals.id <- south.sales_n2.id
-- expect: south.totals.max_c <- south.sales_n2.c
-- expect: south.totals.source <- nothing

-- case: macros of SQLMesh that give SQL
-- dialect: snowflake, bigquery
-- table: raw.orders (id, day, net, vat)
-- table: raw.more (net, id)
MODEL (name shop.macros, kind FULL);
WITH d AS (@DEDUPLICATE(raw.orders, [id], ['day desc'])), u AS (@UNION('all', raw.orders, raw.more))
SELECT
  @STAR(raw.orders, alias := d, exclude := [vat]),
  @GENERATE_SURROGATE_KEY(d.id, d.day) AS key,
  @SAFE_DIV(d.net, d.vat) AS ratio,
  @SAFE_ADD(d.net, u.net) AS plus,
  @PIVOT(d.day, ['mon', 'tue'], prefix := 'on_')
FROM d JOIN u ON u.id = d.id
WHERE @AND(d.net > 0, @IF(@VAR('strict'), d.vat > 0), @OR(d.id = 1, d.id = 2))
-- expect: shop.macros.id <- raw.orders.id
-- expect: shop.macros.day <- raw.orders.day
-- expect: shop.macros.net <- raw.orders.net
-- expect: shop.macros.key <- raw.orders.id, raw.orders.day
-- expect: shop.macros.ratio <- raw.orders.net, raw.orders.vat
-- expect: shop.macros.plus <- raw.orders.net, raw.more.net
-- expect: shop.macros.on_mon <- raw.orders.day
-- expect: shop.macros.on_tue <- raw.orders.day

-- case: a macro that Python defines is a hole, and is told
-- dialect: postgres, snowflake
MODEL (name shop.held, kind FULL);
SELECT o.id, @my_columns(o), @my_value(o.x) AS v FROM raw.orders o
-- expect: shop.held.id <- raw.orders.id
-- expect: shop.held.v <- nothing

-- case: jinja inside of a SQLMesh model
-- dialect: postgres, snowflake
MODEL (name shop.jinja, kind FULL);
JINJA_QUERY_BEGIN;
SELECT {% for c in ['a', 'b'] %}o.{{ c }} AS {{ c }}_1{{ ', ' if not loop.last }}{% endfor %} FROM raw.orders o
JINJA_END;
-- expect: shop.jinja.a_1 <- raw.orders.a
-- expect: shop.jinja.b_1 <- raw.orders.b

-- case: clauses by macro, SQL in a string, a reduction
-- dialect: postgres, snowflake
MODEL (name shop.clauses, kind FULL);
@WITH(TRUE) o AS (SELECT * FROM raw.orders)
SELECT o.id, @SQL('o.net + o.vat') AS gross, @REDUCE([o.a, o.b, o.c], (x, y) -> x + y) AS abc FROM o
@WHERE(@VAR('fresh')) o.at > @start_date
-- expect: shop.clauses.id <- raw.orders.id
-- expect: shop.clauses.gross <- raw.orders.net, raw.orders.vat
-- expect: shop.clauses.abc <- raw.orders.a, raw.orders.b, raw.orders.c

-- case: a seed is the table that its header describes
-- dialect: postgres
MODEL (name shop.rates, kind SEED (path '../seeds/rates.csv'), columns (code TEXT, rate DOUBLE));
-- outputs: shop.rates
-- statements: table
