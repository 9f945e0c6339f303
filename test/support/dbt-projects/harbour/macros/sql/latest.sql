{% macro latest(relation, key, changed) %}
select * except(rank_in_key) from (
    select
        *,
        row_number() over (partition by {{ key }} order by {{ changed }} desc) as rank_in_key
    from {{ relation }}
)
where rank_in_key = 1
{% endmacro %}

{% macro in_window(column) -%}
    {{ column }} >= date_sub(current_date(), interval {{ var('lookback_days') }} day)
{%- endmacro %}
