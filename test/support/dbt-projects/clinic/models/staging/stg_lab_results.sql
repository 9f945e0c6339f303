{{ config(
    materialized = 'incremental',
    incremental_strategy = 'delete+insert',
    unique_key = ['visit_id', 'test_code']
) }}

with new_results as (
    select
        visit_id,
        test_code,
        value_numeric as result,
        taken_at,
        row_number() over (partition by visit_id, test_code order by taken_at desc) as rn
    from {{ source('his', 'lab_results') }}
    {%- if is_incremental() %}
    where taken_at > (select coalesce(max(t.taken_at), '1900-01-01') from {{ this }} as t)
    {%- endif %}
)

select {{ "distinct" if var('distinct_results', false) }}
    visit_id, test_code, result, taken_at
from new_results
where rn = 1
