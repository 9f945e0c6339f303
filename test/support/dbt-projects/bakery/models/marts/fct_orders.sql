{{
    config(
        materialized='incremental',
        unique_key='order_id',
        incremental_strategy='merge',
        on_schema_change='append_new_columns'
    )
}}

with orders as (

    select * from {{ ref('int_orders_all') }}

    {% if is_incremental() %}

    where ordered_at > (select max(ordered_at) from {{ this }})

    {% endif %}

),

order_payments as (

    select * from {{ ref('int_order_payments') }}

),

final as (

    select
        orders.order_id,
        orders.customer_id,
        orders.channel,
        orders.ordered_at,

        {% for method in var('payment_methods') -%}
        order_payments.{{ method }}_amount,
        {% endfor -%}

        coalesce(order_payments.total_amount, 0) as amount,
        {% if is_incremental() %}
        current_timestamp
        {% else %}
        orders.ordered_at
        {% endif %} as changed_at

    from orders
    left join order_payments using (order_id)

)

select * from final
