{% macro flag(condition, name) -%}
    case when {{ condition }} then 1 else 0 end as {{ name }}
{%- endmacro %}

{% macro limit_in_dev(column) %}
{% if target.name in ('dev', 'ci') %}
  and {{ column }} > current_date - 30
{% endif %}
{% endmacro %}

{% macro test_results() %}
  {% set query %}
    select distinct test_code from {{ source('his', 'lab_results') }} order by 1
  {% endset %}
  {% if execute %}
    {% do return(run_query(query).columns[0].values()) %}
  {% else %}
    {% do return([]) %}
  {% endif %}
{% endmacro %}
