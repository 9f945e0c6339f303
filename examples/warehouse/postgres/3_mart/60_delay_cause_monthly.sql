CREATE OR REPLACE VIEW mart.delay_cause_monthly AS
SELECT
  date_trunc('month', t.service_date)::date                              AS month,
  a.cause_code,
  sum(a.minutes)                                                         AS delay_minutes,
  sum(a.minutes) FILTER (WHERE a.responsible_party = 'NETWORK')          AS network_minutes,
  sum(a.minutes) FILTER (WHERE a.responsible_party IN ('OPERATOR', 'TERMINAL')) AS own_minutes,
  rank() OVER (PARTITION BY date_trunc('month', t.service_date)
               ORDER BY sum(a.minutes) DESC)                             AS cause_rank
FROM staging.delay_attribution AS a
JOIN staging.train_run AS t USING (train_run_id)
GROUP BY date_trunc('month', t.service_date), a.cause_code;
