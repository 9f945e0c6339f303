with {% for model in ['stg_patients', 'stg_visits'] -%}
{{ model | replace('stg_', '') }} as (select * from {{ ref(model) }}),
{% endfor -%}
last_visit as (
    {{ dbt_utils.deduplicate(relation='visits', partition_by='patient_id', order_by='admitted_at desc') }}
)
select
    patients.patient_id,
    patients.patient_name,
    {%- if var('with_age', true) %}
    patients.age,
    {%- endif %}
    last_visit.admitted_at as last_admitted_at,
    history.previous_name
from patients
left join last_visit using (patient_id)
left join lateral (
    select s.patient_name as previous_name
    from {{ ref('patients_history') }} s
    where s.patient_id = patients.patient_id
    order by s.dbt_valid_from desc limit {{ var('history_depth', 1) }}
) history on true
