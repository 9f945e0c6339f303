SELECT
    m.move_id,
    m.imo,
    m.berth_id,
    m.arrival,
    m.departure,
    {{ dbt_utils.datediff("m.arrival", "m.departure", 'hour') }} AS hours_at_berth,
    {{ audit_columns('m') }}
FROM {{ var('berth_moves') }} m
