CREATE MATERIALIZED VIEW IF NOT EXISTS mart.terminal_dwell_daily AS
SELECT
  t.terminal_code,
  t.terminal_name,
  t.region,
  d.arrived_at::date                                              AS arrived_on,
  count(*)                                                        AS wagons,
  avg(d.dwell_hours)                                              AS mean_dwell_hours,
  percentile_cont(0.9) WITHIN GROUP (ORDER BY d.dwell_hours)      AS p90_dwell_hours,
  sum(d.chargeable_hours)                                         AS chargeable_hours
FROM staging.wagon_dwell AS d
JOIN staging.terminal AS t ON t.terminal_code = d.terminal_code
WHERE d.departed_at IS NOT NULL
GROUP BY t.terminal_code, t.terminal_name, t.region, d.arrived_at::date;

CREATE UNIQUE INDEX IF NOT EXISTS terminal_dwell_daily_key
  ON mart.terminal_dwell_daily (terminal_code, arrived_on);

REFRESH MATERIALIZED VIEW mart.terminal_dwell_daily;
