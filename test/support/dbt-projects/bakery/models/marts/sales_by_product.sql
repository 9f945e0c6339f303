{%- set measures = [
    {'name': 'revenue', 'column': 'line_total', 'function': 'sum'},
    {'name': 'units', 'column': 'quantity', 'function': 'sum'},
    {'name': 'orders', 'column': 'order_id', 'function': 'count'},
] -%}

select
    p.product_id,
    p.product_name,
    o.ordered_on,
    {% for m in measures -%}
    {{ m.function }}({{ 'distinct ' if m.name == 'orders' }}l.{{ m.column }}) as {{ m.name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ ref('stg_till__order_lines') }} as l
inner join {{ ref('stg_till__orders') }} as o on l.order_id = o.order_id
inner join {{ ref('products') }} as p on p.product_id = l.product_id
where o.ordered_at >= '{{ var("first_day") }}'
group by p.product_id, p.product_name, o.ordered_on
