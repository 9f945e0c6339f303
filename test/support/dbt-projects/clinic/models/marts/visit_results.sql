{% set tests = test_results() %}

select
    v.visit_id,
    v.patient_id,
    {% for test in tests %}
    max(case when r.test_code = '{{ test }}' then r.result end) as {{ dbt_utils.slugify(test) }}_result,
    {% endfor %}
    count(r.test_code) as number_of_tests
from {{ ref('stg_visits') }} v
left join {{ ref('stg_lab_results') }} r on r.visit_id = v.visit_id
group by 1, 2
