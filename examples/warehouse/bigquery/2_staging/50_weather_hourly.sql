CREATE OR REPLACE VIEW `northmoor-telemetry.staging.weather_hourly` AS
SELECT
  g.terminal_code,
  w.* EXCEPT (station_id, source_file, rain_mm),
  IFNULL(w.rain_mm, 0) AS rain_mm,
  w.rail_temp_c > 46 OR w.wind_ms > 25 AS is_restricted
FROM `northmoor-telemetry.raw.weather_hourly` AS w
JOIN `northmoor-telemetry.raw.geofence` AS g USING (station_id)
QUALIFY ROW_NUMBER() OVER (PARTITION BY g.terminal_code, w.observed_at ORDER BY w.source_file DESC) = 1;
