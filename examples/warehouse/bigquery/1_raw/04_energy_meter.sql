CREATE TABLE IF NOT EXISTS `northmoor-telemetry.raw.energy_meter` (
  locomotive_id   STRING    NOT NULL,
  read_at         TIMESTAMP NOT NULL OPTIONS (description = 'End of the five-minute interval'),
  consumed_kwh    NUMERIC   NOT NULL OPTIONS (description = 'Counter of energy drawn, since commissioning'),
  regenerated_kwh NUMERIC   NOT NULL OPTIONS (description = 'Counter of energy fed back when braking'),
  fuel_litres     NUMERIC            OPTIONS (description = 'Counter of diesel burnt; null on electric classes'),
  quality         STRING    NOT NULL OPTIONS (description = 'MEASURED, ESTIMATED or MISSING')
)
PARTITION BY DATE(read_at)
CLUSTER BY locomotive_id
OPTIONS (description = 'On-board energy meter counters, every five minutes');
