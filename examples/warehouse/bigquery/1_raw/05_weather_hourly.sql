CREATE TABLE IF NOT EXISTS `northmoor-telemetry.raw.weather_hourly` (
  station_id  STRING    NOT NULL,
  observed_at TIMESTAMP NOT NULL,
  temp_c      FLOAT64,
  wind_ms     FLOAT64,
  rain_mm     FLOAT64,
  rail_temp_c FLOAT64 OPTIONS (description = 'Model of the rail head, not an observation'),
  source_file STRING  OPTIONS (description = 'Name of the delivered file')
)
PARTITION BY DATE(observed_at)
OPTIONS (description = 'Hourly observations bought from the met office');
