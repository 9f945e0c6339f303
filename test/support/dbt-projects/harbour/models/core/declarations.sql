{% set terminals = var('terminals') %}

with unioned as (
{% for terminal in terminals %}
    {%- set table = 'declarations_' ~ (terminal | replace('-', '_')) %}
    select declaration_id, imo, goods, weight_kg, '{{ terminal }}' as terminal
    from {{ source('port_system', table) }}
    {{- '\n    union all' if not loop.last }}
{% endfor %}
)

select *, weight_kg / 1000 as weight_t from unioned
