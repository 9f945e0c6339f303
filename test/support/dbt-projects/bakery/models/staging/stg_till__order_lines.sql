{{ config(alias='order_lines') }}

select
    {{ dbt_utils.generate_surrogate_key(['order_id', 'line_number']) }} as order_line_id,
    order_id,
    product_id,
    quantity,
    {{ cents_to_euros('unit_price') }} as unit_price,
    {{ cents_to_euros('unit_price * quantity', 4) }} as line_total
from {{ source('till', 'order_lines') }}
where not coalesce(is_void, false)
