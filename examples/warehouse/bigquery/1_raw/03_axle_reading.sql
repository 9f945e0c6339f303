CREATE TABLE IF NOT EXISTS `northmoor-telemetry.raw.axle_reading` (
  site_id      STRING    NOT NULL OPTIONS (description = 'Wayside detector'),
  passed_at    TIMESTAMP NOT NULL OPTIONS (description = 'First axle over the detector'),
  train_run_id INT64              OPTIONS (description = 'Train as identified by the detector; null when unsure'),
  vehicles     ARRAY<STRUCT<
    wagon_id STRING,
    axles    ARRAY<STRUCT<axle_no INT64, bearing_temp_c FLOAT64, wheel_load_kn FLOAT64, impact_kn FLOAT64>>
  >>                              OPTIONS (description = 'Vehicles in order of passing, each with its axles'),
  ambient_c    FLOAT64
)
PARTITION BY DATE(passed_at)
OPTIONS (description = 'Hot-box and wheel-impact detector passages, one row per train');
