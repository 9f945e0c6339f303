CREATE OR REPLACE VIEW `northmoor-telemetry.staging.device_assignment` AS
SELECT
  d.device_id,
  a.vehicle_id,
  a.vehicle_kind,
  a.fitted_at,
  COALESCE(a.removed_at, TIMESTAMP '9999-12-31 00:00:00+00') AS removed_at
FROM `northmoor-telemetry.raw.device` AS d
CROSS JOIN UNNEST(d.assignments) AS a
WHERE a.vehicle_id IS NOT NULL;
