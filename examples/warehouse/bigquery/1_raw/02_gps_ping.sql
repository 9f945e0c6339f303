CREATE TABLE IF NOT EXISTS `northmoor-telemetry.raw.gps_ping` (
  device_id   STRING    NOT NULL OPTIONS (description = 'Unit that sent the position'),
  sent_at     TIMESTAMP NOT NULL OPTIONS (description = 'Time by the clock of the unit'),
  received_at TIMESTAMP NOT NULL OPTIONS (description = 'Time of arrival at the gateway'),
  position    STRUCT<latitude FLOAT64, longitude FLOAT64, accuracy_m FLOAT64>
                                 OPTIONS (description = 'WGS 84 position with its accuracy'),
  speed_kmh   FLOAT64,
  battery_mv  INT64
)
PARTITION BY DATE(received_at)
CLUSTER BY device_id
OPTIONS (description = 'Positions as sent, with repeats after loss of signal', partition_expiration_days = 400);
