-- How long each wagon stood at each terminal, and how much of it is chargeable.
CREATE TEMP TABLE arrival AS
SELECT event_id, wagon_id, terminal_code, occurred_at AS arrived_at
FROM staging.wagon_event
WHERE event_type = 'ARRIVED';

CREATE TEMP TABLE stay AS
SELECT
  a.event_id AS arrival_event_id,
  a.wagon_id,
  a.terminal_code,
  a.arrived_at,
  min(d.occurred_at) AS departed_at
FROM arrival AS a
LEFT JOIN staging.wagon_event AS d
  ON d.wagon_id = a.wagon_id
 AND d.terminal_code = a.terminal_code
 AND d.event_type = 'DEPARTED'
 AND d.occurred_at > a.arrived_at
GROUP BY a.event_id, a.wagon_id, a.terminal_code, a.arrived_at;

CREATE TABLE IF NOT EXISTS staging.wagon_dwell (
  arrival_event_id bigint        PRIMARY KEY,
  wagon_id         char(12)      NOT NULL,
  terminal_code    char(3)       NOT NULL,
  arrived_at       timestamptz   NOT NULL,
  departed_at      timestamptz,
  dwell_hours      numeric(10,2),
  chargeable_hours numeric(10,2)
);

DELETE FROM staging.wagon_dwell AS w
USING stay AS s
WHERE w.arrival_event_id = s.arrival_event_id;

INSERT INTO staging.wagon_dwell
SELECT
  s.arrival_event_id,
  s.wagon_id,
  s.terminal_code,
  s.arrived_at,
  s.departed_at,
  extract(epoch FROM s.departed_at - s.arrived_at) / 3600,
  greatest(extract(epoch FROM s.departed_at - s.arrived_at - t.free_time) / 3600, 0)
FROM stay AS s
JOIN staging.terminal AS t USING (terminal_code);

DROP TABLE stay;
DROP TABLE arrival;
