-- A visit is an unbroken run of pings of one vehicle within one fence.
CREATE OR REPLACE TABLE `northmoor-telemetry.staging.geofence_visit`
PARTITION BY DATE(entered_at)
AS
WITH located AS (
  SELECT
    p.vehicle_id,
    p.sent_at,
    g.terminal_code
  FROM `northmoor-telemetry.staging.gps_ping` AS p
  JOIN `northmoor-telemetry.raw.geofence` AS g
    ON ST_CONTAINS(g.boundary, ST_GEOGPOINT(p.longitude, p.latitude))
),
marked AS (
  SELECT
    *,
    COALESCE(
      terminal_code != LAG(terminal_code) OVER w
        OR TIMESTAMP_DIFF(sent_at, LAG(sent_at) OVER w, MINUTE) > 90,
      TRUE
    ) AS is_entry
  FROM located
  WINDOW w AS (PARTITION BY vehicle_id ORDER BY sent_at)
),
numbered AS (
  SELECT
    * EXCEPT (is_entry),
    COUNTIF(is_entry) OVER (PARTITION BY vehicle_id ORDER BY sent_at) AS visit_no
  FROM marked
)
SELECT
  vehicle_id,
  visit_no,
  ANY_VALUE(terminal_code) AS terminal_code,
  MIN(sent_at)             AS entered_at,
  MAX(sent_at)             AS left_at,
  COUNT(*)                 AS pings
FROM numbered
GROUP BY vehicle_id, visit_no;
