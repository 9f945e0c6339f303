CREATE TABLE IF NOT EXISTS `northmoor-telemetry.mart.train_energy_cost` (
  train_run_id    INT64   NOT NULL,
  service_date    DATE    NOT NULL,
  net_kwh         NUMERIC,
  fuel_litres     NUMERIC,
  energy_cost_gbp NUMERIC OPTIONS (description = 'Current net of regeneration, and diesel, at the price of the day'),
  is_final        BOOL    NOT NULL,
  PRIMARY KEY (train_run_id) NOT ENFORCED
)
PARTITION BY service_date
OPTIONS (description = 'What the energy of each train cost');

MERGE INTO `northmoor-telemetry.mart.train_energy_cost` AS target
USING (
  WITH price AS (
    SELECT price_date, TRACTION_CURRENT AS kwh_price, DIESEL AS litre_price
    FROM (
      SELECT carrier, price_date, unit_price
      FROM `northmoor-telemetry.raw.energy_price`
    )
    PIVOT (ANY_VALUE(unit_price) FOR carrier IN ('TRACTION_CURRENT', 'DIESEL'))
  )
  SELECT
    e.train_run_id,
    e.service_date,
    e.drawn_kwh - e.returned_kwh AS net_kwh,
    e.fuel_litres,
    COALESCE((e.drawn_kwh - e.returned_kwh) * p.kwh_price, 0)
      + COALESCE(e.fuel_litres * p.litre_price, 0) AS energy_cost_gbp,
    NOT e.has_estimates AS is_final
  FROM `northmoor-telemetry.staging.train_energy` AS e
  JOIN price AS p ON p.price_date = e.service_date
) AS source
ON target.train_run_id = source.train_run_id
WHEN MATCHED AND NOT target.is_final THEN
  UPDATE SET
    net_kwh = source.net_kwh,
    fuel_litres = source.fuel_litres,
    energy_cost_gbp = source.energy_cost_gbp,
    is_final = source.is_final
WHEN NOT MATCHED BY TARGET THEN
  INSERT (train_run_id, service_date, net_kwh, fuel_litres, energy_cost_gbp, is_final)
  VALUES (source.train_run_id, source.service_date, source.net_kwh, source.fuel_litres, source.energy_cost_gbp, source.is_final);
