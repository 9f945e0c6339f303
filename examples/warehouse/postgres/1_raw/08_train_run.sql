CREATE TABLE IF NOT EXISTS raw.train_run (
  train_run_id      bigint      PRIMARY KEY,
  headcode          char(4)     NOT NULL,
  service_date      date        NOT NULL,
  locomotive_id     text        NOT NULL REFERENCES raw.locomotive,
  origin_code       char(3)     NOT NULL REFERENCES raw.terminal,
  destination_code  char(3)     NOT NULL REFERENCES raw.terminal,
  planned_departure timestamptz NOT NULL,
  actual_departure  timestamptz,
  planned_arrival   timestamptz NOT NULL,
  actual_arrival    timestamptz,
  cancelled         boolean     NOT NULL DEFAULT false,
  UNIQUE (headcode, service_date)
);

COMMENT ON TABLE  raw.train_run              IS 'The train register: one row per train and day, planned and actual times';
COMMENT ON COLUMN raw.train_run.headcode     IS 'Signalling description, for example 6M23';
COMMENT ON COLUMN raw.train_run.service_date IS 'Day on which the train was planned to leave its origin';
