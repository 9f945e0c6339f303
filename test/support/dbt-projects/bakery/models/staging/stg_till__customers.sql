{{
    config(
        materialized = 'table',
        post_hook = "analyze table {{ this }} compute statistics"
    )
}}

select
    {{ dbt_utils.star(from=source('till', 'customers'), except=['_loaded_at', 'email']) }},
    {{ hashed('email') }} as email_hash
from {{ source('till', 'customers') }}
