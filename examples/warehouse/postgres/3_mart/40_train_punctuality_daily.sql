CREATE MATERIALIZED VIEW IF NOT EXISTS mart.train_punctuality_daily AS
SELECT
  t.service_date,
  t.origin_code,
  t.traction,
  count(*)                                                AS trains,
  count(*) FILTER (WHERE t.arrival_delay_min <= 10)       AS trains_in_time,
  round(avg(t.arrival_delay_min), 1)                      AS mean_delay_min,
  max(t.arrival_delay_min)                                AS worst_delay_min
FROM staging.train_run AS t
WHERE t.arrived_at IS NOT NULL
GROUP BY GROUPING SETS ((t.service_date, t.origin_code, t.traction), (t.service_date));

REFRESH MATERIALIZED VIEW mart.train_punctuality_daily;
