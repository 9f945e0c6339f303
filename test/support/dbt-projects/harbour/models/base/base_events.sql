{{ config(
    materialized='incremental',
    incremental_strategy='insert_overwrite',
    partition_by={'field': 'event_date', 'data_type': 'date'},
    cluster_by=['imo']
) }}
select
    parse_date('%Y%m%d', event_day) as event_date,
    imo,
    event_name,
    json_extract_scalar(payload, '$.pilot') as pilot
from {{ source('port_system', 'events') }}
where true
{% if is_incremental() %}
  and _table_suffix >= format_date('%Y%m%d', date_sub(current_date(), interval {{ var('lookback_days') }} day))
{% endif %}
