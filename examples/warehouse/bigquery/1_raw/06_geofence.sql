CREATE TABLE IF NOT EXISTS `northmoor-telemetry.raw.geofence` (
  terminal_code STRING    NOT NULL OPTIONS (description = 'Terminal that the fence surrounds'),
  boundary      GEOGRAPHY NOT NULL,
  station_id    STRING             OPTIONS (description = 'Nearest weather station'),
  drawn_by      STRING             OPTIONS (description = 'E-mail address of the surveyor'),
  drawn_at      TIMESTAMP NOT NULL,
  PRIMARY KEY (terminal_code) NOT ENFORCED
)
OPTIONS (description = 'Outlines of the terminals');
