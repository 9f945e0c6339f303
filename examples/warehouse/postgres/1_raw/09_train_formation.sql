CREATE TABLE IF NOT EXISTS raw.train_formation (
  train_run_id bigint   NOT NULL REFERENCES raw.train_run,
  position     smallint NOT NULL,
  wagon_id     char(12) NOT NULL REFERENCES raw.wagon,
  attached_at  char(3)  NOT NULL REFERENCES raw.terminal,
  detached_at  char(3)  NOT NULL REFERENCES raw.terminal,
  PRIMARY KEY (train_run_id, position)
);

COMMENT ON TABLE  raw.train_formation          IS 'Wagons of a train in the order in which they ran';
COMMENT ON COLUMN raw.train_formation.position IS 'Place behind the locomotive, from 1';
