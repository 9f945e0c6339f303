{{ config(alias='terminal_load_daily') }}
{% set loads %}
    select terminal, cast(arrival as date) as day, count(*) as calls, avg(hours_at_berth) as mean_hours
    from {{ ref('calls') }}
    group by 1, 2
{% endset %}

select c.day, c.weekday, l.terminal, l.calls, l.mean_hours, t.capacity,
       {{ dbt_utils.safe_divide('l.calls', 't.capacity') }} as load_factor
from {{ ref('calendar') }} c
join ({{ loads }}) l on l.day = c.day
left join {{ ref('terminal_capacity') }} t on t.terminal = l.terminal
{% if var('use_customs') %}
where l.terminal in (select terminal from {{ ref('declarations') }})
{% endif %}
