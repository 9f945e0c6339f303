-- The key by which a train's costs are shared among the consignments on it: tonne-kilometres.
CREATE OR REPLACE VIEW mart.train_consignment_share AS
SELECT
  l.train_run_id,
  l.consignment_id,
  l.net_weight_kg,
  c.distance_km,
  l.net_weight_kg / 1000.0 * c.distance_km AS tonne_km,
  (l.net_weight_kg * c.distance_km)
    / nullif(sum(l.net_weight_kg * c.distance_km) OVER (PARTITION BY l.train_run_id), 0) AS cost_share
FROM staging.consignment_load AS l
JOIN staging.consignment AS c ON c.consignment_id = l.consignment_id
WHERE c.status <> 'CANCELLED';
