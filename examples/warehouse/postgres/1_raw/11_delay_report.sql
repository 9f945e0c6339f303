CREATE TABLE IF NOT EXISTS raw.delay_report (
  delay_id          bigint      PRIMARY KEY,
  train_run_id      bigint      NOT NULL REFERENCES raw.train_run,
  cause_code        char(2)     NOT NULL,
  minutes           integer     NOT NULL CHECK (minutes > 0),
  responsible_party text        NOT NULL,
  reported_by       text        NOT NULL,
  reported_at       timestamptz NOT NULL
);

COMMENT ON TABLE  raw.delay_report                   IS 'Delay minutes with their cause, agreed with the network operator';
COMMENT ON COLUMN raw.delay_report.cause_code        IS 'Two letters of the delay attribution guide';
COMMENT ON COLUMN raw.delay_report.responsible_party IS 'NETWORK, OPERATOR, TERMINAL or CUSTOMER';
COMMENT ON COLUMN raw.delay_report.reported_by       IS 'Name of the controller on duty';
