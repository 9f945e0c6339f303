CREATE TABLE IF NOT EXISTS raw.consignment_wagon (
  consignment_id   bigint      NOT NULL,
  wagon_id         char(12)    NOT NULL REFERENCES raw.wagon,
  gross_weight_kg  integer     NOT NULL,
  weighed_at       timestamptz NOT NULL,
  seal_number      text,
  PRIMARY KEY (consignment_id, wagon_id)
);

COMMENT ON TABLE  raw.consignment_wagon                 IS 'Which wagons carry a consignment, with the weighbridge ticket';
COMMENT ON COLUMN raw.consignment_wagon.gross_weight_kg IS 'Weighbridge reading: wagon and load together, in kilograms';
