CREATE TABLE IF NOT EXISTS raw.wagon_type (
  wagon_type_code  text    PRIMARY KEY,
  description      text    NOT NULL,
  axles            integer NOT NULL,
  payload_limit_kg integer NOT NULL,
  length_mm        integer NOT NULL
);

COMMENT ON TABLE  raw.wagon_type                  IS 'Design classes of wagons';
COMMENT ON COLUMN raw.wagon_type.payload_limit_kg IS 'Heaviest load at line category D4, in kilograms';
