-- The current version of each booking. Incremental: only changes newer than the newest one known are read.
CREATE TABLE IF NOT EXISTS staging.consignment (
  consignment_id       bigint      PRIMARY KEY,
  account_ref          text        NOT NULL,
  origin_code          char(3)     NOT NULL,
  destination_code     char(3)     NOT NULL,
  commodity_group      text        NOT NULL,
  is_dangerous         boolean     NOT NULL,
  tariff_code          text        NOT NULL,
  declared_weight_kg   integer,
  booked_at            timestamptz NOT NULL,
  requested_arrival_on date        NOT NULL,
  status               text        NOT NULL,
  changed_at           timestamptz NOT NULL,
  distance_km          numeric(7,2)
);

COMMENT ON TABLE  staging.consignment             IS 'Bookings as they stand now';
COMMENT ON COLUMN staging.consignment.distance_km IS 'Billing distance; filled in by 35_consignment_distance.sql';

INSERT INTO staging.consignment AS target (
  consignment_id, account_ref, origin_code, destination_code, commodity_group, is_dangerous,
  tariff_code, declared_weight_kg, booked_at, requested_arrival_on, status, changed_at
)
WITH changed AS (
  SELECT
    c.*,
    row_number() OVER (PARTITION BY c.consignment_id ORDER BY c.changed_at DESC, c.change_id DESC) AS recency
  FROM raw.consignment AS c
  WHERE c.changed_at > (SELECT coalesce(max(s.changed_at), '-infinity') FROM staging.consignment AS s)
)
SELECT
  ch.consignment_id,
  ch.account_ref,
  ch.origin_code,
  ch.destination_code,
  g.commodity_group,
  g.un_number IS NOT NULL,
  upper(ch.tariff_code),
  ch.declared_weight_kg,
  ch.booked_at,
  ch.requested_arrival_on,
  ch.status,
  ch.changed_at
FROM changed AS ch
JOIN raw.commodity AS g USING (commodity_code)
WHERE ch.recency = 1
ON CONFLICT (consignment_id) DO UPDATE SET
  account_ref          = excluded.account_ref,
  tariff_code          = excluded.tariff_code,
  declared_weight_kg   = coalesce(excluded.declared_weight_kg, target.declared_weight_kg),
  requested_arrival_on = excluded.requested_arrival_on,
  status               = excluded.status,
  changed_at           = excluded.changed_at;
