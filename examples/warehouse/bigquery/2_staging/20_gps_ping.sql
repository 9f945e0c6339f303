-- Pings of the last three days, once each, with the vehicle that carried the unit at the time.
CREATE TABLE IF NOT EXISTS `northmoor-telemetry.staging.gps_ping` (
  vehicle_id STRING    NOT NULL,
  sent_at    TIMESTAMP NOT NULL,
  latitude   FLOAT64   NOT NULL,
  longitude  FLOAT64   NOT NULL,
  speed_kmh  FLOAT64,
  lag_s      INT64     OPTIONS (description = 'Seconds between sending and receiving')
)
PARTITION BY DATE(sent_at)
CLUSTER BY vehicle_id;

MERGE `northmoor-telemetry.staging.gps_ping` AS t
USING (
  SELECT
    a.vehicle_id,
    p.sent_at,
    p.position.latitude  AS latitude,
    p.position.longitude AS longitude,
    p.speed_kmh,
    TIMESTAMP_DIFF(p.received_at, p.sent_at, SECOND) AS lag_s
  FROM `northmoor-telemetry.raw.gps_ping` AS p
  JOIN `northmoor-telemetry.staging.device_assignment` AS a
    ON a.device_id = p.device_id
   AND p.sent_at >= a.fitted_at
   AND p.sent_at < a.removed_at
  WHERE DATE(p.received_at) >= DATE_SUB(CURRENT_DATE(), INTERVAL 3 DAY)
    AND p.position.accuracy_m < 50
  QUALIFY ROW_NUMBER() OVER (PARTITION BY a.vehicle_id, p.sent_at ORDER BY p.received_at) = 1
) AS s
ON t.vehicle_id = s.vehicle_id AND t.sent_at = s.sent_at
WHEN MATCHED AND t.lag_s > s.lag_s THEN
  UPDATE SET latitude = s.latitude, longitude = s.longitude, speed_kmh = s.speed_kmh, lag_s = s.lag_s
WHEN NOT MATCHED THEN
  INSERT (vehicle_id, sent_at, latitude, longitude, speed_kmh, lag_s)
  VALUES (s.vehicle_id, s.sent_at, s.latitude, s.longitude, s.speed_kmh, s.lag_s);
