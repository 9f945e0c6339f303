CREATE OR REPLACE TABLE `northmoor-telemetry.mart.wagon_health_daily`
PARTITION BY reading_date
AS
SELECT *
FROM (
  SELECT
    wagon_id,
    DATE(passed_at) AS reading_date,
    CONCAT('axle_', CAST(axle_no AS STRING)) AS axle,
    bearing_over_c,
    impact_ratio
  FROM `northmoor-telemetry.staging.axle_reading`
)
PIVOT (
  MAX(bearing_over_c) AS bearing_over_c,
  MAX(impact_ratio)   AS impact_ratio
  FOR axle IN ('axle_1', 'axle_2', 'axle_3', 'axle_4')
);
