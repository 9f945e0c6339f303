-- Every late minute of a train with a party to answer for it; what nobody reported stays UNEXPLAINED.
CREATE OR REPLACE VIEW staging.delay_attribution AS
WITH reported AS (
  SELECT train_run_id, responsible_party, cause_code, sum(minutes) AS minutes
  FROM raw.delay_report
  GROUP BY train_run_id, responsible_party, cause_code
),
explained AS (
  SELECT train_run_id, sum(minutes) AS minutes
  FROM reported
  GROUP BY train_run_id
)
SELECT train_run_id, responsible_party, cause_code, minutes
FROM reported
UNION ALL
SELECT t.train_run_id, 'UNEXPLAINED', 'ZZ', t.arrival_delay_min - coalesce(e.minutes, 0)
FROM staging.train_run AS t
LEFT JOIN explained AS e USING (train_run_id)
WHERE t.arrival_delay_min > coalesce(e.minutes, 0);
