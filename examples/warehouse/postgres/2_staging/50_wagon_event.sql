-- Readers send the same passage several times; the first record of a passage within ten minutes counts.
CREATE TABLE IF NOT EXISTS staging.wagon_event (
  event_id      bigint      PRIMARY KEY,
  wagon_id      char(12)    NOT NULL,
  terminal_code char(3)     NOT NULL,
  event_type    text        NOT NULL,
  occurred_at   timestamptz NOT NULL,
  reader_id     text,
  arrived_late  boolean     NOT NULL
);

INSERT INTO staging.wagon_event
SELECT event_id, wagon_id, terminal_code, event_type, occurred_at, reader_id, arrived_late
FROM (
  SELECT
    e.event_id,
    e.wagon_id,
    e.terminal_code,
    e.event_type,
    e.occurred_at,
    e.reader ->> 'reader_id'                           AS reader_id,
    e.recorded_at - e.occurred_at > interval '2 hours' AS arrived_late,
    lag(e.occurred_at) OVER passage                    AS previous_at
  FROM raw.wagon_event AS e
  WINDOW passage AS (PARTITION BY e.wagon_id, e.terminal_code, e.event_type ORDER BY e.occurred_at, e.event_id)
) AS sequenced
WHERE previous_at IS NULL
   OR occurred_at - previous_at > interval '10 minutes'
ON CONFLICT (event_id) DO NOTHING;
