with source as (

    select * from {{ source('till', 'orders') }}

),

renamed as (

    select
        id as order_id,
        shop_id,
        customer_id,
        lower(status) as order_status,
        {{ dbt.date_trunc('day', 'ordered_at') }} as ordered_on,
        ordered_at

    from source
    {% if target.name == 'dev' -%}
    -- a week is enough to develop with
    where ordered_at >= {{ dbt.dateadd('day', -7, dbt.current_timestamp()) }}
    {%- endif %}

)

select * from renamed
