CREATE TABLE IF NOT EXISTS raw.terminal (
  terminal_code  char(3)      PRIMARY KEY,
  name           text         NOT NULL,
  region         text         NOT NULL,
  kind           text         NOT NULL CHECK (kind IN ('PORT', 'YARD', 'QUARRY', 'DEPOT')),
  latitude       numeric(8,5) NOT NULL,
  longitude      numeric(8,5) NOT NULL,
  free_hours     integer      NOT NULL DEFAULT 24,
  closed_on      date
);

COMMENT ON TABLE  raw.terminal               IS 'Places where wagons are loaded, unloaded or marshalled';
COMMENT ON COLUMN raw.terminal.terminal_code IS 'Three-letter code painted on the yard signs';
COMMENT ON COLUMN raw.terminal.kind          IS 'PORT, YARD, QUARRY or DEPOT';
COMMENT ON COLUMN raw.terminal.free_hours    IS 'Hours a wagon may stand before demurrage is charged';
COMMENT ON COLUMN raw.terminal.closed_on     IS 'Last day of service; null while open';
