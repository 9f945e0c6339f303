CREATE TABLE IF NOT EXISTS `northmoor-telemetry.staging.axle_reading` (
  wagon_id       STRING    NOT NULL,
  axle_no        INT64     NOT NULL,
  passed_at      TIMESTAMP NOT NULL,
  site_id        STRING    NOT NULL,
  train_run_id   INT64,
  bearing_over_c FLOAT64   OPTIONS (description = 'Bearing temperature above ambient'),
  wheel_load_kn  FLOAT64,
  impact_ratio   FLOAT64   OPTIONS (description = 'Peak over mean wheel load; a flat shows above 1.4')
)
PARTITION BY DATE(passed_at)
CLUSTER BY wagon_id;

DELETE FROM `northmoor-telemetry.staging.axle_reading`
WHERE DATE(passed_at) >= DATE_SUB(CURRENT_DATE(), INTERVAL 1 DAY);

INSERT INTO `northmoor-telemetry.staging.axle_reading`
  (wagon_id, axle_no, passed_at, site_id, train_run_id, bearing_over_c, wheel_load_kn, impact_ratio)
SELECT
  v.wagon_id,
  x.axle_no,
  r.passed_at,
  r.site_id,
  r.train_run_id,
  x.bearing_temp_c - r.ambient_c,
  x.wheel_load_kn,
  SAFE_DIVIDE(x.impact_kn, x.wheel_load_kn)
FROM `northmoor-telemetry.raw.axle_reading` AS r,
  UNNEST(r.vehicles) AS v,
  UNNEST(v.axles) AS x
WHERE DATE(r.passed_at) >= DATE_SUB(CURRENT_DATE(), INTERVAL 1 DAY)
  AND v.wagon_id IS NOT NULL;
