-- How far the arrival promised to the customer was from the arrival by the gate and by the fence.
CREATE OR REPLACE VIEW `northmoor-telemetry.mart.arrival_forecast_error` AS
SELECT
  t.train_run_id,
  t.headcode,
  t.service_date,
  t.planned_arrival,
  v.entered_at AS fenced_arrival,
  TIMESTAMP_DIFF(v.entered_at, t.planned_arrival, MINUTE) AS error_min,
  TIMESTAMP_DIFF(t.arrived_at, v.entered_at, MINUTE)      AS register_lag_min
FROM `northmoor-telemetry.ops_staging.train_run` AS t
JOIN `northmoor-telemetry.staging.geofence_visit` AS v
  ON v.terminal_code = t.destination_code
 AND v.entered_at BETWEEN t.departed_at AND TIMESTAMP_ADD(t.arrived_at, INTERVAL 2 HOUR)
QUALIFY ROW_NUMBER() OVER (PARTITION BY t.train_run_id ORDER BY v.entered_at) = 1;
