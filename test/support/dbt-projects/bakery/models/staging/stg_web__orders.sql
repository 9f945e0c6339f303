{#- The web shop has no tills: its orders carry no shop. -#}
select
    order_uuid as order_id,
    cast(null as integer) as shop_id,
    account_id as customer_id,
    state as order_status,
    created::{{ dbt.type_timestamp() }} as ordered_at
from {{ source("web", "orders") }}
