CREATE TABLE IF NOT EXISTS mart.wagon_utilisation_monthly (
  month             date          NOT NULL,
  wagon_id          char(12)      NOT NULL,
  wagon_type        text          NOT NULL,
  trips             integer       NOT NULL,
  loaded_kg         bigint        NOT NULL,
  standing_hours    numeric(12,2) NOT NULL,
  days_since_repair integer,
  PRIMARY KEY (month, wagon_id)
);

DELETE FROM mart.wagon_utilisation_monthly
WHERE month = date_trunc('month', current_date)::date;

INSERT INTO mart.wagon_utilisation_monthly (month, wagon_id, wagon_type, trips, loaded_kg, standing_hours, days_since_repair)
WITH trip AS (
  SELECT tf.wagon_id, date_trunc('month', tr.service_date)::date AS month, count(*) AS trips
  FROM raw.train_formation AS tf
  JOIN staging.train_run AS tr ON tr.train_run_id = tf.train_run_id
  GROUP BY 1, 2
),
loading AS (
  SELECT cw.wagon_id, date_trunc('month', cw.weighed_at)::date AS month, sum(cw.gross_weight_kg - w.tare_kg) AS loaded_kg
  FROM raw.consignment_wagon AS cw
  JOIN staging.wagon AS w ON w.wagon_id = cw.wagon_id
  GROUP BY 1, 2
),
standing AS (
  SELECT wagon_id, date_trunc('month', arrived_at)::date AS month, sum(dwell_hours) AS standing_hours
  FROM staging.wagon_dwell
  GROUP BY 1, 2
)
SELECT
  t.month,
  w.wagon_id,
  w.wagon_type,
  t.trips,
  coalesce(l.loaded_kg, 0),
  coalesce(s.standing_hours, 0),
  t.month - w.overhaul_base_on
FROM staging.wagon AS w
JOIN trip AS t ON t.wagon_id = w.wagon_id
LEFT JOIN loading AS l ON l.wagon_id = w.wagon_id AND l.month = t.month
LEFT JOIN standing AS s ON s.wagon_id = w.wagon_id AND s.month = t.month
WHERE t.month = date_trunc('month', current_date)::date;
