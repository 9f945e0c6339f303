{{ config(materialized='table', enabled=var('use_customs', false)) }}
{% set bounds = {'small': 10, 'medium': 100} %}
select
    d.declaration_id,
    d.goods,
    case
        {% for name, limit in bounds.items() %}
        when d.weight_t < {{ limit }} then '{{ name }}'
        {% endfor %}
        else 'large'
    end as size,
    {% if target.type == 'bigquery' %}
    safe_cast(d.weight_t as int64)
    {% else %}
    try_cast(d.weight_kg as integer)
    {% endif %} as tons,
    c.vessel_name
from {{ ref('declarations') }} as d
left join {{ ref('harbour', 'calls') }} as c
  on c.imo = d.imo {{ "and c.arrival is not null" if var('use_customs') }}
