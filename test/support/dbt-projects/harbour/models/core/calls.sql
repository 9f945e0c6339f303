{%- set event_names = ['arrived', 'pilot_on_board', 'moored'] -%}
{%- call statement('max_move', fetch_result=True) -%}
    select max(move_id) from {{ ref('base_moves') }}
{%- endcall -%}

with moves as (
    select * from {{ ref('base_moves') }}
),

events as (
    select
        imo,
        {{ dbt_utils.pivot(
            'event_name',
            event_names,
            agg='max',
            then_value='event_date',
            else_value='null',
            prefix='last_'
        ) }}
    from {{ ref('base_events') }}
    group by imo
)

select
    moves.move_id as call_id,
    {{ dbt_utils.star(from=ref('base_moves'), except=['move_id', 'source_file', 'loaded_at'], relation_alias='moves') }},
    v.name as vessel_name,
    {% for e in event_names %}
    events.last_{{ e }},
    {% endfor %}
    b.terminal,
from moves
left join {{ ref('base_vessels') }} v on v.imo = moves.imo
left join events on events.imo = moves.imo
left join {{ ref('base_berths') }} b using (berth_id)
where {{ in_window('moves.arrival') }}
