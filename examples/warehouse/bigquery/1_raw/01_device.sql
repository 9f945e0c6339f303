CREATE TABLE IF NOT EXISTS `northmoor-telemetry.raw.device` (
  device_id    STRING    NOT NULL OPTIONS (description = 'Serial number of the telematics unit'),
  firmware     STRING             OPTIONS (description = 'Firmware release reported at last contact'),
  assignments  ARRAY<STRUCT<
    vehicle_id   STRING,
    vehicle_kind STRING,
    fitted_at    TIMESTAMP,
    removed_at   TIMESTAMP
  >>                              OPTIONS (description = 'Vehicles that carried the unit, oldest first'),
  registered_at TIMESTAMP NOT NULL,
  PRIMARY KEY (device_id) NOT ENFORCED
)
OPTIONS (description = 'Telematics units and the wagons and locomotives they were fitted to');
