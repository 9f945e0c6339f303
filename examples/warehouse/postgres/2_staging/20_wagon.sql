CREATE OR REPLACE VIEW staging.wagon AS
SELECT
  w.wagon_id,
  w.wagon_type_code,
  t.description                                   AS wagon_type,
  w.keeper_code = 'NMRF'                          AS is_own,
  w.tare_kg,
  t.payload_limit_kg,
  t.axles,
  coalesce(w.last_overhaul_on, make_date(w.built_year, 1, 1)) AS overhaul_base_on
FROM raw.wagon AS w
JOIN raw.wagon_type AS t USING (wagon_type_code)
WHERE w.withdrawn_on IS NULL;
