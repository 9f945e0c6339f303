CREATE OR REPLACE VIEW staging.train_run AS
SELECT
  r.train_run_id,
  r.headcode,
  r.service_date,
  r.origin_code,
  r.destination_code,
  r.locomotive_id,
  l.class_code,
  l.traction,
  l.weight_kg                                                         AS locomotive_weight_kg,
  r.planned_departure,
  r.planned_arrival,
  coalesce(r.actual_departure, r.planned_departure)                   AS departed_at,
  r.actual_arrival                                                    AS arrived_at,
  round(extract(epoch FROM r.actual_arrival - r.planned_arrival) / 60) AS arrival_delay_min
FROM raw.train_run AS r
JOIN raw.locomotive AS l USING (locomotive_id)
WHERE NOT r.cancelled;
