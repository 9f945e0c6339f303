CREATE TABLE IF NOT EXISTS raw.route_distance (
  origin_code      char(3)      NOT NULL REFERENCES raw.terminal,
  destination_code char(3)      NOT NULL REFERENCES raw.terminal,
  valid_from       date         NOT NULL,
  distance_km      numeric(7,2) NOT NULL,
  electrified_km   numeric(7,2) NOT NULL,
  PRIMARY KEY (origin_code, destination_code, valid_from)
);

COMMENT ON TABLE  raw.route_distance                IS 'Billing distances between terminals, revised with each timetable';
COMMENT ON COLUMN raw.route_distance.electrified_km IS 'Part of the distance under the wire';
