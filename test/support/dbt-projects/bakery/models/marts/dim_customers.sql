with customers as (
    select * from {{ ref('snap_customers') }} where dbt_valid_to is null
),

orders as (
    select * from {{ ref('fct_orders') }}
),

customer_orders as (
    select
        customer_id,
        min(ordered_at) as first_order_at,
        count(order_id) as number_of_orders,
        sum(amount) as lifetime_value
    from orders
    group by 1
)

select
    customers.id as customer_id,
    customers.full_name,
    customer_orders.first_order_at,
    coalesce(customer_orders.number_of_orders, 0) as number_of_orders,
    customer_orders.lifetime_value,
    iff(customer_orders.lifetime_value > 1000, 'regular', 'guest') as customer_group,
    customers.dbt_valid_from as valid_from
from customers
left join customer_orders on customers.id = customer_orders.customer_id
