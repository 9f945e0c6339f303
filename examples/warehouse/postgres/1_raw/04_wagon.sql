CREATE TABLE IF NOT EXISTS raw.wagon (
  wagon_id         char(12) PRIMARY KEY,
  wagon_type_code  text     NOT NULL REFERENCES raw.wagon_type,
  keeper_code      text     NOT NULL,
  tare_kg          integer  NOT NULL,
  built_year       integer  NOT NULL,
  last_overhaul_on date,
  withdrawn_on     date
);

COMMENT ON TABLE  raw.wagon                  IS 'The wagon register: one row per vehicle';
COMMENT ON COLUMN raw.wagon.wagon_id         IS 'Twelve-digit European vehicle number';
COMMENT ON COLUMN raw.wagon.keeper_code      IS 'Vehicle keeper marking: NMRF for our own, else the lessor';
COMMENT ON COLUMN raw.wagon.tare_kg          IS 'Weight empty, in kilograms';
COMMENT ON COLUMN raw.wagon.last_overhaul_on IS 'Day of the last intermediate or general overhaul';
