-- Net weight per consignment and train: weighbridge reading less the wagon's tare, summed over the wagons of the train.
CREATE TABLE IF NOT EXISTS staging.consignment_load (
  consignment_id bigint        NOT NULL,
  train_run_id   bigint        NOT NULL,
  wagons         integer       NOT NULL,
  net_weight_kg  bigint        NOT NULL,
  fill_rate      numeric(5,4),
  PRIMARY KEY (consignment_id, train_run_id)
);

TRUNCATE staging.consignment_load;

INSERT INTO staging.consignment_load (consignment_id, train_run_id, wagons, net_weight_kg, fill_rate)
SELECT
  cw.consignment_id,
  f.train_run_id,
  count(*),
  sum(greatest(cw.gross_weight_kg - w.tare_kg, 0)),
  round(sum(greatest(cw.gross_weight_kg - w.tare_kg, 0))::numeric / nullif(sum(w.payload_limit_kg), 0), 4)
FROM raw.consignment_wagon AS cw
JOIN staging.wagon AS w ON w.wagon_id = cw.wagon_id
JOIN LATERAL (
  SELECT tf.train_run_id
  FROM raw.train_formation AS tf
  JOIN raw.train_run AS tr ON tr.train_run_id = tf.train_run_id
  WHERE tf.wagon_id = cw.wagon_id
    AND tr.planned_departure >= cw.weighed_at
  ORDER BY tr.planned_departure
  LIMIT 1
) AS f ON true
GROUP BY cw.consignment_id, f.train_run_id;
