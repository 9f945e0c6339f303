CREATE TABLE IF NOT EXISTS raw.wagon_event (
  event_id      bigint      PRIMARY KEY,
  wagon_id      char(12)    NOT NULL,
  terminal_code char(3)     NOT NULL,
  event_type    text        NOT NULL,
  occurred_at   timestamptz NOT NULL,
  recorded_at   timestamptz NOT NULL,
  reader        jsonb       NOT NULL DEFAULT '{}'
);

COMMENT ON TABLE  raw.wagon_event             IS 'Tag reader events at terminal gates; readers repeat themselves';
COMMENT ON COLUMN raw.wagon_event.event_type  IS 'ARRIVED, PLACED, LOADED, RELEASED or DEPARTED';
COMMENT ON COLUMN raw.wagon_event.recorded_at IS 'When the event reached the database; late by hours after an outage';
COMMENT ON COLUMN raw.wagon_event.reader      IS 'Reader id, firmware and signal strength as sent';
