-- Distances are revised with each timetable; the one valid on the day of booking counts.
UPDATE staging.consignment AS c
SET distance_km = r.distance_km
FROM (
  SELECT
    d.origin_code,
    d.destination_code,
    d.distance_km,
    daterange(d.valid_from, lead(d.valid_from) OVER (PARTITION BY d.origin_code, d.destination_code
                                                     ORDER BY d.valid_from)) AS validity
  FROM raw.route_distance AS d
) AS r
WHERE r.origin_code = c.origin_code
  AND r.destination_code = c.destination_code
  AND r.validity @> c.booked_at::date
  AND c.distance_km IS DISTINCT FROM r.distance_km;
