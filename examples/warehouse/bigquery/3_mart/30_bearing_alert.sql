-- The hottest bearing of each wagon in a week, where it is far above what the others of its train show.
CREATE OR REPLACE VIEW `northmoor-telemetry.mart.bearing_alert` AS
WITH compared AS (
  SELECT
    a.wagon_id,
    a.axle_no,
    a.passed_at,
    a.site_id,
    a.bearing_over_c,
    AVG(a.bearing_over_c)    OVER (PARTITION BY a.train_run_id, a.site_id) AS train_mean_c,
    STDDEV(a.bearing_over_c) OVER (PARTITION BY a.train_run_id, a.site_id) AS train_sigma_c
  FROM `northmoor-telemetry.staging.axle_reading` AS a
  WHERE a.train_run_id IS NOT NULL
)
SELECT
  wagon_id,
  axle_no,
  passed_at,
  STRUCT(site_id AS site, bearing_over_c AS over_ambient_c, train_mean_c AS mean_c) AS evidence,
  SAFE_DIVIDE(bearing_over_c - train_mean_c, train_sigma_c) AS sigmas
FROM compared
WHERE bearing_over_c > 40
QUALIFY RANK() OVER (PARTITION BY wagon_id, DATE_TRUNC(DATE(passed_at), WEEK) ORDER BY bearing_over_c DESC) = 1;
