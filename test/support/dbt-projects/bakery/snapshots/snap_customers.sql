{% snapshot snap_customers %}

{{
    config(
      unique_key='id',
      strategy='timestamp',
      updated_at='changed_at'
    )
}}

select id, full_name, changed_at from {{ source('till', 'customers') }}

{% endsnapshot %}
