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
