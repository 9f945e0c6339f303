-- One row per consignment from booking to arrival. Rebuilt for the last sixty days each night.
CREATE TABLE IF NOT EXISTS mart.consignment_journey (
  consignment_id    bigint        PRIMARY KEY,
  account_ref       text          NOT NULL,
  commodity_group   text          NOT NULL,
  tariff_code       text          NOT NULL,
  origin_name       text          NOT NULL,
  destination_name  text          NOT NULL,
  booked_on         date          NOT NULL,
  departed_at       timestamptz,
  arrived_at        timestamptz,
  trains            integer       NOT NULL,
  net_weight_kg     bigint,
  tonne_km          numeric(14,3),
  chargeable_hours  numeric(12,2) NOT NULL,
  arrived_in_time   boolean
);

COMMENT ON TABLE  mart.consignment_journey                  IS 'Each consignment from booking to arrival, with weight, distance and waiting';
COMMENT ON COLUMN mart.consignment_journey.chargeable_hours IS 'Wagon hours beyond the free time of the terminals';

DELETE FROM mart.consignment_journey WHERE booked_on >= current_date - 60;

INSERT INTO mart.consignment_journey (
  consignment_id, account_ref, commodity_group, tariff_code, origin_name, destination_name, booked_on,
  departed_at, arrived_at, trains, net_weight_kg, tonne_km, chargeable_hours, arrived_in_time
)
WITH movement AS (
  SELECT
    s.consignment_id,
    min(t.departed_at)             AS departed_at,
    max(t.arrived_at)              AS arrived_at,
    count(DISTINCT s.train_run_id) AS trains,
    max(s.net_weight_kg)           AS net_weight_kg,
    sum(s.tonne_km)                AS tonne_km
  FROM mart.train_consignment_share AS s
  JOIN staging.train_run AS t ON t.train_run_id = s.train_run_id
  GROUP BY s.consignment_id
),
waiting AS (
  SELECT cw.consignment_id, sum(d.chargeable_hours) AS chargeable_hours
  FROM raw.consignment_wagon AS cw
  JOIN staging.wagon_dwell AS d
    ON d.wagon_id = cw.wagon_id
   AND d.arrived_at <= cw.weighed_at
   AND coalesce(d.departed_at, 'infinity') >= cw.weighed_at
  GROUP BY cw.consignment_id
)
SELECT
  c.consignment_id,
  c.account_ref,
  c.commodity_group,
  c.tariff_code,
  o.terminal_name,
  d.terminal_name,
  c.booked_at::date,
  m.departed_at,
  m.arrived_at,
  coalesce(m.trains, 0),
  m.net_weight_kg,
  m.tonne_km,
  coalesce(w.chargeable_hours, 0),
  m.arrived_at::date <= c.requested_arrival_on
FROM staging.consignment AS c
JOIN staging.terminal AS o ON o.terminal_code = c.origin_code
JOIN staging.terminal AS d ON d.terminal_code = c.destination_code
LEFT JOIN movement AS m ON m.consignment_id = c.consignment_id
LEFT JOIN waiting AS w ON w.consignment_id = c.consignment_id
WHERE c.status <> 'CANCELLED'
  AND c.booked_at >= current_date - 60;
