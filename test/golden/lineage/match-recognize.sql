-- case: measures derive from the columns of the rows
-- dialect: snowflake, oracle, trino
SELECT m.sym, m.low FROM fx.ticks MATCH_RECOGNIZE (
  PARTITION BY sym ORDER BY at
  MEASURES LAST(down.price) AS low
  ONE ROW PER MATCH
  PATTERN (start_row down+ up+)
  DEFINE down AS down.price < PREV(down.price), up AS up.price > PREV(up.price)
) m
-- expect: sym <- fx.ticks.sym
-- expect: low <- fx.ticks.price

-- case: rows of a pattern's variable are counted
-- dialect: snowflake
-- table: fin.stock (company, day, price)
SELECT m.n FROM fin.stock MATCH_RECOGNIZE (PARTITION BY company ORDER BY day MEASURES COUNT(down.*) AS n ONE ROW PER MATCH PATTERN (start_row down+) DEFINE down AS price < LAG(price)) m
-- expect: n <- fin.stock.company, fin.stock.day, fin.stock.price
