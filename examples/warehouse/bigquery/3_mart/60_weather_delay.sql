CREATE OR REPLACE TABLE `northmoor-telemetry.mart.weather_delay`
AS
WITH departure AS (
  SELECT
    t.train_run_id,
    t.origin_code,
    t.traction,
    t.arrival_delay_min,
    TIMESTAMP_TRUNC(t.departed_at, HOUR) AS departed_hour
  FROM `northmoor-telemetry.ops_staging.train_run` AS t
  WHERE t.arrival_delay_min IS NOT NULL
)
SELECT
  w.terminal_code,
  d.traction,
  w.is_restricted,
  COUNT(*)                              AS trains,
  AVG(d.arrival_delay_min)              AS mean_delay_min,
  CORR(w.wind_ms, d.arrival_delay_min)  AS wind_correlation,
  APPROX_QUANTILES(d.arrival_delay_min, 100)[OFFSET(90)] AS p90_delay_min
FROM departure AS d
JOIN `northmoor-telemetry.staging.weather_hourly` AS w
  ON w.terminal_code = d.origin_code
 AND w.observed_at = d.departed_hour
GROUP BY w.terminal_code, d.traction, w.is_restricted;
