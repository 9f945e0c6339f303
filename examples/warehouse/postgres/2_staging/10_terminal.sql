CREATE OR REPLACE VIEW staging.terminal AS
SELECT
  terminal_code,
  initcap(name)                       AS terminal_name,
  region,
  kind                                AS terminal_kind,
  point(longitude, latitude)          AS position,
  make_interval(hours => free_hours)  AS free_time
FROM raw.terminal
WHERE closed_on IS NULL OR closed_on > current_date;
