CREATE MATERIALIZED VIEW IF NOT EXISTS `northmoor-telemetry.mart.vehicle_day`
OPTIONS (enable_refresh = TRUE, refresh_interval_minutes = 60)
AS
SELECT
  vehicle_id,
  DATE(sent_at)  AS day,
  COUNT(*)       AS pings,
  MAX(speed_kmh) AS top_speed_kmh,
  AVG(lag_s)     AS mean_lag_s
FROM `northmoor-telemetry.staging.gps_ping`
GROUP BY vehicle_id, day;
