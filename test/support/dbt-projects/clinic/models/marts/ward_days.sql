{%- set wards = ['surgery', 'medicine'] -%}
with visits as (

    select * from {{ ref('stg_visits') }}

),

{% for ward in wards %}
{{ ward }}_visits as (

    select visit_id, ward_code, admitted_at, {{ loop.index }} as sort_order
    from visits
    where ward_code like '{{ ward[:3] | upper }}%'

),
{% endfor %}

combined as (

    {% for ward in wards -%}
    select * from {{ ward }}_visits
    {% if not loop.last -%} union all {%- endif %}
    {% endfor %}

)

select
    c.ward_code,
    w.ward_name,
    c.admitted_at::date as day,
    count(*) as admissions,
    min(c.sort_order) as sort_order,
    {{ ward_budget('w') }} as budget
from combined c
join {{ ref('wards_lookup') }} w
  on w.ward_code = c.ward_code
{{ extra_joins() }}
group by 1, 2, 3
