{%- set channels = {'till': ref('stg_till__orders'), 'web': ref('stg_web__orders')} -%}

{% for channel, relation in channels.items() %}
select
    order_id,
    shop_id,
    customer_id,
    order_status,
    ordered_at,
    '{{ channel }}' as channel
from {{ relation }}
{% if not loop.last %}union all{% endif %}
{% endfor %}
