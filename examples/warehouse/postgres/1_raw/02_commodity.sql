CREATE TABLE IF NOT EXISTS raw.commodity (
  commodity_code  char(4) PRIMARY KEY,
  description     text    NOT NULL,
  commodity_group text    NOT NULL,
  un_number       integer,
  density_kg_m3   integer
);

COMMENT ON TABLE  raw.commodity                 IS 'What may be carried, by the four-digit goods code';
COMMENT ON COLUMN raw.commodity.commodity_group IS 'AGGREGATES, TIMBER, STEEL, GRAIN, INTERMODAL or CHEMICALS';
COMMENT ON COLUMN raw.commodity.un_number       IS 'UN number of dangerous goods; null for harmless ones';
