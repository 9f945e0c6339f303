with base as (

    select * from {{ source('his', 'patients') }}

), fields as (

    select
        {{
            fivetran_utils.fill_staging_columns(
                source_columns=adapter.get_columns_in_relation(source('his', 'patients')),
                staging_columns=get_patient_columns()
            )
        }}
    from base

), final as (

    select
        patient_id,
        upper(family_name) || ', ' || given_name as patient_name,
        date_of_birth,
        {{ dbt.datediff('date_of_birth', dbt.current_timestamp(), 'year') }} as age
    from fields
    where not coalesce(_deleted, false)
)

select * from final
