-- Energy by train run: the intervals of its locomotive between departure and arrival.
-- ops_staging is the replica of the operations database (see headwater.yaml).
CREATE OR REPLACE TABLE `northmoor-telemetry.staging.train_energy`
CLUSTER BY train_run_id
AS
SELECT
  t.train_run_id,
  t.service_date,
  t.headcode,
  ANY_VALUE(t.traction)      AS traction,
  SUM(e.drawn_kwh)           AS drawn_kwh,
  SUM(e.returned_kwh)        AS returned_kwh,
  SUM(e.fuel_litres)         AS fuel_litres,
  LOGICAL_OR(e.is_estimated) AS has_estimates
FROM `northmoor-telemetry.ops_staging.train_run` AS t
JOIN `northmoor-telemetry.staging.energy_interval` AS e
  ON e.locomotive_id = t.locomotive_id
 AND e.interval_start >= t.departed_at
 AND e.interval_end <= t.arrived_at
GROUP BY t.train_run_id, t.service_date, t.headcode;
