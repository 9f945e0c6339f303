CREATE TABLE IF NOT EXISTS `northmoor-telemetry.raw.energy_price` (
  carrier      STRING NOT NULL OPTIONS (description = 'TRACTION_CURRENT or DIESEL'),
  price_date   DATE   NOT NULL,
  unit_price   NUMERIC NOT NULL OPTIONS (description = 'GBP per kilowatt hour or per litre'),
  contract_ref STRING,
  PRIMARY KEY (carrier, price_date) NOT ENFORCED
)
OPTIONS (description = 'Daily settlement prices of traction energy');
