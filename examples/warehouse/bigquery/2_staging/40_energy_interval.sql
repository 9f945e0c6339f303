-- Counters become consumption: the difference to the reading before, by locomotive.
CREATE OR REPLACE TABLE `northmoor-telemetry.staging.energy_interval`
PARTITION BY DATE(interval_end)
CLUSTER BY locomotive_id
AS
WITH reading AS (
  SELECT
    m.*,
    LAG(m.read_at)         OVER by_locomotive AS previous_read_at,
    LAG(m.consumed_kwh)    OVER by_locomotive AS previous_consumed_kwh,
    LAG(m.regenerated_kwh) OVER by_locomotive AS previous_regenerated_kwh,
    LAG(m.fuel_litres)     OVER by_locomotive AS previous_fuel_litres
  FROM `northmoor-telemetry.raw.energy_meter` AS m
  WHERE m.quality != 'MISSING'
  WINDOW by_locomotive AS (PARTITION BY m.locomotive_id ORDER BY m.read_at)
)
SELECT
  locomotive_id,
  previous_read_at AS interval_start,
  read_at          AS interval_end,
  consumed_kwh - previous_consumed_kwh       AS drawn_kwh,
  regenerated_kwh - previous_regenerated_kwh AS returned_kwh,
  fuel_litres - previous_fuel_litres         AS fuel_litres,
  quality = 'ESTIMATED'                      AS is_estimated
FROM reading
WHERE previous_read_at IS NOT NULL
  AND consumed_kwh >= previous_consumed_kwh;
