{{ config(materialized='view') }}
-- depends_on: {{ ref('stg_patients') }}
select
    v.visit_id,
    v.patient as patient_id,
    v.ward_code,
    v.admitted_at,
    v.discharged_at,
    {{ flag("v.discharged_at is null", "is_inpatient") }},
    {{ flag("v.urgency >= 4", "is_urgent") }}
from {{ source('his', 'visits') }} as v
where v.visit_id is not null
{{ limit_in_dev('v.admitted_at') }}
