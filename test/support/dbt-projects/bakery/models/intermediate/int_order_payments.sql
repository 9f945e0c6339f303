{% set methods = var('payment_methods') %}

with payments as (
    select * from {{ ref('stg_till__payments') }}
)

select
    order_id,
    {%- for method in methods %}
    sum(case when payment_method = '{{ method }}' then amount else 0 end) as {{ method }}_amount,
    {%- endfor %}
    sum(amount) as total_amount
from payments
{{ dbt_utils.group_by(n=1) }}
