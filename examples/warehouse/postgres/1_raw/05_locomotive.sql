CREATE TABLE IF NOT EXISTS raw.locomotive (
  locomotive_id text    PRIMARY KEY,
  class_code    text    NOT NULL,
  traction      text    NOT NULL CHECK (traction IN ('ELECTRIC', 'DIESEL', 'DUAL')),
  power_kw      integer NOT NULL,
  weight_kg     integer NOT NULL
);

COMMENT ON TABLE  raw.locomotive          IS 'Locomotives owned or hired in';
COMMENT ON COLUMN raw.locomotive.traction IS 'ELECTRIC, DIESEL or DUAL';
